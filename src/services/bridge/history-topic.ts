/**
 * The topic of the history of the alarms. hub-cand reads it once, at its start: what its own last start has published.
 */
import { alarmHistoryMessage, type PastAlarm } from "../../core/alarms/report.ts";
import type { Publisher } from "../../core/ports/publisher.ts";
import { metadataAt } from "../../core/report/envelope.ts";
import { writerOf } from "../../core/report/write.ts";
import { textOf } from "../../core/text/ascii-buffer.ts";
import { readMessage } from "../../core/topics/read-message.ts";
import { topics } from "../../core/topics/topics.ts";
import { attempt } from "../../core/util/attempt.ts";

/** Interval of messages with a change: alarms may come and go each second. */
const INTERVAL_MS = 5000;
/** Maximum characters of a message, because hub-cand skips a longer one; the oldest alarms are left out. */
const MAX_CHARACTERS = 60_000;
const FEWER = 20;

/** Whether an alarm is as it was when it was published. */
const isSame = (one: PastAlarm, before: PastAlarm | undefined): boolean =>
  one.id === before?.id &&
  one.since === before.since &&
  one.until === before.until &&
  one.endedBefore === before.endedBefore &&
  one.acknowledged === before.acknowledged;

export class HistoryTopic {
  readonly #publisher: Publisher;
  readonly #topic: string;
  readonly #text = textOf(writerOf(alarmHistoryMessage));
  #published: readonly PastAlarm[] = [];
  #publishedAt = Number.NEGATIVE_INFINITY;
  #isRead = false;

  constructor(publisher: Publisher, topic: string) {
    this.#publisher = publisher;
    this.#topic = topic;
  }

  /** The first message that the broker sends; undefined for the later ones, which are of this start. */
  hear(text: string | undefined): { readonly alarms: readonly PastAlarm[]; readonly writtenAt: number } | undefined {
    if (this.#isRead || !text) return undefined;
    this.#isRead = true;
    const message = attempt(() => readMessage("alarmHistory", JSON.parse(text)));
    return message && { alarms: message.data.alarms, writtenAt: Date.parse(message.metadata.rxDate) };
  }

  publish(alarms: readonly PastAlarm[], now: number, wall: number): void {
    if (!this.#isRead && this.#publisher.isReading) return;
    if (now - this.#publishedAt < INTERVAL_MS) return;
    const isUnchanged =
      alarms.length === this.#published.length && alarms.every((each, index) => isSame(each, this.#published[index]));
    if (isUnchanged && now - this.#publishedAt < topics.alarmHistory.repeatMs) return;
    // Before the first alarm of this start the history of the last one stays with the broker.
    if (alarms.length === 0) return;
    this.#published = alarms;
    this.#publishedAt = now;
    const metadata = metadataAt(wall);
    let kept = [...alarms];
    let text = this.#text({ data: { alarms: kept }, metadata });
    while (text.length > MAX_CHARACTERS && kept.length > FEWER) {
      kept = kept.slice(0, -FEWER);
      text = this.#text({ data: { alarms: kept }, metadata });
    }
    this.#publisher.retain(this.#topic, text);
  }
}
