/** An endpoint of the service: what is said about it, and what it does once its path and body have been read. */
import type { BlobStore } from "../ports/blob-store.ts";
import type { Clock } from "../ports/clock.ts";
import type { Answer } from "../ports/exchange.ts";
import type { Log } from "../ports/log.ts";
import type { ProjectStore } from "../ports/project-store.ts";
import type { StaticFiles } from "../ports/static-files.ts";
import type { Project } from "../project/document.ts";
import { type Body, checkBody, type Description } from "../project/operation.ts";
import type { Params } from "../project/segments.ts";
import type { Turns } from "./turns.ts";

/** What the service is made of. */
export interface Services {
  readonly projects: ProjectStore;
  readonly blobs: BlobStore;
  readonly console: StaticFiles;
  readonly clock: Clock;
  readonly log: Log;
  readonly name: string;
  readonly version: string;
  /** Asked each time, since a host name may change. */
  hostname(): string;
}

/** The services, and what the endpoints share. */
export interface Context extends Services {
  /** The one queue that all changes go through. */
  readonly turns: Turns;
  /** Takes bytes as a project or refuses them; the projects it gives are values, which nobody changes. */
  readonly understand: (bytes: Uint8Array) => Project;
}

export interface Input<Values, Value> {
  readonly params: Values;
  /** Checks the body against the endpoint's schema; ask last, since what is wrong with the project is said first. */
  body(): Value;
  header(name: string): string | undefined;
}

export interface Endpoint extends Description {
  /** `body` is what was sent, read but not checked. */
  handle(
    params: Readonly<Record<string, unknown>>,
    body: unknown,
    header: (name: string) => string | undefined,
  ): Promise<Answer>;
}

interface Definition<Path extends string, Value> extends Description {
  readonly path: Path;
  readonly body?: Body<Value>;
  handle(input: Input<Params<Path>, Value>): Promise<Answer>;
}

/** Defines an endpoint whose `handle` knows the types of its path's names and of its body. */
export function endpoint<Path extends string, Value = undefined>(definition: Definition<Path, Value>): Endpoint {
  return {
    ...definition,
    handle: (params, body, header) =>
      definition.handle({
        params: params as Params<Path>,
        body: () => checkBody(definition.body, body) as Value,
        header,
      }),
  };
}
