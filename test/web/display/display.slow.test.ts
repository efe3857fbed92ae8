/** The display against a real broker: published values are shown, and missing ones are shown as missing. */
import { once } from "node:events";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { atNight } from "../../support/size.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { axeFindings, folder, keepingNothing, serveDisplay, useBoat, withoutDisplay } from "./boat.ts";
import { pages } from "./pages.ts";

test("the first page needs less than 110 kB of compressed script, all asked for at once by relative addresses", () => {
  const html = readFileSync(join(folder, "index.html"), "utf8");
  const links = [...html.matchAll(/<(?:script|link)[^>]*? (?:href|src)="([^"]+)"/g)];
  expect(links.map(([, address]) => address!).filter((address) => /^(\/|[a-z]+:)/.test(address))).toEqual([]);
  // Those with a low priority are not waited for.
  const scripts = links
    .filter(([tag, address]) => address!.endsWith(".js") && !tag.includes("low"))
    .map(([, name]) => name!);
  const contents = scripts.map((name) => readFileSync(join(folder, name), "utf8"));
  const imported = contents.flatMap((text) =>
    [...text.matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)].map(([, name]) => name!),
  );
  expect(imported.filter((name) => !scripts.includes(name))).toEqual([]);
  expect(contents.some((text) => text.includes("ZodError"))).toBe(false);
  const sizes = scripts.map((name) => (existsSync(join(folder, `${name}.gz`)) ? `${name}.gz` : name));
  expect(sizes.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)).toBeLessThan(110_000);
});

test("the page without its scripts says what it waits for, in the crew's colours", () => {
  const html = readFileSync(join(folder, "index.html"), "utf8");
  expect(html).toContain("Waiting for the boat");
  // Scripts wait for the style sheets before them, and what stands before a style sheet of the body does not.
  expect(html.indexOf("first-light")).toBeLessThan(html.indexOf("stylesheet"));
  expect(html.indexOf("Waiting for the boat")).toBeLessThan(html.lastIndexOf("stylesheet"));
});

test("scripts, styles and pages are there compressed, with the same content", () => {
  const names = readdirSync(folder);
  for (const name of names.filter((each) => /\.(js|css|html)$/.test(each)))
    expect(names).toEqual(expect.arrayContaining([`${name}.gz`, `${name}.br`]));
  for (const name of names.filter((each) => each.endsWith(".gz"))) {
    const plain = readFileSync(join(folder, name.slice(0, -3)));
    expect(gunzipSync(readFileSync(join(folder, name))).equals(plain), name).toBe(true);
    expect(brotliDecompressSync(readFileSync(join(folder, name.replace(/gz$/, "br")))).equals(plain), name).toBe(true);
  }
});

test("the service worker keeps all that is there, except the coastline, of which a boat needs little", () => {
  const worker = readFileSync(join(folder, "service-worker.js"), "utf8");
  const kept = worker.match(/const FILES = "([^"]+)"/)![1]!.split(" ");
  const there = readdirSync(folder).filter(
    (name) => !/\.(txt|gz|br)$|^coast-.*\.bin$|^index\.html$|^service-worker\.js$/.test(name),
  );
  expect(kept.toSorted()).toEqual(["./", ...there].toSorted());
  expect(kept.every((name) => existsSync(join(folder, name)))).toBe(true);
});

