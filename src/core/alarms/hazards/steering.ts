/** Pilots, routes, and the wind by which a boat is steered. */
import type { Message } from "../../n2k/definition.ts";
import { crossTrackError } from "../../n2k/pgns/route.ts";
import { headingTrackControl } from "../../n2k/pgns/steering.ts";
import { isImplausible } from "../../n2k/plausible.ts";
import { METRES_PER_MILE } from "../../nav/great-circle.ts";
import { LEG_DISTANCE, type Severity } from "../constants.ts";
import { kept } from "../reads.ts";
import { above, alarm, isMoored, limit, offByDefault, type Reading, readingsOf, readingsOfDevices } from "./hazard.ts";

/** Code of a limit that is exceeded, in 127237. */
const YES = 1;

/** The fields of 127237 that a pilot reports. `override` is a hand at the wheel, and no alarm. */
const pilotReports = [
  ["offHeadingExceeded", "alarm", "off heading"],
  ["offTrackExceeded", "alarm", "off track"],
  ["rudderLimitExceeded", "warning", "rudder at its limit"],
] as const satisfies readonly (readonly [keyof Message<typeof headingTrackControl>, Severity, string])[];

const pilots = kept(headingTrackControl, { key: ({ source }) => source });
/** The boat has one route, whichever device reports it. */
const legs = kept(crossTrackError, { key: () => 0 });

export const steeringHazards = {
  pilot: alarm({
    title: "Autopilot",
    severity: "each",
    delay: 5,
    reads: [pilots],
    isListed: true,
    readings: ({ reported, nameOfDevice }) =>
      readingsOfDevices(reported(pilots), (message, address) =>
        pilotReports.flatMap(([field, severity, what]): Reading[] => {
          if (message[field] !== YES) return [];
          const text = `${what}, reported by the autopilot`;
          return [
            {
              subject: address,
              key: `${address}-${field}`,
              name: nameOfDevice(address),
              severity,
              text,
              zone: "beyond",
            },
          ];
        }),
      ),
  }),
};

export const courseHazards = {
  crossTrack: alarm({
    title: "Off the leg",
    severity: "warning",
    unit: "nm",
    delay: 10,
    settings: {
      ...offByDefault,
      limit: limit(LEG_DISTANCE, [0.01, 10], "NM", { above: "distance from the leg" }),
    },
    reads: [legs],
    isQuiet: isMoored,
    readings: ({ latest }, { limit }) =>
      readingsOf(latest(legs), (message) => {
        const { xte } = message;
        if (xte === undefined || isImplausible(crossTrackError.pgn, "xte", message)) return undefined;
        const value = Math.abs(xte) / METRES_PER_MILE;
        return {
          value,
          limit,
          text: xte > 0 ? "steer to port" : "steer to starboard",
          zone: above(value, limit, limit / 10),
        };
      }),
  }),
  windShift: alarm({
    title: "Wind shift",
    severity: "warning",
    unit: "°",
    delay: 60,
    settings: {
      ...offByDefault,
      limit: limit(30, [5, 180], "deg", { above: "change of the mean direction in 20 minutes" }),
    },
    readings: ({ windShift }, { limit }) =>
      windShift === undefined
        ? []
        : [
            {
              value: Math.abs(windShift),
              limit,
              text: windShift > 0 ? "veers" : "backs",
              zone: above(Math.abs(windShift), limit, limit / 4),
            },
          ],
  }),
};
