/**
 * The configuration service at the edge. The contract's tables speak to a worker over HTTP; and the portable tests that
 * need no files run inside a worker, with the parts of Node that a flag gives it for them.
 */
import { afterAll, expect, onTestFinished, test } from "vitest";
import { serviceContract } from "../contracts/service.ts";
import { portableTests } from "../runtimes/portable.ts";
import { type Outcome, suiteSource } from "./suite.ts";
import { serveWorker } from "./workerd.ts";

const { address, end } = await serveWorker({
  source: 'export { worker as default, ServiceUnderTest } from "./test/workerd/service-worker.ts";',
  objects: "ServiceUnderTest",
});
afterAll(end);
let count = 0;

serviceContract("workerd, objects in memory", async () => {
  const service = String(++count);
  const ask = (path: string, init: RequestInit): Promise<Response> =>
    fetch(`${address}${path}`, { ...init, headers: { ...init.headers, "X-Service": service } });
  const about = async (what: string, init: RequestInit = {}): Promise<string | undefined> => {
    const response = await ask("/", { ...init, headers: { "X-Do": what } });
    expect(response.status).toBeOneOf([200, 410]);
    const text = await response.text();
    return response.status === 200 ? text : undefined;
  };
  return {
    place: async (id, content) => void (await about(`place ${id}`, { method: "PUT", body: content })),
    file: (id) => about(`file ${id}`),
    deployed: () => about("deployed"),
    request: (method, path, body, headers) => ask(path, { method, headers, ...(body && { body }) }),
  };
});

test("the portable tests pass inside a worker", async () => {
  const files = portableTests().filter((file) => !file.startsWith("test/adapters/node/"));
  const { address, end } = await serveWorker({ source: suiteSource(files), flags: ["nodejs_compat"] });
  onTestFinished(end);
  const outcomes = (await (await fetch(`${address}/run`)).json()) as readonly Outcome[];
  expect(outcomes.filter(({ failure }) => failure !== undefined)).toEqual([]);
  expect(outcomes.filter(({ ignored }) => !ignored).length).toBeGreaterThan(400);
});
