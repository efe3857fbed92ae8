/** The effects of options and deployed configuration, seen at the bundle. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { topicSchemas } from "../../src/core/topics/schemas.ts";
import { type Line, linesOf, runHubCand, startHubCand, textOf } from "../support/hub-cand.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

let folder: string;
beforeAll(() => {
  folder = temporaryFolder("cand-settings");
});

const write = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

/** A log with a frame at each of these seconds. */
const log = (...frames: readonly (readonly [seconds: number, frame: string])[]): string =>
  write(
    "some.log",
    frames.map(([seconds, frame]) => `(${(1795248866 + seconds).toFixed(6)}) can0 ${frame}\n`).join(""),
  );
const replay = (path: string, ...more: readonly string[]): string[] => ["--replay", path, "--stdout", ...more];
const fullSpeed = ["--speed", "0"];

const proprietary = "18FF0003#3B9F000102030405";
const breaker = "09F30003#0102E164000000FF";

const pgns = (stdout: string, pgn: number) => linesOf(stdout).filter(({ topic }) => topic.endsWith(`/pgn/${pgn}`));

test("--max-rate keeps a stream to its rate, the latest late rather than never; --unknown publishes unknown PGNs as bytes", async () => {
  const sequence = [0, 1, 2, 3, 4].map((count) => [count / 10, `09F11203#0${count}007DFF7F2FFFFD`] as const);
  const path = log([0, proprietary], ...sequence);
  const asked = await runHubCand(replay(path, ...fullSpeed, "--max-rate", "1", "--unknown"));
  expect(asked.code).toBe(0);
  expect(pgns(asked.stdout, 127250).map(({ payload }) => payload.data.sequenceId)).toEqual([0, 4]);
  expect(pgns(asked.stdout, 65280).map(({ payload }) => payload.data)).toEqual([
    { pgn: 65280, raw: "3b9f000102030405" },
  ]);
  const all = await runHubCand(replay(path, ...fullSpeed));
  expect(pgns(all.stdout, 127250)).toHaveLength(5);
  expect(pgns(all.stdout, 65280)).toEqual([]);
  expect(all.stderr).toMatch(/^info counted .*unknown=1\b/m);
});

describe("--schema", () => {
  test("is printed as it is shipped", async () => {
    const { code, stdout, stderr } = await runHubCand(["--schema", "navigation"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { schema } = topicSchemas.find(({ id }) => id === "navigation")!;
    expect(stdout).toBe(`${JSON.stringify(schema, null, 2)}\n`);
  });

  test("that of a public PGN is printed too", async () => {
    const { code, stdout, stderr } = await runHubCand(["--schema", "130842"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const schema = JSON.parse(stdout) as { title: string; properties: { data: { anyOf: object[] } } };
    expect(schema.title).toBe("PGN 130842 Manufacturer Proprietary fast packet non addressed");
    expect(schema.properties.data.anyOf.length).toBeGreaterThan(3);
  });

  test("an unknown topic ends it with 1", async () => {
    expect(await runHubCand(["--schema", "1"])).toEqual({
      code: 1,
      stdout: "",
      stderr: "hub-cand: --schema 1: neither a PGN that is published nor a report\n",
    });
  });
});

describe("--config", () => {
  const deploy = (...settings: readonly object[]): string => write("deploy.json", JSON.stringify({ settings }));

  test("a PGN of assumed layout is read by its layout mode, and the first lines name those that are assumed", async () => {
    const path = log([0, breaker]);
    const assumed = await runHubCand(replay(path, ...fullSpeed, "--config", deploy()));
    expect(pgns(assumed.stdout, 127744)[0]!.payload.data).toMatchObject({ breakerState: "Closed", realPowerW: 100 });
    expect(assumed.stderr).toMatch(/^info PGNs read by an assumed layout.*\b127744\b/m);
    const off = await runHubCand(
      replay(path, ...fullSpeed, "--config", deploy({ name: "can", pgn: { 127744: "off" } })),
    );
    expect(pgns(off.stdout, 127744)[0]!.payload.data).toEqual({ pgn: 127744 });
    expect(off.stderr).not.toMatch(/assumed.*\b127744\b/);
  });

  test("a configuration that changes is in force a moment later, one that breaks changes nothing", async () => {
    const path = log(...Array.from({ length: 600 }, (_, tenth) => [tenth / 10, breaker] as const));
    const config = deploy();
    const child = startHubCand(replay(path, "--config", config));
    const stderr = textOf(child.stderr!);
    const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
    const until = async (isIt: (line: Line) => boolean): Promise<void> => {
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error(`ended: ${stderr()}`);
        if (isIt(JSON.parse(value))) return;
      }
    };
    const isLoaded = ({ topic, payload: { metadata } }: Line): boolean =>
      topic.endsWith("/navigation") && (metadata as { configLoaded: boolean }).configLoaded;
    await until(({ payload: { data } }) => data.pgn === 127744 && data.breakerState === "Closed");
    deploy({ name: "can", pgn: { 127744: "off" } }, { name: "navigation", windDamping: 1 });
    await until(({ payload: { data } }) => data.pgn === 127744 && data.breakerState === undefined);
    await until(isLoaded);
    writeFileSync(config, "{");
    while (!stderr().includes("cannot be used")) await new Promise((resolve) => setTimeout(resolve, 20));
    await until(isLoaded);
    await until(({ payload: { data } }) => data.pgn === 127744);
    child.kill("SIGTERM");
    const [code] = await once(child, "close");
    expect(code).toBe(0);
  });

  test.each([
    ["a FIFO", (path: string) => void spawnSync("mkfifo", [path])],
    ["an endless device", (path: string) => symlinkSync("/dev/zero", path)],
  ])("%s in its place holds up neither start nor end", async (_, put) => {
    const config = join(folder, "in-place.json");
    put(config);
    onTestFinished(() => rmSync(config));
    const child = startHubCand(["--simulate", "--stdout", "--config", config]);
    const stderr = textOf(child.stderr!);
    await once(child.stdout!, "data");
    child.stdout!.resume();
    expect(stderr()).toMatch(/^warn the deployed configuration cannot be used.* reason="?not a regular file/m);
    child.kill("SIGTERM");
    expect((await once(child, "close"))[0]).toBe(0);
  });
});