describe.skipIf(withoutDisplay !== undefined)(`in Chromium${withoutDisplay ? ` (${withoutDisplay})` : ""}`, () => {
  const boat = useBoat();

  /** Publishes again and again, as a bridge does, until what is awaited is there. */
  const until = async (
    holds: () => Promise<boolean>,
    again: () => Promise<unknown> = async () => {},
  ): Promise<void> => {
    while (!(await holds())) {
      await again();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };

  describe("the simulated boat", () => {
    const latest = new Map<string, Buffer>();
    beforeAll(async () => {
      boat.client.on("message", (topic, payload) => latest.set(topic, payload));
      const topics = ["ais", "navigation", "device/24/pgn/127505"].map((topic) => `can/can0/${topic}`);
      await boat.client.subscribeAsync(topics);
      boat.bridge();
      await until(async () => topics.every((topic) => latest.has(topic)));
    });

    test("devices are shown with their descriptions and their PGNs", async () => {
      const { page } = await boat.open("devices");
      await until(async () => /Masthead Wind/.test(await page.locator("main").innerText()));
      await page.locator("[data-id=device-9] button").click();
      const device = page.locator("[data-id=device-9]");
      // hub-cand may have asked for the list just now.
      await until(async () => /130306 Wind Data/.test(await device.innerText()));
      const text = await device.innerText();
      // All digits of a NAME that no double can hold.
      expect(text).toMatch(/NAME\s+1388\d{16}/);
    });

    test("the bus is shown with its state and the health of the bridge", async () => {
      const { page } = await boat.open("bus");
      const metadata = { rxDate: new Date().toISOString(), rxTimestamp: 0, expireAfterSec: 60 };
      const counters = { uptime: 60, busLoadPercent: 37.4, lost: { kernel: 12345 } };
      const health = { data: { ...counters, clockAheadSec: -7200.4 }, metadata };
      await until(
        async () => /37/.test(await page.locator("[data-id=load]").innerText()),
        () => boat.client.publishAsync("can/can0/health", JSON.stringify(health)),
      );
      await expect.poll(() => page.locator("main").innerText()).toMatch(/Lost, kernel\s+12\u202f345/);
      await expect.poll(() => page.locator("[data-id=clock]").innerText()).toMatch(/2\sh behind/);
      const right = JSON.stringify({ data: counters, metadata });
      await until(
        async () => (await page.locator("[data-id=clock]").count()) === 0,
        () => boat.client.publishAsync("can/can0/health", right),
      );
      await until(async () => /Simulated boat/.test(await page.locator("[data-id=interface]").innerText()));
      await expect.poll(() => page.locator("[data-id=bridge]").innerText()).toMatch(/On line\s+hub-cand/);
    });

    test("messages are filtered, counted, opened and held", async () => {
      const { page } = await boat.open("messages");
      await page.locator("input[type=search]").fill("pgn/127250 magnetic");
      await until(async () => (await page.locator(".topic").count()) === 1);
      await expect.poll(() => page.locator(".topic").innerText()).toMatch(/device\/4\/pgn\/127250\s+Vessel Heading/);
      await until(async () => Number.parseFloat(await page.locator(".topic-rate").innerText()) > 15);
      await page.locator(".topic").click();
      await page.getByRole("button", { name: "Pause" }).click();
      const held = await page.locator("pre").innerText();
      expect(held).toContain('"headingDeg"');
      await new Promise((resolve) => setTimeout(resolve, 1500));
      await expect.poll(() => page.locator("pre").innerText()).toBe(held);
    });

    test("a phone has nothing beside its screen and nothing too small to touch", async () => {
      const { page } = await boat.open("sail", { width: 390, height: 844 });
      for (const { name } of pages) {
        await page.evaluate(`location.hash = "#/${name}"`);
        await page.waitForTimeout(400);
        // A page that is just being shown may be drawn in parts.
        const widthOf = () => page.evaluate("document.querySelector('main').scrollWidth");
        await expect.poll(widthOf, { message: name }).toBeLessThanOrEqual(390);
        const small =
          "[...document.querySelectorAll('button, a, input, select')].map((e) => e.getBoundingClientRect()).filter((r) => r.width > 0 && (r.width < 44 || r.height < 44)).length";
        await expect.poll(() => page.evaluate(small), { message: name }).toBe(0);
      }
    });

    test("keys go to every page and change the light, which is kept", async () => {
      const { page } = await boat.open("sail");
      await page.keyboard.press("4");
      await until(async () => (await page.locator("h1").innerText()).toLowerCase() === "ships");
      await page.keyboard.press("n");
      await expect.poll(() => page.locator("html").getAttribute("data-light")).toBe("night");
      await page.reload();
      await expect.poll(() => page.locator("html").getAttribute("data-light")).toBe("night");
      const bell = page.locator("[data-id=bell]");
      await bell.waitFor();
      await page.keyboard.press("Tab");
      // The key permits the sound: the bell goes, and the focus stays.
      await bell.waitFor({ state: "detached" });
      expect(await page.evaluate("document.activeElement.tagName")).not.toBe("BODY");
    });

    test("another boat begins the page anew", async () => {
      const { page } = await boat.open("settings");
      await page.evaluate("globalThis.isOld = true");
      const prefix = page.getByLabel("Another topic prefix");
      await prefix.fill("can/other");
      await prefix.blur();
      await expect.poll(() => page.evaluate("globalThis.isOld")).toBeUndefined();
      await expect.poll(() => prefix.inputValue()).toBe("can/other");
    });

    test("axe finds nothing on any page", async () => {
      const { page } = await boat.open("sail");
      const found: string[] = [];
      for (const { name } of pages) {
        await page.evaluate(`location.hash = "#/${name}"`);
        await page.waitForTimeout(1200);
        for (const light of atNight(["day"], ["day", "night"])) {
          // Nothing but the colours differs by night.
          const rules = light === "night" ? "runOnly: ['color-contrast']," : "";
          found.push(...(await axeFindings(page, rules)).map((one) => `${name}, ${light}: ${one}`));
          await page.keyboard.press("n");
        }
      }
      expect(found.join("\n")).toBe("");
    });

    test("an address that no broker has is refused in words, and the page opens again", async () => {
      const context = await boat.browser.newContext(keepingNothing);
      const page = await context.newPage();
      await page.goto(`${boat.url}#/settings`);
      await page.getByLabel("Broker").fill("boat.local");
      // The page is drawn anew each second.
      await page.waitForTimeout(1500);
      await page.getByLabel("Broker").blur();
      await page.getByText("begins with ws://").waitFor();
      await page.reload();
      await page.getByText("begins with ws://").waitFor();
      await until(async () => (await page.locator("[data-id=link]").innerText()) === "Live");
      await context.close();
    });

    test("a page whose style and scripts do not come is not white: it says so, and is loaded again", async () => {
      const context = await boat.browser.newContext(keepingNothing);
      await context.addInitScript(
        "{ const later = setTimeout; globalThis.setTimeout = (work, time, ...rest) => later(work, time < 10_000 ? time : time / 20, ...rest); }",
      );
      const page = await context.newPage();
      let loads = 0;
      page.on("request", (request) => {
        if (request.isNavigationRequest()) loads++;
      });
      // Nobody answers.
      await page.route(/\/main-[^/]*\.(css|js)$/, () => {});
      await page.goto(boat.url, { waitUntil: "commit" });
      await page.getByText("This page is slow to come").waitFor();
      await until(async () => (await page.evaluate("performance.getEntriesByType('paint').length")) !== 0);
      await until(async () => loads > 1);
      await page.unroute(/\/main-[^/]*\.(css|js)$/);
      await page.locator("[data-id=link]").waitFor();
      await context.close();
    });

    /**
     * Looks for a new worker, as each visit does; true where none is on its way. A busy browser may give up one, or
     * never say what came of it, so that each look is one of several.
     */
    const update = `navigator.serviceWorker.getRegistration().then((found) => {
      found.update().catch(() => {});
      return !found.installing && !found.waiting && found.active.state === "activated";
    })`;

    /** The worker that keeps a few files: all would take as long as the machine is busy. */
    const keeping = (files: string, text: string): string =>
      text.replace(/const FILES = "[^"]+"/, `const FILES = "${files}"`);

    /** Pages with values show at once what is installed. */
    const live = (url: string): string => `${url}?broker=ws://127.0.0.1:${boat.webSocketPort}`;

    test("an open page of a build that was replaced loads what it lacks, and offers the new build", async () => {
      const served = temporaryFolder("display");
      cpSync(folder, served, { recursive: true });
      // What is replaced below has no compressed copies.
      for (const name of ["service-worker.js", "index.html"])
        for (const ending of ["gz", "br"]) rmSync(join(served, `${name}.${ending}`));
      const part = readdirSync(folder).find((name) => /^own-charts-.*\.js$/.test(name))!;
      const worker = readFileSync(join(folder, "service-worker.js"), "utf8");
      const html = readFileSync(join(folder, "index.html"), "utf8");
      const [, before = ""] = /"hub-display-([^"]+)"/.exec(worker)!;
      expect(html).toContain(`name="build" content="${before}"`);
      const write = (build: string, files: string): void => {
        writeFileSync(join(served, "index.html"), html.replace(before, build));
        writeFileSync(join(served, "service-worker.js"), keeping(files, worker.replace(before, build)));
      };
      write("first", `./ ${part}`);
      const server = await serveDisplay({ folder: served, brokerPort: 1 });
      const context = await boat.browser.newContext();
      try {
        const page = await context.newPage();
        await page.goto(live(server.url));
        await until(async () => (await page.evaluate("navigator.serviceWorker.controller !== null")) === true);
        const builds = async () => ((await page.evaluate("caches.keys()")) as readonly string[]).join(" ");
        const replace = async (build: string): Promise<void> => {
          for (const ending of ["", ".gz", ".br"]) rmSync(join(served, part + ending), { force: true });
          write(build, "./");
          // Its files are there before it takes over.
          await until(async () => (await page.evaluate(update)) === true && (await builds()).endsWith(build));
        };
        await replace("second");
        await page.getByText("A new version of the display is installed.").waitFor();
        await expect.poll(() => page.evaluate(`fetch("${part}").then(({ status }) => status)`)).toBe(200);
        // The files of the build before the last one go.
        await replace("third");
        await expect.poll(() => builds()).toBe("hub-display-second hub-display-third");
        await Promise.all([page.waitForEvent("load"), page.getByRole("button", { name: "Reload" }).click()]);
        await page.locator("[data-id=link]").waitFor();
        await expect.poll(() => page.getByText("A new version of the display is installed.").count()).toBe(0);
      } finally {
        await context.close();
        await server.close();
      }
    });

    /** A server of the display whose pages and worker can be changed, or refused. */
    const openFront = async () => {
      const front = { change: (text: string, _type: string): string => text, isRefusing: false };
      const html = readFileSync(join(folder, "index.html"), "utf8");
      const firstFiles = [...html.matchAll(/"([^"/]+\.(?:js|css))"/g)].map(([, name]) => name).join(" ");
      const types: Readonly<Record<string, string>> = { html: "text/html", js: "text/javascript", css: "text/css" };
      const server = createServer((request, response) => {
        const [, name = "index.html"] = /^\/display\/([^?]+)/.exec(request.url!) ?? [];
        const type = types[name.split(".").at(-1)!];
        if (type === undefined) return response.writeHead(404).end();
        if (front.isRefusing && type === types.html)
          return response.writeHead(401).end("The server asks for a password");
        const text = keeping(`./ fleet.html ${firstFiles}`, readFileSync(join(folder, name), "utf8"));
        response.writeHead(200, { "content-type": `${type}; charset=utf-8`, "cache-control": "no-cache" });
        return response.end(front.change(text, type));
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      const url = live(`http://127.0.0.1:${(server.address() as AddressInfo).port}/display/`);
      const context = await boat.browser.newContext();
      const page = await context.newPage();
      await page.goto(url);
      await until(async () => (await page.evaluate("navigator.serviceWorker.controller !== null")) === true);
      const close = async (): Promise<void> => {
        await context.close();
        server.closeAllConnections();
        server.close();
      };
      return { front, page, context, url, close };
    };

    test("a page is of the build of its worker, whatever the server has meanwhile, and offers that of a new worker", async () => {
      const { front, page, context, url, close } = await openFront();
      const buildOf = (shown: Page) => shown.locator("meta[name=build]").getAttribute("content");
      const build = await buildOf(page);
      front.change = (text, type) => (type === "text/html" ? text.replace(build!, "another") : text);
      const second = await context.newPage();
      await second.goto(`${url}&kiosk#/sail`);
      await second.locator("[data-id=link]").waitFor();
      await expect.poll(() => buildOf(second)).toBe(build);
      await expect.poll(() => second.getByText("A new version of the display is installed.").count()).toBe(0);
      // The worker of another build took over before the page could hear of it.
      await second.evaluate(`caches.keys().then(async ([name]) => {
        const cache = await caches.open(name);
        const html = await (await cache.match("./")).text();
        await cache.put("./", new Response(html.replace("${build}", "earlier"), { headers: { "content-type": "text/html" } }));
      })`);
      const third = await context.newPage();
      await third.goto(url);
      await third.getByText("A new version of the display is installed.").waitFor();
      await expect.poll(() => buildOf(third)).toBe("earlier");
      // An open page is told of a new build, and the next one is of it.
      front.change = (text) => text.replaceAll(build!, "next");
      await until(
        async () =>
          (await page.evaluate(update)) === true &&
          ((await page.evaluate("caches.keys()")) as readonly string[]).includes("hub-display-next"),
      );
      await page.getByText("A new version of the display is installed.").waitFor();
      const fourth = await context.newPage();
      await fourth.goto(url);
      await fourth.locator("[data-id=link]").waitFor();
      await expect.poll(() => buildOf(fourth)).toBe("next");
      await close();
    });

    test("a server that refuses the page, such as without a password, is seen, and not the page in the cache", async () => {
      const { front, page, context, url, close } = await openFront();
      for (const address of [url, url.replace("?", "fleet.html?")]) {
        front.isRefusing = true;
        const refused = await context.newPage();
        await refused.goto(address).catch(() => {});
        await refused.getByText("The server asks for a password").waitFor();
        front.isRefusing = false;
        // The first page after that is the server's own too.
        for (let visits = 0; visits < 2; visits++) {
          await refused.goto(address);
          await refused.locator(".head").waitFor();
        }
        await refused.close();
      }
      await page.reload();
      await page.locator("[data-id=link]").waitFor();
      await close();
    });

    test("the page opens again when its server is gone, and reaches the broker through its own host", async () => {
      const context = await boat.browser.newContext();
      const page = await context.newPage();
      await page.goto(boat.url);
      await until(async () => (await page.locator("[data-id=link]").innerText()) === "Live");
      await page.evaluate("navigator.serviceWorker.ready");
      await until(async () => ((await page.evaluate("caches.keys()")) as readonly string[]).length === 1);
      await context.setOffline(true);
      await page.reload();
      await page.locator("[data-id=link]").waitFor();
      await expect.poll(() => page.locator("h1").innerText()).toMatch(/sail/i);
      await context.close();
    });
  });
});
