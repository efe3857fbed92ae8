/**
 * The tests of a CAN bus that cannot run on this kernel, run in a guest, each shown as a test of its own.
 *
 * The guest is booted while this file is read, because what tests there are is known afterwards.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasVcan, withoutGuest } from "../guest/possible.ts";

/** What vitest's JSON report has of each test. */
interface Outcome {
  readonly fullName: string;
  readonly status: string;
  readonly duration?: number;
  readonly failureMessages: readonly string[];
}

interface Guest {
  readonly outcomes: readonly Outcome[];
  readonly code: number | null;
  readonly output: string;
}

async function testsInGuest(architecture: string, folders: readonly string[]): Promise<Guest> {
  const report = mkdtempSync(join(tmpdir(), "hub-guest-report-"));
  const vitest = ["node_modules/vitest/vitest.mjs", "run", ...folders, "--no-isolate", "--testTimeout=120000"];
  const reporters = ["--reporter=verbose", "--reporter=json", "--outputFile.json=/run/job/report/report.json"];
  const child = spawn(
    process.execPath,
    ["test/guest/run.mjs", "--arch", architecture, "--report", report, "--", "node", ...vitest, ...reporters],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk;
    });
  }
  const [code] = (await once(child, "close")) as [number | null];
  try {
    const { testResults } = JSON.parse(readFileSync(join(report, "report.json"), "utf8"));
    const outcomes = testResults.flatMap((file: { assertionResults: Outcome[] }) => file.assertionResults);
    return { outcomes, code, output };
  } catch {
    return { outcomes: [], code, output };
  } finally {
    rmSync(report, { recursive: true });
  }
}

const folders = hasVcan ? ["test/bus/controller"] : ["test/bus/vcan", "test/bus/controller"];
const obstacle = withoutGuest("amd64");
const guest = obstacle === undefined ? await testsInGuest("amd64", folders) : undefined;

describe.skipIf(guest === undefined)(obstacle ? `in the guest (skipped: ${obstacle})` : "in the guest", () => {
  test("vitest ends, and has nothing to say beyond its tests", () => {
    const failed = guest!.outcomes.some(({ status }) => status === "failed");
    expect(guest!.outcomes.length, guest!.output).toBeGreaterThan(0);
    expect(guest!.code, guest!.output).toBe(failed ? 1 : 0);
  });

  for (const { fullName, status, failureMessages } of guest?.outcomes ?? []) {
    test.skipIf(status !== "passed" && status !== "failed")(fullName, () => {
      expect(failureMessages.join("\n"), guest!.output).toBe("");
    });
  }
});
