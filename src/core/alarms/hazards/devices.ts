/** Devices on the bus that the crew does not know. */
import { alarm, offByDefault } from "./hazard.ts";

export const deviceHazards = {
  newDevice: alarm(0, offByDefault, {
    title: "New device on the bus",
    severity: "alarm",
    // An intruder may be unplugged again before anyone looks.
    isLatched: true,
    isListed: true,
    canWatch: ({ newDevices }) => newDevices !== undefined,
    readings: ({ newDevices = [] }) =>
      newDevices.map(({ addr, label }) => ({
        subject: addr,
        name: label,
        text: `address ${addr}, not in the baseline`,
        zone: "beyond",
      })),
  }),
};
