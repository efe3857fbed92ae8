/** Programs that tests start, and what they talk to: a broker and an engine of the test's own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { onTestFinished } from "vitest";
import { scriptedBroker } from "../adapters/node/mqtt/scripted-broker.ts";
import { endsWithTest } from "../support/ends-with-test.ts";
import { textOf } from "../support/hub-cand.ts";

/** Starts a program; `log` is what it has written to standard error. */
export function start(
  program: string,
  ...args: readonly string[]
): { readonly child: ChildProcess; readonly log: () => string } {
  const settings = [resolve(`dist/${program}.mjs`), ...args];
  const child = endsWithTest(spawn(process.execPath, settings, { stdio: ["ignore", "ignore", "pipe"] }));
  const log = textOf(child.stderr!);
  return { child, log };
}

/** Starts a program beside a broker, with the sessions of that. */
export async function startBeside(program: string, ...args: readonly string[]) {
  const { port, sessions } = await scriptedBroker();
  return { ...start(program, "--broker", `mqtt://127.0.0.1:${port}`, ...args), sessions };
}

/** A message of the broker. */
export const published = (topic: string, payload: string) =>
  ({ cmd: "publish", topic, payload, qos: 0, dup: false, retain: false }) as const;

/** An engine that refuses or takes everything, and keeps the headers. */
export async function engine(status: number) {
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    headers.push(request.headers);
    request.resume();
    request.on("end", () => response.writeHead(status).end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/write`, headers };
}
