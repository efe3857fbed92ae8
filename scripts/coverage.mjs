/**
 * Which lines and branches the tests reach: of `src/` in the tests' own processes and in the daemons that they start, of
 * `native/` in its own tests. Prints a table of each, and fails when one is below what `least` says.
 *
 * Left out of `src/`: what runs in a browser (`display`, the scripts of `console` and `docs`), where Chromium's tests are the
 * ones that drive it. Left out of `native/`: what includes napi.h, which is driven through Node.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { convert } from "ast-v8-to-istanbul";
import coverageLibrary from "istanbul-lib-coverage";
import reportLibrary from "istanbul-lib-report";
import reports from "istanbul-reports";
import { parseAstAsync } from "vite";
import { root, setup } from "./setup.mjs";

const least = { lines: 95, branches: 90, nativeLines: 90 };

/** Tests that reach `src/`; the others drive the same in other runtimes, in guests or for a long time. */
const suites = [
  ...["adapters", "api", "bridge", "bus", "console", "crash", "daemons", "docs", "n2k", "nav", "project", "recording"],
  ...["simulation", "security", "fuzz/targets.test.ts"],
]
  .map((name) => join("test", name))
  .filter((path) => existsSync(join(root, path)));

const isCounted = (path) => /^src\/(?!display\/|console\/).*\.ts$/.test(path);

function run(command, args, environment = {}) {
  return spawnSync(command, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...environment } }).status;
}

/** What the daemons have written about themselves, by the files of `src/` that their bundles are made of. */
async function ofDaemons(folder, map) {
  const written = readdirSync(folder).filter((name) => name.startsWith("coverage-"));
  /** Each bundle is parsed once for each process that ran it, so those of one bundle are joined first where they are alike. */
  for (const name of written) {
    const { result, "source-map-cache": maps = {} } = JSON.parse(readFileSync(join(folder, name), "utf8"));
    for (const script of result) {
      const sourceMap = maps[script.url]?.data;
      if (!sourceMap?.sources) continue;
      const path = fileURLToPath(script.url);
      const kept = join(folder, basename(path));
      const file = existsSync(kept) ? kept : path;
      if (!existsSync(file)) continue;
      const code = readFileSync(file, "utf8");
      const sources = sourceMap.sources.map((source) => new URL(source ?? "", script.url).href);
      const converted = await convert({
        code,
        ast: parseAstAsync(code),
        coverage: script,
        sourceMap: { ...sourceMap, sourceRoot: "", sources },
        wrapperLength: 0,
      });
      const ours = Object.fromEntries(
        Object.entries(converted).flatMap(([source, data]) => {
          // Bundles lie in folders of tests, and their maps speak of the checkout as seen from there.
          const place = /(src\/.*)$/.exec(source)?.[1];
          if (place === undefined || source.includes("node_modules") || !isCounted(place)) return [];
          const whole = join(root, place);
          return existsSync(whole) ? [[whole, { ...data, path: whole }]] : [];
        }),
      );
      map.merge(ours);
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
          ...[`--coverage.reportsDirectory=${target}`, "--coverage.reportOnFailure", "--reporter=dot", ...suites],
        ],
        { HUB_V8_COVERAGE: daemons, HUB_REQUESTS: process.env.HUB_REQUESTS ?? "20000" },
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

/** Builds the native tests with gcc's counters, runs them and reads what gcov says. */
function ofNative() {
  const folder = mkdtempSync(join(tmpdir(), "hub-gcov-"));
  const sources = [
    ...readdirSync(join(root, "native"))
      .filter((name) => name.endsWith(".cc") && !/^(addon|can_bus|interface_object)\.cc$/.test(name))
      .map((name) => join("native", name)),
    ...readdirSync(join(root, "native/test"))
      .filter((name) => name.endsWith(".cc"))
      .map((name) => join("native/test", name)),
  ];
  const program = join(folder, "tests");
  const objects = sources.map((source) => join(folder, `${source.replaceAll("/", "-")}.o`));
  for (const [index, source] of sources.entries()) {
    const flags = ["-std=c++17", "-O0", "-g1", "--coverage", "-fprofile-update=atomic", "-c", join(root, source)];
    if (run("g++", [...flags, "-o", objects[index]]) !== 0) return { status: 1, lines: 0 };
  }
  const isRun =
    run("g++", ["--coverage", ...objects, "-o", program, "-pthread"]) === 0 && spawnSync(program).status === 0;
  const { stdout } = spawnSync("gcov", ["--json-format", "--stdout", ...objects], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  /** Runs of each line by file: headers are compiled into many objects. */
  const files = new Map();
  for (const line of stdout.split("\n").filter(Boolean)) {
    for (const { file, lines } of JSON.parse(line).files) {
      const name = relative(root, file);
      if (!/^native\/[^/]+\.(cc|h)$/.test(name)) continue;
      const counts = files.get(name) ?? files.set(name, new Map()).get(name);
      for (const { line_number, count } of lines) counts.set(line_number, (counts.get(line_number) ?? 0) + count);
    }
  }
  let all = 0;
  let reached = 0;
  console.log("\n native                    | % lines | not reached");
  for (const [name, counts] of [...files].sort()) {
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
  rmSync(folder, { recursive: true });
  return { status: isRun ? 0 : 1, lines };
}

setup();
const source = await ofSource();
// Without maps again, for whoever starts them next.
rmSync(join(root, "dist"), { recursive: true });
setup();
const native = ofNative();
const shares = [
  ["lines of src/", source.lines, least.lines],
  ["branches of src/", source.branches, least.branches],
  ["lines of native/", native.lines, least.nativeLines],
];
console.log("");
for (const [name, share, wanted] of shares) console.log(`${name}: ${share.toFixed(2)} %, at least ${wanted}`);
const isGood = source.status === 0 && native.status === 0 && shares.every(([, share, wanted]) => share >= wanted);
process.exit(isGood ? 0 : 1);
