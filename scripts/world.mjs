/**
 * Simulates worlds: `npm run world -- [--seed N] [--seeds COUNT | --cpu-seconds S] [--hours H | --seconds S] [--faults F,…]`,
 * or with `--service` those of hub-configd: its clients, disk and power cuts against a model.
 *
 * A world (`test/world`) is a whole boat in one process, with bad luck from a seed. The same seed gives the same bytes.
 * A seed that breaks a promise of the documentation is shortened to a script for `test/world/found`. Exit code 1 then;
 * the last line is the sum.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { writeProgram } from "./bundle.mjs";
import { root } from "./setup.mjs";

const program = join(root, "build/world.mjs");
/** Messages that several programs of a world receive are parsed once. */
const sharedReading = {
  name: "shared reading",
  setup({ onResolve }) {
    const path = join(root, "test/world/shared-reading.ts");
    onResolve({ filter: /\/topics\/(messages|read-message)\.ts$/ }, ({ importer }) =>
      importer === path ? undefined : { path },
    );
  },
};
await writeProgram(program, {
  ...{ entryPoints: ["test/world/main.ts"], external: ["esbuild"], plugins: [sharedReading] },
});
/** Messages live longer than the young generation of V8 has room for. */
const flags = ["--enable-source-maps", "--max-semi-space-size=64"];
const { status } = spawnSync(process.execPath, [...flags, program, ...process.argv.slice(2)], {
  cwd: root,
  stdio: "inherit",
});
process.exitCode = status ?? 1;
