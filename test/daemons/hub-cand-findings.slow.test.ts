/** hub-cand --findings on a recording, through the bundle. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text as textIn } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { deviceNameBytes } from "../../src/core/n2k/device-name.ts";
import { named } from "../services/bridge/named.ts";
import { hubCand, runHubCand } from "../support/hub-cand.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Two devices claim one address in turn, each second for a minute. */
const war = Array.from({ length: 60 }, (_, second) => {
  const name = Buffer.from(deviceNameBytes(named(1 + (second % 2)))).toString("hex");
  return `(${1_790_000_000 + second}.000000) can0 18EEFF0A#${name.toUpperCase()}\n`;
}).join("");

const recording = (text: string | Uint8Array = war): string => {
  const folder = temporaryFolder("cand-findings");
  const path = join(folder, "bus.log");
  writeFileSync(path, text);
  return path;
};

test("--findings prints the findings of a recording as text, and no message", async () => {
  const { stdout } = await runHubCand(["--replay", recording(), "--speed", "0", "--findings"]);
  expect(stdout).toContain("Devices fight for an address");
  expect(stdout).toContain("shorter than two minutes");
  expect(stdout).not.toContain('"metadata"');
});

test("--findings of a file that was cut prints what can be read, and where it breaks off", async () => {
  // Long enough to be unpacked in several pieces.
  const others = Array.from({ length: 10_000 }, (_, at) => {
    const data = createHash("sha256").update(String(at)).digest("hex").slice(0, 16).toUpperCase();
    return `(${1_790_000_060 + at}.000000) can0 09F80105#${data}\n`;
  }).join("");
  const packed = gzipSync(war + others);
  const told = async (bytes: Uint8Array, option: string): Promise<string> =>
    (await runHubCand(["--replay", recording(bytes), "--speed", "0", option])).stdout;
  const text = await told(Buffer.concat([packed, Buffer.from("trailing")]), "--findings");
  expect(text).toContain("The recording breaks off: ");
  expect(text).toContain("Devices fight for an address");
  const json = JSON.parse(await told(packed.subarray(0, -8), "--findings=json"));
  expect(json).toMatchObject({ brokenOff: expect.stringContaining("gzip") });
  expect(JSON.stringify(json)).toContain('"kind":"addressWar"');
});

test("--findings counts what it cannot read, and blames no device for it", async () => {
  // Fast packets of three frames, of which every second line is garbage.
  const frames = Array.from({ length: 600 }, (_, at) => {
    const [packet, frame] = [Math.floor(at / 3), at % 3];
    const counter = (((packet % 8) << 5) | frame).toString(16).padStart(2, "0").toUpperCase();
    const data = frame === 0 ? "14FFFFFFFFFFFF" : "FFFFFFFFFFFFFF";
    return `(${1_790_000_000 + at / 3}.000000) can0 09F0140A#${counter}${data}`.replace(
      /\((\d+)(?:\.\d+)?\.000000\)/,
      "($1.000000)",
    );
  });
  const report = async (lines: readonly string[]): Promise<{ findings: { kind: string }[]; unreadable?: number }> =>
    JSON.parse(
      (await runHubCand(["--replay", recording(`${lines.join("\n")}\n`), "--speed", "0", "--findings=json"])).stdout,
    );
  const lost = await report(frames.filter((_, at) => at % 5 !== 1));
  expect(lost.findings.map(({ kind }) => kind)).toContain("incomplete");
  const garbled = await report(frames.map((frame, at) => (at % 5 === 1 ? "garbage" : frame)));
  expect(garbled.unreadable).toBe(120);
  expect(garbled.findings.map(({ kind }) => kind)).not.toContain("incomplete");
});

test("--findings ends quietly if its reader has gone", async () => {
  const child = spawn(process.execPath, [hubCand, "--replay", recording(), "--speed", "0", "--findings"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.destroy();
  const [errors, [code]] = await Promise.all([textIn(child.stderr), once(child, "close")]);
  expect(errors).not.toMatch(/EPIPE|at node:|Unhandled/);
  expect(code).toBe(0);
});
