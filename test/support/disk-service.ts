/** The service on files of its own, behind any server. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { nodeBlobStore } from "../../src/adapters/node/files/blob-store.ts";
import { nodeProjectStore } from "../../src/adapters/node/files/project-store.ts";
import { systemClock } from "../../src/adapters/node/system-clock.ts";
import { configApi } from "../../src/services/api/app.ts";
import type { Services } from "../../src/services/api/http/services.ts";
import type { ServiceUnderTest } from "../contracts/service.ts";
import { memoryLog } from "./memory/log.ts";
import { memoryStaticFiles } from "./memory/static-files.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Starts a server on any port of the loopback address. */
export type Serve = (
  app: ReturnType<typeof configApi>,
  services: Services,
) => Promise<{ readonly port: number; close(): Promise<void> }>;

export async function diskService(serve: Serve): Promise<ServiceUnderTest> {
  const folder = temporaryFolder("service");
  const configuration = join(folder, "configuration");
  mkdirSync(configuration);
  const services: Services = {
    projects: nodeProjectStore({ folder, templates: join(folder, "templates") }),
    blobs: nodeBlobStore(join(folder, "apps")),
    console: memoryStaticFiles({}),
    clock: systemClock,
    log: memoryLog(),
    name: "hub-configd",
    version: "1.0.0",
    hostname: () => "boat",
  };
  const { port, close } = await serve(configApi(services), services);
  onTestFinished(async () => {
    await close();
    rmSync(folder, { recursive: true });
  });
  const textOf = async (path: string): Promise<string | undefined> =>
    existsSync(path) ? readFileSync(path, "utf8") : undefined;
  return {
    place: async (id, content) => writeFileSync(join(configuration, `${id}.json`), content),
    file: (id) => textOf(join(configuration, `${id}.json`)),
    deployed: () => textOf(join(folder, "deploy.json")),
    request: (method, path, body, headers) =>
      fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...(body && { body }) }),
  };
}
