/**
 * Builds the addon. It needs Node-API alone, so that one build loads in any Node.js, and its headers come from a package:
 * those of the running Node.js are not asked for.
 *
 *     node scripts/addon.mjs amd64|arm64|armhf      by Debian's cross compiler; prints build/<architecture>/hub_can.node
 *
 * The hardening flags are those of Debian 13's dpkg-buildflags. It imports no installed package (`setup.mjs`).
 */
import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Debian's architectures with the GNU names of their tools, and the flags that protect their control flow. */
const machines = {
  amd64: { tools: "x86_64-linux-gnu", flags: ["-fcf-protection"] },
  arm64: { tools: "aarch64-linux-gnu", flags: ["-mbranch-protection=standard"] },
  armhf: { tools: "arm-linux-gnueabihf", flags: [] },
};

/** Relative, so that the build does not depend on the place of the checkout. */
const headers = ["-isystem", "node_modules/node-api-headers/include", "-isystem", "node_modules/node-addon-api"];

const defines = [
  ...["NAPI_VERSION=8", "NODE_ADDON_API_CPP_EXCEPTIONS_ALL", "NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS"],
  ...["_TIME_BITS=64", "_FILE_OFFSET_BITS=64", "NDEBUG", "BUILDING_NODE_EXTENSION"],
];
const flags = [
  ...["-std=c++17", "-O3", "-fPIC", "-fno-rtti", "-fvisibility=hidden", "-Wall", "-Wextra"],
  ...["-Wformat", "-Werror=format-security", "-fstack-protector-strong", "-fstack-clash-protection"],
  ...["-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2", ...defines.map((define) => `-D${define}`)],
];
const linkerFlags = ["-shared", "-Wl,-z,relro", "-Wl,-z,now", "-pthread"];

/** The files of the addon with a suffix. */
const files = (suffix) =>
  ["native", "native/node"].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(suffix))
      .map((name) => join(folder, name)),
  );

/** The flags of the compiler for an architecture. */
export const compilerFlags = (architecture) => [...flags, ...machines[architecture].flags];

/**
 * The compiler's arguments for C++ sources as one: reading headers, Node's and the library's, is most of its work, and
 * the addon is smaller. Warnings about missing includes are left to `buildOwnAddon`, which compiles each by itself.
 *
 * @param {readonly string[]} sources
 */
export const asOneSource = (sources) => [...sources.flatMap((name) => ["-include", name]), "-x", "c++", "/dev/null"];

/** Builds the addon of this machine, with as many compilers as it has processors; throws what a compiler says. */
export async function buildOwnAddon() {
  const folder = "build/Release";
  mkdirSync(join(root, folder), { recursive: true });
  const run = (args) => promisify(execFile)(process.env.CXX ?? "g++", args, { cwd: root, maxBuffer: 1 << 28 });
  const objects = new Map(files(".cc").map((source) => [source, join(folder, `${basename(source, ".cc")}.o`)]));
  const left = [...objects];
  const compile = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop())
      await run([...flags, ...headers, "-c", next[0], "-o", next[1]]);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, compile));
  const unfinished = `${folder}/hub_can.${process.pid}`;
  await run([...objects.values(), ...linkerFlags, "-o", unfinished]);
  renameSync(join(root, unfinished), join(root, folder, "hub_can.node"));
}

/**
 * Builds the addon for an architecture of Debian unless it is newer than its inputs; returns its path, or throws the
 * compiler's message.
 */
export function buildAddon(architecture) {
  const machine = machines[architecture];
  if (machine === undefined) throw new Error(`no such architecture: ${architecture}`);
  const addon = join(root, "build", architecture, "hub_can.node");
  const modified = (name) => statSync(join(root, name)).mtimeMs;
  const inputs = [...files(".cc"), ...files(".h"), "scripts/addon.mjs", "package-lock.json"];
  if (existsSync(addon) && statSync(addon).mtimeMs > Math.max(...inputs.map(modified))) return addon;

  mkdirSync(dirname(addon), { recursive: true });
  const unfinished = `${addon}.${process.pid}`;
  const { status, stderr, error } = spawnSync(
    `${machine.tools}-g++`,
    [
      ...compilerFlags(architecture),
      ...headers,
      ...asOneSource(files(".cc")),
      ...linkerFlags,
      ...["-Wl,--build-id=sha1", "-o", unfinished],
    ],
    { cwd: root, encoding: "utf8" },
  );
  if (error !== undefined) throw new Error(`${machine.tools}-g++: ${error.message} (Debian: g++-${machine.tools})`);
  if (status !== 0) throw new Error(stderr);
  renameSync(unfinished, addon);
  return addon;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    console.log(buildAddon(process.argv[2]));
  } catch (error) {
    console.error(`hub: ${error.message}`);
    process.exit(1);
  }
}
