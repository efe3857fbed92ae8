/** Runs tests in a guest and shows each as a test here. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { type GuestKind, withoutGuest } from "./possible.ts";
import type { Outcome } from "./runner.ts";

interface Guest {
  readonly outcomes: readonly Outcome[];
  readonly code: number | null;
  readonly output: string;
}

/** Bundles `files` for Node in the guest, four folders deep, as deep as the module that looks for the addon. */
async function bundle(files: readonly string[], without: RegExp | undefined, folder: string): Promise<string> {
  const outfile = join(folder, "tests.mjs");
  const imports = files.map((file) => `${JSON.stringify(file)}: () => import(${JSON.stringify(`./${file}`)}),`);
  await build({
    stdin: {
      contents: `import { runTests } from "./test/guest/runner.ts";\nawait runTests({ ${imports.join("\n")} }, ${without});`,
      resolveDir: ".",
    },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    sourcemap: "linked",
    alias: { vitest: resolve("test/guest/vitest.ts") },
    banner: {
      js: `import { createRequire as hubRequire } from "node:module"; const require = hubRequire(import.meta.url);`,
    },
    logLevel: "error",
  });
  return outfile;
}

async function outcomesOf(
  kind: GuestKind,
  files: readonly string[],
  seconds: number,
  without?: RegExp,
): Promise<Guest> {
  const report = temporaryFolder("guest-report");
  mkdirSync("build/guest/bundles", { recursive: true });
  const folder = mkdtempSync(resolve("build/guest/bundles/tests-"));
  const guest = ["--kind", kind, "--report", report, "--timeout", String(seconds)];
  // Idle time is skipped until Node has read its files.
  const script = '[ -z "$HUB_IDLE_PID" ] || kill -STOP "$HUB_IDLE_PID"; exec node --enable-source-maps "$0"';
  const command = ["sh", "-c", script, await bundle(files, without, folder)];
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
    return { outcomes: JSON.parse(readFileSync(join(report, "outcomes.json"), "utf8")), code, output };
  } catch {
    return { outcomes: [], code, output };
  } finally {
    rmSync(report, { recursive: true });
    rmSync(folder, { recursive: true });
  }
}

/**
 * Declares the tests of `files` as a guest of this kind has run them. It is booted by this call, because the tests are
 * known only afterwards, and is ended after `seconds`. Tests whose name matches `without` do not run there.
 */
export async function testsInGuest(
  kind: GuestKind,
  files: readonly string[],
  seconds: number,
  without?: RegExp,
): Promise<void> {
  const obstacle = withoutGuest(kind);
  const guest = obstacle === undefined ? await outcomesOf(kind, files, seconds, without) : undefined;
  const name = `in the ${kind} guest${obstacle ? ` (skipped: ${obstacle})` : ""}`;

  describe.skipIf(guest === undefined)(name, () => {
    test("the runner ends without an error of its own", () => {
      expect(guest!.outcomes.length, guest!.output).toBeGreaterThan(0);
      expect(guest!.code, guest!.output).toBe(0);
    });

    for (const { name, state, messages } of guest?.outcomes ?? []) {
      test.skipIf(state === "skipped")(name, ({ task }) => {
        const isSecondTry = state === "passed" && (task.result?.retryCount ?? 0) > 0;
        expect(isSecondTry ? "" : messages.join("\n"), guest!.output).toBe("");
      });
    }
  });
}
