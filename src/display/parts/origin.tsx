/** The foot of a panel: the device that its values come from, and their age. */
import { durationText } from "../../text/quantity.ts";
import { ageOf } from "../data/freshness.ts";
import { type DeviceMessage, isDead, nameAt } from "../data/store.ts";

export function Origin({ row, now }: { readonly row: DeviceMessage<unknown>; readonly now: number }) {
  const age = durationText(ageOf(row.stamp, now));
  const dead = isDead(row, now);
  return (
    <p class={`foot ${dead ? "value-state" : "source"}`}>
      <span class="source-name">{nameAt(row.address)}</span> <span class="age">{dead ? `lost ${age} ago` : age}</span>
    </p>
  );
}
