/**
 * Voyages of the boat: messages become lines of voyages, which are appended to the store in order. While the store does
 * not take lines they wait, so that a full disk costs none until memory is full too.
 */

import type { Picture, VoyageStore } from "../../core/ports/voyage-store.ts";
import { readJson } from "../../core/topics/messages.ts";
import { type Place, topicReader, topics } from "../../core/topics/topics.ts";
import { createExclusive } from "../../core/util/exclusive.ts";
import { VoyageKeeper } from "../../core/voyages/keeper.ts";
import { crew } from "../../core/voyages/kinds/by-hand.ts";
import { type KeptLine, lineIn, type TrackPoint } from "../../core/voyages/lines.ts";
import type { Polar } from "../../core/voyages/polar.ts";
import { voyageLines } from "../../formats/tracks/gpx-voyages.ts";
import { observationOf, observedTopics } from "./observations.ts";
import { Polars } from "./polars.ts";

export interface VoyagesOptions {
  readonly prefix: string;
  readonly store: VoyageStore;
  readonly entryEveryMs: number;
  /** Monotonic, milliseconds: messages that arrive one after another tell that the boat's clock was set. */
  readonly monotonic: () => number;
}

/** Limits of a plausible clock. */
const [EARLIEST, LATEST] = [Date.UTC(2000), Date.UTC(2200)];
/** The report comes ten times a second. */
const EXPECTED_MS = 60_000;
const observed: ReadonlySet<string> = new Set(["navigation", "alarms", "alarmHistory", "pgn"]);
/** Lines that wait for the store: days of a track. */
const MAX_WAITING = 5000;
/** Voyages among which the one that lasts is looked for at the start: a wrong clock may have left later names. */
const MAX_LATEST = 10;
/** Voyages that begin before an imported track and may have its first point: hub's own of that time is another one. */
const MAX_BEFORE = 3;

/** Limits of the pictures of all voyages, so that they leave the disk to the rest of the boat. */
export const pictureLimits = { count: 2000, bytes: 256 << 20 };

interface Waiting {
  readonly name: string;
  readonly text: string;
}

/** The name of a voyage that begins at a time. */
export const nameAt = (time: number): string => `${new Date(time).toISOString().slice(0, 19).replaceAll(":", "")}Z`;

/** The lines of a text, and the number of those that are damaged. */
export function linesIn(text = ""): { readonly lines: readonly KeptLine[]; readonly damaged: number } {
  // A write that failed may be in the file and is done again: its lines are there twice.
  const texts = [...new Set(text.split("\n"))].filter((each) => each !== "");
  const lines = texts.flatMap((each) => lineIn(each) ?? []);
  return { lines, damaged: texts.length - lines.length };
}

function requireEntry(lines: readonly KeptLine[], entry: number): void {
  if (!lines.some((line) => line.line === "entry" && line.entry === entry))
    throw new NoSuchVoyage("There is no such entry.");
}

/** The points of a track without its gaps, which files of tracks have elsewhere. */
const pointsOf = (lines: readonly KeptLine[]): readonly TrackPoint[] =>
  lines
    .flatMap((line) => (line.line === "track" ? line.points : []))
    .map(([...point]) => [point[0], point[1], point[2]]);

/** Points that are the same in files of all programs: some keep no parts of a second, and few decimals. */
const isSamePoint = ([time, ...place]: TrackPoint, [otherTime, ...other]: TrackPoint): boolean =>
  Math.floor(time / 1000) === Math.floor(otherTime / 1000) &&
  [0, 1].every((at) => Math.abs(place[at]! - other[at]!) < 1e-5);

const hasEnd = (lines: readonly KeptLine[]): boolean =>
  lines.some((line) => line.line === "entry" && line.kind === "end");

/** A request that cannot be done as things are. */
export class NoSuchVoyage extends Error {
  override readonly name = "NoSuchVoyage";
}

