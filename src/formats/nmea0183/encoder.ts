/**
 * NMEA 0183 from the messages of hub-cand: given a message, the sentences that are due.
 *
 * A sentence is written when its message arrives, at most as often as its definition says, so that no sentence is sent
 * without data. AIS messages are sent at once, and the time together with its position. Values of other messages are
 * used until they expire. Among several devices that send the same, the first is used until it has been silent for a
 * while; an AIS message that two receivers heard is sent once. Time is an argument: monotonic milliseconds.
 */
import { publishedKeyNames } from "../../core/n2k/layout.ts";
import { batteryStatus, fluidLevel } from "../../core/n2k/pgns/electrical.ts";
import { temperature, temperatureExtendedRange } from "../../core/n2k/pgns/environment.ts";
import { engineParametersDynamic, engineParametersRapid } from "../../core/n2k/pgns/propulsion.ts";
import { type NamedThing, nameOfThing } from "../../core/n2k/thing.ts";
import { Routes } from "../../core/nav/routes.ts";
import { entryOf, groupedBy } from "../../core/util/grouped.ts";
import { memoize } from "../../core/util/memoize.ts";
import { aisPgns } from "./ais-messages.ts";
import { fixAgeMs, fixMoment, type Moment, momentAt } from "./bus-time.ts";
import { FixPace } from "./fix-pace.ts";
import { navigationSentences } from "./navigation-sentences.ts";
import { pgnSentences } from "./pgn-sentences.ts";
import { isSent, type Lookup, type Member, type Sentence, sentenceText } from "./sentence.ts";
import { isMeasured, type TransducerGroup, transducerGroups, transducerText } from "./transducers.ts";
import { VdmEncoder } from "./vdm.ts";

type Data = Readonly<Record<string, unknown>>;

/** Time after which a message expires for sentences about other messages. */
const FRESH_MS: Readonly<Record<string, number>> = { navigation: 2000, fix: 2000, 129285: 600_000 };
const PGN_FRESH_MS = 5000;

/** Silence after which another device is used. */
const SILENT_MS = 5000;

const severalSystems = [
  engineParametersRapid,
  engineParametersDynamic,
  fluidLevel,
  batteryStatus,
  temperature,
  temperatureExtendedRange,
];

/** Fields that distinguish streams of one PGN, each of which is sent; for other PGNs one stream is chosen. */
const streamKeys: ReadonlyMap<number, readonly string[]> = new Map([
  ...severalSystems.map((definition) => [definition.pgn, publishedKeyNames(definition)] as const),
  // A call comes again at once when the rest of its position is known.
  [129808, ["address", "mmsiInDistress", "latitude", "longitude"]],
]);

/** Instances that a sentence shows together with the others of their PGN: rudder 1 is the port rudder. */
const besideOthers: Readonly<Record<number, number>> = { 127245: 1 };

/** PGNs that are about one thing: the device that tells the first one of them tells the others too, if it sends them. */
const sameThing: Readonly<Record<number, string>> = {
  [engineParametersRapid.pgn]: "engine",
  [engineParametersDynamic.pgn]: "engine",
};

/** PGNs that tell the same, in place of which a device may send another one. */
const sameMessage: Readonly<Record<number, string>> = { [temperatureExtendedRange.pgn]: String(temperature.pgn) };

/**
 * PGNs of a device that the report has chosen and identifies by its NAME, not by its address. While several devices
 * send such a PGN, none counts.
 */
const ofOneDevice: ReadonlySet<number> = new Set([128267]);

/** Maximum streams that are kept; beyond it, which no boat reaches, all begin anew. */
const MAX_STREAMS = 4096;

interface Stream {
  device: string;
  heardMs: number;
  /** Time at which another device sent the same. */
  otherMs: number;
}

interface Kept {
  readonly data: Data;
  readonly heardMs: number;
}

interface Output {
  readonly on: Sentence["on"];
  readonly everyMs: number;
  /** Whether there are sentences, which takes less time than to write them. */
  has(find: Lookup): boolean;
  /** The sentences; empty if none is due. `name` is the crew's name for the thing that the message is about. */
  write(find: Lookup, name?: string): string;
}

