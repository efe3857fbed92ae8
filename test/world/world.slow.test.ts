/** Worlds that once broke a promise, and some of this commit: `npm run world` runs more. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Documented, documented } from "./documented.ts";
import { type GatewayName, gatewayNames } from "./gateway.ts";
import { promises } from "./promises.ts";
import { rolesOf } from "./protocols.ts";
import { type RoleName, roleNames, roleOf } from "./roles.ts";
import type { DeviceScript, Script } from "./script.ts";
import { life, scriptOf } from "./script.ts";
import { World } from "./world.ts";

const simulated = (script: Script): World => {
  const world = new World(script);
  world.simulate();
  return world;
};

const found = readdirSync("test/world/found");

test.each(found)("%s breaks no promise any more", (file) => {
  const script = JSON.parse(readFileSync(`test/world/found/${file}`, "utf8")) as Script;
  expect([...simulated(script).violations.values()]).toEqual([]);
});

test("the same seed gives the same bytes, another one gives others", () => {
  const [one, again, other] = [7, 7, 8].map((seed) => simulated(scriptOf(seed, 120)));
  expect(one!.messages).toBeGreaterThan(500);
  expect([again!.digest, again!.messages]).toEqual([one!.digest, one!.messages]);
  expect(other!.digest).not.toBe(one!.digest);
});

interface Instrument {
  readonly network: number;
  readonly role: RoleName;
}

/** Devices of these instruments, each of which comes to be in danger, and the alarms that they owe. */
function inDanger(
  said: readonly Instrument[],
  gateway?: GatewayName,
): { readonly script: Script; readonly owed: Set<string> } {
  const devices = said.map(({ network, role }, id): DeviceScript => {
    const name = String(0xc0_00_00_00_00_00_00_01n + BigInt(id));
    return { ...{ network, role, id, name }, address: network === 1 ? id : 0, instance: 0, isOn: true, noise: [] };
  });
  const events = devices.map(({ id }) => ({ at: 20_000, is: "danger", device: id, forMs: 60_000 }) as const);
  const owed = new Set(said.flatMap(({ role }) => roleOf(role).alarm?.id(0) ?? []));
  return { script: { seed: 1, seconds: 70, devices, events, ...(gateway && { gateway }) }, owed };
}

const ofProtocols = Object.entries(rolesOf).flatMap(([network, roles]) =>
  roles.map((role) => ({ network: +network, role })),
);
const ofBus = roleNames.map((role) => ({ network: 1, role }));
test.each([
  ["of every protocol", inDanger(ofProtocols), 5],
  ...gatewayNames.map((name) => [`behind a gateway of ${name}`, inDanger(ofBus, name), 9] as const),
] as const)("what instruments say rings: %s", (_, { script, owed }, count) => {
  const world = simulated(script);
  expect([...world.violations.values()]).toEqual([]);
  expect(new Set(world.alarmSince.keys())).toEqual(owed);
  expect(owed.size).toBe(count);
});

test("a world without faults has the life of the crew alone", () => {
  expect(new Set(scriptOf(3, 36_000, []).events.map(({ is }) => is))).toEqual(new Set(life));
});

/** The paragraphs, items and rows of a page below their headings. */
function blocksOf(page: string): readonly { readonly heading: string; readonly text: string }[] {
  let heading = "";
  return readFileSync(`docs/${page}`, "utf8")
    .replaceAll(/^```[\s\S]*?^```$/gm, "")
    .split(/\n\s*\n|\n(?=- |\|)/)
    .map((part) => part.trim().replaceAll(/\s+/g, " "))
    .flatMap((text, index, parts) => {
      if (text.startsWith("#")) heading = text;
      const isHead = [text, parts[index + 1] ?? ""].some((row) => /^\|[ |:-]+$/.test(row));
      return text === "" || text.startsWith("#") || isHead ? [] : [{ heading, text }];
    });
}

describe.each(Object.entries(documented))("what %s promises", (page, entries: Documented) => {
  const blocks = blocksOf(page);
  const quotes = Object.keys(entries).filter((words) => !words.startsWith("#"));
  test.each(quotes)("is said once: %s", (words) => {
    expect(blocks.filter(({ text }) => text.includes(words))).toHaveLength(1);
  });
  test("is held, or says why not, in each paragraph, item and row", () => {
    const isHeld = ({ heading, text }: (typeof blocks)[number]): boolean =>
      heading in entries || quotes.some((words) => text.includes(words));
    expect(blocks.filter((block) => !isHeld(block))).toEqual([]);
    const headings = new Set(blocks.map(({ heading }) => heading));
    expect(Object.keys(entries).filter((words) => words.startsWith("#") && !headings.has(words))).toEqual([]);
  });
  test("is held by tests that are there, and by each promise of the page", () => {
    const all = new Set<string>(Object.values(entries).flat());
    expect([...all].filter((name) => name.startsWith("test/") && !existsSync(name))).toEqual([]);
    const ofPage = Object.entries(promises).filter(([, promise]) => promise.page === page);
    expect(ofPage.filter(([name]) => !all.has(name) && name !== "nothing is left")).toEqual([]);
  });
});

test.each(Object.entries(promises))("the promise %s names a page", (_, { page }) => {
  expect(readdirSync("docs")).toContain(page);
});
