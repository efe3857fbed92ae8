/**
 * The log book of hub-history on a real folder: a boat that sails, several of the crew at once, a failing disk and power
 * cuts. What was acknowledged is there, once and whole, nothing is there that nobody has written, and the open voyage
 * goes on.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { voyageStore } from "../../../src/adapters/node/files/voyage-store.ts";
import { topics } from "../../../src/core/topics/topics.ts";
import type { KeptLine } from "../../../src/core/voyages/lines.ts";
import { linesIn, NoSuchVoyage, Voyages } from "../../../src/services/history/voyages.ts";
import { PREFIX } from "../hub-cand.ts";
import { type Random, randomOf } from "../random.ts";
import { Disk, type Misfortune, treeOf } from "./disk.ts";
import { layOut } from "./lost-effects.ts";

const BEGIN = Date.UTC(2026, 10, 21, 8);
const MAX_AT_ONCE = 4;
/** Steps of the boat, and a silence after which her voyage has ended. */
const [STEP_MS, SILENT_MS] = [5000, 13 * 3_600_000];
const DEGREES_EACH_STEP = 15 / 111_120;

/** An act of the crew, and what is in the log book when it is done. */
interface Act {
  readonly voyage: string;
  readonly text: string;
  done: boolean;
}

/** An imported voyage. */
const newVoyage = (number: number): readonly KeptLine[] => {
  const time = BEGIN + number * 60_000;
  const end = { line: "entry", entry: 2, kind: "end", time: time + 30_000 } as const;
  const track = { line: "track", time, points: [time, end.time].map((at) => [at, number / 1000, 0] as const) } as const;
  return [{ line: "entry", entry: 1, kind: "begin", time, details: { imported: "a file" } }, track, end];
};

/** The lines that have their end. */
const whole = (text: string | undefined): string | undefined => text?.slice(0, text.lastIndexOf("\n") + 1);

/** Those of a text. Half a line of a write that failed is none. */
const linesOf = (text = ""): readonly string[] => linesIn(text).lines.map((line) => JSON.stringify(line));
const isOf = (kind: string, line: string): boolean => line.includes(`"kind":"${kind}"`);

export class VoyageWorld {
  readonly #random: Random;
  readonly #disk: Disk;
  #folder = mkdtempSync(join(tmpdir(), "hub-voyages-"));
  #voyages: Voyages | undefined;
  #serial = 0;
  #acts: Act[] = [];
  /** Imported voyages that the crew has removed, and whether that is acknowledged. */
  readonly #removed = new Map<string, boolean>();
  /** Bytes of pictures that are acknowledged, by their text. */
  readonly #pictures = new Map<string, Uint8Array<ArrayBuffer>>();
  /** In the round before. */
  #hasFailed = false;
  #time = BEGIN + 365 * 86_400_000;
  #latitude = 30;
  /** Lines of the boat's own voyages that were on the medium at the end of a round. */
  readonly #kept = new Map<string, readonly string[]>();
  readonly counts = { acts: 0, done: 0, cut: 0, goneOn: 0 };

  constructor(seed: number) {
    this.#random = randomOf(seed);
    this.#disk = new Disk(this.#random);
    this.#disk.begin(this.#folder, treeOf(this.#folder));
  }

