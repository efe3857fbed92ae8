/** Watches over many samples: numbers at the end of their range, a vane that never moves, layouts, rivals. */
import type { Definition } from "../n2k/definition.ts";
import type { NumberField } from "../n2k/field.ts";
import { placedFields } from "../n2k/layout.ts";
import { type LayoutDetector, layoutDetectorOf } from "../n2k/layout-detection.ts";
import { assumed } from "../n2k/pgns/assumed.ts";
import { windData } from "../n2k/pgns/environment.ts";
import { entryOf, groupedBy } from "../util/grouped.ts";
import { memoize } from "../util/memoize.ts";
import type { Bus } from "./bus.ts";
import { isOneThing } from "./kinds/streams.ts";
import { Rivalry } from "./rivalry.ts";
import type { Stream } from "./stream.ts";

/** Units of numbers that may well be at the end of their range: a battery that charges lasts for ever. */
const endless = new Set(["s", "min", "h", "Ah", "m"]);

/** Place and highest value of a number. Engines whose ignition is off send the code above it, "error". */
interface Limit {
  readonly name: string;
  readonly byte: number;
  readonly bytes: number;
  readonly highest: number;
}

const isMeasured = ({ unit, quantity, wire, absent }: NumberField): boolean =>
  unit !== undefined && !endless.has(unit) && quantity !== "total" && absent === undefined && !wire.float;

const limitsOf = memoize((definition: Definition): readonly Limit[] =>
  placedFields(definition.fields).flatMap(({ name, field, bit }) => {
    if (field.kind !== "number" || bit === undefined || bit % 8 !== 0 || !isMeasured(field)) return [];
    const { bits, highest } = field.wire;
    return bits === 16 || bits === 32 ? [{ name, byte: bit / 8, bytes: bits / 8, highest }] : [];
  }),
);

function rawNumber(bytes: Uint8Array, from: number, count: number): number {
  let value = 0;
  for (let at = count - 1; at >= 0; at--) value = value * 256 + bytes[from + at]!;
  return value;
}

/** Turn of a vane that does not count as movement, in steps of 0.0001 rad. */
const STILL_STEPS = 10;
const CIRCLE_STEPS = 62_832;
const SPEED_BYTE = 1;
const ANGLE_BYTE = 3;
const REFERENCE_BYTE = 5;
const APPARENT = 2;
/** Raw speed, 0.01 m/s, below which a vane need not move, and the range of speeds that proves that the wind blows. */
const WIND_STEPS = 100;
const GUST_STEPS = 20;

interface Vane {
  since: number;
  angle: number;
  slowest: number;
  fastest: number;
}

const SILENCE_MS = 15_000;
const SILENT_PERIODS = 3;
/** Silence of a stream after which its values before and behind it are no longer compared. */
const silenceOf = ({ kind }: Stream): number => Math.max(SILENCE_MS, SILENT_PERIODS * (kind.nominalMs ?? 0));

/** Public messages among the last ones after which a layout is reported. */
const ENOUGH_PUBLIC = 3;
const LAYOUT_MEMORY_MS = 60_000;

interface Detection {
  count: number;
  at: number;
}

