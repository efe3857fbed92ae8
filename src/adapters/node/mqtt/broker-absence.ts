/** The log of a broker that is away: each kind of failure once in an absence, repetitions at level debug. */
import type { Log } from "../../../core/ports/log.ts";

type Failure = Error & { readonly code?: string | number };

/** After several addresses were tried (localhost often has two), only the code has the cause. */
export const reasonOf = ({ message, code, name }: Failure): string => message || String(code ?? name);

export class BrokerAbsence {
  readonly #log: Log;
  readonly #broker: string;
  /** Kinds of failure that have been logged in this absence. */
  readonly #logged = new Set<string>();

  /** `broker` is its URL. */
  constructor(log: Log, broker: string) {
    this.#log = log;
    this.#broker = broker;
  }

  /** A connection was lost, or could not be made. */
  failed(failure: Failure): void {
    // The message does not count, because it may name a port that differs each time.
    const kind = String(failure.code ?? failure.message);
    const fields = { broker: this.#broker, reason: reasonOf(failure) };
    if (this.#logged.has(kind)) this.#log.debug("broker is still away", fields);
    else this.#log.warn("broker is away, trying again", { code: "BROKER_AWAY", ...fields });
    this.#logged.add(kind);
  }

  /** The broker is connected. */
  end(): void {
    this.#logged.clear();
  }
}
