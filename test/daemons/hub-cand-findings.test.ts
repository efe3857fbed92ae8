/** hub-cand --findings on a recording, through the bundle. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { deviceNameBytes } from "../../src/n2k/device-name.ts";
import { named } from "../bridge/named.ts";
import { runHubCand } from "../hub-cand.ts";

/** Two devices claim one address in turn, each second for a minute. */
const war = Array.from({ length: 60 }, (_, second) => {
  const name = Buffer.from(deviceNameBytes(named(1 + (second % 2)))).toString("hex");
  return `(${1_790_000_000 + second}.000000) can0 18EEFF0A#${name.toUpperCase()}\n`;
}).join("");

const recording = (text = war): string => {
  const folder = mkdtempSync(join(tmpdir(), "hub-cand-findings-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "bus.log");
  writeFileSync(path, text);
  return path;
};

test("--findings prints the findings of a recording as text, and no message", async () => {
  const { stdout } = await runHubCand(["--replay", recording(), "--speed", "0", "--findings"]);
  expect(stdout).toContain("Devices fight for an address");
  expect(stdout).not.toContain('"metadata"');
});

test("--findings=json prints one object", async () => {
  const { stdout } = await runHubCand(["--replay", recording(), "--speed", "0", "--findings=json"]);
  expect(JSON.stringify(JSON.parse(stdout))).toContain('"kind":"addressWar"');
});

test("--findings of a recording without time stamps says that it has none", async () => {
  const unstamped = war.replaceAll(/^\(\S+\) can0 (\w+)#(\w+)$/gm, (_, identifier: string, data: string) =>
    ["  can0 ", identifier, " [8] ", ...data.match(/../g)!].join(" "),
  );
  const { stdout } = await runHubCand(["--replay", recording(unstamped), "--speed", "0", "--findings"]);
  expect(stdout).toMatch(/^60 messages of 1 device\n\nThe recording has no time stamps/);
});
