/** Streams: their periods, and contradictions of two devices about one subject. */

import { decoderOf, type Read } from "../../n2k/decode.ts";
import type { Definition } from "../../n2k/definition.ts";
import { bitsOf } from "../../n2k/field.ts";
import { keyNames, namesWhere, publishedFields } from "../../n2k/layout.ts";
import { rudder } from "../../n2k/pgns/steering.ts";
import { titleOf } from "../../n2k/public-names.ts";
import { navigatorDefinitions } from "../../nav/messages.ts";
import { duration, type Sentence, sentence } from "../../text/sentence.ts";
import { groupedBy } from "../../util/grouped.ts";
import { memoize } from "../../util/memoize.ts";
import { type Bus, isHeard } from "../bus.ts";
import { differenceIn, memberName, memberValues } from "../difference.ts";
import { about, type Kind, kind, type Reading, type Timing, when } from "../finding.ts";
import type { Intervals, Stream } from "../stream.ts";
import { devicesThatRestart } from "./devices.ts";

/** A stream is slow by this factor of its nominal period. */
const SLOW = 3;
/** A period has changed if it differs by this part, and its intervals vary by less than half of that. */
const CHANGED = 0.3;
/** Shortest gap, in intervals and in milliseconds. */
const GAP_INTERVALS = 8;
const GAP_MS = 2000;
/** Windows with gaps that are not accidental. */
const GAP_WINDOWS = 3;
/** Messages after which a stream counts as steady, and silence after which it has stopped. */
const STEADY_MESSAGES = 60;
const STOPPED_INTERVALS = 10;
const STOPPED_MS = 10_000;
/** Silence up to which a device counts as there: it may send nothing but a heartbeat, once a minute. */
const ALIVE_MS = 130_000;
/** Longest age of the last message of a stream that counts as heard, in intervals of the stream. */
const FRESH_INTERVALS = 5;

const sensors = new Set<number>(navigatorDefinitions.map(({ pgn }) => pgn));

/** Temperatures and pressures that the navigation report takes from the best of several sources. */
const ranked = new Set(["Sea Temperature", "Outside Temperature", "Atmospheric"]);

const keyOf = ({ kind: { pgn }, device, key }: Stream): string =>
  `${pgn}-${device.address}${key === 0 ? "" : `-${key >>> 0}`}`;

const readerOf = memoize((definition: Definition) => decoderOf(definition) as Read<Readonly<Record<string, unknown>>>);

/** The last sample of a stream, decoded. */
function messageOf({ kind: { definition }, sample, device }: Stream): Readonly<Record<string, unknown>> {
  if (definition === undefined || sample === undefined) return {};
  return readerOf(definition)(sample.bytes, 0, sample.length, device.address);
}

function keyValues(stream: Stream): Readonly<Record<string, unknown>> {
  const { definition } = stream.kind;
  if (definition === undefined) return {};
  const message = messageOf(stream);
  return Object.fromEntries(keyNames(definition).flatMap((name) => (name in message ? [[name, message[name]]] : [])));
}

/** `Battery Status, instance 0`. */
export function streamName(stream: Stream): string {
  const { pgn, key, definition } = stream.kind;
  const title = titleOf(pgn);
  if (key === undefined || definition === undefined) return title;
  const words = Object.entries(keyValues(stream)).map(([name, value]) =>
    typeof value === "number" ? `${memberName(definition.fields, name)} ${value}` : String(value),
  );
  return [title, ...words].join(", ");
}

/**
 * Whether a key identifies one of several things, so that two senders of it contradict each other. It is the same for all
 * messages of a stream; call it when there is a sample.
 */
export const isOneThing = memoize((stream: Stream): boolean => {
  const { definition, key, pgn } = stream.kind;
  // An autopilot repeats the rudder of another device with a delay; `ruddersDiffer` compares them.
  if (definition === undefined || key === undefined || pgn === rudder.pgn) return false;
  const values = keyValues(stream);
  const hasInstance = namesWhere(definition, ({ instance }) => instance).some((name) => values[name] !== undefined);
  return hasInstance && !Object.values(values).some((value) => ranked.has(String(value)));
});

/** The first member of which two senders have different values, in words; undefined: they complement each other. */
const differenceOf = (one: Stream, other: Stream): string | undefined =>
  differenceIn(one.kind.definition!.fields, messageOf(one), messageOf(other));

