/**
 * NMEA 0183 from the messages of hub-cand: given a message, the sentences that are due.
 *
 * A sentence is written when the message comes that it is about, at most as often as its definition says; nothing comes when
 * nothing is heard. Values of other messages are used while they are fresh. Of several devices that send one PGN the first is
 * used until it has been silent for a while, as hub-cand does for what is in its reports. Time is an argument: monotonic
 * milliseconds.
 */
import { navigationSentences } from "./navigation-sentences.ts";
import { type Member, type Sentence, sentenceText } from "./sentence.ts";

/** Time after which a message is stale. */
const NAVIGATION_FRESH_MS = 2000;

type Data = Readonly<Record<string, unknown>>;

interface Kept {
  readonly data: Data;
  readonly heardMs: number;
}

/** A member with its path taken apart. */
interface Place {
  readonly message: string;
  readonly path: readonly string[];
}

const places = new Map<Member, Place>();

function placeOf(member: Member): Place {
  let place = places.get(member);
  if (place === undefined) {
    const [message, path] = member.split(" ") as [string, string];
    place = { message, path: path.split(".") };
    places.set(member, place);
  }
  return place;
}

const isObject = (value: unknown): value is Data => typeof value === "object" && value !== null;

export class Nmea0183Encoder {
  readonly #sentences: readonly Sentence[] = navigationSentences;
  readonly #kept = new Map<string, Kept>();
  readonly #writtenMs = new Map<Sentence, number>();

  /** Returns the lines that are due with the data of the navigation report; empty when none is. */
  navigation(data: unknown, nowMs: number): string {
    return isObject(data) ? this.#hear("navigation", data, nowMs) : "";
  }

  /** All that was heard is stale. */
  forget(): void {
    this.#kept.clear();
  }

  #hear(message: string, data: Data, nowMs: number): string {
    this.#kept.set(message, { data, heardMs: nowMs });
    let lines = "";
    for (const sentence of this.#sentences) {
      if (String(sentence.on) !== message || !this.#isDue(sentence, nowMs)) continue;
      const text = sentenceText(sentence, (member) => this.#find(member, nowMs));
      if (text === undefined) continue;
      this.#writtenMs.set(sentence, nowMs);
      lines += text;
    }
    return lines;
  }

  /** Messages do not come to the millisecond: a tenth early is no more often. */
  #isDue(sentence: Sentence, nowMs: number): boolean {
    const last = this.#writtenMs.get(sentence);
    return last === undefined || nowMs - last >= sentence.everyMs * 0.9;
  }

  #find(member: Member, nowMs: number): unknown {
    const { message, path } = placeOf(member);
    const kept = this.#kept.get(message);
    if (kept === undefined || nowMs - kept.heardMs > NAVIGATION_FRESH_MS) return undefined;
    let value: unknown = kept.data;
    for (const step of path) value = isObject(value) ? value[step] : undefined;
    return value ?? undefined;
  }
}
