/**
 * The packages for ARM, their own files on Debian's own Node for that processor, which QEMU emulates: the addon loads,
 * and the output is the same as on this machine.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { closeSync, createReadStream, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { simulatedCandump } from "../../src/services/simulation/candump-text.ts";
import { hubCand, runHubCand } from "../support/hub-cand.ts";
import { openNamespace } from "../support/namespace.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { packages } from "./packages.ts";
import { nodeRoot } from "./roots.ts";

/** Signatures of pointers by another algorithm than ARM's, which takes more than half of Node's time when emulated. */
const emulators = {
  arm64: ["qemu-aarch64-static", "-cpu", "max,pauth-impdef=on"],
  armhf: ["qemu-arm-static"],
} as const;
/**
 * Seconds of the simulated voyage: every topic has been there in the first ten; all of it, 1200, takes an emulator a
 * quarter of an hour.
 */
const VOYAGE_SECONDS = Number(process.env.HUB_VOYAGE_SECONDS ?? 10);
const architectures = Object.keys(emulators) as (keyof typeof emulators)[];

describe.each(architectures)("on %s", (architecture) => {
  let folder: string;
  let debian: string;
  const installed = (path: string): string => join(folder, path);

  /** The emulator, and its arguments for Node and what it is to run. */
  const node = (...args: readonly string[]): string[] => [
    ...emulators[architecture],
    ...["-L", debian, join(debian, "usr/bin/node"), ...args],
  ];
  /** … for a program of the packages, as its file in /usr/bin starts it. */
  const program = (name: string, ...args: readonly string[]): string[] => {
    const [, words] = /^exec \/usr\/bin\/node (.*) "\$@"$/m.exec(readFileSync(installed(`usr/bin/${name}`), "utf8"))!;
    return node(...words!.split(" ").map((word) => (word.startsWith("/") ? installed(word) : word)), ...args);
  };
  const start = (...[command, ...args]: readonly string[]): ChildProcess => {
    const child = spawn(command!, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  };
  /** The output of a program that has ended with 0. */
  const textOf = async (child: ChildProcess): Promise<string> => {
    const [printed, complaints, [code]] = await Promise.all([
      text(child.stdout!),
      text(child.stderr!),
      once(child, "close"),
    ]);
    expect(code, complaints).toBe(0);
    return printed;
  };

  beforeAll(async () => {
    folder = temporaryFolder("emulated");
    const { current } = await packages();
    const root = await nodeRoot(architecture).catch((error: Error) => {
      // A mirror whose lists do not fit one another has no packages to test on.
      if (error.message.includes("unexpected size")) return undefined;
      throw error;
    });
    if (root === undefined) return;
    debian = root;
    for (const name of [`hub-cand_${architecture}`, "hub-config_all"]) {
      expect(spawnSync("dpkg-deb", ["--extract", current.get(name)!, folder]).status).toBe(0);
    }
  }, 600_000);
  afterAll(() => rmSync(folder, { recursive: true }));
  beforeEach(({ skip }) => skip(debian === undefined, `Debian's mirror has no whole lists for ${architecture} now`));

  test("hub-cand simulates the voyage to the same bytes as here, on Debian's Node for that processor, which loads the addon", {
    timeout: 1_800_000,
  }, async () => {
    const clock = ["--import", resolve("test/packaging/fast-clock.mjs")];
    // Within the same process, because each start of Node takes an emulator seconds.
    const addon = installed("usr/lib/hub-cand/hub_can.node");
    const told = `process.arch, process.version, Object.keys(require(${JSON.stringify(addon)})).join()`;
    const which = ["--require", installed("which.cjs")];
    writeFileSync(
      which[1]!,
      `require("node:fs").writeFileSync(${JSON.stringify(installed("which.txt"))}, [${told}].join(" "));`,
    );
    const options = ["--simulate", "--stdout", "--config", "/nonexistent"];
    const digestOf = async (...[command, ...args]: readonly string[]): Promise<string> => {
      // A file, because writing to it waits for nothing.
      const path = installed(`voyage-${command!.replaceAll("/", "-")}`);
      const file = openSync(path, "w");
      const child = spawn(command!, args, {
        env: { ...process.env, HUB_SECONDS: String(VOYAGE_SECONDS) },
        stdio: ["ignore", file, "pipe"],
      });
      onTestFinished(() => void child.kill("SIGKILL"));
      closeSync(file);
      const [complaints, [code]] = await Promise.all([text(child.stderr!), once(child, "close")]);
      expect(code, complaints).toBe(0);
      expect(statSync(path).size).toBeGreaterThan(50_000 * VOYAGE_SECONDS);
      const hash = createHash("sha256");
      for await (const chunk of createReadStream(path)) hash.update(chunk);
      return hash.digest("hex");
    };
    const [there, here] = await Promise.all([
      digestOf(...program("hub-cand", ...options).toSpliced(node().length, 0, ...which, ...clock)),
      digestOf(process.execPath, ...clock, hubCand, ...options),
    ]);
    expect(there).toBe(here);
    const machine = { arm64: "arm64", armhf: "arm" }[architecture];
    expect(readFileSync(installed("which.txt"), "utf8")).toMatch(new RegExp(`^${machine} v20\\.19\\.\\S+ \\w+`));
  });

  test("hub-cand reads a recording to the same bytes as here", async () => {
    // The emulator is slow: the ten seconds after which every topic of the voyage has been there.
    const recording = [...simulatedCandump(10_000, Date.UTC(2026, 10, 21, 8))].join("");
    writeFileSync(installed("trip.log"), recording);
    const options = ["--replay", installed("trip.log"), "--speed", "0", "--stdout"];
    const [there, here] = await Promise.all([textOf(start(...program("hub-cand", ...options))), runHubCand(options)]);
    expect(here.stdout.split("\n").length).toBeGreaterThan(2000);
    expect(there === here.stdout).toBe(true);
  });

  test("hub-configd keeps a project and deploys it, hub-config-backup copies it", async () => {
    const inside = await openNamespace(12000);
    onTestFinished(() => inside.close());
    const run = (...[command, ...args]: readonly string[]): ChildProcess => {
      const child = inside.spawn(command!, args);
      onTestFinished(() => void child.kill("SIGKILL"));
      return child;
    };
    const daemon = run(...program("hub-configd", "--swagger", installed("usr/share/hub-config/swagger")));
    const ended = once(daemon, "close");
    const send = (method: string, path: string, body = ""): Promise<string> =>
      new Promise((resolve, reject) => {
        const headers = { Host: "x", "Content-Length": body.length };
        const asked = request({ socketPath: inside.socket(12000), method, path, headers, agent: false }, (answer) =>
          text(answer).then((content) => resolve(`${answer.statusCode} ${content}`), reject),
        );
        asked.on("error", reject);
        asked.end(body);
      });
    while (!(await send("GET", "/health").catch(() => "")).startsWith("200")) await delay(100);
    expect(await send("PUT", "/project/hull-42", '{"name": "Hull 42"}')).toMatch(/^201 /);
    expect(await send("PUT", "/project/hull-42/deploy")).toMatch(/^201 /);
    expect(await send("GET", "/deploy")).toContain('"name": "Hull 42"');
    expect(await send("GET", "/docs/index.html")).toMatch(/^200 <!doctype html>/i);
    daemon.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    // The service has copied what it deployed.
    writeFileSync(inside.file("/etc/hub/deploy.json"), "{}");
    expect(await textOf(run(...program("hub-config-backup")))).toMatch(/^Backup created: \/etc\/hub\/backup\//);
    expect(readFileSync(inside.file("/etc/hub/backup/last_backup"))).toEqual(
      readFileSync(inside.file("/etc/hub/deploy.json")),
    );
  });
});