interface Conflict {
  readonly one: Stream;
  readonly other: Stream;
  /** In words. */
  readonly difference: string;
  readonly since: number | undefined;
}

/** The conflicts about each thing: of several devices each with each. */
function conflictsIn({ rivalries, now }: Bus): Iterable<readonly Conflict[]> {
  const conflicts = rivalries.flatMap(({ isConflict, streams, since }): readonly Conflict[] => {
    const [one, other] = streams;
    if (!isConflict || !streams.every((stream) => isFresh(stream, now))) return [];
    const difference = differenceOf(one, other);
    return difference === undefined ? [] : [{ one, other, difference, since }];
  });
  return groupedBy(conflicts, ({ one }) => `${one.kind.pgn} ${one.key}`).values();
}

/** A member of the last sample in words, "voltage 12.6 V"; undefined if the sample does not have it. */
export function sampledMember(stream: Stream, member: string): string | undefined {
  const value = messageOf(stream)[member];
  return value === undefined ? undefined : memberValues(stream.kind.definition!.fields, member, [value]);
}

const isFresh = (stream: Stream, now: number): boolean =>
  now - stream.last < FRESH_INTERVALS * (stream.usualMs ?? STOPPED_MS / FRESH_INTERVALS);

const isSteady = ({ mean, jitter }: Intervals): boolean => jitter < (mean * CHANGED) / 2;

/** Deviation of intervals that is irregular, as a part of their mean; windows, and intervals in each. */
const IRREGULAR = 0.5;
const IRREGULAR_WINDOWS = 3;
const FEW_INTERVALS = 20;

const isIrregular = ({ mean, jitter, longest, count }: Intervals): boolean =>
  count >= FEW_INTERVALS && jitter > IRREGULAR * mean && longest < GAP_INTERVALS * mean;

/** Bytes up to the last but one of the published fields with a fixed place: messages of older devices lack the last. */
const leastBytesOf = memoize((definition: Definition): number => {
  const ends = publishedFields(definition).flatMap(({ field, bit }) => {
    const bits = bitsOf(field);
    return bit === undefined || bits === undefined ? [] : Math.ceil((bit + bits) / 8);
  });
  return [...new Set(ends)].sort((one, other) => other - one)[1] ?? 0;
});

/** The bytes that the fields of a stream need, if its messages are shorter. A stand-in has no bytes of its own. */
function missedBytes({ sample, device, kind: { definition } }: Stream): number | undefined {
  if (device.isStandIn) return undefined;
  const least = definition === undefined || definition.origin === "assumed" ? 0 : leastBytesOf(definition);
  return sample !== undefined && sample.length < least ? least : undefined;
}

/** Whether the messages of a stream are too short for their fields, which is a finding of its own. */
export const isShort = (stream: Stream): boolean => missedBytes(stream) !== undefined;

const reading = (stream: Stream, measured: Sentence, timing: Timing): Reading => ({
  key: keyOf(stream),
  devices: [stream.device],
  pgn: stream.kind.pgn,
  measured,
  ...timing,
});

/** The readings of all streams; most have none. */
function eachOf(streams: Iterable<Stream>, of: (stream: Stream) => readonly Reading[]): readonly Reading[] {
  const readings: Reading[] = [];
  for (const stream of streams) {
    if (stream.kind.nominalMs === undefined) continue;
    for (const each of of(stream)) readings.push(each);
  }
  return readings;
}

