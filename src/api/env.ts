/** The services of the application, and the types of its Hono environment. */
import type { BlobStore } from "../ports/blob-store.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { ProjectStore } from "../ports/project-store.ts";
import type { StaticFiles } from "../ports/static-files.ts";
import type { Draft, Project } from "../project/document.ts";
import type { Json } from "../project/json.ts";
import type { Exclusive } from "./exclusive.ts";
import type { ExaminedProject } from "./stored-project.ts";

export interface Services {
  readonly projects: ProjectStore;
  readonly blobs: BlobStore;
  readonly console: StaticFiles;
  readonly clock: Clock;
  readonly log: Log;
  readonly name: string;
  readonly version: string;
  /** A function, because a host name may change. */
  hostname(): string;
  /** False while the routing table is not compiled. */
  isReady(): boolean;
  /** The file of hub-config-fetch's last report; undefined where there is none. Never rejects. */
  fetchReport?(): Promise<Uint8Array | undefined>;
}

/** Given with each request by the server that has them; `app.request(path, init, bindings)` in tests. */
export interface Bindings {
  /** The request target as it was sent; a URL object has resolved `..` and `//` already. */
  readonly target?: string;
  /** The port the server listens on. */
  readonly port?: number;
}

export interface ApiEnv {
  readonly Bindings: Bindings;
  readonly Variables: {
    readonly services: Services;
    /** Runs one change at a time, in the order of the requests. */
    readonly exclusive: Exclusive;
    /** The body as it was read; undefined where an optional one is missing. */
    readonly body: Json | Uint8Array | AsyncIterable<Uint8Array> | undefined;
  };
}

/** Below `/project/{id}`, for requests to a project that exists. */
export interface ProjectEnv extends ApiEnv {
  readonly Variables: ApiEnv["Variables"] & {
    readonly project: Project;
    /** The stored bytes of the project. */
    readonly bytes: Uint8Array;
  };
}

/** For requests that replace or delete a project, which may exist and may be broken. */
export interface ReplaceEnv extends ApiEnv {
  readonly Variables: ApiEnv["Variables"] & { readonly existing: ExaminedProject | undefined };
}

/** In a section of a project. */
export interface SectionEnv extends ApiEnv {
  readonly Bindings: Bindings & {
    /** Set for a step of a transaction: the draft it works on, and its body. */
    readonly step?: { readonly draft: Draft; readonly body: Json | undefined };
  };
  readonly Variables: ApiEnv["Variables"] & { readonly draft: Draft };
}