  /** Does a round; throws with what is lost or torn. */
  async round(): Promise<void> {
    const random = this.#random;
    if (this.#voyages === undefined || random.chance(0.05)) await this.#start();
    const misfortune = this.#misfortune();
    this.#disk.expect(misfortune);
    const count = random.pick([1, 1, 2, MAX_AT_ONCE]);
    await Promise.all([this.#sail(), ...Array.from({ length: count }, () => this.#act())]);
    this.#hasFailed = this.#disk.hasFailed;
    if (misfortune?.is === "power cut") await this.#cutPower();
    else {
      this.#disk.expect(undefined);
      await this.#keep();
    }
    if (misfortune !== undefined) await this.#look();
  }

  /** The power often goes soon after a fault of the disk, when only the medium knows what that has left. */
  #misfortune(): Misfortune | undefined {
    const random = this.#random;
    const at = random.integer(1, 8);
    if (this.#hasFailed && random.chance(0.5)) return { is: "power cut", at };
    return random.chance(0.2)
      ? { is: random.pick(["one call fails", "disk full", "power cut"] as const), at }
      : undefined;
  }

  /** The boat sails, from time to time after a night without a report. */
  async #sail(): Promise<void> {
    if (this.#random.chance(0.05)) this.#time += SILENT_MS;
    for (let step = this.#random.integer(0, 60); step > 0; step--) {
      this.#time += STEP_MS;
      this.#latitude += DEGREES_EACH_STEP;
      const data = {
        position: { hasFix: true, latitude: this.#latitude, longitude: -30 },
        speed_course: { cog: 0, sog: 5.8 },
      };
      const metadata = { rxDate: new Date(this.#time).toISOString(), expireAfterSec: 2 };
      this.#voyages!.hear(topics.navigation.name({ prefix: PREFIX }), Buffer.from(JSON.stringify({ data, metadata })));
      if (step % 10 === 0) await turn();
    }
  }

  /** Notes what is on the medium now; neither the line of a call that has failed nor one without its end is for certain. */
  async #keep(): Promise<void> {
    const voyages = this.#voyages!;
    if (!(await voyages.advance())) throw new Error(`what waits is not written: ${voyages.failure}`);
    const { openName } = voyages;
    const failed = this.#acts.filter(({ done }) => !done).map(({ text }) => `"${text}"`);
    const isCertain = (line: string): boolean => !failed.some((text) => line.includes(text));
    for (const name of new Set([...this.#kept.keys(), ...(openName === undefined ? [] : [openName])]))
      this.#kept.set(name, linesOf(whole(await voyages.read(name))).filter(isCertain));
  }

  /** The boat's own voyages have what they had, each entry once, and the last of them goes on unless it has ended. */
  async #lookAtOwn(): Promise<void> {
    for (const [name, before] of this.#kept) {
      const text = await this.#voyages!.read(name);
      const lines = linesOf(text);
      const lost = before.find((line) => !lines.includes(line));
      if (lost !== undefined) throw new Error(`${name} has lost ${lost}`);
      const numbers = linesIn(text).lines.flatMap((line) => (line.line === "entry" ? [line.entry] : []));
      if (new Set(numbers).size < numbers.length) throw new Error(`${name} has entries twice: ${numbers.join()}`);
      if (lines.filter((line) => isOf("begin", line)).length !== 1) throw new Error(`${name} has not one begin`);
    }
    const [name, last] = [...this.#kept].at(-1) ?? [];
    const hasEnded = last === undefined || last.some((line) => isOf("end", line));
    if (hasEnded || this.#voyages!.openName === name) return;
    const now = linesOf(await this.#voyages!.read(name!));
    // Its end may have been written before the cut.
    if (!now.some((line) => isOf("end", line))) throw new Error(`${name} does not go on`);
  }

  close(): void {
    rmSync(this.#folder, { recursive: true });
  }

  async #start(): Promise<void> {
    const store = await voyageStore(this.#folder, this.#disk.files);
    this.#voyages = await Voyages.open({ prefix: PREFIX, store, entryEveryMs: 3_600_000, monotonic: () => this.#time });
  }

  /** The service starts again on what the medium has kept. */
  async #cutPower(): Promise<void> {
    this.counts.cut++;
    const before = this.#folder;
    this.#folder = mkdtempSync(join(tmpdir(), "hub-voyages-"));
    layOut(this.#disk.afterCut(), this.#folder);
    rmSync(before, { recursive: true });
    this.#disk.expect(undefined);
    this.#disk.begin(this.#folder, treeOf(this.#folder));
    await this.#start();
    await this.#lookAtOwn();
    if (this.#voyages!.openName !== undefined) this.counts.goneOn++;
    await this.#keep();
  }

  async #act(): Promise<void> {
    const voyages = this.#voyages!;
    const random = this.#random;
    const number = ++this.#serial;
    this.counts.acts++;
    const imported = this.#acts.filter(({ done }) => done).map(({ voyage }) => voyage);
    const { openName } = voyages;
    const known = [
      ...new Set([...imported, ...(openName !== undefined && this.#kept.has(openName) ? [openName] : [])]),
    ];
    const files = this.#acts.filter((act) => act.text === "a file");
    const text = `text ${number} of the crew`;
    const note = (voyage: string): Act => {
      const act = { voyage, text, done: false };
      this.#acts.push(act);
      return act;
    };
    try {
      if (known.length === 0 || random.chance(0.1)) {
        const [voyage] = await voyages.add([newVoyage(number)]);
        if (voyage === undefined) throw new Error("a new voyage was there already");
        this.#acts.push({ voyage, text: "a file", done: true });
      } else if (files.length > 0 && random.chance(0.03)) {
        const { voyage } = random.pick(files);
        this.#acts = this.#acts.filter((act) => act.voyage !== voyage);
        this.#removed.set(voyage, false);
        await voyages.remove(voyage);
        this.#removed.set(voyage, true);
      } else {
        const act = note(random.pick(known));
        // The entry with which a voyage begins: 0 of the boat's own, 1 of a file's.
        const begin = this.#kept.has(act.voyage) ? 0 : 1;
        if (random.chance(0.6)) await voyages.write(act.voyage, random.pick(["note", "crew"]), text);
        else if (random.chance(0.5)) await voyages.correct(act.voyage, begin, BEGIN, text);
        else {
          const bytes = Uint8Array.from({ length: 50 }, () => random.integer(0, 255));
          this.#pictures.set(text, bytes);
          await voyages.addPicture(act.voyage, begin, { type: "png", bytes }, BEGIN, text);
        }
        act.done = true;
      }
      this.counts.done++;
    } catch (error) {
      // A voyage that another of the crew has removed meanwhile.
      if (!this.#disk.hasFailed && !(error instanceof NoSuchVoyage && this.#removed.size > 0)) throw error;
    }
  }

  async #look(): Promise<void> {
    const back = this.#voyages!.names.find((name) => this.#removed.get(name));
    if (back !== undefined) throw new Error(`${back} is removed and there`);
    for (const voyage of new Set(this.#acts.map((act) => act.voyage))) {
      const acts = this.#acts.filter((act) => act.voyage === voyage);
      const text = (await this.#voyages!.read(voyage)) ?? "";
      const said = linesOf(text);
      for (const act of acts.filter(({ done }) => done)) {
        const found = said.filter((line) => line.includes(`"${act.text}"`));
        if (found.length !== 1) throw new Error(`${found.length} times in ${voyage}: ${act.text}\n${text}`);
        await this.#lookAtPicture(act, JSON.parse(found[0]!) as KeptLine);
      }
      const known = new Set(acts.map((act) => act.text));
      for (const line of said) {
        const [, words] = /"(text \d+ of the crew)"/.exec(line) ?? [];
        if (words !== undefined && !known.has(words)) throw new Error(`nobody has written: ${line}`);
      }
    }
  }

  async #lookAtPicture({ voyage, text }: Act, line: KeptLine): Promise<void> {
    if (line.line !== "picture") return;
    const kept = await this.#voyages!.picture(voyage, line.picture);
    if (!isDeepStrictEqual(kept?.bytes, this.#pictures.get(text))) throw new Error(`the picture of ${text} is lost`);
  }
}
