/** The budget of the requests to the APIs of version 2: that of their host, and requests at a time for all hosts. */
import type { Context } from "hono";
import type { Allowances } from "../../signalk/allowance.ts";
import type { Env } from "../signalk-app.ts";

/** Requests at a time; each waits for the engine, the broker or the disk. */
const MAX_REQUESTS = 50;

export class Budget {
  readonly #allowances: Allowances;
  readonly #monotonic: () => number;
  #requests = 0;

  constructor(allowances: Allowances, monotonic: () => number) {
    this.#allowances = allowances;
    this.#monotonic = monotonic;
  }

  /** Responds at the cost of the host that asks; with 429 or 503 if that is too much. */
  async lend(c: Context<Env>, respond: (spend: (work: number) => void) => Promise<Response>): Promise<Response> {
    const address = c.env?.address;
    const allowance = this.#allowances.lend(address, this.#monotonic());
    if (allowance === undefined) return c.text("too much work: ask less often\n", 429);
    try {
      if (this.#requests >= MAX_REQUESTS) return c.text("too many requests\n", 503);
      this.#requests += 1;
      return await respond((work) => allowance.spend(work, this.#monotonic())).finally(() => {
        this.#requests -= 1;
      });
    } finally {
      this.#allowances.takeBack(address);
    }
  }
}
