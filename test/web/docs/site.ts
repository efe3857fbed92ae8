/** The documentation built into a folder of the test, and served as hub-configd serves it. */
import { rmSync } from "node:fs";
import { serveHttp } from "../../../src/adapters/node/http/server.ts";
import { nodeStaticFiles } from "../../../src/adapters/node/http/static-files.ts";
import { newApp } from "../../services/api/harness.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

export interface ServedFolder {
  readonly folder: string;
  readonly address: string;
  close(): Promise<void>;
}

/** Serves the files of a folder. */
export async function serveFolder(folder: string): Promise<ServedFolder> {
  const { fetch, log } = newApp({ console: nodeStaticFiles(folder) });
  const server = await serveHttp(0, fetch, log);
  const close = async (): Promise<void> => {
    await server.close(0);
    rmSync(folder, { recursive: true });
  };
  return { folder, address: `http://127.0.0.1:${server.port}`, close };
}

/** Builds the console with the documentation and serves both. */
export async function serveSite(): Promise<ServedFolder> {
  const folder = temporaryFolder("site");
  const { buildConsole } = (await import("../../../scripts/console.mjs")) as {
    buildConsole(target: string): Promise<unknown>;
  };
  await buildConsole(folder);
  return serveFolder(folder);
}
