/** Updates of a card on a computer of memory: apt and dpkg with versions in place of files, and a display that comes up or not. */
import { expect, test } from "vitest";
import { isQuiet, type Machine, newsOf, openUpdates, PACKAGES, UP_MS } from "../../packaging/card/update.ts";
import type { UpdateReport } from "../../src/core/report/update.ts";
import { parseUpdateReport } from "../../src/core/report/update.ts";

const NAMES = ["hub-cand", "hub-config", "hub-display"];
const CARD = "/usr/lib/hub-card/packages";
const WALL = "2026-11-29T03:10:00.000Z";

class PowerCut extends Error {}

const changelog = (versions: readonly string[]): string =>
  versions
    .map(
      (version) =>
        `hub (${version}) UNRELEASED; urgency=medium\n\n  [ New ]\n  * News of ${version},\n    in two lines.\n\n -- hub\n`,
    )
    .join("\n");

interface World {
  readonly machine: Machine;
  readonly installed: Map<string, string>;
  readonly files: Map<string, string>;
  readonly packages: Set<string>;
  /** Versions in the repository; the last one is the newest. */
  repository: readonly string[];
  /** Versions with which the display does not come up, or is there at times alone. */
  broken: readonly string[];
  flapping: readonly string[];
  /** The command whose run fails, and before which the power is cut. */
  failing?: RegExp;
  cutAt?: number;
  isUsrWritable: boolean;
  /** Blocks of the medium that are free; a small file takes one, and a new one is whole before the old one goes. */
  room: number;
  ms: number;
  readonly commands: string[];
  report(): UpdateReport;
}

function newWorld(now = "1.3.0"): World {
  const checkPower = (): void => {
    if (world.cutAt !== undefined && world.commands.length >= world.cutAt) throw new PowerCut();
  };
  const world: World = {
    installed: new Map(NAMES.map((name) => [name, now])),
    files: new Map(),
    packages: new Set(NAMES.map((name) => `${CARD}/${name}_${now}_all.deb`)),
    repository: ["1.3.0", "1.4.0"],
    broken: [],
    flapping: [],
    isUsrWritable: false,
    room: Number.POSITIVE_INFINITY,
    ms: 0,
    commands: [],
    report: () => parseUpdateReport(world.files.get("report.json")!)!,
    machine: {
      run(command, ...args) {
        const line = [command, ...args].join(" ");
        world.commands.push(line);
        checkPower();
        const failed = { isDone: false, output: `line\nE: ${command} fails\n` };
        if (world.failing?.test(line)) return failed;
        const done = { isDone: true, output: "" };
        const newest = world.repository.at(-1);
        const download = (name: string, version: string): void =>
          void world.packages.add(`${PACKAGES}/${name}_${version}_all.deb`);
        const install = (paths: readonly string[]): boolean => {
          if (!world.isUsrWritable) return false;
          for (const path of paths.filter((each) => each.endsWith(".deb"))) {
            const [, name, version] = /([^/]+)_(.+)_all\.deb$/.exec(path)!;
            if (!world.packages.has(path)) return false;
            world.installed.set(name!, version!);
            // Each package is one more moment for a power cut.
            world.commands.push(`unpack ${name} ${version}`);
            checkPower();
          }
          return true;
        };
        if (command === "dpkg-query")
          return {
            isDone: true,
            output: `${[...world.installed].map(([name, version]) => `install hub ${name} ${version}`).join("\n")}\ndeinstall hub hub-link 1.0.0\ninstall other hub-other 7\n`,
          };
        // It knows none of the options of apt-get.
        if (command === "apt-cache" && args.includes("-y")) return failed;
        if (command === "apt-cache")
          return { isDone: true, output: `${args.at(-1)}:\n  Installed: x\n  Candidate: ${newest}\n` };
        if (command === "dpkg" && args[0] === "--compare-versions") return { isDone: args[1]! > args[3]!, output: "" };
        if (command === "dpkg") return args.includes("-i") && !install(args) ? failed : done;
        if (command === "apt-get" && args.includes("--download-only")) {
          for (const each of args.filter((arg) => /^hub-[a-z]+=/.test(arg))) {
            const [name, version] = each.split("=");
            if (!world.repository.includes(version!)) return failed;
            download(name!, version!);
          }
          return done;
        }
        if (command === "apt-get" && args.includes("install")) return install(args) ? done : failed;
        if (command === "sh") return { isDone: true, output: changelog([...world.repository].reverse()) };
        if (command === "mount") world.isUsrWritable = args.includes("remount,rw");
        if (command === "findmnt") return { isDone: !world.isUsrWritable, output: "" };
        if (line.startsWith("systemctl list-units"))
          return {
            isDone: true,
            output: "hub-cand@can0.service loaded\nnginx.service loaded\nhub-card-page.service loaded\n",
          };
        if (line.startsWith("systemctl show"))
          return {
            isDone: true,
            output: world.flapping.includes(world.installed.get("hub-cand")!) ? String(world.ms) : "0\n0\n",
          };
        return done;
      },
      async page(path) {
        if (world.broken.includes(world.installed.get("hub-display")!)) return undefined;
        return path === "/api/config/health" ? '{"status":"ready"}' : '<script type="module" src="main.js"></script>';
      },
      async wait(ms) {
        world.ms += ms;
      },
      monotonic: () => world.ms,
      wall: () => new Date(WALL),
      read: (name) => world.files.get(name),
      write(name, text) {
        checkPower();
        if (text !== undefined && world.room === 0) throw new Error("ENOSPC: no space left on device");
        world.room += Number(world.files.has(name)) - Number(text !== undefined);
        if (text === undefined) world.files.delete(name);
        else world.files.set(name, text);
      },
      packages: () => [...world.packages],
      remove: (path) => void world.packages.delete(path),
      log: () => {},
    },
  };
  return world;
}

