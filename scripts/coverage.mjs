/**
 * Which lines and branches the tests reach: of `src/` in the tests' own processes and in the daemons that they start, of
 * `native/` in its own tests and on the bus of the guest. Prints a table of each, and fails when one is below what `least`
 * says; `node scripts/coverage.mjs src` and `node scripts/coverage.mjs native` do half of it.
 *
 * Left out of `src/`: what runs in a browser (`display`, the scripts of `console` and `docs`), where Chromium's tests are the
 * ones that drive it.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { mergeProcessCovs } from "@bcoe/v8-coverage";
import { convert } from "ast-v8-to-istanbul";
import coverageLibrary from "istanbul-lib-coverage";
import reportLibrary from "istanbul-lib-report";
import reports from "istanbul-reports";
import { parseAstAsync } from "vite";
import { runInGuest } from "../test/guest/run.mjs";
import { root } from "./setup.mjs";

const least = { lines: 95, branches: 90, nativeLines: 90 };

/** Tests that reach `src/`; the others drive the same in other runtimes, in guests or for a long time. */
const suites = [
  ...["adapters", "api", "bridge", "console", "crash", "daemons", "docs", "n2k", "nav", "project", "recording"],
  ...["simulation", "security", "fuzz/targets.test.ts"],
]
  .map((name) => join("test", name))
  .filter((path) => existsSync(join(root, path)));

/**
 * Of those, the ones that take long and come nowhere that others do not: hours of a bus, whole recordings, every number there
 * is, killings without end. What is reached can only become more with them.
 */
const leftOut = [
  "bridge/hostile-bus",
  "crash/power-loss",
  "daemons/hub-cand-reassembly",
  "daemons/hub-cand-soak",
  "daemons/hub-configd-lasting",
  "daemons/hub-configd-soak",
  "n2k/laws",
  "n2k/numbers",
  "n2k/recordings",
  "nav/ais-recordings",
  "nav/any-messages",
].map((name) => `--exclude=test/${name}.test.ts`);

/** Code that counts is slower; whoever waits for ever is told so all the same. */
const patience = ["--testTimeout=300000", "--hookTimeout=300000"];

/** A guest computes every instruction of its processor. */
const GUEST_SECONDS = 3000;

const isCounted = (path) => /^src\/(?!display\/|console\/).*\.ts$/.test(path);

function run(command, args, environment = {}) {
  return spawnSync(command, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...environment } }).status;
}

/** What is counted in a file: where it begins, how often it ran, and how to say that it ran more often. */
const countsOf = ({ statementMap, s, fnMap, f, branchMap, b }) => [
  Object.entries(statementMap).map(([id, { start }]) => ({ start, runs: s[id], add: (more) => (s[id] += more) })),
  Object.entries(fnMap).map(([id, { loc }]) => ({ start: loc.start, runs: f[id], add: (more) => (f[id] += more) })),
  Object.entries(branchMap).flatMap(([id, { locations }]) =>
    locations.map(({ start }, path) => ({ start, runs: b[id][path], add: (more) => (b[id][path] += more) })),
  ),
];

/** Those that begin in one line, in their order. */
function byLine(counts) {
  const lines = new Map();
  for (const count of counts.toSorted((one, other) => one.start.column - other.start.column)) {
    lines.set(count.start.line, [...(lines.get(count.start.line) ?? []), count]);
  }
  return lines;
}

/**
 * Adds what ran in a bundle to what ran in the tests' own process. Both speak of the same text, but a bundle's map is right
 * to the line and not to the column: what one line has is taken in its order, and left where it has not equally much.
 */
function addRuns(own, bundled) {
  const others = countsOf(bundled);
  for (const [kind, counts] of countsOf(own).entries()) {
    const lines = byLine(others[kind]);
    for (const [line, here] of byLine(counts)) {
      const there = lines.get(line) ?? [];
      if (there.length === here.length) for (const [at, { add }] of here.entries()) add(there[at].runs);
    }
  }
}

