/** Devices on the bus that the crew does not know. */
import { sentence } from "../../text/sentence.ts";
import { addressSentence } from "../names.ts";
import { alarm, offByDefault } from "./hazard.ts";

export const deviceHazards = {
  newDevice: alarm({
    title: "New device on the bus",
    severity: "alarm",
    delay: 0,
    settings: offByDefault,
    // An intruder may be unplugged again before anyone looks.
    isLatched: true,
    isListed: true,
    canWatch: ({ newDevices }) => newDevices !== undefined,
    readings: ({ newDevices = [] }) =>
      newDevices.map(({ addr, label }) => ({
        subject: addr,
        name: label,
        sentences: [addressSentence(addr), sentence`not in the baseline`],
        zone: "beyond",
      })),
  }),
};
