/** Sensors that contradict each other, or physics. */
import type { Definition } from "../../n2k/definition.ts";
import { gnssPositionForReports, windDataForReports } from "../../n2k/pgns/for-reports.ts";
import { cogSogRapidUpdate, localTimeOffset, positionRapidUpdate, systemTime } from "../../n2k/pgns/gnss.ts";
import { magneticVariation, rudder, vesselHeading } from "../../n2k/pgns/steering.ts";
import { speedWaterReferenced, waterDepth } from "../../n2k/pgns/water.ts";
import { titleOf } from "../../n2k/public-names.ts";
import { greatCircle, METRES_PER_MILE, positionIn } from "../../nav/great-circle.ts";
import { compassReading, type Heading, headingOf } from "../../nav/heading.ts";
import { timestampOf } from "../../text/date.ts";
import {
  degrees,
  depthOf,
  duration,
  inKnots,
  inMetres,
  type Sentence,
  sentence,
  type Value,
} from "../../text/sentence.ts";
import type { Bus, Sampled } from "../bus.ts";
import type { Device } from "../device.ts";
import { about, type Kind, kind, type Reading, when } from "../finding.ts";
import { isShort, sampledMember, streamName } from "./streams.ts";

/** Messages whose values are compared. */
export const sensorDefinitions = [
  positionRapidUpdate,
  cogSogRapidUpdate,
  gnssPositionForReports,
  systemTime,
  localTimeOffset,
  vesselHeading,
  magneticVariation,
  rudder,
  speedWaterReferenced,
  waterDepth,
  windDataForReports,
] as const;

/** The measured members of a message; without any of them the sensor gives no value. */
const measures = [
  { definition: positionRapidUpdate, members: ["latitude", "longitude"] },
  { definition: vesselHeading, members: ["headingDeg"] },
  { definition: speedWaterReferenced, members: ["speedWaterMs", "speedGroundMs"] },
  { definition: waterDepth, members: ["depthM"] },
  { definition: windDataForReports, members: ["windSpeedMs", "windAngleDeg"] },
] as const;

/** A difference of depths that sloping ground below the hull does not explain, and up to which depth it counts. */
const DEPTH_METRES = 2;
const DEPTH_PART = 0.25;
const DEEPEST_METRES = 80;
const POSITION_METRES = 100;
/** Maximum time between two samples of a position. */
const SAMPLES_APART_S = 3;
const HEADING_DEGREES = 15;
/** A compass or an antenna that is mounted the wrong way round. */
const REVERSED_DEGREES = 150;
const RUDDER_DEGREES = 10;
/** Speed at which no boat is carried backwards by a tide. */
const FORWARD_KNOTS = 6;
const FAST_KNOTS = 4;
const NO_SPEED_KNOTS = 0.2;
const STILL_VANE_MS = 300_000;
const LIMIT_MS = 30_000;
const CLOCK_SECONDS = 3;
/** Earlier dates are those of a receiver without a fix. */
const EARLIEST = Date.UTC(2000, 0, 1);
const NO_GNSS = 0;

const METRES_PER_SECOND = METRES_PER_MILE / 3600;

type Any = Pick<Sampled<typeof waterDepth>, "device">;

/** Each pair of different devices. */
function pairs<Each extends Any>(all: readonly Each[]): readonly (readonly [Each, Each])[] {
  return all.flatMap((one, index) =>
    all.slice(index + 1).flatMap((other) => (one.device === other.device ? [] : [[one, other] as const])),
  );
}

/** The pair that differs most, one reading: three sources of which one is wrong are one finding. */
function worst<Each extends Any>(
  bus: Bus,
  all: readonly Each[],
  differs: (one: Each, other: Each, names: Value) => { readonly by: number; readonly measured: Sentence } | undefined,
  pgn: number,
): readonly Reading[] {
  const found = pairs(all)
    .flatMap(([one, other]) => {
      const difference = differs(one, other, [bus.nameOf(one.device), bus.nameOf(other.device)]);
      return difference === undefined ? [] : [{ one, other, ...difference }];
    })
    .sort((a, b) => b.by - a.by)[0];
  return found === undefined
    ? []
    : [
        {
          devices: [found.one.device, found.other.device],
          pgn,
          measured: found.measured,
          weight: found.by,
        },
      ];
}

/** Degrees between two directions, 0 to 180. */
const between = (one: number, other: number): number => 180 - Math.abs((Math.abs(one - other) % 360) - 180);

