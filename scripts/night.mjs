/**
 * `npm run night [-- PART OF A NAME]...`: tests that take long and find little on an ordinary day. Its parts are the
 * files named `.night.test.ts`, the other files that call `atNight` at full length, all random tests with ten times the
 * cases, the quick tests in any order, worlds, and fuzzing. Prints what each part did. The output of a part that fails is kept
 * in reports/night, and its command, with the seed, in reports/night/failed.txt: `--again` runs those first.
 *
 * `--turn` is for `.ci/run`: the parts take turns by the commit, shortened, and none begins after a minute.
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./setup.mjs";

/** With `--turn` no further part begins after this time of the process. */
const TURN_MS = 60_000;

const { values, positionals: wanted } = parseArgs({
  options: { turn: { type: "boolean" }, again: { type: "boolean" } },
  allowPositionals: true,
});

const folder = join(root, "reports/night");
const failures = join(folder, "failed.txt");
mkdirSync(folder, { recursive: true });

const vitest = ["node_modules/vitest/vitest.mjs", "run"];
const tests = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => join("test", name))
  .sort();
const says = (name, word) => readFileSync(join(root, name), "utf8").includes(word);

/** The rooms whose tests are computed only: their order and their random cases are tried. */
const computed = ["core", "formats", "services", "web/display/modules"].map((room) => `test/${room}`);

/** @typedef {{ name: string, args: readonly string[] }} Part */

/** @returns {readonly Part[]} */
function parts(seed) {
  const long = tests.filter((name) => name.endsWith(".night.test.ts") || says(name, "atNight("));
  const random = tests.filter((name) => says(name, "fast-check") && !long.includes(name));
  const quick = [...vitest, "--config", "vitest.quick.config.ts"];
  // Each quarter of the random files is a part, so that one of them fits into a turn.
  const quarters = [0, 1, 2, 3].map((quarter) => ({
    name: `random cases ${quarter + 1} of 4`,
    args: [...vitest, ...random.filter((_name, index) => index % 4 === quarter)],
  }));
  const order = [`--sequence.shuffle.tests`, `--sequence.seed=${seed}`];
  return [
    ...long.map((name) => ({ name, args: [...vitest, name] })),
    ...quarters,
    ...computed.map((room) => ({ name: `any order of ${room}`, args: [...quick, ...order, room] })),
    {
      name: "worlds",
      args: [
        "scripts/world.mjs",
        `--seed=${seed}`,
        `--hours=${values.turn ? 0.5 : 2}`,
        `--cpu-seconds=${values.turn ? 30 : 3600}`,
      ],
    },
    {
      name: "worlds of hub-configd",
      args: ["scripts/world.mjs", "--service", `--seed=${seed}`, `--cpu-seconds=${values.turn ? 30 : 1800}`],
    },
    { name: "fuzzing", args: ["scripts/fuzz.mjs", values.turn ? "30" : "900"] },
  ];
}

/** Runs a part and returns whether it passed; what it printed is kept if it did not. */
function run({ name, args }, seed) {
  const begin = performance.now();
  const environment = { ...process.env, HUB_NIGHT: "true", HUB_SEED: String(seed), NO_COLOR: "1" };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: "utf8",
    env: environment,
    maxBuffer: 1 << 30,
  });
  const seconds = ((performance.now() - begin) / 1000).toFixed(0);
  const did = /^ +Tests +(.*)$/m.exec(stdout)?.[1] ?? `${(stdout.match(/ executions/g) ?? []).length} targets`;
  console.log(`${status === 0 ? "passes" : "FAILS "}  ${name}: ${did}, ${seconds} s, seed ${seed}`);
  if (status === 0) return true;
  const output = join(folder, `${name.replaceAll(/[^\w.-]+/g, "-")}-${seed}.txt`);
  writeFileSync(output, `${stdout}\n${stderr}`);
  appendFileSync(failures, `${JSON.stringify({ seed, name, args })}\n`);
  console.log(`${stdout}\n${stderr}`.trimEnd().split("\n").slice(-60).join("\n"));
  console.log(`again: HUB_NIGHT=true HUB_SEED=${seed} node ${args.join(" ")}\nwhole output: ${output}`);
  return false;
}

/** The failures of earlier nights. */
const kept = () =>
  existsSync(failures)
    ? readFileSync(failures, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line))
    : [];

const isWanted = ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part));
const { stdout: head } = spawnSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" });
const commit = Number.parseInt(head.slice(0, 8), 16);
const seed = Number(process.env.HUB_SEED ?? (values.turn ? commit : Date.now() % 2 ** 31));
let planned = parts(seed).filter(isWanted);
if (planned.length === 0) {
  console.error(
    `no such part; there are:\n${parts(seed)
      .map(({ name }) => name)
      .join("\n")}`,
  );
  process.exit(1);
}
if (values.turn) {
  const first = commit % planned.length;
  planned = [...planned.slice(first), ...planned.slice(0, first)];
}
let failed = 0;
let done = 0;
if (values.again) for (const { seed: former, ...part } of kept()) if (!run(part, former)) failed += 1;
for (const part of planned) {
  if (values.turn && performance.now() > TURN_MS) break;
  done += 1;
  if (!run(part, seed)) failed += 1;
}
console.log(`night: ${done} of ${planned.length} parts, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