export class Watches {
  readonly #seen = new WeakMap<Stream, number>();
  /** See `Bus`. */
  readonly atLimit = new Map<Stream, Map<string, number>>();
  readonly #vanes = new Map<Stream, Vane>();
  readonly #layouts = new Map<Stream, Detection>();
  readonly #detectors = new Map<number, LayoutDetector>(
    assumed.map((each) => [each.definition.pgn, layoutDetectorOf(each)]),
  );
  readonly #titles = new Map(assumed.map((each) => [each.definition.pgn, each.public?.definition.title]));
  rivalries: readonly Rivalry<Stream>[] = [];
  /** Streams compared last: rivals are searched again when the streams differ. */
  #compared: readonly Stream[] = [];

  /** Takes the new samples of `streams`, which are all streams. */
  observe(streams: readonly Stream[], now: number): void {
    for (const stream of streams) {
      const { sample } = stream;
      if (sample === undefined || this.#seen.get(stream) === sample.arrived) continue;
      this.#seen.set(stream, sample.arrived);
      this.#watchLimits(stream);
      if (stream.kind.pgn === windData.pgn) this.#watchVane(stream);
      if (this.#detectors.has(stream.kind.pgn)) this.#watchLayout(stream);
    }
    this.#findRivals(streams);
    // A stream whose device has moved, or has been replaced at its address, is no stream of the bus any more.
    const present = new Set(streams);
    for (const map of [this.atLimit, this.#vanes])
      for (const stream of map.keys())
        if (!present.has(stream) || now - stream.last > silenceOf(stream)) map.delete(stream);
    for (const [stream, { at }] of this.#layouts)
      if (!present.has(stream) || now - at > LAYOUT_MEMORY_MS) this.#layouts.delete(stream);
  }

  readonly stillSince = (stream: Stream): number | undefined => {
    const vane = this.#vanes.get(stream);
    return vane !== undefined && vane.fastest - vane.slowest >= GUST_STEPS ? vane.since : undefined;
  };

  get publicLayouts(): Bus["publicLayouts"] {
    return [...this.#layouts].flatMap(([{ device, kind }, { count }]) => {
      const title = this.#titles.get(kind.pgn);
      return count >= ENOUGH_PUBLIC && title !== undefined ? [{ device, pgn: kind.pgn, title }] : [];
    });
  }

  #watchLimits(stream: Stream): void {
    const { kind, sample } = stream;
    const { definition } = kind;
    if (definition === undefined || definition.origin === "assumed" || sample === undefined) return;
    const before = this.atLimit.get(stream);
    let at: Map<string, number> | undefined;
    for (const { name, byte, bytes, highest } of limitsOf(definition)) {
      if (byte + bytes > sample.length || rawNumber(sample.bytes, byte, bytes) !== highest) continue;
      at ??= new Map();
      at.set(name, before?.get(name) ?? sample.arrived);
    }
    if (at !== undefined) this.atLimit.set(stream, at);
    else if (before !== undefined) this.atLimit.delete(stream);
  }

  #watchVane(stream: Stream): void {
    const { bytes, length, arrived } = stream.sample!;
    const isApparent = length > REFERENCE_BYTE && (bytes[REFERENCE_BYTE]! & 7) === APPARENT;
    const speed = isApparent ? rawNumber(bytes, SPEED_BYTE, 2) : 0;
    const angle = isApparent ? rawNumber(bytes, ANGLE_BYTE, 2) : CIRCLE_STEPS;
    if (speed < WIND_STEPS || angle >= CIRCLE_STEPS) {
      this.#vanes.delete(stream);
      return;
    }
    const vane = this.#vanes.get(stream);
    if (vane === undefined || Math.abs(vane.angle - angle) > STILL_STEPS) {
      this.#vanes.set(stream, { since: arrived, angle, slowest: speed, fastest: speed });
      return;
    }
    vane.slowest = Math.min(vane.slowest, speed);
    vane.fastest = Math.max(vane.fastest, speed);
  }

  #watchLayout(stream: Stream): void {
    const { bytes, length, arrived } = stream.sample!;
    const { pgn } = stream.kind;
    const payload = { bytes, at: 0, end: length, source: stream.device.address, arrived };
    if (this.#detectors.get(pgn)!(payload) !== "public") return;
    const detection = entryOf(this.#layouts, stream, () => ({ count: 0, at: arrived }));
    detection.count++;
    detection.at = arrived;
  }

  /** Pairs of streams of one subject, by two devices. */
  #findRivals(streams: readonly Stream[]): void {
    const before = this.#compared;
    const isSame = streams.length === before.length && streams.every((stream, index) => stream === before[index]);
    if (isSame) return;
    const isSampled = streams.every(({ kind, sample }) => kind.key === undefined || sample !== undefined);
    this.#compared = isSampled ? [...streams] : [];
    const compared = streams.filter(
      (stream) => stream.kind.key !== undefined && stream.sample !== undefined && isOneThing(stream),
    );
    this.rivalries = [...groupedBy(compared, ({ kind, key }) => `${kind.pgn} ${key}`).values()].flatMap((group) =>
      group.flatMap((one, index) => group.slice(index + 1).map((other) => this.#rivalryOf(one, other))),
    );
  }

  #rivalryOf(one: Stream, other: Stream): Rivalry<Stream> {
    const known = one.rivalries.find(({ streams }) => streams.includes(other));
    if (known !== undefined) return known;
    const rivalry = new Rivalry(one, other);
    for (const stream of [one, other]) {
      stream.rivalries = [...stream.rivalries, rivalry];
      stream.sampleAt = Number.NEGATIVE_INFINITY;
    }
    return rivalry;
  }
}