const speedOf = ({ sampled }: Bus): number =>
  sampled(cogSogRapidUpdate).reduce((fastest, { message }) => Math.max(fastest, message.sogKnots ?? 0), 0);

/** Depths below the waterline if both messages have them, or else below the transducer. */
function depthsOf(
  one: Sampled<typeof waterDepth>,
  other: Sampled<typeof waterDepth>,
): readonly [number, number] | undefined {
  const [a, b] = [one.message, other.message];
  if (a.depthM === undefined || b.depthM === undefined) return undefined;
  const [offsetA = 0, offsetB = 0] = [a.offsetM, b.offsetM];
  return offsetA > 0 && offsetB > 0 ? [a.depthM + offsetA, b.depthM + offsetB] : [a.depthM, b.depthM];
}

type HeadingSample = Sampled<typeof vesselHeading>;

/** The variation of a device, or else of another one, degrees; undefined: none says one. */
function variationOf({ sampled }: Bus, device?: Device): number | undefined {
  const known = sampled(magneticVariation).filter(({ message }) => message.variation !== undefined);
  return (known.find((each) => each.device === device) ?? known[0])?.message.variation;
}

/** The heading of a compass, by its own variation or one of the bus. */
const headingBy = (bus: Bus, { message, device }: HeadingSample): Heading =>
  headingOf(compassReading(message), message.variationDeg ?? variationOf(bus, device));

/** Degrees between two directions; two that were measured by magnetic north need no variation. */
function apart(one: Heading, other: Heading): number | undefined {
  const isMagnetic = one.reference === "magnetic" && other.reference === "magnetic";
  const [a, b] = [one, other].map((each) => (isMagnetic ? each.headingMagnetic : each.headingTrue));
  return a === undefined || b === undefined ? undefined : between(a, b);
}

/** The courses over ground above a speed. */
function coursesAbove(bus: Bus, least: number): readonly Heading[] {
  const variation = variationOf(bus);
  return bus
    .sampled(cogSogRapidUpdate)
    .filter(({ message }) => (message.sogKnots ?? 0) > least)
    .map(({ message: { cogDeg, cogReference } }) => {
      const headingTrue = cogReference === "True" ? cogDeg : undefined;
      const headingMagnetic = cogReference === "Magnetic" ? cogDeg : undefined;
      return headingOf({ headingTrue, headingMagnetic, deviation: undefined, variation: undefined }, variation);
    });
}

/**
 * Clocks of devices: less the monotonic time of reception, by which two are compared, and less the wall clock;
 * milliseconds.
 */
function clocksOf({ sampled }: Bus) {
  const clocks = new Map<Device, { readonly device: Device; readonly offset: number; readonly ahead: number }>();
  const note = (
    { device, arrived, received }: Pick<Sampled<Definition>, "device" | "arrived" | "received">,
    days: number | undefined,
    time: number | undefined,
  ): void => {
    if (days === undefined || time === undefined) return;
    const stamp = timestampOf(days, time);
    if (stamp > EARLIEST) clocks.set(device, { device, offset: stamp - arrived, ahead: stamp - received });
  };
  for (const sample of sampled(gnssPositionForReports)) note(sample, sample.message.days, sample.message.time);
  for (const sample of sampled(systemTime)) note(sample, sample.message.date, sample.message.time);
  return [...clocks.values()];
}

/** The same, with devices that have a clock in PGN 129033 alone: some send the local time there. */
function datesOf(bus: Bus) {
  const clocks = clocksOf(bus);
  const others = bus.sampled(localTimeOffset).flatMap(({ device, received, message: { days, time } }) => {
    if (days === undefined || time === undefined || clocks.some((clock) => clock.device === device)) return [];
    const stamp = timestampOf(days, time);
    return stamp > EARLIEST ? [{ device, ahead: stamp - received }] : [];
  });
  return [...clocks, ...others];
}

/** Time after which the number of the week of GPS, of ten bits, begins again. */
const ROLLOVER_MS = 7168 * 86_400_000;
/** Greatest error of a clock that still tells how often the weeks have rolled over. */
const ROLLOVER_TOLERANCE_MS = 2 * 86_400_000;

