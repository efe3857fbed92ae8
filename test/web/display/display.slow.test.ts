/** The display against a real broker: published values are shown, and missing ones are shown as missing. */
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { NavigationData } from "../../../src/core/nav/navigation-report.ts";
import { simulatedCandump } from "../../../src/services/simulation/candump-text.ts";
import { OUTAGE_SECONDS } from "../../../src/services/simulation/voyage.ts";
import { type Boat, folder, keepingNothing, openBoat, serveDisplay, soundPress, withoutDisplay } from "./boat.ts";
import { pages } from "./pages.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

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
  expect(html.indexOf("first-light")).toBeLessThan(html.indexOf("<body"));
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
  let boat: Boat;
  beforeAll(async () => {
    boat = await openBoat();
  });
  afterEach(async () => await boat.closePages());
  afterAll(async () => await boat?.close());

  const report = (data: NavigationData, prefix = "can/can0"): Promise<unknown> => {
    const metadata = {
      rxDate: new Date().toISOString(),
      rxTimestamp: Math.floor(Date.now() / 1000),
      expireAfterSec: 2,
      configLoaded: false,
    };
    return boat.client.publishAsync(`${prefix}/navigation`, JSON.stringify({ data, metadata }));
  };
  const source = (friendlyName: string, pgn: number, age = 0.1) => ({
    name: "7",
    friendlyName,
    pgn,
    rxTimestamp: 0,
    age,
  });
  const kindOf = (page: Page, id: string): Promise<string | null> =>
    page.locator(`[data-id=${id}]`).first().getAttribute("data-kind");
  const shown = (page: Page, id: string): Promise<string> =>
    page.locator(`[data-id=${id}] .spoken`).first().innerText();
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

  describe("by hand", () => {
    test("null, absent, living and dead are four different things", async () => {
      const { page, complaints } = await boat.open("sail");
      const data = {
        speed_course: { cog: null, sog: 5.25, source: source("A receiver", 129026) },
        depth_water: { depth: 4.2, source: source("An echo", 128267) },
      };
      await until(
        async () => (await kindOf(page, "sog")) === "live",
        () => report(data),
      );
      expect(await shown(page, "sog")).toMatch(/5\.3/);
      expect(await kindOf(page, "cog")).toBe("unknown");
      expect(await kindOf(page, "stw")).toBe("none");
      expect(await page.locator("[data-source=depth]").innerText()).toMatch(/^An echo/);
      // The echo sounder falls silent while the report goes on.
      await until(
        async () => (await kindOf(page, "depth")) === "dead",
        () => report({ speed_course: data.speed_course }),
      );
      expect(await page.locator("[data-id=depth] .value-state").innerText()).toMatch(/^lost/);
      // Then the report itself.
      await until(async () => (await kindOf(page, "sog")) === "dead");
      await until(async () => (await page.locator("[data-id=link]").innerText()).startsWith("Silent"));
      expect(complaints).toEqual([]);
    });

    test("a value whose source is too old is dead in a report that is not", async () => {
      const { page } = await boat.open("sail");
      await until(
        async () => (await kindOf(page, "depth")) === "dead",
        () => report({ depth_water: { depth: 9, source: source("An echo", 128267, 30) } }),
      );
    });

    test("needles cross north, the bow and the stern without spinning", async () => {
      const { page } = await boat.open("sail");
      const turned = async (needle: string): Promise<number> =>
        Number(
          (await page.locator(`[data-needle=${needle}]`).getAttribute("transform"))!.match(/rotate\((-?[\d.]+)/)![1],
        );
      const see = async (heading: number, angle: number): Promise<readonly [number, number]> => {
        const data = {
          speed_course: { cog: heading, sog: 5, headingTrue: heading, source: source("A compass", 127250) },
          wind_apparent: { speed: 10, angle, source: source("A vane", 130306) },
        };
        const text = String(Math.round(heading) % 360).padStart(3, "0");
        await until(
          async () => (await page.locator(".rose figcaption .spoken").innerText()).includes(`heading ${text}`),
          () => report(data),
        );
        return [await turned("heading"), await turned("apparent-wind")];
      };
      let before = await see(350, 170);
      for (const [heading, angle] of [
        [358, 179],
        [2, -179],
        [9, -170],
        [1, 178],
        [352, 170],
        [340, 2],
        [355, -3],
      ] as const) {
        const now = await see(heading, angle);
        expect(Math.abs(now[0] - before[0])).toBeLessThan(20);
        expect(Math.abs(now[1] - before[1])).toBeLessThanOrEqual(180);
        if (Math.abs(angle) > 160) expect(Math.abs(now[1] - before[1])).toBeLessThan(20);
        before = now;
      }
    });

    test("another source is named as soon as it is used", async () => {
      const { page } = await boat.open("sail");
      const position = {
        hasFix: true,
        fixType: "gnss",
        method: 1,
        numSatellites: 9,
        latitude: 53.3,
        longitude: 3.6,
      } as const;
      const named = async (): Promise<string> =>
        (await page.locator("[data-source=fix]").count()) > 0 ? page.locator("[data-source=fix]").innerText() : "";
      await until(
        async () => (await named()).startsWith("Bow"),
        () => report({ position: { ...position, fixType: "dgnss", source: source("Bow receiver", 129029) } }),
      );
      expect(await page.locator("[data-id=fix]").innerText()).toMatch(/DGNSS/);
      await until(
        async () => (await named()).startsWith("Stern"),
        () => report({ position: { ...position, source: source("Stern receiver", 129029) } }),
      );
      expect(await page.locator("[data-id=fix]").innerText()).toMatch(/^GNSS 9 sat/);
    });

    test("the loss of the broker is shown, and the connection is made again", async () => {
      const { page, complaints } = await boat.open("sail");
      const state = (): Promise<string> => page.locator("[data-id=link]").innerText();
      const data = { depth_water: { depth: 7, source: source("An echo", 128267) } };
      await until(
        async () => (await kindOf(page, "depth")) === "live",
        () => report(data),
      );
      await boat.broker.signal("SIGKILL");
      await until(async () => (await state()).startsWith("No broker"));
      await until(async () => (await kindOf(page, "depth")) === "dead");
      await boat.broker.restart();
      await until(async () => boat.client.connected);
      await until(
        async () => (await kindOf(page, "depth")) === "live" && (await state()) === "Live",
        () => report(data),
      );
      expect(complaints).toEqual([]);
    });

    test("a malformed message changes nothing", async () => {
      const { page, complaints } = await boat.open("ships");
      const here = (text: string) => boat.client.publishAsync("can/can0/ais", text);
      await here("nonsense");
      const metadata = { rxDate: new Date().toISOString(), rxTimestamp: 0, expireAfterSec: 60 };
      const targets = [
        {
          mmsi: 1,
          class: "B",
          name: '<img src=x onerror="throw 1">',
          lastSeen: metadata.rxDate,
          range: 1,
          bearing: 90,
        },
      ];
      const good = JSON.stringify({ data: { ownShip: {}, targets }, metadata });
      await until(
        async () => (await page.locator(".ship").count()) === 1,
        () => here(good),
      );
      await here('{"data":');
      expect(await page.locator(".ship-name").innerText()).toContain("<img src=x");
      expect(complaints).toEqual([]);
    });

    test("when the better receiver of the voyage fails, the other is named, and that it is when it is back", async () => {
      const { page } = await boat.open("sail");
      const scratch = mkdtempSync(join(tmpdir(), "hub-display-"));
      const voyage = join(scratch, "voyage.log");
      // A receiver that is back proves itself for five seconds, which are real ones however fast the bus is.
      writeFileSync(voyage, [...simulatedCandump(OUTAGE_SECONDS.to * 1000 + 200_000, Date.UTC(2026, 10, 21))].join(""));
      const bridge = boat.bridge(["--replay", voyage, "--speed", "20"]);
      const named: string[] = [];
      await until(async () => {
        const name = await page.evaluate(`document.querySelector("[data-source=fix]")?.firstChild.data ?? ""`);
        // Before its product information arrives, its NAME or the function in that NAME stands there.
        if (/^GNSS/.test(String(name)) && name !== named.at(-1)) named.push(String(name));
        return named.length >= 3;
      });
      expect(named).toEqual(["GNSS Receiver SBAS", "GNSS Receiver", "GNSS Receiver SBAS"]);
      const ended = once(bridge, "exit");
      bridge.kill();
      await ended;
    });
  });

  describe("the simulated boat", () => {
    const latest = new Map<string, Buffer>();
    /** A member of the latest message of a topic. */
    const published = (topic: string, ...path: readonly string[]): unknown =>
      path.reduce<unknown>(
        (value, name) => (value as Record<string, unknown> | undefined)?.[name],
        JSON.parse(String(latest.get(`can/can0/${topic}`))),
      );
    beforeAll(async () => {
      boat.client.on("message", (topic, payload) => latest.set(topic, payload));
      const topics = ["ais", "navigation", "device/24/pgn/127505"].map((topic) => `can/can0/${topic}`);
      await boat.client.subscribeAsync(topics);
      boat.bridge();
      await until(async () => topics.every((topic) => latest.has(topic)));
    });

    test("the instruments show the report", async () => {
      const { page, complaints } = await boat.open("sail");
      const quantities = [
        ["depth", () => published("navigation", "data", "depth_water", "depth"), 1],
        ["sog", () => published("navigation", "data", "speed_course", "sog"), 0.5],
        ["trueSpeed", () => published("navigation", "data", "wind_true", "speed"), 3],
        ["apparentSpeed", () => published("navigation", "data", "wind_apparent", "speed"), 3],
        ["trueDirection", () => published("navigation", "data", "wind_true", "direction"), 20],
      ] as const;
      for (const [id, truth, tolerance] of quantities) {
        await until(async () => (await kindOf(page, id)) === "live");
        expect(Math.abs(Number(await shown(page, id)) - Number(truth())), id).toBeLessThan(tolerance);
      }
      expect(await page.locator("[data-id=place] .worth").first().innerText()).toMatch(/^53° \d\d\.\d{3}′ N$/);
      // Its script comes after the first values.
      await page.locator("[data-id=depth-trend] canvas").waitFor({ state: "attached" });
      expect(complaints).toEqual([]);
    });

    test("the ships show the report, the closing one first; keys zoom", async () => {
      const { page, complaints } = await boat.open("ships");
      // Her name comes with a message of its own, later than her position.
      await until(async () =>
        /^VEERKRACHT/.test(
          await page
            .locator("main .ship")
            .first()
            .innerText()
            .catch(() => ""),
        ),
      );
      expect(await page.locator(".target.danger[data-mmsi='299001100']").count()).toBe(1);
      expect(await page.locator(".ship").count()).toBe(
        (published("ais", "data", "targets") as readonly unknown[]).length,
      );
      await page.locator(".ship").first().focus();
      await page.keyboard.press("Enter");
      expect(await page.locator(".details").innerText()).toContain("299001100");
      expect(await page.locator("[data-id=range]").innerText()).toBe("2 NM");
      await page.keyboard.press("-");
      expect(await page.locator("[data-id=range]").innerText()).toBe("4 NM");
      await page.keyboard.press("Escape");
      expect(await page.locator(".details").count()).toBe(0);
      expect(complaints).toEqual([]);
    });

    test("engine, batteries, tanks and switches are there, one by one", async () => {
      const { page } = await boat.open("systems");
      for (const id of ["engine-0", "battery-0", "battery-1", "tank-Fuel-0", "tank-Water-1", "switches-0"])
        await page.locator(`[data-id="${id}"]`).waitFor();
      await until(async () => /Battery Monitor/.test(await page.locator("[data-id=battery-0]").innerText()));
      const volts = Number(await page.locator("[data-id=battery-0] .spoken").innerText());
      expect(volts).toBeGreaterThan(10);
      expect(volts).toBeLessThan(15);
      const { levelPercent, fluidType, instance } = published("device/24/pgn/127505", "data") as Record<
        string,
        unknown
      >;
      const level = Number(await page.locator(`[data-id="tank-${fluidType}-${instance}"] .spoken`).innerText());
      expect(Math.abs(level - Number(levelPercent))).toBeLessThan(3);
    });

    test("devices are shown with their descriptions and their PGNs", async () => {
      const { page } = await boat.open("devices");
      await until(async () => /Masthead Wind/.test(await page.locator("main").innerText()));
      await soundPress(page);
      await page.locator("[data-id=device-9] button").click();
      const text = await page.locator("[data-id=device-9]").innerText();
      expect(text).toContain("130306 Wind Data");
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
      expect(await page.locator("main").innerText()).toMatch(/Lost, kernel\s+12\u202f345/);
      expect(await page.locator("[data-id=clock]").innerText()).toMatch(/2 h behind/);
      const right = JSON.stringify({ data: counters, metadata });
      await until(
        async () => (await page.locator("[data-id=clock]").count()) === 0,
        () => boat.client.publishAsync("can/can0/health", right),
      );
      await until(async () => /Simulated boat/.test(await page.locator("[data-id=interface]").innerText()));
      expect(await page.locator("[data-id=bridge]").innerText()).toMatch(/On line\s+hub-cand/);
    });

    test("messages are filtered, counted, opened and held", async () => {
      const { page } = await boat.open("messages");
      await page.locator("input[type=search]").fill("pgn/127250 magnetic");
      await until(async () => (await page.locator(".topic").count()) === 1);
      expect(await page.locator(".topic").innerText()).toMatch(/device\/4\/pgn\/127250\s+Vessel Heading/);
      await until(async () => Number.parseFloat(await page.locator(".topic-rate").innerText()) > 15);
      await soundPress(page);
      await page.locator(".topic").click();
      await page.getByRole("button", { name: "Pause" }).click();
      const held = await page.locator("pre").innerText();
      expect(held).toContain('"headingDeg"');
      await new Promise((resolve) => setTimeout(resolve, 1500));
      expect(await page.locator("pre").innerText()).toBe(held);
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
      expect(await page.locator("html").getAttribute("data-light")).toBe("night");
      await page.reload();
      expect(await page.locator("html").getAttribute("data-light")).toBe("night");
      await page.keyboard.press("Tab");
      expect(await page.evaluate("document.activeElement.tagName")).not.toBe("BODY");
    });

    test("axe finds nothing on any page, by day and by night", async () => {
      const { page } = await boat.open("sail");
      const found: string[] = [];
      for (const { name } of pages) {
        await page.evaluate(`location.hash = "#/${name}"`);
        await page.waitForTimeout(1200);
        // The page's own rules forbid foreign scripts, except those of the debugger.
        await page.evaluate(axe);
        for (const light of ["day", "night"]) {
          // Nothing but the colours differs by night.
          const rules = light === "night" ? "runOnly: ['color-contrast']," : "";
          const violations = (await page.evaluate(
            `axe.run({ ${rules} resultTypes: ['violations'], selectors: false }).then((result) => result.violations)`,
          )) as readonly {
            readonly id: string;
            readonly nodes: readonly { readonly html: string }[];
          }[];
          for (const { id, nodes } of violations) found.push(`${name}, ${light}: ${id}: ${nodes[0]?.html}`);
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

    test("an open page of a build that was replaced loads what it lacks, and offers the new build", async () => {
      const served = mkdtempSync(join(tmpdir(), "hub-display-"));
      cpSync(folder, served, { recursive: true });
      // What is replaced below has no compressed copies.
      for (const name of ["service-worker.js", "index.html"])
        for (const ending of ["gz", "br"]) rmSync(join(served, `${name}.${ending}`));
      const server = await serveDisplay({ folder: served, brokerPort: 1 });
      const context = await boat.browser.newContext();
      try {
        const page = await context.newPage();
        await page.goto(server.url);
        await page.evaluate("navigator.serviceWorker.ready");
        await until(async () => (await page.evaluate("navigator.serviceWorker.controller !== null")) === true);
        const builds = async () => ((await page.evaluate("caches.keys()")) as readonly string[]).join(" ");
        const update = `navigator.serviceWorker.getRegistration()
          .then((found) => found.update())
          .then(
            ({ installing, waiting, active }) => !installing && !waiting && active.state === "activated",
            () => false,
          )`;
        const replace = async (build: string): Promise<void> => {
          const worker = readFileSync(join(folder, "service-worker.js"), "utf8");
          const files = readdirSync(served).filter((name) => name.startsWith("own-charts-"));
          for (const name of files) rmSync(join(served, name));
          const [, before = ""] = /"hub-display-([^"]+)"/.exec(worker)!;
          const html = readFileSync(join(folder, "index.html"), "utf8");
          expect(html).toContain(`name="build" content="${before}"`);
          writeFileSync(join(served, "index.html"), html.replace(before, build));
          const replaced = worker.replace(before, build);
          writeFileSync(join(served, "service-worker.js"), replaced.replaceAll(/ own-charts-\S+\.js/g, ""));
          // Its files are there before it takes over. A busy browser may give up an installation.
          await until(async () => (await page.evaluate(update)) === true && (await builds()).endsWith(build));
        };
        const part = readdirSync(folder).find((name) => name.startsWith("own-charts-"))!;
        await replace("second");
        await page.getByText("A new version of the display is installed.").waitFor();
        expect(await page.evaluate(`fetch("${part}").then(({ status }) => status)`)).toBe(200);
        // The files of the build before the last one go.
        await replace("third");
        expect(await builds()).toBe("hub-display-second hub-display-third");
        await Promise.all([page.waitForEvent("load"), page.getByRole("button", { name: "Reload" }).click()]);
        await page.locator("[data-id=link]").waitFor();
        expect(await page.getByText("A new version of the display is installed.").count()).toBe(0);
      } finally {
        await context.close();
        await server.close();
      }
    });

    /** A server in front of that of the display, whose pages can be changed, or refused. */
    const openFront = async () => {
      const front = { change: (text: string, _type: string): string => text, isRefusing: false };
      const server = createServer(async (request, response) => {
        if (front.isRefusing) return response.writeHead(401).end("The server asks for a password");
        const inner = await fetch(new URL(request.url!, boat.url));
        const type = inner.headers.get("content-type") ?? "";
        const bytes = Buffer.from(await inner.arrayBuffer());
        response.writeHead(inner.status, { "content-type": type, "cache-control": "no-cache" });
        return response.end(type.startsWith("text/") ? front.change(bytes.toString(), type) : bytes);
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/display/`;
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
      front.change = (text, type) => (type.startsWith("text/html") ? text.replace(build!, "another") : text);
      const second = await context.newPage();
      await second.goto(`${url}?kiosk#/sail`);
      await second.locator("[data-id=link]").waitFor();
      expect(await buildOf(second)).toBe(build);
      expect(await second.getByText("A new version of the display is installed.").count()).toBe(0);
      // The worker of another build took over before the page could hear of it.
      await second.evaluate(`caches.keys().then(async ([name]) => {
        const cache = await caches.open(name);
        const html = await (await cache.match("./")).text();
        await cache.put("./", new Response(html.replace("${build}", "earlier"), { headers: { "content-type": "text/html" } }));
      })`);
      const third = await context.newPage();
      await third.goto(url);
      await third.getByText("A new version of the display is installed.").waitFor();
      expect(await buildOf(third)).toBe("earlier");
      // A visit finds a new build, and the next one is of it.
      front.change = (text) => text.replaceAll(build!, "next");
      const fourth = await context.newPage();
      await fourth.goto(url);
      await until(async () =>
        ((await fourth.evaluate("caches.keys()")) as readonly string[]).includes("hub-display-next"),
      );
      await fourth.getByText("A new version of the display is installed.").waitFor();
      const fifth = await context.newPage();
      await fifth.goto(url);
      await fifth.locator("[data-id=link]").waitFor();
      expect(await buildOf(fifth)).toBe("next");
      await close();
    });

    test("a server that refuses the page, such as without a password, is seen, and not the page in the cache", async () => {
      const { front, page, context, url, close } = await openFront();
      for (const address of [url, `${url}fleet.html`]) {
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
      expect(await page.locator("h1").innerText()).toMatch(/sail/i);
      await context.close();
    });
  });
});