/** The entry has other corrections than the one who corrects it has seen. */
export class Corrected extends Error {
  override readonly name = "Corrected";
}

/** There are as many pictures as there may be. */
export class NoRoom extends Error {
  override readonly name = "NoRoom";
}

export class Voyages {
  readonly #options: VoyagesOptions;
  readonly #readTopic: (topic: string) => Place | undefined;
  #keeper: VoyageKeeper;
  /** The open voyage. */
  #name = "";
  readonly #names: Set<string>;
  #polars: Polars;
  #waiting: Waiting[] = [];
  readonly #inTurn = createExclusive();
  /** Lines that were dropped because they cannot be written, and the reason of the last failure. */
  dropped = 0;
  failure = "";
  failures = 0;
  /** Lines that a power cut has damaged. */
  damaged = 0;
  malformed = 0;
  faults = 0;
  fault = { topic: "", reason: "" };

  private constructor(options: VoyagesOptions, names: readonly string[]) {
    this.#options = options;
    this.#readTopic = topicReader(options.prefix);
    this.#keeper = new VoyageKeeper(options.entryEveryMs);
    this.#names = new Set(names);
    this.#polars = new Polars(options.store);
  }

  /** Goes on where the kept lines end. */
  static async open(options: VoyagesOptions): Promise<Voyages> {
    const names = await options.store.names();
    const voyages = new Voyages(options, names);
    const latest: { readonly name: string; readonly lines: readonly KeptLine[] }[] = [];
    for (const name of names.toReversed()) {
      const { lines, damaged } = linesIn(await options.store.read(name));
      voyages.damaged += damaged;
      // An imported voyage is no state of the boat.
      if (!lines.some((line) => line.line === "entry" && line.kind === "begin" && line.details?.imported === undefined))
        continue;
      latest.push({ name, lines });
      if (!hasEnd(lines) || latest.length === MAX_LATEST) break;
    }
    const lasting = latest.findLast(({ lines }) => !hasEnd(lines)) ?? latest[0];
    for (const line of lasting?.lines ?? []) voyages.#keeper.recall(line);
    voyages.#name = lasting?.name ?? "";
    return voyages;
  }

