/** The Hono environment of every request. */
import type { Exchange, Sent } from "./exchange.ts";
import type { Exclusive } from "./exclusive.ts";
import type { Elsewhere, RequestWork } from "./request-work.ts";
import type { Services } from "./services.ts";

/** Given with each request by the server that has them; `app.request(path, init, bindings)` in tests. */
export interface Bindings {
  /** The request target as it was sent; a URL object has resolved `..` and `//` already. */
  readonly target?: string;
  /** The port the server listens on. */
  readonly port?: number;
  /** Where requests go that would hold up all others; without it they are served here. */
  readonly elsewhere?: Elsewhere;
}

export interface ApiEnv {
  readonly Bindings: Bindings;
  readonly Variables: {
    readonly services: Services;
    /** Runs one change at a time, in the order of the requests. */
    readonly exclusive: Exclusive;
    /** The work that the request may still cause in this process. */
    readonly work: RequestWork;
    readonly exchange: Exchange;
    /** The body as it was read; undefined where an optional one is missing. */
    readonly body: Sent;
  };
}
