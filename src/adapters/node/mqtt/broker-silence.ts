/**
 * The log of a connection that lacks messages of an expected topic. Brokers such as Mosquitto accept a subscription
 * that their access control list does not permit, and send nothing.
 */
import type { Clock } from "../../../core/ports/clock.ts";
import type { Log } from "../../../core/ports/log.ts";

/** A topic whose messages arrive within a time, unless there is a fault. */
export interface ExpectedTopic {
  readonly topic: string;
  readonly withinMs: number;
}

export class BrokerSilence {
  readonly #expected: ExpectedTopic;
  readonly #clock: Clock;
  readonly #log: Log;
  #cancel: (() => void) | undefined;

  constructor(expected: ExpectedTopic, { clock, log }: { readonly clock: Clock; readonly log: Log }) {
    this.#expected = expected;
    this.#clock = clock;
    this.#log = log;
  }

  /** The broker is connected: the time begins. */
  begin(): void {
    const { topic, withinMs } = this.#expected;
    this.end();
    this.#cancel = this.#clock.after(withinMs, () =>
      this.#log.warn("an expected message does not come", { code: "NOTHING_HEARD", topic, afterSec: withinMs / 1000 }),
    );
  }

  /** A message has arrived; a retained one does not prove that its publisher runs. */
  hear(topic: string, isRetained: boolean): void {
    if (topic === this.#expected.topic && !isRetained) this.end();
  }

  /** The connection has ended. */
  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