const versions = (world: World): readonly string[] => [...new Set(world.installed.values())];
const idle = { phase: "idle", isNightly: false, at: WALL };

/** A start of the program for each request, as by its path unit. */
async function serve(
  world: World,
  ...requests: readonly Parameters<ReturnType<typeof openUpdates>["serve"]>[0][]
): Promise<UpdateReport> {
  for (const request of requests) {
    const updates = openUpdates(world.machine);
    await updates.settle();
    await updates.serve(request);
  }
  expect(world.isUsrWritable).toBe(false);
  expect(world.files.has("trial.json")).toBe(false);
  return world.report();
}

test("a newer version is found with what is new, and nothing is changed", async () => {
  const world = newWorld();
  world.repository = ["1.3.0", "1.3.5", "1.4.0"];
  expect(await serve(world, "check")).toEqual({
    ...{ ...idle, installed: "1.3.0", available: "1.4.0", result: "found" },
    news: ["News of 1.4.0, in two lines.", "News of 1.3.5, in two lines."],
  });
  expect(versions(world)).toEqual(["1.3.0"]);
});

test.each(["check", "install", "tonight"] as const)("%s finds nothing newer", async (request) => {
  expect(await serve(newWorld("1.4.0"), request)).toEqual({ ...idle, installed: "1.4.0", result: "unchanged" });
});

test("an update is installed and watched; the packages of before stay, and are taken again when asked", async () => {
  const world = newWorld();
  expect(await serve(world, "check", "install")).toEqual({
    ...idle,
    installed: "1.4.0",
    before: "1.3.0",
    result: "installed",
  });
  expect(world.ms).toBeLessThan(UP_MS);
  world.repository = ["1.4.0", "1.5.0"];
  expect(await serve(world, "install")).toMatchObject({ installed: "1.5.0", before: "1.4.0" });
  // Of the downloaded packages those of now and before alone.
  expect(
    [...world.packages]
      .filter((path) => path.startsWith(PACKAGES))
      .map((path) => path.split("_")[1])
      .sort(),
  ).toEqual(NAMES.flatMap(() => ["1.4.0", "1.5.0"]).sort());
  expect(await serve(world, "back")).toMatchObject({ installed: "1.4.0", before: "1.5.0", result: "installed" });
});

test.each<[string, Partial<World>, RegExp]>([
  ["no display", { broken: ["1.4.0"] }, /the site has no display/],
  ["services that start again and again", { flapping: ["1.4.0"] }, /start again and again/],
  ["a service that does not run", { failing: /is-active/ }, /hub-cand@can0.service does not run/],
  ["packages that cannot be installed", { failing: /allow-downgrades/ }, /E: apt-get fails/],
])("an update with %s goes back within five minutes", async (_what, fault, reason) => {
  const world = Object.assign(newWorld(), fault);
  const report = await serve(world, "install");
  expect(report).toMatchObject({ installed: "1.3.0", available: "1.4.0", result: "returned" });
  expect(report.reason).toMatch(reason);
  expect(versions(world)).toEqual(["1.3.0"]);
});

test("a version that went back is not installed at night again, a later one is", async () => {
  const world = newWorld();
  world.broken = ["1.4.0"];
  await serve(world, "tonight");
  world.commands.length = 0;
  expect(await serve(world, "tonight")).toMatchObject({ installed: "1.3.0", result: "found" });
  expect(world.commands.join()).not.toContain("unpack");
  world.repository = ["1.4.0", "1.4.1"];
  expect(await serve(world, "tonight")).toMatchObject({ installed: "1.4.1", result: "installed" });
});