const sentences = [...navigationSentences, ...pgnSentences];

const ofSentence = (sentence: Sentence): Output => ({
  on: sentence.on,
  everyMs: sentence.everyMs,
  has: (find) => isSent(sentence, find),
  write: (find) => sentenceText(sentence, find) ?? "",
});

const ofGroup = (group: TransducerGroup): Output => ({
  on: group.on,
  everyMs: group.everyMs ?? 1000,
  has: (find) => isMeasured(group, find),
  write: (find, name) => transducerText(group, find, name),
});

/** By the message that makes them due. */
const outputs = groupedBy([...sentences.map(ofSentence), ...transducerGroups.map(ofGroup)], ({ on }) => String(on));

/** The three letters behind the talker of all sentences that are sent. */
export const nmea0183Ids: ReadonlySet<string> = new Set([...sentences.map(({ id }) => id), "XDR", "VDM", "VDO"]);

/**
 * The PGNs that are read: those of sentences, those with the name of a waypoint or the range of an echo sounder, and
 * AIS.
 */
export const nmea0183Pgns: readonly number[] = [
  ...[...outputs.keys()].map(Number).filter((pgn) => !Number.isNaN(pgn)),
  129285,
  ...ofOneDevice,
  ...aisPgns,
];

const isAis = new Set(aisPgns);

/** Cross-track error, navigation data, and the route with the names of its waypoints. */
export const coursePgns: readonly number[] = [129283, 129284, 129285];

/** Members with their parsed paths. */
const places = new Map<Member, { readonly message: string; readonly path: readonly string[] }>();

function placeOf(member: Member): { readonly message: string; readonly path: readonly string[] } {
  return entryOf(places, member, () => {
    const [message, path] = member.split(" ") as [string, string];
    return { message, path: path.split(".") };
  });
}

const isObject = (value: unknown): value is Data => typeof value === "object" && value !== null;

function valueIn(data: unknown, path: readonly string[]): unknown {
  let value = data;
  for (const step of path) value = isObject(value) ? value[step] : undefined;
  return value ?? undefined;
}

/**
 * Whether a sentence can be made of a message alone. A message that other sentences read counts always, and so does that
 * of a plotter, whose course ends with an empty one.
 */
function says(pgn: number, place: string, data: Data): boolean {
  const written = outputs.get(String(pgn));
  if (written === undefined || coursePgns.includes(pgn)) return true;
  const find: Lookup = (member) => {
    const { message, path } = placeOf(member);
    return message === place ? valueIn(data, path) : undefined;
  };
  return written.some(({ has }) => has(find));
}

export class Nmea0183Encoder {
  /** The latest data by message. */
  readonly #kept = new Map<string, Kept>();
  /** Streams by PGN and key. */
  readonly #streams = new Map<string, Stream>();
  /** Times at which the next sentences of an output are due, by stream. */
  readonly #timesOf = memoize((_: Output) => new Map<string, number>());
  /** Names of the things of a device, by its address; a bus has 252 addresses. */
  readonly #names = new Map<number, readonly NamedThing[]>();
  readonly #routes = new Routes();
  readonly #fixPace = new FixPace();
  readonly #vdm: VdmEncoder;

  /** `ownMmsi` is the MMSI of the boat; without it the boat is each station that a transponder marks as its own. */
  constructor(ownMmsi?: number) {
    this.#vdm = new VdmEncoder(ownMmsi);
  }

