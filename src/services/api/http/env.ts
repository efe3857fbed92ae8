/** The Hono environment of every request. */
import type { Exclusive } from "../../../core/util/exclusive.ts";
import type { Exchange, Sent } from "./exchange.ts";
import type { Elsewhere, RequestWork } from "./request-work.ts";
import type { Services } from "./services.ts";

/** The server gives these with each request if it has them; tests use `app.request(path, init, bindings)`. */
export interface Bindings {
  /** The raw request target; a URL object has already resolved `..` and `//`. */
  readonly target?: string;
  /** The port the server listens on. */
  readonly port?: number;
  /** Serves requests that would delay all others; without it they are served here. */
  readonly elsewhere?: Elsewhere;
}

export interface ApiEnv {
  readonly Bindings: Bindings;
  readonly Variables: {
    readonly services: Services;
    /** Runs one change at a time, in the order of the requests. */
    readonly exclusive: Exclusive;
    /** The rest of the work that the request may cause in this process. */
    readonly work: RequestWork;
    readonly exchange: Exchange;
    /** The body as it was read; undefined if an optional one is missing. */
    readonly body: Sent;
  };
}
