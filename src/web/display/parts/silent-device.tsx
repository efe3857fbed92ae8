/** The row of a device that has fallen silent, and what the crew can do about it. */

import { canCommand } from "../alarms/alarms.ts";
import { forgetDevice, type SilentDevice as Silent, silentText } from "../data/device-memory.ts";
import { say } from "../languages/say.ts";

interface SilentDeviceProps {
  readonly device: Silent;
  readonly now: number;
}

export function SilentDevice({ device, now }: SilentDeviceProps) {
  const { name, addr, label, about } = device;
  return (
    <li class="silent-device" data-id={`silent-${name}`}>
      <span class="address">{addr}</span>
      <span class="device-name">
        <s>{label}</s>
        <small>{about}</small>
        <small>{silentText(device, now)}</small>
      </span>
      {canCommand && (
        <button type="button" aria-label={say("Forget {device}", { device: label })} onClick={() => forgetDevice(name)}>
          {say("Forget")}
        </button>
      )}
    </li>
  );
}

export const WhatToCheck = () => (
  <p class="hint">
    {say(
      "Of a silent device check its fuse and switch, then its T-piece and drop cable. If it was replaced or set up anew, its NAME may have moved: it is in the list as another device then. Forget it if it was removed on purpose.",
    )}
  </p>
);
