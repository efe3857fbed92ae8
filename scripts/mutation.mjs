/**
 * Plants the faults of `test/mutation/faults.mjs` one by one in a copy of the checkout and runs the tests that should
 * catch them: `node scripts/mutation.mjs [--tenth] [PART OF A NAME OR PATH]...`. Prints for each the test that caught
 * it, and the score of each area; fails if one was missed. The tests have to pass without the fault first, and a fault
 * that does not compile, or that no test outlives the import of, is not caught: `BROKEN`. `--tenth` is for `.ci/run`:
 * every tenth fault, chosen by the commit, as many as fit into a minute.
 *
 * One Vitest instance runs all of them: unchanged modules stay transformed, and a run ends with the first failing test.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { extname, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { createVitest } from "vitest/node";
import { faults } from "../test/mutation/faults.mjs";
import { copyOfCheckout } from "./checkout.mjs";
import { root } from "./setup.mjs";

const { values, positionals: wanted } = parseArgs({ options: { tenth: { type: "boolean" } }, allowPositionals: true });
const isWanted = ({ name, file }) => wanted.length === 0 || wanted.some((part) => `${name} ${file}`.includes(part));

/** With `--tenth` no further fault is planted after this time of the process. */
const TENTH_MS = 60_000;
/**
 * Time-out of a test: some faults show only as an event that never happens. Without `--tenth` other work may take the
 * processors.
 */
const TEST_MS = values.tenth ? 60_000 : 240_000;

/** Every tenth fault; start and order depend on the commit, because there may be no time for the last ones. */
function tenthOfCommit() {
  const { stdout } = spawnSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" });
  const commit = Number.parseInt(stdout.slice(0, 8), 16);
  const tenth = faults.filter((_fault, index) => index % 10 === commit % 10);
  const first = Math.floor(commit / 10) % tenth.length;
  return [...tenth.slice(first), ...tenth.slice(0, first)];
}

const chosen = (values.tenth ? tenthOfCommit() : faults).filter(isWanted);
if (chosen.length === 0) {
  console.error("no fault has been chosen");
  process.exit(1);
}
const copy = copyOfCheckout();
symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
mkdirSync(join(copy, "build"));
symlinkSync(join(root, "build/Release"), join(copy, "build/Release"));
// The display is built anew with its faults.
cpSync(join(root, "dist"), join(copy, "dist"), { recursive: true });

process.chdir(copy);
// Tests run at a developer's size, at which a test whose real part is missing is skipped; failing, it would count as
// having caught the fault.
delete process.env.CI;

async function openVitest() {
  const vitest = await createVitest("test", {
    root: copy,
    watch: false,
    bail: 1,
    testTimeout: TEST_MS,
    reporters: [{}],
  });
  await vitest.standalone();
  return vitest;
}
let vitest = await openVitest();

/** Vitest may never finish after a run that ended early. */
const PATIENCE_MS = 3 * TEST_MS;

/** A process for tests that did not begin says nothing about them. */
const isOfPool = (error) => String(error).includes("[vitest-pool]");

/** Runs test files; again with a new Vitest if this one does not finish, or does not begin. */
async function run(files, pattern) {
  vitest.setGlobalTestNamePattern(pattern);
  const work = vitest.globTestSpecifications(files).then((found) => vitest.runTestSpecifications(found));
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  const result = await Promise.race([work, late]);
  clearTimeout(timer);
  if (result !== undefined && !result.unhandledErrors.some(isOfPool)) return result;
  vitest = await openVitest();
  vitest.setGlobalTestNamePattern(pattern);
  return vitest.runTestSpecifications(await vitest.globTestSpecifications(files));
}

/** Runs test files until a test fails; returns the failure. No test at all is a failure too. */
async function firstFailure({ files, pattern = /(?:)/ }) {
  // Vitest counts failures of earlier runs towards the limit of bail.
  vitest.state.filesMap.clear();
  vitest.state.idMap.clear();
  const { testModules, unhandledErrors } = await run(files, pattern);
  for (const module of testModules) {
    // The file could not be loaded, or a hook around all of its tests has failed: no test says anything of the fault.
    const [error] = module.errors();
    if (error !== undefined) return { file: module.moduleId, message: error.message, isBroken: true };
    for (const test of module.children.allTests("failed"))
      return { file: module.moduleId, message: `${test.fullName}: ${test.result().errors[0]?.message}` };
  }
  const error = unhandledErrors.find((each) => !isOfPool(each));
  if (error !== undefined) return { file: "", message: String(error), isBroken: true };
  const isRun = testModules.some((module) => !module.children.allTests("passed").next().done);
  return isRun ? undefined : { file: files.join(" "), message: "no test has run", isBroken: true };
}

const seconds = async (work) => {
  const begin = performance.now();
  const result = await work();
  return [result, ((performance.now() - begin) / 1000).toFixed(1)];
};

