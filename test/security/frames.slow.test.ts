/**
 * Pages of other sites that show the boat's own in a frame, in Chromium, through nginx with the boat's site of the
 * package.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser, withoutChromium } from "../support/browser.ts";
import { environment, withoutNginx, writeBoatSite } from "../support/nginx.ts";
import { freePort } from "../support/ports.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const obstacle = withoutChromium ?? withoutNginx;

const SHOWN = "<!doctype html><title>boat</title><p>boat</p>";

/** A page that shows the URL behind its question mark in a frame. */
const framing = createServer((_request, response) => {
  response.setHeader("Content-Type", "text/html");
  response.end(`<!doctype html><body><script>
    const frame = document.createElement("iframe");
    frame.src = decodeURIComponent(location.search.slice(1));
    document.body.append(frame);
  </script>`);
});

describe.skipIf(obstacle !== undefined)(`frames ${obstacle ?? ""}`, () => {
  let folder: string;
  let browser: Browser;
  let framingPort: number;
  const started: ChildProcess[] = [];

  /** nginx with the site of the package on a port; with the line for Home Assistant, if it has an origin. */
  async function openSite(name: string, homeAssistant?: string): Promise<number> {
    const own = join(folder, name);
    const port = await freePort();
    for (const shown of ["display", "pages"]) {
      mkdirSync(join(own, shown), { recursive: true });
      for (const file of ["index.html", "fleet.html"]) writeFileSync(join(own, shown, file), SHOWN);
    }
    const nginx = writeBoatSite(own, {
      "  listen 80 default_server;\n": `  listen 127.0.0.1:${port};\n`,
      "  listen [::]:80 default_server;\n": "",
      "/usr/share/hub-display/": `${own}/display/`,
      "/var/lib/hub-display/pages/": `${own}/pages/`,
      ...(homeAssistant !== undefined && {
        "# set $hub_frame_ancestors": "set $hub_frame_ancestors",
        "http://homeassistant.local:8123": homeAssistant,
      }),
    });
    started.push(spawn("nginx", ["-c", nginx], { env: environment, stdio: "ignore" }));
    const url = `http://127.0.0.1:${port}/display/`;
    while ((await fetch(url).catch(() => undefined))?.ok !== true) await new Promise((next) => setTimeout(next, 50));
    return port;
  }

  beforeAll(async () => {
    folder = temporaryFolder("frames");
    framing.listen(0, "127.0.0.1");
    await once(framing, "listening");
    framingPort = (framing.address() as AddressInfo).port;
    browser = await openBrowser({
      args: ["--host-resolver-rules=MAP homeassistant.local 127.0.0.1, MAP evil.example 127.0.0.1"],
    });
  });
  afterAll(async () => {
    await browser?.close();
    framing.close();
    for (const nginx of started) nginx.kill();
    await Promise.all(started.map((nginx) => nginx.exitCode ?? once(nginx, "exit")));
  });

  /** Whether a page of `host` shows the boat's page in its frame. */
  async function isShown(host: string, shown: string): Promise<boolean> {
    const page = await browser.newPage();
    const refusal = page.waitForEvent("console", {
      predicate: (message) => message.text().includes("frame-ancestors"),
    });
    await page.goto(`http://${host}/?${encodeURIComponent(shown)}`);
    const text = page.frameLocator("iframe").getByText("boat").waitFor();
    const isIn = await Promise.race([text.then(() => true), refusal.then(() => false)]);
    for (const open of [text, refusal]) open.catch(() => {});
    await page.close();
    return isIn;
  }

  const shownPages = ["display/", "display/fleet.html", "pages/"];

  test("no other site shows the display, the fleet or a page of the boat's own", async () => {
    const port = await openSite("plain");
    writeFileSync(join(folder, "plain/pages/frame.html"), '<!doctype html><iframe src="/display/"></iframe>');
    for (const shown of shownPages) {
      const url = `http://127.0.0.1:${port}/${shown}`;
      for (const host of [
        `evil.example:${framingPort}`,
        `homeassistant.local:${framingPort}`,
        `127.0.0.1:${framingPort}`,
      ])
        expect(await isShown(host, url), `${host} ${shown}`).toBe(false);
      expect((await fetch(url)).headers.get("content-security-policy")).toBe("frame-ancestors 'self'");
    }
    // The boat's own pages may.
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${port}/pages/frame.html`);
    await page.frameLocator("iframe").getByText("boat").waitFor();
    await page.close();
  });

  test("the line of the example permits Home Assistant alone to show them", async () => {
    const homeAssistant = `homeassistant.local:${framingPort}`;
    const port = await openSite("panel", `http://${homeAssistant}`);
    for (const shown of shownPages) {
      expect(await isShown(homeAssistant, `http://127.0.0.1:${port}/${shown}`), shown).toBe(true);
      expect(await isShown(`evil.example:${framingPort}`, `http://127.0.0.1:${port}/${shown}`), shown).toBe(false);
    }
  });
});
