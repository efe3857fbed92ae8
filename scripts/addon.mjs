/**
 * Builds the addon for a Debian architecture with Debian's own cross compiler, without Node's headers and node-gyp.
 *
 *     node scripts/addon.mjs amd64|arm64|armhf      prints build/<architecture>/hub_can.node
 *
 * What it is made of and with which flags stands in binding.gyp, which is JSON, and is read from there.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const require = createRequire(import.meta.url);

/** Debian's architectures hub is built for, with the GNU names of their tools. */
const machines = {
  amd64: "x86_64-linux-gnu",
  arm64: "aarch64-linux-gnu",
  armhf: "arm-linux-gnueabihf",
};

/** Relative, so that the paths in what is built do not tell where. */
const headers = ["node-api-headers", "node-addon-api"].flatMap((name) => [
  "-isystem",
  relative(root, join(dirname(require.resolve(`${name}/package.json`)), name === "node-api-headers" ? "include" : "")),
]);

/** Builds it unless it is newer than all it is made of; returns its path, or throws what the compiler says. */
export function buildAddon(architecture) {
  const machine = machines[architecture];
  if (machine === undefined) throw new Error(`no such architecture: ${architecture}`);
  const [target] = JSON.parse(readFileSync(join(root, "binding.gyp"), "utf8")).targets;
  const sources = readdirSync(join(root, "native"))
    .filter((name) => /\.(cc|h)$/.test(name))
    .map((name) => join("native", name));
  const addon = join(root, "build", architecture, `${target.target_name}.node`);
  const modified = (name) => statSync(join(root, name)).mtimeMs;
  const inputs = [...sources, "binding.gyp", "scripts/addon.mjs", "package-lock.json"];
  if (existsSync(addon) && statSync(addon).mtimeMs > Math.max(...inputs.map(modified))) return addon;

  mkdirSync(dirname(addon), { recursive: true });
  const unfinished = `${addon}.${process.pid}`;
  const { status, stderr, error } = spawnSync(
    `${machine}-g++`,
    [
      // What node-gyp adds to the flags of binding.gyp by itself.
      ...["-O3", "-DNDEBUG", "-fPIC", "-shared", "-fno-rtti", "-fexceptions", "-DBUILDING_NODE_EXTENSION"],
      `-DNODE_GYP_MODULE_NAME=${target.target_name}`,
      ...target.defines.map((define) => `-D${define}`),
      ...target.cflags,
      ...target.cflags_cc,
      ...headers,
      ...sources.filter((name) => name.endsWith(".cc")),
      ...target.ldflags,
      ...["-Wl,--build-id=sha1", "-o", unfinished],
    ],
    { cwd: root, encoding: "utf8" },
  );
  if (error !== undefined) throw new Error(`${machine}-g++: ${error.message} (Debian: g++-${machine})`);
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
