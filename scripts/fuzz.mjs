/**
 * Fuzzes everything that reads bytes from outside: `node scripts/fuzz.mjs [SECONDS [NAME]]`, 60 seconds in all by
 * default.
 *
 * C++ is fuzzed by libFuzzer with AddressSanitizer and UndefinedBehaviorSanitizer (Debian's clang and its runtime),
 * TypeScript by `test/fuzz/main.ts`, guided by V8's coverage. Inputs are in `native/fuzz/seeds` and `test/fuzz/found`;
 * failing ones are added there and are tests from then on. Without clang the C++ is skipped with a message, or a
 * failure if CI=true.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { asOneSource } from "./addon.mjs";
import { writeProgram } from "./bundle.mjs";
import { root } from "./setup.mjs";

/** Maximum bytes of an input: enough for the longest record of the target. */
const longestInput = { candump_log: 400, containers: 300, interface_status: 600, reassembly: 320, records: 640 };

/** No allocation stacks, which a replay of the input reports; a small quarantine, which fits the cache. */
const sanitizers = { ASAN_OPTIONS: "malloc_context_size=0:quarantine_size_mb=8" };

/** The compiler, by the names of Debian. */
const compiler = ["clang++", ...Array.from({ length: 12 }, (_, index) => `clang++-${25 - index}`)].find(
  (name) => spawnSync(name, ["--version"]).status === 0,
);

const nativeTargets = readdirSync(join(root, "native/fuzz"))
  .filter((name) => name.endsWith("_fuzz.cc"))
  .map((name) => name.replace("_fuzz.cc", ""));

/** The sources that do not need Node. */
const nativeSources = readdirSync(join(root, "native"))
  .filter((name) => name.endsWith(".cc"))
  .map((name) => join("native", name));

function run(command, args, environment = {}) {
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...environment },
  });
  return status === 0;
}

const changed = (path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

const nativeFlags = [
  ...["-std=c++17", "-O2", "-g1", "-Wall", "-Wextra", "-fno-sanitize-recover=all", "-pthread"],
  ...["-fsanitize=fuzzer,address,undefined", "-fsanitize-coverage-ignorelist=native/fuzz/unguided.txt"],
];

/** Headers, and the list of functions without coverage: when one changes, every object is compiled again. */
const nativeHeaders = ["native", "native/fuzz"].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => /\.(h|txt)$/.test(name))
    .map((name) => join(folder, name)),
);

/**
 * Builds a native target unless it is newer than its sources; false if that fails. All targets share the object of the
 * addon.
 */
function buildNative(name) {
  const program = join("build/fuzz", name);
  const folder = "build/fuzz/objects";
  mkdirSync(join(root, folder), { recursive: true });
  const parts = [
    { sources: [join("native/fuzz", `${name}_fuzz.cc`)], object: join(folder, `${name}.o`) },
    { sources: nativeSources, object: join(folder, "addon.o") },
  ];
  const isNew = (target, inputs) => inputs.every((input) => changed(input) < changed(target));
  for (const { sources, object } of parts) {
    if (isNew(object, [...sources, ...nativeHeaders])) continue;
    if (!run(compiler, [...nativeFlags, "-c", ...asOneSource(sources), "-o", object])) return false;
  }
  const objects = parts.map(({ object }) => object);
  return isNew(program, objects) || run(compiler, [...nativeFlags, ...objects, "-o", program]);
}

function fuzzNative(name, seconds) {
  if (!buildNative(name)) return false;
  // New inputs go into the first folder; those to keep are chosen by hand, with -merge=1.
  const corpus = join("build/fuzz", `${name}-corpus`);
  const seeds = join("native/fuzz/seeds", name);
  mkdirSync(join(root, corpus), { recursive: true });
  return run(
    join("build/fuzz", name),
    [
      `-max_total_time=${seconds}`,
      `-max_len=${longestInput[name]}`,
      `-artifact_prefix=${seeds}/`,
      "-print_final_stats=1",
      // Many short runs find more than few long ones.
      "-entropic_scale_per_exec_time=1",
      "-verbosity=0",
      corpus,
      seeds,
    ],
    sanitizers,
  );
}

async function fuzzTypeScript(seconds, name) {
  // One file, because coverage is reported by offset; in this folder, relative to which the addon is loaded.
  const program = join(root, "build/fuzz-main.mjs");
  await writeProgram(program, { entryPoints: ["test/fuzz/main.ts"] });
  const seed = process.env.HUB_SEED ?? String(Date.now() % 2 ** 32);
  console.log(`seed ${seed}`);
  return run(process.execPath, [program, String(seconds), "test/fuzz/found", seed, ...(name ? [name] : [])]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [given = "60", name] = process.argv.slice(2);
  const seconds = Number(given);
  let isGood = true;
  const native = nativeTargets.filter((target) => name === undefined || target === name);
  const isTypeScript = name === undefined || native.length === 0;
  if (native.length > 0 && compiler === undefined) {
    console.error("hub: clang is not installed, the C++ is not fuzzed");
    isGood = process.env.CI !== "true";
  } else {
    const share = isTypeScript ? seconds / 2 : seconds;
    for (const target of native) {
      console.log(`native ${target}`);
      isGood = fuzzNative(target, Math.max(1, Math.round(share / native.length))) && isGood;
    }
  }
  if (isTypeScript) isGood = (await fuzzTypeScript(name ? seconds : seconds / 2, name)) && isGood;
  process.exit(isGood ? 0 : 1);
}