  /** Returns the lines that are due with the data of the navigation report; empty when none is. */
  navigation(data: unknown, nowMs: number): string {
    if (!isObject(data)) return "";
    this.#kept.set("navigation", { data, heardMs: nowMs });
    const isFixDue = this.#fixPace.isDue(nowMs - fixAgeMs(data));
    if (isFixDue) this.#kept.set("fix", { data: { ...fixMoment(data) }, heardMs: nowMs });
    return (isFixDue ? this.#write("fix", "", nowMs) : "") + this.#write("navigation", "", nowMs);
  }

  /** Returns the lines that are due with the data of a PGN; `address` is that of the device. */
  pgn(pgn: number, address: number, data: unknown, nowMs: number): string {
    if (!isObject(data)) return "";
    if (isAis.has(pgn)) return this.#vdm.encode(pgn, data, nowMs, address);
    const key = (streamKeys.get(pgn) ?? []).map((member) => String(data[member])).join("/");
    const device = `${address}/${String(data.instance)}`;
    const beside = besideOthers[pgn];
    const place = beside !== undefined && data.instance === beside ? `${pgn}/${beside}` : String(pgn);
    if (!says(pgn, place, data)) return "";
    const stream = this.#streamOf(`${sameMessage[pgn] ?? place}/${key}`, device, nowMs);
    const thing = sameThing[pgn];
    if (thing !== undefined && this.#streamOf(`${thing}/${key}`, device, nowMs).device === device)
      stream.device = device;
    if (stream.device !== device) return "";
    if (ofOneDevice.has(pgn) && nowMs - stream.otherMs <= SILENT_MS) {
      this.#kept.delete(place);
      return "";
    }
    const kept = pgn === 129285 ? this.#routes.join(device, data, nowMs) : data;
    this.#kept.set(place, { data: kept, heardMs: nowMs });
    return this.#write(String(pgn), key, nowMs, nameOfThing(this.#names.get(address), pgn, data));
  }

  /** Takes the names of the things of the device at an address. */
  names(address: number, names: readonly NamedThing[] = []): void {
    this.#names.set(address, names);
  }

  /** Drops the messages about the way to a waypoint; the next device that sends them is the source. */
  forgetCourse(): void {
    for (const pgn of coursePgns) {
      this.#kept.delete(String(pgn));
      this.#streams.delete(`${pgn}/`);
    }
    this.#routes.clear();
  }

  /** Everything heard so far has expired. */
  forget(): void {
    this.#kept.clear();
    this.#streams.clear();
    this.#routes.clear();
  }

  /** The stream that `device` sends too, with the device that is used. */
  #streamOf(key: string, device: string, nowMs: number): Stream {
    let stream = this.#streams.get(key);
    if (stream === undefined || nowMs - stream.heardMs > SILENT_MS) {
      if (this.#streams.size >= MAX_STREAMS) this.#streams.clear();
      stream = { device, heardMs: nowMs, otherMs: Number.NEGATIVE_INFINITY };
      this.#streams.set(key, stream);
    }
    if (stream.device === device) stream.heardMs = nowMs;
    else stream.otherMs = nowMs;
    return stream;
  }

  #write(message: string, stream: string, nowMs: number, name?: string): string {
    const find: Lookup = (member) => this.#find(member, nowMs);
    let lines = "";
    for (const output of outputs.get(message) ?? []) {
      const times = this.#timesOf(output);
      const due = times.get(stream) ?? nowMs;
      if (nowMs < due) continue;
      const text = output.write(find, name);
      if (text === "") continue;
      if (times.size >= MAX_STREAMS) times.clear();
      // The interval begins when the sentence was due, so that a late message does not delay all the following ones.
      times.set(stream, nowMs - due < output.everyMs ? due + output.everyMs : nowMs + output.everyMs);
      lines += text;
    }
    return lines;
  }

  #find(member: Member, nowMs: number): unknown {
    const { message, path } = placeOf(member);
    return valueIn(message === "clock" ? this.#clock(nowMs) : this.#fresh(message, nowMs)?.data, path);
  }

  #fresh(message: string, nowMs: number): Kept | undefined {
    const kept = this.#kept.get(message);
    return kept === undefined || nowMs - kept.heardMs > (FRESH_MS[message] ?? PGN_FRESH_MS) ? undefined : kept;
  }

  #clock(nowMs: number): Moment | undefined {
    const report = this.#fresh("navigation", nowMs);
    return report && momentAt(report.data, nowMs - report.heardMs);
  }
}
