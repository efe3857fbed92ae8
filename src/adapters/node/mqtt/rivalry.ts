/**
 * Two clients of one name at a broker: each connection ends that of the other, so that they would take turns without
 * end. The one that is displaced says so, and waits twice as long each time.
 *
 * A broker of MQTT 5 may give the reason. Others only close, as does Mosquitto 2.0.11: three connections in a row that
 * the broker accepts and closes within two minutes are taken for it.
 */
import type { Clock } from "../../../core/ports/clock.ts";
import type { Log } from "../../../core/ports/log.ts";

/** Reason of DISCONNECT: another client with this name has connected. */
export const SESSION_TAKEN_OVER = 0x8e;
/** Longer connections are not part of a rivalry: both clients wait a minute at most. */
const SHORT_MS = 120_000;
const MOST_MS = 60_000;
const CLOSED_IN_A_ROW = 3;
/** Time after which a rival that has not displaced this client counts as gone. */
const GONE_AFTER_MS = 300_000;

/** How a connection has ended that the broker had accepted, if by the broker. */
export type EndedBy = "rival" | "broker";

export interface RivalryOptions {
  readonly clientId: string;
  readonly clock: Clock;
  readonly log: Log;
}

export class Rivalry {
  readonly #options: RivalryOptions;
  #acceptedAt = Number.NEGATIVE_INFINITY;
  /** Connections in a row that ended soon. */
  #inARow = 0;
  #displacedAt = Number.NEGATIVE_INFINITY;

  constructor(options: RivalryOptions) {
    this.#options = options;
  }

  /** Whether another client has displaced this one within the last minutes. */
  get isThere(): boolean {
    return this.#options.clock.monotonic() - this.#displacedAt < GONE_AFTER_MS;
  }

  /** The broker has accepted a connection. */
  begin(): void {
    this.#acceptedAt = this.#options.clock.monotonic();
  }

  /** A connection has ended, or was not made; undefined: not by the broker. Returns the time to the next attempt. */
  end(by: EndedBy | undefined, reconnectMs: number): number {
    const { clientId, clock, log } = this.#options;
    const now = clock.monotonic();
    if (by === undefined || now - this.#acceptedAt > SHORT_MS) this.#inARow = 0;
    if (by === undefined) return reconnectMs;
    this.#inARow += 1;
    if (by === "broker" && this.#inARow < CLOSED_IN_A_ROW) return reconnectMs;
    const waitMs = Math.max(reconnectMs, Math.min(MOST_MS, reconnectMs * 2 ** (this.#inARow - 1)));
    const fields = { code: "CLIENT_DISPLACED", clientId, againAfterSec: waitMs / 1000 } as const;
    if (this.isThere) log.debug("another client has displaced this one again", fields);
    else log.warn("another client with the same name has displaced this one at the broker", fields);
    this.#displacedAt = now;
    return waitMs;
  }
}
