/** Requirements of a checkout on the machine, checked before anything is downloaded. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

/** Programs that installation and build need, the environment variable that replaces each, and Debian's package. */
const programs = [
  { name: "npm", variable: "", package: "npm" },
  { name: "g++", variable: "CXX", package: "g++" },
  { name: "make", variable: "MAKE", package: "make" },
  { name: "python3", variable: "PYTHON", package: "python3" },
];

const isAtLeast = (version, least) => {
  const [major, minor] = version.split(".").map(Number);
  const [leastMajor, leastMinor] = least.split(".").map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
};

const isInstalled = (program, environment) =>
  spawnSync(program, ["--version"], { stdio: "ignore", env: environment }).error === undefined;

/** A sentence about missing programs; undefined if none is missing. */
export function missingRequirement({
  platform = process.platform,
  node = process.versions.node,
  environment = process.env,
} = {}) {
  if (platform !== "linux") return `Linux is needed, for SocketCAN; this is ${platform}`;
  const least = engines.node.replace(/^>=/, "");
  if (!isAtLeast(node, least)) return `Node.js ${least} or newer is needed; this is ${node}`;
  const missing = programs.filter(({ name, variable }) => !isInstalled(environment[variable] ?? name, environment));
  if (missing.length === 0) return undefined;
  const names = missing.map(({ name }) => name).join(", ");
  return `not installed: ${names}; on Debian: apt install ${missing.map((each) => each.package).join(" ")}`;
}
