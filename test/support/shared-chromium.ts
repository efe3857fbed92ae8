/**
 * Set-up of a run: one Chromium for all test files, started when the first of them asks for it. Each file connects to
 * it and opens contexts of its own, which no other connection sees.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Names the URL at which workers ask for the address of the browser; they inherit it from the process of the run. */
const VARIABLE = "HUB_SHARED_CHROMIUM";

/** The address of the run's browser; undefined where nothing was set up, as in scripts. */
export async function sharedChromium(): Promise<string | undefined> {
  const url = process.env[VARIABLE];
  if (url === undefined) return undefined;
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(await answer.text());
  return answer.text();
}

async function launch() {
  const [{ chromium }, { executablePath, chromiumArguments }] = await Promise.all([
    import("playwright-core"),
    import("./browser.ts"),
  ]);
  return chromium.launchServer({ executablePath, args: chromiumArguments });
}

/** Called by Vitest before the first file, once for each of its projects, of which the first one sets up. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env[VARIABLE] !== undefined) return undefined;
  let browser: ReturnType<typeof launch> | undefined;
  const server = createServer((_request, response) => {
    browser ??= launch();
    browser.then(
      (started) => response.end(started.wsEndpoint()),
      (error) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  process.env[VARIABLE] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return async () => {
    delete process.env[VARIABLE];
    server.close();
    await (await browser)?.close();
  };
}
