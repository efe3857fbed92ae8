/**
 * Plants the faults of `test/mutation/faults.mjs` one by one in a copy of the checkout and runs the tests that should notice:
 * `node scripts/mutation.mjs [PART OF A NAME]`. Says of each whether it was caught, and fails when one was not.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { faults } from "../test/mutation/faults.mjs";
import { root } from "./setup.mjs";

const wanted = process.argv[2] ?? "";
const chosen = faults.filter(({ name }) => name.includes(wanted));
const copy = mkdtempSync(join(tmpdir(), "hub-mutation-"));
process.on("exit", () => rmSync(copy, { recursive: true, force: true }));
const files = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
});
for (const path of files.stdout.split("\n").filter(Boolean))
  cpSync(join(root, path), join(copy, path), { recursive: true });
symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
mkdirSync(join(copy, "build"));
symlinkSync(join(root, "build/Release"), join(copy, "build/Release"));
symlinkSync(join(root, "dist"), join(copy, "dist"));

const test = (tests) =>
  spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", "--bail=1", "--reporter=dot", ...tests], {
    cwd: copy,
    encoding: "utf8",
    env: { ...process.env, HUB_REQUESTS: "2000" },
  });

// Without a fault they pass, or their failing would say nothing.
const sets = new Map(chosen.map(({ tests }) => [tests.join(" "), tests]));
for (const tests of sets.values()) {
  const { status, stdout, stderr } = test(tests);
  if (status === 0) continue;
  console.error(`without any fault ${tests.join(" ")} fails:\n${stdout}\n${stderr}`);
  process.exit(1);
}

const missed = [];
for (const { name, file, from, to, tests } of chosen) {
  const path = join(copy, file);
  const text = readFileSync(path, "utf8");
  if (text.split(from).length !== 2) {
    console.log(`GONE    ${name}: ${file} has that text ${text.split(from).length - 1} times`);
    missed.push(name);
    continue;
  }
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
  const begin = performance.now();
  const { status } = test(tests);
  writeFileSync(path, text);
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  console.log(`${status === 0 ? "MISSED" : "caught"}  ${name} (${file}, ${seconds} s)`);
  if (status === 0) missed.push(name);
}
console.log(`${chosen.length - missed.length} of ${chosen.length} faults caught`);
process.exit(missed.length === 0 ? 0 : 1);
