/** The service on stores in memory, and requests to it as a client makes them. */

import type { BlobStore } from "../../../src/core/ports/blob-store.ts";
import type { ProjectStore } from "../../../src/core/ports/project-store.ts";
import type { StaticFiles } from "../../../src/core/ports/static-files.ts";
import { type Json, print } from "../../../src/core/project/json.ts";
import { configApi } from "../../../src/services/api/app.ts";
import type { Bindings } from "../../../src/services/api/http/env.ts";
import type { Services } from "../../../src/services/api/http/services.ts";
import { memoryBlobStore } from "../../support/memory/blob-store.ts";
import { memoryClock } from "../../support/memory/clock.ts";
import { memoryLog } from "../../support/memory/log.ts";
import { type MemoryProjects, memoryProjectStore, memoryProjects } from "../../support/memory/project-store.ts";
import { memoryStaticFiles } from "../../support/memory/static-files.ts";

export interface RequestOptions {
  readonly method?: string;
  /** A value is sent as JSON, bytes and strings as they are. */
  readonly body?: Json | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly bindings?: Bindings;
}

export interface App {
  readonly services: Services;
  readonly fetch: ReturnType<typeof configApi>["fetch"];
  readonly memory: MemoryProjects;
  readonly blobs: Map<string, Uint8Array>;
  readonly log: ReturnType<typeof memoryLog>;
  request(path: string, options?: RequestOptions): Promise<Response>;
  /** Status and parsed body. */
  json(
    method: string,
    path: string,
    body?: Json | Uint8Array,
    headers?: Record<string, string>,
  ): Promise<[number, Json]>;
  /** The stored text of a project. */
  file(id: string): string | undefined;
  /** Stores a project as a user with an editor would. */
  place(id: string, content: Json | string): void;
}

export interface AppOptions {
  readonly projects?: ProjectStore;
  readonly blobStore?: BlobStore;
  readonly console?: StaticFiles;
  readonly files?: Readonly<Record<string, string>>;
  readonly fetchReport?: Services["fetchReport"];
  readonly charts?: Services["charts"];
  readonly updates?: Services["updates"];
}

const text = (content: Json | string): Uint8Array =>
  new TextEncoder().encode(typeof content === "string" ? content : print(content));

export function newApp(options: AppOptions = {}): App {
  const { projects, blobStore, console, files = {}, fetchReport, charts, updates } = options;
  const memory = memoryProjects();
  const blobs = new Map<string, Uint8Array>();
  const log = memoryLog();
  const services: Services = {
    projects: projects ?? memoryProjectStore(memory),
    blobs: blobStore ?? memoryBlobStore(blobs),
    console: console ?? memoryStaticFiles(files),
    clock: memoryClock({ wall: 1_795_248_866_123 }),
    log,
    name: "hub-configd",
    version: "1.0.0",
    hostname: () => "boat",
    ...(fetchReport !== undefined && { fetchReport }),
    ...(charts !== undefined && { charts }),
    ...(updates !== undefined && { updates }),
  };
  const app = configApi(services);

  const request: App["request"] = async (path, { method = "GET", body, headers = {}, bindings } = {}) => {
    const sent = body === undefined ? undefined : body instanceof Uint8Array ? body : text(body);
    const init = { method, headers, ...(sent !== undefined && { body: sent as Uint8Array<ArrayBuffer> }) };
    return app.request(`http://127.0.0.1:12000${path}`, init, bindings);
  };

  return {
    services,
    fetch: app.fetch,
    memory,
    blobs,
    log,
    request,
    async json(method, path, body, headers = {}) {
      const response = await request(path, { method, headers, ...(body !== undefined && { body }) });
      const content = await response.text();
      return [response.status, content === "" ? null : (JSON.parse(content) as Json)];
    },
    file: (id) => {
      const bytes = memory.projects.get(id);
      return bytes && new TextDecoder().decode(bytes);
    },
    place: (id, content) => void memory.projects.set(id, text(content)),
  };
}

/** The hash of "secret", and the header of a caller who knows it. */
export const secretHash = "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b";
export const withSecret = { Authorization: `Bearer ${secretHash}` };
