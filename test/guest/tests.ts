/** Tests that run in a guest, each shown as a test of its own here. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { withoutGuest } from "./possible.ts";

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

async function outcomesOf(architecture: string, files: readonly string[], seconds: number): Promise<Guest> {
  const report = mkdtempSync(join(tmpdir(), "hub-guest-report-"));
  const vitest = ["node_modules/vitest/vitest.mjs", "run", ...files, "--no-isolate", "--testTimeout=120000"];
  const reporters = ["--reporter=verbose", "--reporter=json", "--outputFile.json=/run/job/report/report.json"];
  const guest = ["--arch", architecture, "--report", report, "--timeout", String(seconds)];
  // Until it has read its own files, Vitest takes no time; `setup.ts` ends that.
  const command = ["sh", "-c", 'kill -STOP "$HUB_IDLE_PID"; exec node "$@"', "sh", ...vitest, ...reporters];
  const child = spawn(process.execPath, ["test/guest/run.mjs", ...guest, "--", ...command], {
    stdio: ["ignore", "pipe", "pipe"],
  });
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

/**
 * Declares the tests of `files`, as a guest of this architecture runs them. It is booted here and now, because what tests
 * there are is known afterwards; it is given so many seconds.
 */
export async function testsInGuest(
  architecture: "amd64" | "arm64",
  files: readonly string[],
  seconds: number,
): Promise<void> {
  const obstacle = withoutGuest(architecture);
  const guest = obstacle === undefined ? await outcomesOf(architecture, files, seconds) : undefined;
  const name = `in the ${architecture} guest${obstacle ? ` (skipped: ${obstacle})` : ""}`;

  describe.skipIf(guest === undefined)(name, () => {
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
}
