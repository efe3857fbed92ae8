/**
 * `npm run mutation:generated [AREA|FILE]...`: mutants that Stryker makes of the areas below, or of a file of `src`,
 * each run against the tests that reach it. Stryker is installed into a copy of the checkout, because only this script
 * needs its 150 packages. Prints the score by file, the survivors, and the score by area; reports/AREA.json is
 * Stryker's own report. All take an hour on two quiet cores.
 *
 * `--changed` is for `.ci/run`: the lines of `src` that the last commit changed, for a minute. Survivors are listed, and
 * fail nothing: some mutants have no effect.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { copyOfCheckout } from "./checkout.mjs";
import { root } from "./setup.mjs";

/** The last version for Node.js 20. */
const STRYKER = "9.6.1";

/** Tests of each area, without those that take long, are random or need recordings. */
const areas = {
  nav: {
    mutate: ["src/core/nav/*.ts"],
    include: ["test/core/nav/*.test.ts", "test/services/bridge/reports.test.ts"],
    exclude: ["test/core/nav/*.slow.test.ts"],
  },
  n2k: {
    mutate: [
      "src/core/can/*.ts",
      "src/core/n2k/{compile,decode,device-name,json,layout,raw-numbers,scaling,stream-key,text}.ts",
    ],
    include: ["test/core/can/*.test.ts", "test/core/n2k/*.test.ts"],
    exclude: ["test/core/n2k/*.slow.test.ts", "test/core/n2k/snapshots.test.ts"],
  },
  project: {
    mutate: ["src/core/project/*.ts"],
    include: ["test/core/project/*.test.ts", "test/services/api/*.test.ts"],
    exclude: ["test/services/api/*.slow.test.ts", "test/services/api/{openapi,snapshots}.test.ts"],
    testNamePattern: "^(?!any object is)",
  },
};

/** With `--changed` Stryker ends after this time. */
const CHANGED_MS = 60_000;

const { values, positionals } = parseArgs({ options: { changed: { type: "boolean" } }, allowPositionals: true });

/** The lines that the last commit changed, as Stryker has them: `src/core/nav/routes.ts:10-14`. */
function changedLines() {
  const { stdout } = spawnSync("git", ["diff", "--unified=0", "HEAD^", "HEAD", "--", "src"], {
    cwd: root,
    encoding: "utf8",
  });
  let file = "";
  return stdout.split("\n").flatMap((line) => {
    file = /^\+\+\+ b\/(.*)/.exec(line)?.[1] ?? file;
    const [, first, count = "1"] = /^@@ -\S+ \+(\d+)(?:,(\d+))?/.exec(line) ?? [];
    if (first === undefined || count === "0" || !isSource(file)) return [];
    return [`${file}:${first}-${Number(first) + Number(count) - 1}`];
  });
}

const isSource = (name) => /^src\/.*\.tsx?$/.test(name) && existsSync(join(root, name));
/** A file is an area too: the quick tests that import it. */
const areaOf = (name) => areas[name] ?? (isSource(name) && { mutate: [name], setupFiles: ["test/support/quick.ts"] });

/** The lines of the last commit are an area of their own. */
if (values.changed) {
  const mutate = changedLines();
  // The tests beside the sources: those of every room above would take the minute before the first mutant.
  const include = [...new Set(mutate.map((lines) => `${dirname(lines).replace(/^src/, "test")}/**/*.test.ts`))];
  areas.changed = { mutate, include, setupFiles: ["test/support/quick.ts"] };
  if (areas.changed.mutate.length === 0) {
    console.log("the last commit changed no line of src that Stryker reads");
    process.exit(0);
  }
}
const wanted = values.changed ? ["changed"] : positionals.length > 0 ? positionals : Object.keys(areas);
const unknown = wanted.filter((name) => !areaOf(name));
if (unknown.length > 0) {
  console.error(`no such area: ${unknown.join(", ")}; there are ${Object.keys(areas).join(", ")} and the files of src`);
  process.exit(1);
}
const copy = copyOfCheckout();

function run(command, args, timeout) {
  const { status, error } = spawnSync(command, args, { cwd: copy, stdio: "inherit", timeout });
  if (error !== undefined && "code" in error && error.code === "ETIMEDOUT") {
    console.log(`ended after ${timeout / 1000} s; the counts above are those of the mutants until then`);
    process.exit(0);
  }
  if (status !== 0) process.exit(status ?? 1);
}

// Hard links where the file system has them: npm replaces files, and does not write into them.
const links = spawnSync("cp", ["-al", join(root, "node_modules"), join(copy, "node_modules")], { stdio: "ignore" });
if (links.status !== 0)
  cpSync(join(root, "node_modules"), join(copy, "node_modules"), { recursive: true, verbatimSymlinks: true });
cpSync(join(root, "build/Release"), join(copy, "build/Release"), { recursive: true });
symlinkSync(join(root, "dist"), join(copy, "dist"));
const packages = ["core", "vitest-runner"].map((name) => `@stryker-mutator/${name}@${STRYKER}`);
run("npm", ["install", "--no-save", "--ignore-scripts", "--no-progress", "--no-audit", "--no-fund", ...packages]);

const reportOf = (area) => join(root, `reports/${area.replaceAll("/", "-")}.json`);

/** The number of detected mutants of an area, by Stryker's report. */
function scoreOf(area) {
  const { files } = JSON.parse(readFileSync(reportOf(area), "utf8"));
  const states = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
  const count = (...wanted) => states.filter((status) => wanted.includes(status)).length;
  const noticed = count("Killed", "Timeout");
  return { noticed, mutants: noticed + count("Survived", "NoCoverage") };
}

for (const area of wanted) {
  const { mutate, testNamePattern = "", ...tests } = areaOf(area);
  const configuration = { testTimeout: 30_000, hookTimeout: 60_000, ...tests };
  writeFileSync(
    join(copy, "vitest.mutants.config.ts"),
    `import quick from "./vitest.quick.config.ts";
const testNamePattern = new RegExp(${JSON.stringify(testNamePattern)});
export default { test: { exclude: quick.test.exclude, testNamePattern, ...${JSON.stringify(configuration)} } };\n`,
  );
  const options = {
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner"],
    vitest: { configFile: "vitest.mutants.config.ts", related: isSource(area) || area === "changed" },
    // Mutants of tables would need every test again.
    ...{ coverageAnalysis: "perTest", ignoreStatic: true, inPlace: true, disableTypeChecks: false },
    ...{ mutate, concurrency: 2, timeoutMS: 10_000, reporters: ["progress-append-only", "clear-text", "json"] },
    jsonReporter: { fileName: reportOf(area) },
  };
  writeFileSync(join(copy, "stryker.config.json"), JSON.stringify(options));
  const stryker = ["node_modules/@stryker-mutator/core/bin/stryker.js", "run"];
  run(process.execPath, stryker, values.changed ? CHANGED_MS : undefined);
}

for (const area of wanted) {
  const { noticed, mutants } = scoreOf(area);
  console.log(`${area.padEnd(12)} ${String(noticed).padStart(4)} of ${mutants}`);
}