/** What the daemons have written about themselves, by the files of `src/` that their bundles are made of. */
async function ofDaemons(folder, map) {
  /** By its text, as tests bundle the same into folders of their own: where it says that it is, its map, who ran it. */
  const bundles = new Map();
  for (const name of readdirSync(folder).filter((name) => name.startsWith("coverage-"))) {
    const { result, "source-map-cache": maps = {} } = JSON.parse(readFileSync(join(folder, name), "utf8"));
    for (const { url, functions } of result) {
      const sourceMap = maps[url]?.data;
      if (!sourceMap?.sources) continue;
      const path = fileURLToPath(url);
      const kept = join(folder, basename(path));
      const file = existsSync(kept) ? kept : path;
      if (!existsSync(file)) continue;
      const code = readFileSync(file, "utf8");
      const bundle = bundles.get(code) ?? bundles.set(code, { url, sourceMap, runs: [] }).get(code);
      bundle.runs.push({ result: [{ scriptId: "0", url: bundle.url, functions }] });
    }
  }
  for (const [code, { url, sourceMap, runs }] of bundles) {
    const sources = sourceMap.sources.map((source) => new URL(source ?? "", url).href);
    const converted = await convert({
      code,
      ast: parseAstAsync(code),
      coverage: mergeProcessCovs(runs).result[0],
      sourceMap: { ...sourceMap, sourceRoot: "", sources },
      wrapperLength: 0,
    });
    for (const [source, data] of Object.entries(converted)) {
      // Bundles lie in folders of tests, and their maps speak of the checkout as seen from there.
      const place = /(src\/.*)$/.exec(source)?.[1];
      if (place === undefined || source.includes("node_modules") || !isCounted(place)) continue;
      const path = join(root, place);
      if (map.data[path] !== undefined) addRuns(map.data[path].data, data);
    }
  }
}

async function ofSource() {
  const folder = mkdtempSync(join(tmpdir(), "hub-coverage-"));
  const target = join(folder, "vitest");
  const daemons = join(folder, "daemons");
  mkdirSync(daemons);
  // The same bundles, with maps of where each line comes from.
  const isBuilt =
    run(process.execPath, ["node_modules/tsup/dist/cli-default.js", "--sourcemap", "inline", "--silent"]) === 0;
  const status = isBuilt
    ? run(
        process.execPath,
        [
          ...["node_modules/vitest/vitest.mjs", "run", "--silent", "--coverage", "--coverage.provider=v8"],
          ...["--coverage.include=src/**/*.ts", "--coverage.exclude=src/display/**", "--coverage.reporter=json"],
          ...[`--coverage.reportsDirectory=${target}`, "--coverage.reportOnFailure", "--reporter=default"],
          ...[...patience, ...leftOut, ...suites],
        ],
        // Pages are not counted, so no browser looks at them.
        { HUB_V8_COVERAGE: daemons, HUB_CHROMIUM: "/nowhere", HUB_REQUESTS: process.env.HUB_REQUESTS ?? "2000" },
      )
    : 1;
  const map = coverageLibrary.createCoverageMap(JSON.parse(readFileSync(join(target, "coverage-final.json"), "utf8")));
  await ofDaemons(daemons, map);
  map.filter((path) => isCounted(relative(root, path)));
  const context = reportLibrary.createContext({ dir: folder, coverageMap: map, defaultSummarizer: "pkg" });
  reports.create("text", { skipFull: true, maxCols: 110 }).execute(context);
  const { lines, branches } = map.getCoverageSummary();
  rmSync(folder, { recursive: true });
  return { status, lines: lines.pct, branches: branches.pct };
}

const cSources = (folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".cc"))
    .map((name) => join(folder, name));

/** Compiles with gcc's counters and links; true when both were possible. */
function compiled(folder, sources, flags, program) {
  mkdirSync(folder, { recursive: true });
  const objects = sources.map((source) => join(folder, `${source.replaceAll("/", "-")}.o`));
  const common = ["-std=c++17", "-O0", "-g1", "-pthread", "--coverage", "-fprofile-update=atomic", ...flags];
  return (
    sources.every((source, at) => run("g++", [...common, "-c", join(root, source), "-o", objects[at]]) === 0) &&
    run("g++", [...common, ...objects, "-o", join(folder, program)]) === 0
  );
}

