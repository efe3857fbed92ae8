/** The foot of a panel: the device that its values come from, and their age. */
import { ageOf, ageText } from "../data/freshness.ts";
import { type DeviceMessage, isDead, nameAt } from "../data/store.ts";

export function Origin({ row, now }: { readonly row: DeviceMessage<unknown>; readonly now: number }) {
  const age = ageText(ageOf(row.stamp, now));
  const dead = isDead(row, now);
  return (
    <p class={`foot ${dead ? "value-state" : "source"}`}>
      <span class="source-name">{nameAt(row.address)}</span> <span class="age">{dead ? `lost ${age} ago` : age}</span>
    </p>
  );
}
