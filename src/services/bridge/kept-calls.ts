/**
 * Calls of distress, each retained as a command of its own, which gives it back to the next start of hub-cand. For a
 * call received since this start, the state here counts more than that of the broker, which may return to an older one.
 */
import { type KeptCall, keptCall } from "../../core/alarms/kept-call.ts";
import type { Publisher } from "../../core/ports/publisher.ts";
import { writerOf } from "../../core/report/write.ts";
import { AsciiBuffer } from "../../core/text/ascii-buffer.ts";
import type { TopicsBelow } from "../../core/topics/topics.ts";
import { RetainedCommand } from "./retained-command.ts";

/** Maximum topics whose payload is known; the oldest calls that have ended are forgotten. */
const MAX_TOPICS = 500;

const writeCall = writerOf(keptCall);

interface Topic {
  readonly command: RetainedCommand;
  /** The broker has sent a payload of this topic: no other one from before this start can follow. */
  isRead: boolean;
}

export class KeptCalls {
  readonly #publisher: Publisher;
  readonly #topics: TopicsBelow;
  readonly #clock: () => number;
  /** Topics by the id of the alarm, the oldest first. */
  readonly #known = new Map<string, Topic>();
  /** Calls that have not ended, by the id of the alarm. */
  #calls: ReadonlyMap<string, KeptCall> = new Map();
  readonly #text = new AsciiBuffer();

  /** `clock` as of `RetainedCommand`. */
  constructor(publisher: Publisher, topics: TopicsBelow, clock: () => number) {
    this.#publisher = publisher;
    this.#topics = topics;
    this.#clock = clock;
  }

  /**
   * Takes a payload of the topic of a call; true if it comes from before this start and the call has not ended since.
   */
  hear(id: string, payload: string): boolean {
    const known = this.#known.get(id);
    if (known === undefined && payload === "") return false;
    const topic = known ?? this.#add(id);
    const isFirst = !topic.isRead;
    topic.isRead = true;
    if (topic.command.isEcho(payload)) return false;
    topic.command.noteOther();
    return isFirst && (known === undefined || this.#calls.has(id));
  }

  retain(calls: ReadonlyMap<string, KeptCall>): void {
    this.#calls = calls;
    for (const id of calls.keys()) if (!this.#known.has(id)) this.#add(id);
    for (const [id, { command }] of this.#known) {
      command.retain();
      if (this.#known.size > MAX_TOPICS && !calls.has(id)) this.#known.delete(id);
    }
  }

  #add(id: string): Topic {
    const name = this.#topics.keptCall({ alarm: id });
    const command = new RetainedCommand(this.#publisher, name, () => this.#payloadOf(id), this.#clock);
    const topic = { command, isRead: false };
    this.#known.set(id, topic);
    return topic;
  }

  #payloadOf(id: string): string | undefined {
    const call = this.#calls.get(id);
    if (call === undefined) return undefined;
    this.#text.at = 0;
    writeCall(this.#text, call);
    return this.#text.text();
  }
}