test.each<[string, Partial<World>, RegExp]>([
  ["there is no repository", { failing: /^test -s/ }, /made without a repository/],
  ["the repository is away", { failing: /apt-get .* update/ }, /E: apt-get fails/],
  ["a package cannot be downloaded", { failing: /download-only/ }, /E: apt-get fails/],
  ["the packages of now are at hand nowhere", { packages: new Set<string>(), repository: ["1.4.0"] }, /apt-get fails/],
])("without a way nothing changes: %s", async (_what, fault, reason) => {
  const world = Object.assign(newWorld(), fault);
  const report = await serve(world, "install");
  expect(report).toMatchObject({ phase: "idle", installed: "1.3.0", result: "failed" });
  expect(report.reason).toMatch(reason);
  expect(world.commands.join()).not.toContain("unpack");
});

test("packages of now that are not at hand come from the repository", async () => {
  const world = newWorld();
  world.packages.clear();
  expect(await serve(world, "install")).toMatchObject({ installed: "1.4.0", before: "1.3.0" });
});

test("back needs packages of before", async () => {
  expect(await serve(newWorld(), "back")).toMatchObject({ result: "failed", reason: /kept/ });
});

test("the night is set and not set", async () => {
  const world = newWorld();
  expect((await serve(world, "nightly")).isNightly).toBe(true);
  expect((await serve(world, "asked")).isNightly).toBe(false);
});

test("after a power cut at any command of an update the boat has all of one version", async () => {
  const whole = newWorld();
  await serve(whole, "install");
  const seen = new Set<string>();
  for (let cutAt = 1; cutAt <= whole.commands.length; cutAt++) {
    const world = Object.assign(newWorld(), { cutAt });
    await expect(serve(world, "install")).rejects.toThrow(PowerCut);
    Object.assign(world, { cutAt: undefined, isUsrWritable: false });
    await openUpdates(world.machine).settle();
    expect(versions(world), `cut at ${whole.commands[cutAt - 1]}`).toHaveLength(1);
    expect(world.files.has("trial.json")).toBe(false);
    expect(world.report()).toMatchObject({ phase: "idle", installed: versions(world)[0] });
    seen.add(`${versions(world)} ${world.report().result}`);
  }
  expect([...seen].sort()).toEqual(["1.3.0 returned", "1.3.0 undefined", "1.4.0 undefined"]);
});

test("with a full disk an update fails in words, and one that the power has cut short is taken back", async () => {
  const world = newWorld();
  await serve(world, "check");
  Object.assign(world, { room: 0, failing: /apt-get .* update/ });
  expect(await serve(world, "install")).toMatchObject({ result: "failed", reason: "E: apt-get fails" });
  Object.assign(world, { room: 3, failing: undefined, cutAt: 40 });
  await expect(serve(world, "install")).rejects.toThrow(PowerCut);
  expect(versions(world)).toHaveLength(2);
  Object.assign(world, { room: 0, cutAt: undefined });
  await openUpdates(world.machine).settle();
  expect(versions(world)).toEqual(["1.3.0"]);
  expect(world.report()).toMatchObject({ phase: "idle", installed: "1.3.0", result: "returned" });
});

test("while the way back fails nothing else is installed, and the next start tries it again", async () => {
  const world = Object.assign(newWorld(), { failing: /allow-downgrades|dpkg --force/ });
  const updates = openUpdates(world.machine);
  await updates.serve("install");
  expect(world.report()).toMatchObject({ phase: "idle", result: "failed", reason: "E: dpkg fails" });
  world.commands.length = 0;
  const later = openUpdates(world.machine);
  await later.settle();
  await later.serve("install");
  expect(world.commands.join()).not.toContain("apt-get");
  Object.assign(world, { failing: undefined });
  await openUpdates(world.machine).settle();
  expect([versions(world), world.report().result]).toEqual([["1.3.0"], "returned"]);
});

test("the news of a version that is built from a checkout are those above its section", () => {
  expect(newsOf(changelog(["1.4.0", "1.3.0~20261201000000", "1.2.0"]), "1.3.0~20261129104049")).toEqual([
    "News of 1.4.0, in two lines.",
  ]);
});

test.each<[string, Parameters<typeof isQuiet>[0], boolean]>([
  ["at a berth", { alarms: { alarms: [], rest: "berth" }, navigation: { position: {} } }, true],
  ["lying still", { alarms: { alarms: [], rest: "still" }, navigation: { position: {} } }, true],
  ["at an anchor", { alarms: { alarms: [], rest: "anchor" }, navigation: { position: {} } }, false],
  ["under way", { alarms: { alarms: [] }, navigation: { position: {} } }, false],
  ["while an alarm rings", { alarms: { alarms: [{}], rest: "berth" } }, false],
  ["without a bus", {}, true],
  ["without a position", { alarms: { alarms: [] }, navigation: { position: null } }, true],
])("the night of a boat %s", (_what, reports, isFit) => {
  expect(isQuiet(reports)).toBe(isFit);
});