/** How often the weeks of GPS have rolled over in a clock that is so far ahead of another one; 0: it differs otherwise. */
function rollovers(offset: number): number {
  const count = Math.round(-offset / ROLLOVER_MS);
  return Math.abs(offset + count * ROLLOVER_MS) <= ROLLOVER_TOLERANCE_MS ? count : 0;
}

const weeksOf = (count: number): number => Math.abs(count) * 1024;

export const sensorKinds = {
  positionsDiffer: kind({
    title: "Positions differ",
    severity: "fault",
    reads: "PGN 129025",
    raised: `two receivers are more than ${POSITION_METRES} m apart, and more than the boat moves between two messages`,
    after: 30,
    advice:
      "Look which of the two is right on a chart at the berth; check the view of the sky and the antenna of the other.",
    readings: (bus) =>
      worst(
        bus,
        bus.sampled(positionRapidUpdate),
        ({ message: one }, { message: other }, names) => {
          const [place, otherPlace] = [positionIn(one), positionIn(other)];
          if (place === undefined || otherPlace === undefined) return undefined;
          const by = greatCircle(place, otherPlace).range * METRES_PER_MILE;
          const limit = POSITION_METRES + speedOf(bus) * METRES_PER_SECOND * SAMPLES_APART_S;
          return by > limit
            ? { by, measured: sentence`${names}: their positions are ${inMetres(by)} apart` }
            : undefined;
        },
        129025,
      ),
  }),
  depthsDiffer: kind({
    title: "Depths differ",
    severity: "warning",
    reads: "PGN 128267",
    raised: `two depths below ${DEEPEST_METRES} m differ by more than ${DEPTH_METRES} m and 25 %`,
    after: 60,
    advice: "Check the offsets of both transducers, and clean them; the shallower depth is the safe one.",
    readings: (bus) =>
      worst(
        bus,
        bus.sampled(waterDepth),
        (one, other, names) => {
          const depths = depthsOf(one, other);
          if (depths === undefined) return undefined;
          const deepest = Math.max(depths[0], depths[1]);
          if (deepest > DEEPEST_METRES) return undefined;
          const by = Math.abs(depths[0] - depths[1]);
          return by > Math.max(DEPTH_METRES, DEPTH_PART * deepest)
            ? { by, measured: sentence`${names}: ${depthOf(depths[0])} and ${depthOf(depths[1])}` }
            : undefined;
        },
        waterDepth.pgn,
      ),
  }),
  headingReversed: kind({
    title: "Compass the wrong way round",
    severity: "fault",
    reads: "PGN 127250, 127258, 129026",
    raised: `two headings, or a heading and the course above ${FORWARD_KNOTS} knots, are more than ${REVERSED_DEGREES}° apart`,
    after: 60,
    advice: "Turn the compass or antenna, or set its offset to 180°, and calibrate it again.",
    readings: (bus) => {
      const headings = bus.sampled(vesselHeading);
      const pair = worst(
        bus,
        headings,
        (one, other, names) => {
          const by = apart(headingBy(bus, one), headingBy(bus, other));
          return by !== undefined && by > REVERSED_DEGREES
            ? { by, measured: sentence`${names}: their headings are ${degrees(by)} apart` }
            : undefined;
        },
        vesselHeading.pgn,
      );
      if (pair.length > 0) return pair;
      const courses = coursesAbove(bus, FORWARD_KNOTS);
      return headings.flatMap((sample) => {
        const { device } = sample;
        const heading = headingBy(bus, sample);
        const by = courses.flatMap((course) => apart(heading, course) ?? [])[0];
        if (by === undefined) return [];
        return when(by > REVERSED_DEGREES, () => ({
          devices: [device],
          pgn: vesselHeading.pgn,
          measured: sentence`The heading of ${bus.nameOf(device)} is ${degrees(by)} from the course over ground`,
          weight: by,
        }));
      });
    },
  }),
  headingsDiffer: kind({
    title: "Headings differ",
    severity: "warning",
    reads: "PGN 127250, 127258",
    raised: `two headings are more than ${HEADING_DEGREES}° and not more than ${REVERSED_DEGREES}° apart`,
    after: 60,
    advice: "Calibrate both compasses in a slow circle, and keep iron and loudspeakers away from them.",
    readings: (bus) =>
      worst(
        bus,
        bus.sampled(vesselHeading),
        (one, other, names) => {
          const by = apart(headingBy(bus, one), headingBy(bus, other));
          return by !== undefined && by > HEADING_DEGREES && by <= REVERSED_DEGREES
            ? { by, measured: sentence`${names}: their headings are ${degrees(by)} apart` }
            : undefined;
        },
        vesselHeading.pgn,
      ),
  }),
  ruddersDiffer: kind({
    title: "Rudder angles differ",
    severity: "warning",
    reads: "PGN 127245",
    raised: `two angles of the rudder of one instance are more than ${RUDDER_DEGREES}° apart`,
    after: 30,
    advice: "Align both sensors amidships; of a boat with two rudders, give each its own instance.",
    readings: (bus) =>
      worst(
        bus,
        bus.sampled(rudder),
        ({ message: one }, { message: other }, names) => {
          if (one.instance !== other.instance || one.positionDeg === undefined || other.positionDeg === undefined)
            return undefined;
          const by = Math.abs(one.positionDeg - other.positionDeg);
          return by > RUDDER_DEGREES
            ? { by, measured: sentence`${names}: their rudder angles are ${degrees(by)} apart` }
            : undefined;
        },
        rudder.pgn,
      ),
  }),
  vaneStuck: kind({
    title: "Wind vane does not move",
    severity: "warning",
    reads: "PGN 130306",
    raised: "the angle of the apparent wind has not changed for 5 minutes, while its speed has",
    after: 0,
    endsAfter: 0,
    advice: "Look at the masthead: the vane is stuck, lost, or its cable broken.",
    readings: (bus) =>
      bus.sampled(windDataForReports).flatMap(({ stream, device, arrived }) => {
        const since = bus.stillSince(stream);
        return when(since !== undefined && arrived - since > STILL_VANE_MS, () => ({
          ...about(device),
          pgn: windDataForReports.pgn,
          measured: sentence`The wind angle of ${bus.nameOf(device)} has not changed for ${duration(arrived - since!)}, while its speed has`,
          from: since,
        }));
      }),
  }),
  paddleWheel: kind({
    title: "Log does not turn",
    severity: "warning",
    reads: "PGN 128259, 129026",
    raised: `the speed through the water is 0 while the speed over ground is above ${FAST_KNOTS} knots`,
    after: 120,
    advice: "Pull the paddle wheel and clean it.",
    readings: (bus) => {
      const speed = speedOf(bus);
      return bus.sampled(speedWaterReferenced).flatMap(({ device, message: { speedWaterKnots: through } }) =>
        when(through !== undefined && through < NO_SPEED_KNOTS && speed > FAST_KNOTS, () => ({
          ...about(device),
          pgn: speedWaterReferenced.pgn,
          measured: sentence`${bus.nameOf(device)} measures ${inKnots(through!)} through the water, at ${inKnots(speed)} over ground`,
          weight: speed,
        })),
      );
    },
  }),
  valueAtLimit: kind({
    title: "Value at the end of its range",
    severity: "warning",
    reads: "numbers of two bytes or more with a unit, of all PGNs",
    raised: "a number stays at the highest value of its range for 30 seconds",
    after: 0,
    endsAfter: 0,
    advice: "The sensor is broken, not connected, or set up for another range: check its cable and its setup.",
    readings: ({ atLimit, nameOf }) =>
      [...atLimit].flatMap(([stream, fields]) => {
        const lasting = [...fields].filter(([, since]) => stream.sample!.arrived - since >= LIMIT_MS);
        const labels = lasting.flatMap(([name]) => sampledMember(stream, name) ?? []);
        return when(labels.length > 0, () => ({
          key: `${stream.kind.pgn}-${stream.device.address}-${stream.key >>> 0}`,
          devices: [stream.device],
          pgn: stream.kind.pgn,
          measured: sentence`${streamName(stream)} of ${nameOf(stream.device)} has numbers at the end of their range: ${labels.join(", ")}`,
          // biome-ignore lint/plugin: sensors of a packet's length
          from: Math.min(...lasting.map(([, since]) => since)),
        }));
      }),
  }),
  weekRollover: kind({
    title: "GPS weeks have rolled over",
    severity: "warning",
    reads: "PGN 126992, 129029, 129033, the clock of the computer",
    raised: "the date of a device is 1024 weeks, or a multiple, behind the clock of the computer",
    after: 30,
    ofStandIns: true,
    advice:
      "Look for newer software of the receiver, or replace it: hub corrects the date, other devices may take it for the present one.",
    readings: (bus) =>
      datesOf(bus).flatMap(({ device, ahead }) => {
        const count = rollovers(ahead);
        return when(count > 0, () => ({
          ...about(device),
          pgn: systemTime.pgn,
          measured: sentence`The date of ${bus.nameOf(device)} is ${weeksOf(count)} weeks behind`,
        }));
      }),
  }),
  clocksDiffer: kind({
    title: "Clocks of devices differ",
    severity: "warning",
    reads: "PGN 126992, 129029",
    raised: `the times of two devices are more than ${CLOCK_SECONDS} seconds apart, and neither is a case of rolled over weeks`,
    after: 60,
    advice: "The receiver with a fix is right; set the time source of the other device to GNSS.",
    readings: (bus) =>
      worst(
        bus,
        clocksOf(bus).filter(({ ahead }) => rollovers(ahead) <= 0),
        ({ offset: one }, { offset: other }, names) => {
          const by = Math.abs(one - other);
          if (by <= CLOCK_SECONDS * 1000) return undefined;
          const weeks = rollovers(-by);
          return {
            by,
            measured:
              weeks === 0
                ? sentence`${names}: their clocks are ${duration(by)} apart`
                : sentence`${names}: their dates are ${weeksOf(weeks)} weeks apart`,
          };
        },
        systemTime.pgn,
      ),
  }),
  computerClock: kind({
    title: "Clock of this computer",
    severity: "warning",
    reads: "the clock of the computer, PGN 126992, 129029, 129033",
    raised: "the clock of the computer and the time on the bus have differed by 2 seconds for a minute",
    after: 0,
    endsAfter: 0,
    advice:
      "Let the computer take its time from the bus or a server: the page The clock of the documentation says how.",
    readings: ({ clockAheadSec: ahead }) =>
      when(ahead !== undefined, () => ({
        measured:
          ahead! > 0
            ? sentence`The clock is ${duration(ahead! * 1000)} ahead of the time on the bus`
            : sentence`The clock is ${duration(-ahead! * 1000)} behind the time on the bus`,
        weight: Math.abs(ahead!),
      })),
  }),
  noValue: kind({
    title: "Sensor without a value",
    severity: "information",
    reads: "PGN 127250, 128259, 128267, 129025, 130306",
    raised: "a device sends such a message without its value for 5 minutes",
    after: 300,
    endsAfter: 0,
    advice:
      "If the sensor is there, check its cable to the device. A sounder finds no ground in deep water, and a device may send such messages without having the sensor: then all is well.",
    readings: (bus) => {
      const withoutFix = new Set(
        bus
          .sampled(gnssPositionForReports)
          .flatMap(({ device, message }) => (message.method === NO_GNSS ? device : [])),
      );
      return measures.flatMap(({ definition, members }) => {
        const samples = bus.sampled<Definition>(definition).filter(({ stream }) => !isShort(stream));
        const hasValue = ({ message }: Sampled<Definition>): boolean =>
          members.some((name) => (message as Readonly<Record<string, unknown>>)[name] !== undefined);
        const giving = new Set(samples.filter(hasValue).map(({ device }) => device));
        const sending = new Set(samples.map(({ device }) => device));
        return [...sending]
          .filter((device) => !giving.has(device))
          .flatMap((device) =>
            when(definition !== positionRapidUpdate || !withoutFix.has(device), () => ({
              key: `${definition.pgn}-${device.address}`,
              devices: [device],
              pgn: definition.pgn,
              measured: sentence`${bus.nameOf(device)} sends ${titleOf(definition.pgn)} without its value`,
            })),
          );
      });
    },
  }),
  noFix: kind({
    title: "Receiver without a fix",
    severity: "warning",
    reads: "PGN 129029",
    raised: "a receiver has no fix for 5 minutes",
    after: 300,
    advice: "Check the antenna and its view of the sky.",
    readings: (bus) => {
      const receivers = bus.sampled(gnssPositionForReports);
      const hasFix = receivers.some(({ message: { method } }) => (method ?? NO_GNSS) !== NO_GNSS);
      return receivers.flatMap(({ device, message: { method } }) =>
        when(method === NO_GNSS, () => ({
          ...about(device),
          pgn: gnssPositionForReports.pgn,
          measured: hasFix
            ? sentence`${bus.nameOf(device)} has no fix, another receiver has one`
            : sentence`${bus.nameOf(device)} has no fix`,
        })),
      );
    },
  }),
} as const satisfies Readonly<Record<string, Kind>>;
