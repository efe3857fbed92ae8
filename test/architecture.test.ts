/** Holds the layers of ARCHITECTURE.md: what each part of src/ may import, besides itself. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

const layers: Record<string, readonly string[]> = {
  text: ["@noble/hashes"],
  util: [],
  report: ["text", "zod"],
  n2k: ["report", "text", "util", "zod"],
  nav: ["n2k", "report", "text", "util", "zod"],
  alarms: ["n2k", "nav", "report", "text", "util", "zod"],
  signalk: ["alarms", "n2k", "nav", "ports", "report", "text", "topics"],
  topics: ["alarms", "n2k", "nav", "ports", "report", "text", "util", "zod"],
  settings: ["alarms", "n2k", "nav", "report", "util", "zod"],
  recording: ["ports", "n2k/can-id.ts"],
  gateway: ["recording", "n2k/can-id.ts"],
  simulation: ["n2k", "recording", "ports"],
  nmea0183: ["n2k", "text"],
  link: ["nmea0183", "signalk", "ports", "text", "topics", "util", "hono"],
  history: ["n2k", "text", "topics"],
  project: ["util", "zod"],
  ports: ["report", "text"],
  api: ["project", "report", "util", "ports", "hono", "@hono/zod-openapi", "zod"],
  bridge: ["alarms", "n2k", "nav", "report", "settings", "text", "topics", "util", "ports", "zod"],
  "adapters/memory": ["ports", "recording", "report", "text", "util"],
  "adapters/node": [
    "ports",
    "recording",
    "gateway",
    "n2k",
    "report",
    "text",
    "util",
    "history/line-buffer.ts",
    "nav/heading.ts",
    "node:",
    "mqtt",
    "ws",
    "geomagnetism",
    "@hono/node-server",
  ],
  display: [
    "alarms",
    "zod",
    "n2k",
    "report",
    "text",
    "nav",
    "ports",
    "settings",
    "topics",
    "preact",
    "@preact/signals",
    "uplot",
    "mqtt",
  ],
  docs: ["n2k", "report", "settings", "topics", "api/openapi.ts", "daemons/", "project", "signalk", "marked"],
  daemons: [
    "adapters/",
    "alarms",
    "bridge",
    "api",
    "link",
    "history",
    "ports",
    "n2k",
    "nav",
    "project",
    "recording",
    "gateway",
    "report",
    "settings",
    "simulation",
    "topics",
    "util",
    "node:",
    "zod",
    "hono",
  ],
};

const layerOf = (path: string): string =>
  path
    .split("/")
    .slice(0, path.startsWith("adapters/") ? 2 : 1)
    .join("/");
const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((path) => /\.tsx?$/.test(path));

test.each(files)("src/%s imports only what its layer may", (file) => {
  const layer = layerOf(file);
  const allowed = layers[layer];
  expect(allowed, `src/${layer} is not in the picture`).toBeDefined();
  const source = readFileSync(join("src", file), "utf8");
  for (const [, from, bare, lazy] of source.matchAll(
    /^(?:import|export)\b[^;]*?\bfrom "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm,
  )) {
    const name = from ?? bare ?? lazy!;
    const target = name.startsWith(".") ? normalize(join(dirname(file), name)) : name;
    if (name.startsWith(".") && layerOf(target) === layer) continue;
    expect(
      allowed!.some((prefix) => target.startsWith(prefix)),
      `${file} imports ${name}`,
    ).toBe(true);
  }
});

test("only adapters/node/can/can-bus.ts loads the addon", () => {
  const loaders = files.filter((file) => /\.node["'`]/.test(readFileSync(join("src", file), "utf8")));
  expect(loaders.every((file) => file === "adapters/node/can/can-bus.ts")).toBe(true);
});

test("only daemons read arguments, environment and signals", () => {
  const readers = files.filter((file) => /process\.(argv|env|on\b|exit)/.test(readFileSync(join("src", file), "utf8")));
  expect(readers.every((file) => file.startsWith("daemons/"))).toBe(true);
});

/** The compiler takes two seconds, and its turn among others on a busy machine. */
const COMPILER_MS = 600_000;

/** The errors of `tsc` in the files of a project; empty when there are none. */
const complaints = (project: string): string =>
  spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", `test/runtimes/${project}`], {
    encoding: "utf8",
  }).stdout;

test.each(["tsconfig.core.json", "tsconfig.api.json"])(
  "%s: no name of Node's, nor of any runtime's",
  (project) => {
    expect(complaints(project)).toBe("");
  },
  COMPILER_MS,
);

test("the core never asks the time, nor for chance", () => {
  const pure = [
    "text/",
    "topics/",
    "settings/",
    "report/",
    "util/",
    "n2k/",
    "nav/",
    "alarms/",
    "nmea0183/",
    "signalk/",
    "link/",
    "history/",
    "recording/",
    "gateway/",
    "simulation/",
    "project/",
    "api/",
    "bridge/",
  ];
  const asking = files
    .filter((file) => pure.some((layer) => file.startsWith(layer)))
    .filter((file) => /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b/.test(readFileSync(join("src", file), "utf8")));
  expect(asking).toEqual([]);
});