/** Sets of tests that were run without a fault, and whether they passed. */
const passed = new Map();

/** Whether tests pass without a fault, or their failure would prove nothing. */
async function passWithoutFault(tests) {
  const key = JSON.stringify([tests.files, String(tests.pattern)]);
  if (passed.has(key)) return passed.get(key);
  const [failure, took] = await seconds(() => firstFailure(tests));
  console.log(
    `${failure === undefined ? "passes" : "FAILS"}   ${tests.files.join(" ")} ${tests.pattern ?? ""} (${took} s)`,
  );
  if (failure !== undefined) console.error(`without any fault ${failure.file} fails: ${failure.message}`);
  passed.set(key, failure === undefined);
  return failure === undefined;
}

/** `src/core/n2k/pgns/ais.ts` is of core, `native/iso_tp.cc` of native. */
const areaOf = (file) => file.replace(/^src\//, "").split("/", 1)[0];

/** The first line of the compiler's errors; undefined if the file compiles or is no program. */
function compilerComplaint(file) {
  const cxx = ["-std=c++17", "-fsyntax-only", "-Inative", "-Wall", "-Wextra", "-Werror"];
  const compilers = {
    ".ts": [process.execPath, "node_modules/typescript/bin/tsc", "--noEmit", "--pretty", "false"],
    ".mjs": [process.execPath, "--check", file],
    ".cc": ["g++", ...cxx, file],
    // A header by itself would be complained of for its `#pragma once`.
    ".h": ["g++", ...cxx, "-x", "c++", "-include", file, "/dev/null"],
  };
  const [command, ...args] = compilers[extname(file)] ?? [];
  // The part in WebAssembly has headers of its own compiler.
  if (command === undefined || file.startsWith("native/wasm/")) return undefined;
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: copy, encoding: "utf8" });
  return status === 0 ? undefined : `${stdout}${stderr}`.split("\n").find((line) => line.includes("rror"));
}

function build(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: "utf8" });
  if (status !== 0) throw new Error(stdout + stderr);
}

/**
 * Writes a source of the copy, and builds its program or page if tests use only that.
 *
 * @param {string} path
 * @param {string} text
 * @param {{program?: string, isPage?: boolean}} tests
 */
function write(path, text, { program, isPage }) {
  writeFileSync(path, text);
  vitest.invalidateFile(path);
  if (program !== undefined) build("node_modules/tsup/dist/cli-default.js", `src/daemons/${program}.ts`, "--silent");
  if (isPage) build("scripts/display.mjs");
}

const scores = new Map();
const missed = [];
let planted = 0;
for (const { name, file, from, to, tests } of chosen) {
  if (values.tenth && performance.now() > TENTH_MS) break;
  planted++;
  if (!(await passWithoutFault(tests))) {
    missed.push(name);
    continue;
  }
  const path = join(copy, file);
  const text = readFileSync(path, "utf8");
  const score = scores.get(areaOf(file)) ?? { planted: 0, caught: 0 };
  scores.set(areaOf(file), score);
  score.planted++;
  if (text.split(from).length !== 2) {
    console.log(`GONE    ${name}: ${file} has that text ${text.split(from).length - 1} times`);
    missed.push(name);
    continue;
  }
  const changed = text.replace(from, () => to);
  writeFileSync(path, changed);
  const complaint = compilerComplaint(file);
  if (complaint === undefined) write(path, changed, tests);
  let [failure, took] =
    complaint === undefined
      ? await seconds(() => firstFailure(tests))
      : [{ file: path, message: complaint, isBroken: true }, "0.0"];
  if (failure === undefined) {
    // A process of the run before may have kept the module.
    vitest = await openVitest();
    [failure, took] = await seconds(() => firstFailure(tests));
  }
  write(path, text, tests);
  const how = failure && ` by ${relative(copy, failure.file)}: ${failure.message.split("\n")[0].slice(0, 160)}`;
  const isCaught = failure !== undefined && failure.isBroken === undefined;
  const result = failure === undefined ? "MISSED" : isCaught ? "caught" : "BROKEN";
  console.log(`${result}  ${name} (${file}, ${took} s)${how ?? ""}`);
  if (isCaught) score.caught++;
  else missed.push(name);
}
for (const [area, { planted, caught }] of [...scores].sort())
  console.log(`${area.padEnd(12)} ${String(caught).padStart(4)} of ${planted}`);
const untried = planted < chosen.length ? `, ${chosen.length - planted} more had no time` : "";
console.log(`${planted - missed.length} of ${planted} faults caught${untried}`);
for (const name of missed) console.log(`missed: ${name}`);
// Ends the workers of the instance; a replaced instance has none.
await vitest.close();
process.exit(missed.length === 0 ? 0 : 1);