  get filters(): readonly string[] {
    return observedTopics(this.#options.prefix);
  }

  get expected(): { readonly topic: string; readonly withinMs: number } {
    return { topic: topics.navigation.name({ prefix: this.#options.prefix }), withinMs: EXPECTED_MS };
  }

  /** The voyage that lasts; undefined: none. */
  get openName(): string | undefined {
    return this.#keeper.isOpen ? this.#name : undefined;
  }

  hear(topic: string, payload: Uint8Array | undefined): void {
    const place = this.#readTopic(topic);
    if (place === undefined || !payload?.length || !observed.has(place.topic)) return;
    let observation: ReturnType<typeof observationOf>;
    try {
      observation = observationOf(place, readJson(place.topic, payload));
    } catch {
      this.malformed++;
      return;
    }
    if (observation === undefined || !(observation.time >= EARLIEST && observation.time < LATEST)) return;
    try {
      this.#take(this.#keeper.hear(observation, this.#options.monotonic()));
    } catch (error) {
      this.faults++;
      this.fault = { topic, reason: String(error) };
    }
  }

  #take(lines: readonly KeptLine[]): void {
    for (const line of lines) {
      if (line.line === "entry" && line.kind === "begin") this.#name = this.#newName(line.time);
      this.#waiting.push({ name: this.#name, text: JSON.stringify(line) });
    }
    if (this.#waiting.length > MAX_WAITING)
      this.dropped += this.#waiting.splice(0, this.#waiting.length - MAX_WAITING).length;
    if (lines.length > 0) void this.advance();
  }

  #newName(time: number): string {
    const first = nameAt(time);
    let name = first;
    for (let number = 2; this.#names.has(name); number++) name = `${first}-${number}`;
    this.#names.add(name);
    return name;
  }

  /** Writes what waits; resolves with whether all of it is on the medium. Called every second, and with each line. */
  advance(): Promise<boolean> {
    return this.#inTurn(() => this.#writeWaiting());
  }

  async #writeWaiting(): Promise<boolean> {
    while (this.#waiting.length > 0) {
      const { name } = this.#waiting[0]!;
      const end = this.#waiting.findIndex((each) => each.name !== name);
      const part = this.#waiting.slice(0, end < 0 ? undefined : end);
      try {
        await this.#options.store.append(
          name,
          part.map(({ text }) => text),
        );
      } catch (error) {
        this.failure = (error as Error).message;
        this.failures++;
        return false;
      }
      // Lines may have been dropped at the front meanwhile.
      const written = new Set(part);
      this.#waiting = this.#waiting.filter((each) => !written.has(each));
    }
    return true;
  }

  /**
   * Writes the line that a request makes of those that are kept, after all that waits. It is on the medium when this
   * resolves; when this rejects it is not written later either, because the crew sends it again.
   */
  #writeNow(name: string, lineOf: (kept: readonly KeptLine[]) => Promise<KeptLine> | KeptLine): Promise<void> {
    return this.#inTurn(async () => {
      if (!(await this.#writeWaiting())) throw new Error(this.failure);
      const line = await lineOf(linesIn(await this.#options.store.read(name)).lines);
      await this.#options.store.append(name, [JSON.stringify(line)]);
    });
  }

  /**
   * An entry by hand, at the time of the boat; in a voyage that has ended at its end, and its crew at its begin. It is on
   * the medium when this resolves.
   */
  write(name: string, kind: string, text: string, author?: string): Promise<void> {
    return this.#writeNow(name, (kept) => {
      const [line] = name === this.openName ? this.#keeper.write(kind, text, author) : [];
      if (line !== undefined) return line;
      const entries = kept.filter((each) => each.line === "entry");
      const [first, last] = [entries[0], entries.findLast(({ kind: each }) => each === "end") ?? entries.at(-1)];
      if (first === undefined || last === undefined) throw new NoSuchVoyage("There is no such voyage.");
      const { time, conditions } = kind === crew.name ? first : last;
      const entry = entries.reduce((most, each) => Math.max(most, each.entry), 0) + 1;
      return { line: "entry", entry, kind, time, text, conditions, author };
    });
  }

  /**
   * A correction of the text of an entry; the text before it stays. `seen` is the number of corrections that its author
   * has seen: rejects with `Corrected` if there are others, as of another display.
   */
  correct(name: string, entry: number, time: number, text: string, author?: string, seen?: number): Promise<void> {
    return this.#writeNow(name, (kept) => {
      requireEntry(kept, entry);
      const count = kept.filter((line) => line.line === "edit" && line.entry === entry).length;
      if (seen !== undefined && seen !== count) throw new Corrected("The entry was corrected meanwhile.");
      return { line: "edit", entry, time, text, author };
    });
  }

  /** A picture of an entry: first its file, then the line that names it. Both are on the medium when this resolves. */
  addPicture(name: string, entry: number, { type, bytes }: Picture, time: number, author?: string): Promise<void> {
    return this.#writeNow(name, async (kept) => {
      requireEntry(kept, entry);
      const left = await this.picturesLeft();
      if (left.count < 1 || left.bytes < bytes.length)
        throw new NoRoom(`There is room for ${left.count} pictures and ${left.bytes} bytes.`);
      const used = kept.reduce((most, line) => (line.line === "picture" ? Math.max(most, line.picture) : most), 0);
      const picture = await this.#options.store.addPicture(name, type, bytes, used);
      return { line: "picture", entry, picture, time, author };
    });
  }

  /** None of a voyage that was removed, whose pictures stay for the owner of the medium. */
  async picture(name: string, number: number): Promise<Picture | undefined> {
    return this.#names.has(name) ? this.#options.store.picture(name, number) : undefined;
  }

  async picturesLeft(): Promise<{ readonly count: number; readonly bytes: number }> {
    const { count, bytes } = await this.#options.store.pictures();
    return { count: Math.max(0, pictureLimits.count - count), bytes: Math.max(0, pictureLimits.bytes - bytes) };
  }

  polar(): Promise<Polar> {
    return this.#polars.polar(this.names);
  }

  /** Keeps imported voyages, all or none; resolves with the names of those whose tracks were not there already. */
  add(imported: readonly (readonly KeptLine[])[]): Promise<readonly string[]> {
    return this.#inTurn(async () => {
      const made = new Map<string, readonly string[]>();
      try {
        for (const lines of imported) {
          const [first, ...rest] = await this.#newPart(lines, made);
          if (first === undefined) continue;
          made.set(
            this.#newName(first.time),
            [first, ...rest].map((line) => JSON.stringify(line)),
          );
        }
        await this.#options.store.create(made);
      } catch (error) {
        for (const name of made.keys()) this.#names.delete(name);
        throw error;
      }
      return [...made.keys()];
    });
  }

  /** The part of a track that no voyage has, or nothing: a plotter continues the track that an earlier file had. */
  async #newPart(
    lines: readonly KeptLine[],
    made: ReadonlyMap<string, readonly string[]>,
  ): Promise<readonly KeptLine[]> {
    const all = pointsOf(lines);
    let points = all;
    for (;;) {
      const known = await this.#known(points, made);
      if (known === points.length) return [];
      if (known < 2) break;
      points = points.slice(known - 1);
    }
    const [begin] = lines;
    return points === all ? lines : voyageLines((begin?.line === "entry" && begin.text) || "", points);
  }

  /**
   * How many of these points a voyage that is kept, or is about to be, has from some point on: all of either, or 0. A
   * plotter that drops the oldest points begins amid one.
   */
  async #known(points: readonly TrackPoint[], made: ReadonlyMap<string, readonly string[]>): Promise<number> {
    let most = 0;
    const begin = nameAt(points[0]![0]);
    const before = this.names.filter((name) => name < begin).slice(-MAX_BEFORE);
    for (const name of [...before, ...this.names.filter((name) => name.startsWith(begin))]) {
      const text = made.get(name)?.join("\n") ?? (await this.#options.store.read(name));
      // Most have no point of that second, which is seen without parsing them.
      if (!text?.includes(`[${Math.floor(points[0]![0] / 1000)}`)) continue;
      const kept = pointsOf(linesIn(text).lines);
      const from = kept.findIndex((point) => isSamePoint(point, points[0]!));
      const shorter = from < 0 ? 0 : Math.min(kept.length - from, points.length);
      if (points.slice(0, shorter).every((point, at) => isSamePoint(point, kept[from + at]!)))
        most = Math.max(most, shorter);
    }
    return most;
  }

  /** Removes a voyage, for good when this resolves. While the boat is under way after that, another one begins. */
  remove(name: string): Promise<void> {
    return this.#inTurn(async () => {
      if (!this.#names.has(name)) throw new NoSuchVoyage("There is no such voyage.");
      if (!(await this.#writeWaiting())) throw new Error(this.failure);
      const keeper = this.#keeper;
      if (name === this.openName) this.#keeper = new VoyageKeeper(this.#options.entryEveryMs);
      try {
        await this.#options.store.remove(name);
      } catch (error) {
        this.#keeper = keeper;
        throw error;
      }
      this.#names.delete(name);
      this.#polars = new Polars(this.#options.store);
    });
  }

  /** The text of a voyage with all that is acknowledged. */
  async read(name: string): Promise<string | undefined> {
    await this.advance();
    return this.#options.store.read(name);
  }

  get names(): readonly string[] {
    return [...this.#names].sort();
  }

  size(name: string): Promise<number> {
    return this.#options.store.size(name);
  }

  async close(): Promise<void> {
    this.#take(this.#keeper.finish());
    await this.advance();
  }
}
