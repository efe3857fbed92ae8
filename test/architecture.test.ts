/** Holds the layers of ARCHITECTURE.md, which has what each part of src/ may import. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

const picture = readFileSync("ARCHITECTURE.md", "utf8")
  .split("```")
  .find((block) => /^\nweb +docs +──►/.test(block))!
  .replaceAll(/,\n +/g, ", ");

/** The name of a room; of a runtime in `adapters`, both. */
const layerOf = (path: string): string => {
  const [wing, room] = path.split("/");
  if (wing === "adapters") return `${wing}/${room}`;
  return wing === "daemons" ? wing : room!;
};

/** Rooms with their wings and permitted imports, from the top down. */
const rooms: { wing: string; layer: string; imports: readonly string[] }[] = [];
for (const line of picture.trim().split("\n")) {
  const wing = line.slice(0, 10).trim() || rooms.at(-1)!.wing;
  const [room, imports] = line.slice(10).split(/ *──► /);
  rooms.push({ wing, layer: layerOf(`${wing}/${room!.trim()}`), imports: imports?.split(", ") ?? [] });
}
const layers = new Map(rooms.map(({ layer, imports }) => [layer, imports]));
const order = [...layers.keys()];

const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((path) => /\.tsx?$/.test(path));

/** The layer, the package or `node:` of an import. */
function targetOf(file: string, name: string): string {
  if (name.startsWith("node:")) return "node:";
  if (name.startsWith(".")) return layerOf(normalize(join(dirname(file), name)));
  return name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/");
}

const importsOf = (file: string): readonly string[] =>
  [
    ...readFileSync(join("src", file), "utf8").matchAll(
      /^(?:import|export)\b[^;]*?\bfrom "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm,
    ),
  ].map(([, from, bare, lazy]) => targetOf(file, from ?? bare ?? lazy!));

test.each(files)("src/%s imports only what its layer may", (file) => {
  const layer = layerOf(file);
  const wing = rooms.find((room) => room.layer === layer)?.wing;
  expect(wing, `${file} is in no room of the picture of ARCHITECTURE.md`).toBe(file.split("/")[0]);
  const allowed = [layer, ...layers.get(layer)!];
  for (const target of importsOf(file))
    expect(allowed, `${file} imports ${target}: the picture of ARCHITECTURE.md has no such arrow`).toContain(target);
});

test.each([...layers])("the layer %s has the arrows of the picture, and they run down", (layer, allowed) => {
  const imported = new Set(files.filter((file) => layerOf(file) === layer).flatMap(importsOf));
  expect(allowed.filter((target) => !imported.has(target))).toEqual([]);
  expect(
    allowed.filter((target) => order.indexOf(target) >= 0 && order.indexOf(target) < order.indexOf(layer)),
  ).toEqual([]);
});

/** The names that a file of src imports, each as `path name`; of all of another file, `path *`. */
const namesImportedBy = (file: string): readonly string[] =>
  [
    ...readFileSync(join("src", file), "utf8").matchAll(
      /(?:\{([^{}]*)\}|\*[^;{}]*) from "(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/g,
    ),
  ].flatMap(([, list = "*", from, lazy]) => {
    const path = normalize(join(dirname(file), from ?? lazy!));
    return list.split(",").map((name) => `${path} ${/(?:type )?([\w*]*)/.exec(name.trim())![1]}`);
  });

test("each value that a file exports is used by another: no part, page or family of alarms lacks its row", () => {
  const imported = new Set(files.flatMap(namesImportedBy));
  const elsewhere = ["test", "scripts", "bench", "packaging"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(tsx?|mjs)$/.test(name))
      .flatMap((name) => readFileSync(join(folder, name), "utf8").match(/\w+/g) ?? []),
  );
  const words = new Set(elsewhere);
  const unused = files.flatMap((file) =>
    [...readFileSync(join("src", file), "utf8").matchAll(/^export (?:async )?(?:const|function\*?|class) (\w+)/gm)]
      .map(([, name]) => name!)
      .filter((name) => !imported.has(`${file} *`) && !imported.has(`${file} ${name}`) && !words.has(name))
      .map((name) => `src/${file} ${name}`),
  );
  expect(unused, "used by no other file: enter it in the list of its kind, or do not export it").toEqual([]);
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
  const pure = ["core/", "formats/", "services/"];
  const asking = files
    .filter((file) => pure.some((layer) => file.startsWith(layer)))
    .filter((file) =>
      /^[^*]*(?:\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b)/m.test(readFileSync(join("src", file), "utf8")),
    );
  expect(asking).toEqual([]);
});

test("no helper of tests calls a hook when it is loaded: for files that share a process it is loaded once", () => {
  const helpers = readdirSync("test", { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
  );
  expect(helpers.length).toBeGreaterThan(50);
  const hooked = helpers.filter((name) =>
    /^(?:before|after)(?:Each|All)\(/m.test(readFileSync(join("test", name), "utf8")),
  );
  // A set-up of files (`setupFiles` of vitest.config.ts), which Vitest loads for each of them.
  expect(hooked).toEqual(["support/as-before.ts"]);
});

test("what the benchmarks read of the source is there, although no compiler looks", () => {
  const missing = readdirSync("bench")
    .filter((name) => name.endsWith(".mjs"))
    .flatMap((name) => [...readFileSync(join("bench", name), "utf8").matchAll(/"(?:\.\/)?((?:src|test)\/[^"]+\.ts)"/g)])
    .map(([, path]) => path!)
    .filter((path) => !existsSync(path));
  expect(missing).toEqual([]);
});