export const streamKinds = {
  conflict: kind({
    title: "Two devices say different things",
    severity: "fault",
    reads: "PGNs with an instance, by their key",
    raised:
      "two devices send one PGN with the same key, and their values differ for a minute; several sources that the navigation report ranks are no conflict",
    after: 10,
    advice:
      "Give one of the two another instance, by its own menu or its manufacturer's program: displays mix them up.",
    readings: (bus) =>
      [...conflictsIn(bus)].map((conflicts) => {
        const { one, other, difference } = conflicts[0]!;
        const devices = [...new Set(conflicts.flatMap((each) => [each.one.device, each.other.device]))];
        return {
          key: `${keyOf(one)}-${other.device.address}`,
          devices,
          pgn: one.kind.pgn,
          measured: sentence`${devices.map(bus.nameOf)} send ${streamName(one)}, with different values: ${difference}`,
          from: conflicts.reduce((first, { since = first }) => Math.min(first, since), Number.POSITIVE_INFINITY),
        };
      }),
  }),
  wrongLength: kind({
    title: "Message of a wrong length",
    severity: "warning",
    reads: "PGNs of the document, samples of each stream",
    raised: "the messages of a stream end before the last but one of their fields",
    after: 20,
    advice: "Displays read the missing fields as not available: ask the manufacturer of the device for newer software.",
    readings: ({ streams, now, nameOf }) =>
      [...streams()].flatMap((stream) => {
        const needed = missedBytes(stream);
        return when(needed !== undefined && isFresh(stream, now), () =>
          reading(
            stream,
            sentence`${streamName(stream)} of ${nameOf(stream.device)} has ${stream.sample!.length} bytes; its fields need ${needed!}`,
            {},
          ),
        );
      }),
  }),
  jitter: kind({
    title: "Irregular stream",
    severity: "information",
    reads: "intervals of each stream, nominal periods of the public database",
    raised:
      "the intervals of a stream have varied by more than half of their mean for three windows of 20 seconds, without a gap, and those of most streams of other devices that are as fast have not",
    after: 0,
    advice: "The device is busy, or a gateway delays its messages: pilots and displays see values that are late.",
    readings: (bus) => {
      const { streams, now, nameOf } = bus;
      const restarting = devicesThatRestart(bus);
      const measured = [...streams()].flatMap((stream) => {
        const last = stream.windows.at(-1);
        return last === undefined || !isFresh(stream, now) ? [] : [{ stream, last }];
      });
      return measured.flatMap(({ stream, last: { mean, jitter } }) => {
        const { windows, kind, device } = stream;
        const recent = windows.slice(-IRREGULAR_WINDOWS);
        const isIrregularNow =
          recent.length === IRREGULAR_WINDOWS &&
          mean <= 2 * (kind.nominalMs ?? 0) &&
          recent.every(isIrregular) &&
          !device.isStandIn &&
          !restarting.has(device);
        if (!isIrregularNow) return [];
        // Streams of other devices have only the way to this computer in common with this one.
        const others = measured.filter((each) => each.stream.device !== device && each.last.mean <= 2 * mean);
        const alike = others.filter(({ last }) => last.jitter > jitter / 2);
        return when(others.length > 2 * alike.length, () =>
          reading(
            stream,
            sentence`${streamName(stream)} of ${nameOf(device)} comes every ${duration(mean)}, give or take ${duration(jitter)}`,
            { from: recent[0]!.from, weight: jitter / mean },
          ),
        );
      });
    },
  }),
  gaps: kind({
    title: "Stream with gaps",
    severity: "warning",
    reads: "intervals of each stream",
    raised:
      "a stream pauses in three of the last eight windows of 20 seconds, for eight intervals and 2 seconds or more, while the bus does not",
    after: 0,
    advice: "The device cannot keep up, or its sensor is lost again and again: check its sensor and its power.",
    readings: (bus) => {
      const { streams, now, nameOf } = bus;
      // Devices that restart have findings of their own.
      const restarting = devicesThatRestart(bus);
      return eachOf(streams(), (stream) => {
        const { windows, kind } = stream;
        const usual = stream.firstWindow?.mean;
        const has = ({ longest }: Intervals): boolean => longest >= Math.max(GAP_MS, GAP_INTERVALS * usual!);
        const recent = usual === undefined ? [] : windows.filter(has);
        const isGappy =
          usual !== undefined &&
          kind.nominalMs !== undefined &&
          usual <= 2 * kind.nominalMs &&
          recent.length >= GAP_WINDOWS &&
          !restarting.has(stream.device) &&
          isHeard(stream.device, now);
        return when(isGappy, () => {
          const weight = recent.reduce((most, { longest }) => Math.max(most, longest), 0);
          return reading(
            stream,
            sentence`${streamName(stream)} of ${nameOf(stream.device)} pauses for up to ${duration(weight)}`,
            { from: recent[0]!.from, to: recent.at(-1)!.to, weight },
          );
        });
      });
    },
  }),
  periodDrifts: kind({
    title: "Period has changed",
    severity: "warning",
    reads: "intervals of each stream",
    raised: "a steady stream is sent at another period than at first, by more than 30 %",
    after: 20,
    advice:
      "Check whether the setup of the device was changed. If not, it may be overloaded: switch it off and on again.",
    readings: ({ streams, now, nameOf }) =>
      eachOf(streams(), (stream) => {
        const { firstWindow: first, windows } = stream;
        const [before, last] = windows.slice(-2);
        if (first === undefined || before === undefined || last === undefined || stream.kind.nominalMs === undefined)
          return [];
        const differs = ({ mean }: Intervals): boolean => Math.abs(mean - first.mean) > CHANGED * first.mean;
        const hasDrifted =
          [first, before, last].every(isSteady) && differs(before) && differs(last) && isFresh(stream, now);
        return when(hasDrifted, () =>
          reading(
            stream,
            sentence`${streamName(stream)} of ${nameOf(stream.device)} came every ${duration(first.mean)} and comes every ${duration(last.mean)} now`,
            { from: before.from, to: last.to, weight: Math.abs(Math.log(last.mean / first.mean)) },
          ),
        );
      }),
  }),
  slowStream: kind({
    title: "Slow stream",
    severity: "information",
    reads: "intervals of each stream, nominal periods of the public database",
    raised:
      "a stream is sent at three times its nominal period, or more slowly, and no other device sends the PGN faster",
    after: 10,
    advice: "Displays and pilots may need it faster: look for the rate in the setup of the device.",
    readings: ({ streams, streamsOf, now, nameOf }) =>
      eachOf(streams(), (stream) => {
        const { nominalMs } = stream.kind;
        const recent = stream.windows.slice(-2);
        const isSlow =
          nominalMs !== undefined &&
          !stream.device.isStandIn &&
          recent.length === 2 &&
          recent.every((window) => window.mean > SLOW * nominalMs && isSteady(window)) &&
          isFresh(stream, now) &&
          ![...streamsOf(stream.kind.pgn)].some((other) => isFresh(other, now) && other.usualMs! <= SLOW * nominalMs);
        return when(isSlow, () =>
          reading(
            stream,
            sentence`${streamName(stream)} of ${nameOf(stream.device)} comes every ${duration(recent[1]!.mean)}; ${duration(nominalMs!)} is usual`,
            { from: recent[0]!.from, weight: recent[1]!.mean },
          ),
        );
      }),
  }),
  streamStopped: kind({
    title: "Sensor silent",
    severity: "warning",
    reads: "intervals of the streams of position, course, heading, speed, wind, depth and environment",
    raised: "a steady stream has stopped for ten intervals and 10 seconds, while its device sends others",
    after: 20,
    endsAfter: 0,
    advice: "Check the sensor and its cable to the device.",
    readings: ({ streams, streamsOf, now, nameOf }) =>
      eachOf(streams(), (stream) => {
        const usual = stream.usualMs;
        const silent = now - stream.last;
        const longest = Math.max(STOPPED_MS, STOPPED_INTERVALS * (usual ?? 0));
        const hasStopped =
          sensors.has(stream.kind.pgn) &&
          stream.count >= STEADY_MESSAGES &&
          usual !== undefined &&
          silent > longest &&
          stream.device.last > stream.last + longest &&
          now - stream.device.last < ALIVE_MS &&
          [...streamsOf(stream.kind.pgn)].every(
            (each) => each.device !== stream.device || now - each.last > STOPPED_MS,
          );
        return when(hasStopped, () =>
          reading(
            stream,
            sentence`${nameOf(stream.device)} has sent no ${streamName(stream)} for ${duration(silent)}`,
            {
              from: stream.last,
            },
          ),
        );
      }),
  }),
  publicLayout: kind({
    title: "Public messages in place of assumed ones",
    severity: "information",
    reads: "PGNs of assumed layout",
    raised: "messages of a PGN of assumed layout look like the public message of its number",
    after: 10,
    advice:
      "hub reads them as such by itself; set the layout of these PGNs to public in the settings, so that no message is taken for another.",
    readings: ({ publicLayouts, nameOf }) =>
      [...new Set(publicLayouts.map(({ device }) => device))].map((device) => {
        const pgns = publicLayouts
          .filter((each) => each.device === device)
          .sort((one, other) => one.pgn - other.pgn)
          .map(({ pgn, title }) => `${pgn} (${title})`);
        return {
          ...about(device),
          measured: sentence`${nameOf(device)} sends the public messages ${[...new Set(pgns)].join(", ")}`,
        };
      }),
  }),
} as const satisfies Readonly<Record<string, Kind>>;
