/**
 * On a fresh checkout nothing is installed, and an import of what is not there ends a script before it can install it.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { missingRequirement } from "../../scripts/requirements.mjs";
import { temporaryFolder } from "../support/temporary-folder.ts";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };

/** The packages that a module imports, itself or by modules of the checkout. */
function importsOf(module: string, seen = new Set<string>()): readonly string[] {
  if (seen.has(module)) return [];
  seen.add(module);
  const names = [...readFileSync(module, "utf8").matchAll(/^(?:import|export)\b[^;]*?from "([^"]+)"/gm)].map(
    ([, name]) => name!,
  );
  return names.flatMap((name) => (name.startsWith(".") ? importsOf(join(dirname(module), name), seen) : [name]));
}

/** The scripts that do not begin with `node` are for developers, who have everything installed. */
const runs = Object.keys(scripts).filter((name) => /^(exec )?node /.test(scripts[name]!) && !/^pre/.test(name));

test.each([...new Set(["start", "test", "build", ...runs])])("npm run %s sets up first", (name) => {
  expect(name === "build" ? scripts.build : scripts[`pre${name}`]).toBe("node scripts/setup.mjs");
});

test("no script is a set-up of none", () => {
  const prepared = Object.keys(scripts).filter((name) => name.startsWith("pre"));
  expect(prepared.filter((name) => scripts[name.slice("pre".length)] === undefined)).toEqual([]);
});

test("setting up imports only what Node has", () => {
  const imports = importsOf("scripts/setup.mjs");
  expect(imports.length).toBeGreaterThan(0);
  expect(imports.filter((name) => !name.startsWith("node:"))).toEqual([]);
});

/** A folder for PATH that has these programs alone, under other names' places. */
function pathWith(...programs: readonly string[]): string {
  const folder = temporaryFolder("path");
  for (const program of programs) {
    const place = process.env.PATH!.split(delimiter).find((path) => existsSync(join(path, program)));
    if (place !== undefined) symlinkSync(join(place, program), join(folder, program));
  }
  return folder;
}

test.each([
  [{}, undefined],
  [{ platform: "darwin" as const }, "Linux is needed, for SocketCAN; this is darwin"],
  [{ node: "18.20.4" }, "Node.js 20.19 or newer is needed; this is 18.20.4"],
  [{ node: "20.18.3" }, "Node.js 20.19 or newer is needed; this is 20.18.3"],
  [{ node: "20.19.0" }, undefined],
  [{ node: "24.1.0" }, undefined],
])("missingRequirement(%j)", (machine, sentence) => {
  expect(missingRequirement(machine)).toBe(sentence);
});

test("setting up without a compiler or Python ends with 1 and one sentence, before anything is downloaded", () => {
  const checkout = temporaryFolder("checkout");
  mkdirSync(join(checkout, "scripts"));
  for (const name of ["package.json", "package-lock.json", "scripts/setup.mjs", "scripts/requirements.mjs"])
    cpSync(name, join(checkout, name));
  const environment = { PATH: pathWith("node", "npm", "make") };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(checkout, "scripts/setup.mjs")], {
    env: environment,
    encoding: "utf8",
  });
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: "",
    stderr: "hub: not installed: g++, python3; on Debian: apt install g++ python3\n",
  });
  expect(existsSync(join(checkout, "node_modules"))).toBe(false);
});

test("building the daemons leaves what else lies in their folder: packages, repository, cards", () => {
  const out = temporaryFolder("dist");
  const kept = join(out, "repository/pool/hub.deb");
  mkdirSync(dirname(kept), { recursive: true });
  writeFileSync(kept, "");
  const build = ["node_modules/tsup/dist/cli-default.js", "src/daemons/hub-config-backup.ts", "--out-dir", out];
  expect(spawnSync(process.execPath, build).status).toBe(0);
  expect(existsSync(kept)).toBe(true);
});
