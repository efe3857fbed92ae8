/** The row of a device that is not on the bus, and what the crew can do about it. */

import { canCommand } from "../alarms/alarms.ts";
import { aboutText, forgetDevice, type MissingDevice as Missing, missingText } from "../data/device-memory.ts";
import { say } from "../languages/say.ts";
import { Button } from "./button.tsx";

interface MissingDeviceProps {
  readonly addr: number;
  readonly device: Missing;
  readonly now: number;
}

export function MissingDevice({ addr, device, now }: MissingDeviceProps) {
  const { name, label, about, isSilent } = device;
  return (
    <li class="missing-device" data-id={`missing-${name}`}>
      <span class="address">{addr}</span>
      <span class="device-name">
        {isSilent ? <s>{label}</s> : label}
        <small>{aboutText(about)}</small>
        <small>{missingText(device, now)}</small>
      </span>
      {canCommand && isSilent && (
        <Button
          says="Forget"
          aria-label={say("Forget {device}", { device: label })}
          onClick={() => forgetDevice(name)}
        />
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
