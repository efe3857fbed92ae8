/** Devices that are gone, those together that have gone together. */
import type { Device } from "./device.ts";

const MINUTE_MS = 60_000;
/** Three heartbeats of a minute. */
export const VANISHED_MS = 3 * MINUTE_MS;
/** Last messages of devices whose part of the bus fails are closer than this, or than their usual interval. */
export const TOGETHER_MS = 5000;
/** Messages and time after which a device belongs to the bus and is not a temporary one. */
const SETTLED_PACKETS = 20;
const SETTLED_MS = MINUTE_MS;

/**
 * Devices that are silent while others are heard, by the moment: those whose last messages are closer than their usual
 * interval are one group, the one that was silent first at its head. A group is complete when its first one counts as
 * gone. `silenceOf`: see `Traffic`.
 */
export function goneGroups(
  devices: readonly Device[],
  silenceOf: (device: Device) => number,
): readonly (readonly Device[])[] {
  const settled = devices.filter(
    (device) =>
      silenceOf(device) > VANISHED_MS - TOGETHER_MS &&
      device.packets >= SETTLED_PACKETS &&
      device.last - device.first >= SETTLED_MS,
  );
  const groups: Device[][] = [];
  for (const device of settled.sort((one, other) => one.last - other.last)) {
    const first = groups.at(-1)?.[0];
    const isTogether = first !== undefined && device.last - first.last <= Math.max(TOGETHER_MS, first.usualMs);
    if (isTogether) groups.at(-1)!.push(device);
    else groups.push([device]);
  }
  return groups.filter(([first]) => silenceOf(first!) > VANISHED_MS);
}
