/** Pilots, routes, and the wind by which a boat is steered. */
import { arrivalIn } from "../../n2k/arrival.ts";
import type { Message } from "../../n2k/definition.ts";
import { crossTrackError, navigationData } from "../../n2k/pgns/route.ts";
import { headingTrackControl } from "../../n2k/pgns/steering.ts";
import { isImplausible } from "../../n2k/plausible.ts";
import { METRES_PER_MILE } from "../../nav/great-circle.ts";
import { type Sentence, sentence } from "../../text/sentence.ts";
import { LEG_DISTANCE, type Severity } from "../constants.ts";
import type { PilotStop } from "../pilot-watch.ts";
import { above, type Reading, readingsOf } from "../reading.ts";
import { heardBy, kept } from "../reads.ts";
import { alarm, isAtBerth, limit, offByDefault } from "./hazard.ts";

/** Code of a limit that is exceeded, in 127237. */
const YES = 1;

/** The fields of 127237 that a pilot reports. `override` is a hand at the wheel, and no alarm. */
const pilotReports = [
  ["offHeadingExceeded", "alarm", sentence`off heading`],
  ["offTrackExceeded", "alarm", sentence`off track`],
  ["rudderLimitExceeded", "warning", sentence`rudder at its limit`],
] as const satisfies readonly (readonly [keyof Message<typeof headingTrackControl>, Severity, Sentence])[];

const pilots = kept(headingTrackControl, { key: ({ device }) => device.order });
const steeringModes = heardBy(headingTrackControl, ({ pilots }, message, heard) => pilots.hear(message, heard));
/** Time for which a stop is a new one; then the alarm waits for its answer alone. */
const NEW_STOP_MS = 30_000;
const steered = sentence`it steered`;
const stopWords = {
  silent: ["alarm", [steered, sentence`and is not heard any more`]],
  standby: ["warning", [steered, sentence`and is on standby`]],
} as const;

/** Where a stop begins hub does not know whether a person wanted it; it is told until it is answered. */
function stopReading({ device, what, since }: PilotStop, now: number, name: string | undefined): Reading {
  const { address } = device;
  const [severity, sentences] = stopWords[what];
  const zone = since !== undefined && now - since < NEW_STOP_MS ? "beyond" : "within";
  return {
    subject: address,
    key: `${address}-${what}`,
    name,
    severity,
    sentences,
    isLatched: since !== undefined,
    zone,
  };
}

const waypoints = kept(navigationData, { key: () => 0 });
/** The boat has one route, whichever device reports it. */
const legs = kept(crossTrackError, { key: () => 0 });

export const steeringHazards = {
  pilot: alarm({
    title: "Autopilot",
    severity: "each",
    delay: 5,
    reads: [pilots, steeringModes],
    isLatched: "each",
    isListed: ({ isReporting }, { of }) => of === undefined || isReporting(pilots, of.device),
    readings: ({ reported, nameOfDevice, pilotStops, now }) => [
      ...pilotStops.map((stop) => stopReading(stop, now, nameOfDevice(stop.device))),
      ...readingsOf(reported(pilots), (message, _, device) =>
        pilotReports.flatMap(([field, severity, what]): Reading[] => {
          if (message[field] !== YES) return [];
          return [
            {
              subject: device.address,
              key: `${device.address}-${field}`,
              name: nameOfDevice(device),
              severity,
              sentences: [what, sentence`reported by the autopilot`],
              zone: "beyond",
            },
          ];
        }),
      ),
    ],
  }),
  crossTrack: alarm({
    title: "Off the leg",
    severity: "warning",
    unit: "nm",
    delay: 10,
    isOfOneThing: true,
    settings: {
      ...offByDefault,
      limit: limit(LEG_DISTANCE, [0.01, 10], "NM", { above: "distance from the leg" }),
    },
    reads: [legs],
    isQuiet: isAtBerth,
    readings: ({ latest }, { limit }) =>
      readingsOf(latest(legs), (message) => {
        const { xte } = message;
        if (xte === undefined || isImplausible(crossTrackError.pgn, "xte", message)) return undefined;
        const value = Math.abs(xte) / METRES_PER_MILE;
        return {
          value,
          limit,
          sentences: [xte > 0 ? sentence`steer to port` : sentence`steer to starboard`],
          zone: above(value, limit, limit / 10),
        };
      }),
  }),
  arrival: alarm({
    title: "Waypoint reached",
    severity: "warning",
    delay: 3,
    isOfOneThing: true,
    reads: [waypoints],
    readings: ({ latest }) =>
      readingsOf(latest(waypoints), ({ arrivalStatus, waypointId, destinationLatitude }) => {
        const arrival = arrivalIn(arrivalStatus);
        if (arrival === undefined) return undefined;
        // Both may have happened.
        const sentences = [
          ...(arrival.isInCircle ? [sentence`arrival circle entered`] : []),
          ...(arrival.isPassed ? [sentence`perpendicular crossed`] : []),
        ];
        const about = (waypointId ?? destinationLatitude)?.toString();
        return { sentences, about, zone: sentences.length > 0 ? "beyond" : "within" };
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
              sentences: [windShift > 0 ? sentence`veers` : sentence`backs`],
              zone: above(Math.abs(windShift), limit, limit / 4),
            },
          ],
  }),
};
