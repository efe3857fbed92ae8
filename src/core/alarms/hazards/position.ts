/** The position of the boat, the receivers that give it, and the time. */
import { greatCircle, METRES_PER_MILE } from "../../nav/great-circle.ts";
import type { ReceiverFix as Receiver } from "../../nav/navigator.ts";
import { sentence } from "../../text/sentence.ts";
import { ALL_CLEAR, above, one, type Reading } from "../reading.ts";
import { alarm, isAtBerth, limit } from "./hazard.ts";

/** Metres of error for each unit of HDOP, with a margin of three. */
const METRES_PER_HDOP = 15;
const USUAL_HDOP = 2;
/** Maximum time between the positions of two receivers. */
const SECONDS_APART = 3;
/** Maximum receivers, because each is compared with each; a boat has a handful. */
const MAX_COMPARED = 50;
const METRES_PER_SECOND = METRES_PER_MILE / 3600;

const precisionOf = ({ hdop = USUAL_HDOP }: Receiver): number => hdop * METRES_PER_HDOP;

/** The two receivers that are the farthest apart, and the distance that their precision does not explain. */
function farthest(receivers: readonly Receiver[], floor: number, sog: number): Reading | undefined {
  let worst: Reading | undefined;
  let most = Number.NEGATIVE_INFINITY;
  const compared = receivers.slice(0, MAX_COMPARED);
  for (const [index, one] of compared.entries()) {
    for (const other of compared.slice(index + 1)) {
      const value = greatCircle(one, other).range * METRES_PER_MILE;
      const limit = Math.max(floor, precisionOf(one) + precisionOf(other)) + sog * METRES_PER_SECOND * SECONDS_APART;
      if (value - limit <= most) continue;
      most = value - limit;
      worst = { value, limit, sentences: [sentence`${[one.name, other.name]}`], zone: above(value, limit, limit / 4) };
    }
  }
  return worst;
}

const runBy = {
  "speed over ground": sentence`run by the speed over ground while the position stood still`,
  "speed through water": sentence`run by the speed through water while the position stood still`,
} as const;

export const positionHazards = {
  position: alarm({
    title: "Position lost",
    severity: "alarm",
    delay: 10,
    isQuiet: isAtBerth,
    readings: ({ navigation, hadPosition, isDue }) =>
      hadPosition || isDue ? [{ zone: navigation.position?.hasFix === true ? "within" : "beyond" }] : [],
  }),
  positionJump: alarm({
    title: "Position jumps",
    severity: "alarm",
    unit: "nm",
    delay: 0,
    settings: {
      limit: limit(0.1, [0.01, 10], "NM", { above: "distance beyond what the boat can do," }),
    },
    isLatched: true,
    isListed: true,
    isQuiet: isAtBerth,
    readings: ({ jumps }, { limit }) =>
      jumps
        .filter(({ excess }) => excess > limit)
        .map(({ receiver, distance, seconds }) => ({
          subject: receiver.id,
          name: receiver.name,
          value: distance,
          sentences: [sentence`in ${Math.round(seconds)} s`],
          zone: "beyond",
        })),
  }),
  positionFrozen: alarm({
    title: "Position stands still",
    severity: "alarm",
    unit: "nm",
    delay: 10,
    settings: {
      limit: limit(0.1, [0.02, 2], "NM", {
        above: "distance by the speed of the boat, without a change of the position,",
      }),
    },
    readings: ({ run }, { limit }) =>
      one(run?.miles, (miles) => ({
        limit,
        sentences: [runBy[run!.by]],
        zone: above(miles, limit, limit / 2),
      })),
  }),
  receivers: alarm({
    title: "Positions differ",
    severity: "alarm",
    unit: "m",
    delay: 30,
    settings: {
      limit: limit(100, [20, 10_000], "m", { above: (rings) => `distance ${rings}, or more where their HDOP says so` }),
    },
    isQuiet: isAtBerth,
    readings: ({ receivers, navigation }, { limit }) => {
      const worst = farthest(receivers, limit, navigation.speed_course?.sog ?? 0);
      return worst === undefined ? [] : [worst];
    },
  }),
  clock: alarm({
    title: "Time differs",
    severity: "warning",
    unit: "s",
    delay: 0,
    readings: ({ clockAheadSec: ahead, navigation }) => {
      if (ahead === undefined) return navigation.date === undefined ? [] : [ALL_CLEAR];
      const told =
        ahead > 0
          ? sentence`the computer's clock is ahead of the time of the bus`
          : sentence`the computer's clock is behind the time of the bus`;
      return [{ value: Math.abs(ahead), sentences: [told], zone: "beyond" }];
    },
  }),
};