/** The addon on a bus, in the guest: what it has counted is brought back to where it was compiled. */
async function onBus(folder) {
  const [target] = JSON.parse(readFileSync(join(root, "binding.gyp"), "utf8")).targets;
  const headers = ["node-api-headers/include", "node-addon-api"].map((name) => join(root, "node_modules", name));
  const flags = [
    ...["-shared", "-fPIC", `-DNODE_GYP_MODULE_NAME=${target.target_name}`, "-DBUILDING_NODE_EXTENSION"],
    ...target.defines.map((define) => `-D${define}`),
    ...headers.flatMap((path) => ["-isystem", path]),
  ];
  if (!compiled(folder, cSources("native"), flags, "hub_can.node")) return false;
  const report = mkdtempSync(join(tmpdir(), "hub-gcov-"));
  // Counts are written by processes that end by themselves: those of the daemons, vitest's own workers are ended.
  // An addon that counts is no match for ten times a full bus.
  const options = [...patience, "--no-isolate", "--exclude=test/bus/vcan/load.test.ts"].join(" ");
  const tests = `node node_modules/vitest/vitest.mjs run test/bus/vcan ${options}`;
  const status = await runInGuest(
    ["sh", "-c", `mount --bind ${join(folder, "hub_can.node")} build/Release/hub_can.node && exec ${tests}`],
    {
      kind: "uml",
      report,
      timeout: GUEST_SECONDS,
      environment: { GCOV_PREFIX: "/run/job/report", HUB_FLAP_SECONDS: "60", HUB_LOAD_SECONDS: "10" },
    },
  );
  const counted = join(report, folder);
  if (existsSync(counted)) cpSync(counted, folder, { recursive: true });
  rmSync(report, { recursive: true });
  return status === 0;
}

/** Runs of each line by file, as gcov reads them: headers are compiled into many objects. */
function linesOf(folders) {
  const files = new Map();
  for (const folder of folders) {
    const objects = readdirSync(folder).filter((name) => name.endsWith(".gcda"));
    const options = { cwd: folder, encoding: "utf8", maxBuffer: 1 << 30 };
    const { stdout } = spawnSync("gcov", ["--json-format", "--stdout", ...objects], options);
    for (const line of stdout.split("\n").filter(Boolean)) {
      for (const { file, lines } of JSON.parse(line).files) {
        const name = relative(root, file);
        if (!/^native\/[^/]+\.(cc|h)$/.test(name)) continue;
        const counts = files.get(name) ?? files.set(name, new Map()).get(name);
        for (const { line_number, count } of lines) counts.set(line_number, (counts.get(line_number) ?? 0) + count);
      }
    }
  }
  return files;
}

/** The native tests, and the addon on the bus of the guest. */
async function ofNative() {
  // In the checkout, which the guest sees; it has a /tmp of its own.
  const folder = join(root, "build/coverage");
  rmSync(folder, { recursive: true, force: true });
  const [plain, bus] = [join(folder, "plain"), join(folder, "bus")];
  const hasNode = /^native\/(addon|can_bus|interface_object)\.cc$/;
  const sources = [...cSources("native").filter((path) => !hasNode.test(path)), ...cSources("native/test")];
  const isRun = compiled(plain, sources, [], "tests") && spawnSync(join(plain, "tests")).status === 0;
  const isSeen = await onBus(bus);
  const files = linesOf([plain, bus]);
  rmSync(folder, { recursive: true });
  let all = 0;
  let reached = 0;
  console.log("\n native                    | % lines | not reached");
  for (const [name, counts] of [...files].filter(([, { size }]) => size > 0).sort()) {
    const missed = [...counts].filter(([, count]) => count === 0).map(([line]) => line);
    all += counts.size;
    reached += counts.size - missed.length;
    const share = ((1 - missed.length / counts.size) * 100).toFixed(2);
    console.log(
      ` ${name.slice("native/".length).padEnd(26)}| ${share.padStart(7)} | ${missed.sort((a, b) => a - b).join(",")}`,
    );
  }
  const lines = (100 * reached) / all;
  console.log(` ${"all".padEnd(26)}| ${lines.toFixed(2).padStart(7)} |`);
  return { status: isRun && isSeen ? 0 : 1, lines };
}

const [only] = process.argv.slice(2);
const shares = [];
let isGood = true;
if (only !== "native") {
  const { status, lines, branches } = await ofSource();
  // Without maps again, for whoever starts them next.
  rmSync(join(root, "dist"), { recursive: true });
  run(process.execPath, ["scripts/setup.mjs"]);
  shares.push(["lines of src/", lines, least.lines], ["branches of src/", branches, least.branches]);
  isGood &&= status === 0;
}
if (only !== "src") {
  const { status, lines } = await ofNative();
  shares.push(["lines of native/", lines, least.nativeLines]);
  isGood &&= status === 0;
}
console.log("");
for (const [name, share, wanted] of shares) console.log(`${name}: ${share.toFixed(2)} %, at least ${wanted}`);
process.exit(isGood && shares.every(([, share, wanted]) => share >= wanted) ? 0 : 1);
