/**
 * Builds the addon for a Debian architecture with Debian's own cross compiler, without Node's headers and node-gyp.
 *
 *     node scripts/addon.mjs amd64|arm64|armhf      prints build/<architecture>/hub_can.node
 *
 * Sources and flags are read from binding.gyp, which is JSON. The hardening flags are those of Debian 13's
 * dpkg-buildflags.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const require = createRequire(import.meta.url);

/** Debian's architectures with the GNU names of their tools, and the flags that protect their control flow. */
const machines = {
  amd64: { tools: "x86_64-linux-gnu", flags: ["-fcf-protection"] },
  arm64: { tools: "aarch64-linux-gnu", flags: ["-mbranch-protection=standard"] },
  armhf: { tools: "arm-linux-gnueabihf", flags: [] },
};

/** Relative, so that the build does not depend on the place of the checkout. */
const headers = ["node-api-headers", "node-addon-api"].flatMap((name) => [
  "-isystem",
  relative(root, join(dirname(require.resolve(`${name}/package.json`)), name === "node-api-headers" ? "include" : "")),
]);

const [target] = JSON.parse(readFileSync(join(root, "binding.gyp"), "utf8")).targets;

/** The flags of the compiler for an architecture. */
export const compilerFlags = (architecture) => [
  // Flags that node-gyp adds to binding.gyp.
  ...["-O3", "-DNDEBUG", "-fPIC", "-shared", "-fno-rtti", "-fexceptions", "-DBUILDING_NODE_EXTENSION"],
  `-DNODE_GYP_MODULE_NAME=${target.target_name}`,
  ...target.defines.map((define) => `-D${define}`),
  ...target.cflags,
  ...target.cflags_cc,
  ...machines[architecture].flags,
];

/**
 * The compiler's arguments for C++ sources as one: reading headers, Node's and the library's, is most of its work, and
 * the addon is smaller. Warnings about missing includes are left to the build of node-gyp, which compiles each by itself.
 *
 * @param {readonly string[]} sources
 */
export const asOneSource = (sources) => [...sources.flatMap((name) => ["-include", name]), "-x", "c++", "/dev/null"];

/** Builds the addon unless it is newer than its inputs; returns its path, or throws the compiler's message. */
export function buildAddon(architecture) {
  const machine = machines[architecture];
  if (machine === undefined) throw new Error(`no such architecture: ${architecture}`);
  const sources = ["native", "native/node"].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => /\.(cc|h)$/.test(name))
      .map((name) => join(folder, name)),
  );
  const addon = join(root, "build", architecture, `${target.target_name}.node`);
  const modified = (name) => statSync(join(root, name)).mtimeMs;
  const inputs = [...sources, "binding.gyp", "scripts/addon.mjs", "package-lock.json"];
  if (existsSync(addon) && statSync(addon).mtimeMs > Math.max(...inputs.map(modified))) return addon;

  mkdirSync(dirname(addon), { recursive: true });
  const unfinished = `${addon}.${process.pid}`;
  const { status, stderr, error } = spawnSync(
    `${machine.tools}-g++`,
    [
      ...compilerFlags(architecture),
      ...headers,
      ...asOneSource(sources.filter((name) => name.endsWith(".cc"))),
      ...target.ldflags,
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
