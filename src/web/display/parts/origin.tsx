/** The foot of a panel: the device that its values come from, and their age if that matters. */

import { lostText } from "../data/device-memory.ts";
import { isDead } from "../data/device-messages.ts";
import { nameAt } from "../data/device-names.ts";
import { ageOf, isAgeTold } from "../data/freshness.ts";
import { type DeviceMessage, isFilling } from "../data/store.ts";
import { durationText } from "../languages/formats.ts";

export function Origin({ row, now }: { readonly row: DeviceMessage<unknown>; readonly now: number }) {
  const age = ageOf(row.stamp, now);
  const dead = isDead(row, now);
  const isLost = dead && !isFilling(now);
  return (
    <p class={`foot ${isLost ? "value-state" : "source"}`}>
      <span class="source-name">{nameAt(row.address)}</span> {isLost && <span class="age">{lostText(row, now)}</span>}
      {!dead && isAgeTold(age) && <span class="age">{durationText(age)}</span>}
    </p>
  );
}
