/** Differences of the bus from the baseline. */
import { titleOf } from "../../n2k/public-names.ts";
import { dayOf, sentence } from "../../text/sentence.ts";
import { type Kind, kind } from "../finding.ts";

export const baselineKinds = {
  missingDevice: kind({
    title: "Device of the boat is missing",
    severity: "warning",
    reads: "the baseline, PGN 60928",
    raised: "a device of the baseline is silent for 3 minutes, while others are heard",
    after: 0,
    endsAfter: 0,
    advice: "Check its power and its plug; if it was removed on purpose, take a new baseline.",
    readings: (bus) => {
      const { gone, takenAt } = bus.differences;
      const groups = bus.gone.filter(({ length }) => length > 1);
      const together = new Set(groups.flat().map(({ name }) => String(name)));
      const lastOf = new Map(bus.devices.map((device) => [String(device.name), device.last]));
      return gone
        .filter(({ name }) => !together.has(name))
        .map(({ name, label }) => ({
          key: name,
          measured: sentence`${label ?? name} is gone, compared with ${dayOf(takenAt)}`,
          from: lastOf.get(name),
        }));
    },
  }),
  newDevice: kind({
    title: "New device",
    severity: "information",
    reads: "the baseline, PGN 60928",
    raised: "a device is heard that is not in the baseline",
    after: 10,
    endsAfter: 0,
    advice: "If you know it, take a new baseline; if you do not, find out who has connected it.",
    readings: ({ differences: { arrived, takenAt }, nameOf }) =>
      arrived.map((device) => ({
        key: String(device.name),
        devices: [device],
        measured: sentence`${nameOf(device)} is new, compared with ${dayOf(takenAt)}`,
        from: device.first,
      })),
  }),
  newVersion: kind({
    title: "Software of a device has changed",
    severity: "information",
    reads: "the baseline, PGN 126996",
    raised: "a device of the baseline has another software version",
    after: 0,
    endsAfter: 0,
    advice: "If the device works as before, take a new baseline.",
    readings: ({ differences: { versions, takenAt }, nameOf }) =>
      versions.map(({ device, before, now }) => ({
        key: String(device.name),
        devices: [device],
        pgn: 126996,
        measured: sentence`The software of ${nameOf(device)} is ${now}, and was ${before}, compared with ${dayOf(takenAt)}`,
      })),
  }),
  missingStream: kind({
    title: "Message of the boat is missing",
    severity: "warning",
    reads: "the baseline, all packets",
    raised: "a device of the baseline has been heard for 3 minutes without one of its regular PGNs",
    after: 0,
    endsAfter: 0,
    advice: "Check the sensor behind the device, or its setup; an engine that stands may send nothing.",
    readings: ({ differences: { silent, takenAt }, nameOf }) =>
      silent.map(({ device, pgn, last }) => ({
        key: `${device.name}-${pgn}`,
        devices: [device],
        pgn,
        measured: sentence`${nameOf(device)} does not send ${titleOf(pgn)} any more, compared with ${dayOf(takenAt)}`,
        from: last,
      })),
  }),
} as const satisfies Readonly<Record<string, Kind>>;
