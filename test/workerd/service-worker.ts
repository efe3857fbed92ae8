/**
 * The configuration service as a worker at the edge, for the contract's tables: each service under test is an object of
 * its own with its stores in memory. Nothing of Node is here, by name or by flag.
 *
 * The header `X-Service` names the service; with `X-Do` the request is not for the service but about its store.
 */

import { configApi } from "../../src/services/api/app.ts";
import { memoryBlobStore } from "../support/memory/blob-store.ts";
import { memoryLog } from "../support/memory/log.ts";
import { memoryProjectStore, memoryProjects } from "../support/memory/project-store.ts";
import { memoryStaticFiles } from "../support/memory/static-files.ts";

export class ServiceUnderTest {
  readonly #memory = memoryProjects();
  readonly #app;

  constructor() {
    this.#app = configApi({
      projects: memoryProjectStore(this.#memory),
      blobs: memoryBlobStore(),
      console: memoryStaticFiles({}),
      clock: { wall: () => Date.now(), monotonic: () => Date.now(), after: never, every: never },
      log: memoryLog(),
      name: "hub-configd",
      version: "1.0.0",
      hostname: () => "boat",
    });
  }

  async fetch(request: Request): Promise<Response> {
    const [verb, id = ""] = request.headers.get("X-Do")?.split(" ") ?? [];
    switch (verb) {
      case undefined:
        return this.#app.fetch(request);
      case "place":
        this.#memory.projects.set(id, new Uint8Array(await request.arrayBuffer()));
        return new Response();
      case "file":
        return stored(this.#memory.projects.get(id));
      case "deployed":
        return stored(this.#memory.deployed);
      default:
        return new Response(verb, { status: 400 });
    }
  }
}

/** The service sets no timers. */
function never(): never {
  throw new Error("the service has no timers");
}

const stored = (bytes: Uint8Array | undefined): Response =>
  bytes === undefined ? new Response(null, { status: 410 }) : new Response(bytes as Uint8Array<ArrayBuffer>);

interface Environment {
  readonly services: {
    idFromName(name: string): object;
    get(id: object): { fetch(request: Request): Promise<Response> };
  };
}

/** The handler of the worker, whose default export it has to be. */
export const worker = {
  fetch: (request: Request, { services }: Environment): Promise<Response> =>
    services.get(services.idFromName(request.headers.get("X-Service") ?? "")).fetch(request),
};
