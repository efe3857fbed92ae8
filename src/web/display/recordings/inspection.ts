/** Summary of a recording: devices, findings, and the messages of each device, in memory of constant size. */
import { RecordingFindings } from "../../../core/findings/recording.ts";
import type { RecordingReport } from "../../../core/findings/recording-report.ts";
import type { Catalogue } from "../../../core/n2k/catalogue.ts";
import { publishedFields } from "../../../core/n2k/layout.ts";
import { payloadOf } from "../../../core/n2k/payload.ts";
import { titleOf } from "../../../core/n2k/public-names.ts";
import type { Packet } from "../../../core/ports/packet-batch.ts";
import type { BusCounters, RecordedTimes } from "../../../core/ports/packet-source.ts";

/** The messages of one PGN, device and instance. */
export interface InspectedStream {
  readonly id: string;
  readonly pgn: number;
  readonly addr: number;
  readonly title: string;
  readonly count: number;
  /** Mean interval; absent for a single message. */
  readonly periodMs?: number;
  /** The last message; absent for a PGN that has no public layout here. */
  readonly message?: Readonly<Record<string, unknown>>;
  /** Its payload in hexadecimal. */
  readonly payload: string;
}

export interface InspectedRecording extends RecordingReport {
  readonly streams: readonly InspectedStream[];
  /** Streams for which there was no room. */
  readonly leftOut: number;
  /** Monotonic times of the first and the last packet, milliseconds, for a plot. */
  readonly span: readonly [from: number, to: number];
}

/** Maximum streams; a hostile recording could have one for each address and PGN. */
const MAX_STREAMS = 5000;
/** Bytes of a payload that are shown. */
const MAX_PAYLOAD = 1785;

interface Heard {
  readonly pgn: number;
  readonly addr: number;
  readonly first: number;
  last: number;
  count: number;
  payload: Uint8Array;
}

/** Identifies the stream of a packet: PGN, device, and what tells messages of the PGN apart. */
function streamIdOf(catalogue: Catalogue, packet: Packet): string {
  const { pgn, source } = packet;
  const key = catalogue.reader(pgn)?.streamKey(packet);
  return `${pgn}-${source}${key === undefined || key === "" ? "" : `-${key}`}`;
}

export class Inspection {
  readonly #catalogue: Catalogue;
  readonly #findings: RecordingFindings;
  readonly #streams = new Map<string, Heard>();
  #leftOut = 0;
  #span: [number, number] | undefined;

  constructor(catalogue: Catalogue, counters: () => BusCounters) {
    this.#catalogue = catalogue;
    this.#findings = new RecordingFindings(counters);
  }

  hear(packet: Packet): void {
    this.#findings.hear(packet);
    const { pgn, source, arrived, bytes, at, end } = packet;
    this.#span = [this.#span?.[0] ?? arrived, arrived];
    const id = streamIdOf(this.#catalogue, packet);
    let stream = this.#streams.get(id);
    if (stream === undefined) {
      if (this.#streams.size >= MAX_STREAMS) {
        this.#leftOut++;
        return;
      }
      stream = { pgn, addr: source, first: arrived, last: arrived, count: 0, payload: new Uint8Array(0) };
      this.#streams.set(id, stream);
    }
    stream.count++;
    stream.last = arrived;
    const payload = bytes.subarray(at, Math.min(end, at + MAX_PAYLOAD));
    if (stream.payload.length === payload.length) stream.payload.set(payload);
    else stream.payload = payload.slice();
  }

  /** `brokenOff`: why the recording ends before its end. */
  report(times: RecordedTimes, brokenOff?: string): InspectedRecording {
    const streams = [...this.#streams].map(([id, stream]) => this.#streamOf(id, stream, times !== "none"));
    return {
      ...this.#findings.report(times, brokenOff),
      streams: streams.sort((one, other) => one.pgn - other.pgn || one.addr - other.addr),
      leftOut: this.#leftOut,
      span: this.#span ?? [0, 0],
    };
  }

  #streamOf(id: string, { pgn, addr, first, last, count, payload }: Heard, hasTimes: boolean): InspectedStream {
    const message = this.#catalogue.reader(pgn)?.message(payloadOf(payload, addr, last));
    return {
      id,
      pgn,
      addr,
      title: titleOf(pgn),
      count,
      ...(hasTimes && count > 1 && { periodMs: (last - first) / (count - 1) }),
      ...(message !== undefined && { message }),
      payload: Array.from(payload, (byte) => byte.toString(16).padStart(2, "0")).join(""),
    };
  }
}

/** The lowest and the highest value of each part of the time of a recording; undefined where there is none. */
export interface Series {
  readonly low: readonly (number | undefined)[];
  readonly high: readonly (number | undefined)[];
  readonly unit?: string | undefined;
}

const PARTS = 400;

/** Collects the values of a member of the messages of a stream. */
export class SeriesReader {
  readonly #catalogue: Catalogue;
  readonly #stream: Pick<InspectedStream, "id" | "pgn" | "addr">;
  readonly #member: string;
  readonly #span: InspectedRecording["span"];
  readonly #low = new Array<number | undefined>(PARTS).fill(undefined);
  readonly #high = new Array<number | undefined>(PARTS).fill(undefined);

  constructor(
    catalogue: Catalogue,
    stream: Pick<InspectedStream, "id" | "pgn" | "addr">,
    member: string,
    span: InspectedRecording["span"],
  ) {
    this.#catalogue = catalogue;
    this.#stream = stream;
    this.#member = member;
    this.#span = span;
  }

  hear(packet: Packet): void {
    const { id, pgn, addr } = this.#stream;
    const { source, arrived } = packet;
    if (packet.pgn !== pgn || source !== addr || streamIdOf(this.#catalogue, packet) !== id) return;
    const value = this.#catalogue.reader(pgn)?.message(packet)[this.#member];
    if (typeof value !== "number") return;
    const [from, to] = this.#span;
    const part = Math.min(PARTS - 1, Math.floor((PARTS * (arrived - from)) / Math.max(1, to - from)));
    const [low = value, high = value] = [this.#low[part], this.#high[part]];
    this.#low[part] = Math.min(low, value);
    this.#high[part] = Math.max(high, value);
  }

  get series(): Series {
    const { definition } = this.#catalogue.reader(this.#stream.pgn) ?? {};
    const field = definition && publishedFields(definition).find(({ name }) => name === this.#member)?.field;
    const unit = field?.kind === "number" ? field.unit : undefined;
    return { low: this.#low, high: this.#high, unit };
  }
}
