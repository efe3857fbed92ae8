/** The types of the application's Hono environment. */
import type { Draft, Project } from "../project/document.ts";
import type { Pieces } from "../util/bytes.ts";
import type { Exchange, Sent } from "./exchange.ts";
import type { Exclusive } from "./exclusive.ts";
import type { RequestWork } from "./request-work.ts";
import type { Services } from "./services.ts";
import type { ExaminedProject } from "./stored-project.ts";

/** Given with each request by the server that has them; `app.request(path, init, bindings)` in tests. */
export interface Bindings {
  /** The request target as it was sent; a URL object has resolved `..` and `//` already. */
  readonly target?: string;
  /** The port the server listens on. */
  readonly port?: number;
  /** Where requests go that would hold up all others; without it they are served here. */
  readonly elsewhere?: Elsewhere;
}

/** Another process that serves the same application, for one request. */
export interface Elsewhere {
  /** Counts bytes that are held until the request has been answered; false where those of all requests have become too many. */
  hold(bytes: number): boolean;
  /** Passes the request on, with what its body was if any of it has been read, and its response to the client. */
  pass(body?: AsyncIterable<Uint8Array>): Promise<Response>;
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

/** Below `/project/{id}`, for requests to a project that exists. */
export interface ProjectEnv extends ApiEnv {
  readonly Variables: ApiEnv["Variables"] & {
    readonly project: Project;
    /** The stored bytes of the project. */
    readonly bytes: Pieces;
  };
}

/** For requests that replace or delete a project, which may exist and may be broken. */
export interface ReplaceEnv extends ApiEnv {
  readonly Variables: ApiEnv["Variables"] & { readonly existing: ExaminedProject | undefined };
}

/** In a section of a project. */
export interface SectionEnv extends ApiEnv {
  readonly Variables: ApiEnv["Variables"] & {
    /** Of the request, or that of the transaction whose step this is. */
    readonly draft: Draft;
  };
}
