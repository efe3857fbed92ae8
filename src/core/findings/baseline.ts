/** The baseline of a boat, its devices, their versions and PGNs; and the differences of the bus now. */
import * as z from "zod";
import { isoTime } from "../text/date.ts";
import type { Device } from "./device.ts";
import type { Stream } from "./stream.ts";

const MAX_DEVICES = 252;
const MAX_PGNS = 256;

const remembered = z.strictObject({
  name: z
    .string()
    .regex(/^\d{1,20}$/)
    .describe("NAME, all digits"),
  label: z.string().max(100).optional(),
  softwareVersion: z.string().max(100).optional(),
  pgns: z.array(z.int().min(0)).max(MAX_PGNS).describe("PGNs that it sent regularly"),
});

export const baselineSchema = z.strictObject({
  takenAt: z.iso.datetime(),
  devices: z.array(remembered).max(MAX_DEVICES),
});

/** Payload of the command: an empty object for the boat as it is now, or a baseline. */
export const baselineCommand = z.union([z.strictObject({}).describe("as it is now"), baselineSchema]);

/** Maximum bytes of the command; a baseline of 252 devices may be longer, and then has no PGNs. */
export const MAX_BASELINE_BYTES = 65_536;

export type Baseline = z.infer<typeof baselineSchema>;
type Remembered = Baseline["devices"][number];

/** Messages after which a PGN counts as regular for a device. */
const REGULAR_MESSAGES = 5;
/** Silence, also from the start or the return of a device on, after which it or its PGN is gone. */
const GONE_MS = 180_000;
/** Maximum PGNs that are found missing; a baseline made by a client could have 30,000. */
const MAX_SILENT = 256;
const HEARD_MS = 180_000;

/** The differences of the bus from a baseline. */
export interface Differences {
  readonly takenAt: string | undefined;
  readonly knows: (name: bigint | undefined) => boolean;
  readonly gone: readonly Remembered[];
  readonly arrived: readonly Device[];
  readonly versions: readonly { readonly device: Device; readonly before: string; readonly now: string }[];
  /** `last`: monotonic time of the last message; undefined if none was heard for long. */
  readonly silent: readonly { readonly device: Device; readonly pgn: number; readonly last: number | undefined }[];
}

export const noDifferences: Differences = {
  takenAt: undefined,
  knows: () => false,
  gone: [],
  arrived: [],
  versions: [],
  silent: [],
};

/** The bus as it is now. */
export function baselineOf(
  devices: readonly Device[],
  streams: readonly Stream[],
  now: number,
  wall: number,
): Baseline {
  const isNamed = (device: Device): device is Device & { readonly name: bigint } =>
    device.name !== undefined && now - device.last < HEARD_MS;
  return {
    takenAt: isoTime(wall),
    devices: devices
      .filter(isNamed)
      .slice(0, MAX_DEVICES)
      .map((device) => {
        const { label, name, product } = device;
        const version = product?.softwareVersion?.trim();
        return {
          name: String(name),
          ...(label && { label: label.slice(0, 100) }),
          ...(version && { softwareVersion: version.slice(0, 100) }),
          pgns: [...pgnsOf(device, streams)].sort((a, b) => a - b).slice(0, MAX_PGNS),
        };
      }),
  };
}

const isRegular = ({ kind: { nominalMs }, count }: Stream): boolean =>
  nominalMs !== undefined && count >= REGULAR_MESSAGES;

const pgnsOf = (device: Device, streams: readonly Stream[]): ReadonlySet<number> =>
  new Set(streams.filter((stream) => stream.device === device && isRegular(stream)).map(({ kind }) => kind.pgn));

/** `startedAt`, `silenceOf`, `namesOf`: see `Bus`, `Traffic` and `FindingsOptions`. */
interface Present {
  readonly devices: readonly Device[];
  readonly streams: readonly Stream[];
  readonly now: number;
  readonly startedAt: number;
  readonly silenceOf: (device: Device) => number;
  readonly namesOf: ((name: bigint) => readonly bigint[]) | undefined;
}

export function differencesOf(
  baseline: Baseline,
  { devices, streams, now, startedAt, silenceOf, namesOf = (name) => [name] }: Present,
): Differences {
  const known = new Map(baseline.devices.map((each) => [each.name, each]));
  const isKnown = (name: bigint): boolean => namesOf(name).some((each) => known.has(String(each)));
  const heard = devices.filter((device) => device.name !== undefined && now - device.last < GONE_MS);
  const byNameOf = (named: readonly Device[]): ReadonlyMap<string, Device> =>
    new Map(named.flatMap((device) => namesOf(device.name!).map((name) => [String(name), device] as const)));
  const byName = byNameOf(heard);
  const present = byNameOf(devices.filter((device) => device.name !== undefined && silenceOf(device) < GONE_MS));
  const isOldEnough = now - startedAt > GONE_MS;
  const pairs = [...known].flatMap(([name, before]) => {
    const device = byName.get(name);
    return device === undefined ? [] : [{ before, device }];
  });
  return {
    takenAt: baseline.takenAt,
    knows: (name) => name !== undefined && isKnown(name),
    gone: isOldEnough ? baseline.devices.filter(({ name }) => !present.has(name)) : [],
    arrived: heard.filter(({ name }) => !isKnown(name!)),
    versions: pairs.flatMap(({ before: { softwareVersion: before }, device }) => {
      const version = device.product?.softwareVersion?.trim();
      return before && version && version !== before ? [{ device, before, now: version }] : [];
    }),
    silent: pairs
      .flatMap(({ before: { pgns }, device }) => {
        if (now - Math.max(device.first, device.awayAt, startedAt) < GONE_MS) return [];
        const lastOf = new Map<number, number>();
        for (const { kind, last, device: sender } of streams)
          if (sender === device) lastOf.set(kind.pgn, Math.max(last, lastOf.get(kind.pgn) ?? last));
        return pgns
          .map((pgn) => ({ device, pgn, last: lastOf.get(pgn) }))
          .filter(({ last }) => last === undefined || now - last >= GONE_MS);
      })
      .slice(0, MAX_SILENT),
  };
}
