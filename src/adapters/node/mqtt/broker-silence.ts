/**
 * The log of a connection on which an expected topic does not come. Brokers such as Mosquitto accept a subscription that their access
 * control list does not permit, and send nothing.
 */
import type { Clock } from "../../../ports/clock.ts";
import type { Log } from "../../../ports/log.ts";

/** A topic whose messages come within a time, if all is well. */
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

  /** A message has come; a retained one says nothing about its publisher. */
  hear(topic: string, isRetained: boolean): void {
    if (topic === this.#expected.topic && !isRetained) this.end();
  }

  /** The connection has ended. */
  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
