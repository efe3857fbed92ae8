/**
 * The topic of the health of bus and bridge, every 30 seconds. The last message stays retained when the daemon is gone;
 * it then expires by its `expireAfterSec`, and the identity is offline at once.
 *
 * A full-speed replay must be deterministic; its counters are only stable at the end, because the reader runs ahead of
 * the packets, so health is published once, by `finish`.
 */

import { metadataAt } from "../../../core/report/envelope.ts";
import { writerOf } from "../../../core/report/write.ts";
import { textOf } from "../../../core/text/ascii-buffer.ts";
import { type Health, healthMessage } from "../../../core/topics/health.ts";
import { topics } from "../../../core/topics/topics.ts";
import type { Boat } from "../boat.ts";
import type { Change, Part } from "../part.ts";
import { healthOf, type Vitals } from "./health.ts";

/** Time of the first message after the start, and from one message to the next. */
const FIRST_MS = 1000;

type HealthBoat = Pick<Boat, "topics" | "publisher" | "counters" | "ignoredSettings">;

export class HealthReport implements Part {
  readonly knows = { health: { at: (now: number) => this.health(now) } };
  readonly #boat: HealthBoat;
  readonly #vitals: Vitals;
  readonly #text = textOf(writerOf(healthMessage));
  #startedAt: number | undefined;
  due = Number.NEGATIVE_INFINITY;
  #hasPublished = false;

  constructor(boat: HealthBoat, vitals: Vitals) {
    this.#boat = boat;
    this.#vitals = vitals;
  }

  advance(now: number, wall: number): void {
    if (now < this.due) return;
    const isFirst = this.#startedAt === undefined;
    this.#startedAt ??= now;
    if (this.#vitals.machine === undefined) {
      this.due = Number.POSITIVE_INFINITY;
      return;
    }
    this.due = now + (isFirst ? FIRST_MS : topics.health.repeatMs);
    if (!isFirst) this.#publish(now, wall);
  }

  /**
   * Makes the next message due, because something has changed that is published at once. The first one keeps its time.
   */
  notice({ of }: Change): void {
    if ((of === "settings" || of === "clock") && this.#hasPublished && this.#vitals.machine !== undefined)
      this.due = Number.NEGATIVE_INFINITY;
  }

  /** Publishes the last message. */
  finish(now: number, wall: number): void {
    this.#publish(now, wall);
  }

  /** The health at a monotonic time, milliseconds. */
  health(now: number): Health {
    const uptimeSec = Math.floor((now - (this.#startedAt ?? now)) / 1000);
    return healthOf(uptimeSec, this.#boat.counters(), this.#vitals, this.#boat.ignoredSettings(now));
  }

  #publish(now: number, wall: number): void {
    this.#hasPublished = true;
    const { publisher, topics: names } = this.#boat;
    publisher.retain(names.health(), this.#text({ data: this.health(now), metadata: metadataAt(wall) }));
  }
}
