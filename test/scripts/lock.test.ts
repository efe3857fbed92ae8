/** A lock file is complete for every platform whose packages the registry has. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { completeLock } from "../../scripts/lock.mjs";

const tool = { version: "1.0.0", optionalDependencies: { "@tool/linux": "1.0.0", "@tool/darwin": "1.0.0" } };
const linux = { version: "1.0.0", integrity: "sha512-l", dev: true, optional: true, os: ["linux"] };
const placeholder = { version: "1.0.0", dev: true, optional: true, os: ["none"] };
const darwin = {
  "dist.integrity": "sha512-d",
  os: ["darwin"],
  cpu: ["arm64"],
  license: "MIT",
  engines: { node: ">=14" },
};

test.each([
  ["a gap", {}],
  ["a placeholder", { "node_modules/@tool/darwin": placeholder }],
])("%s is filled from the registry", async (_, before) => {
  const lock = { packages: { "node_modules/tool": tool, "node_modules/@tool/linux": linux, ...before } };
  const asked: string[] = [];
  const missing = await completeLock(lock, async (name: string, version: string) => {
    asked.push(`${name}@${version}`);
    return darwin;
  });
  expect({ missing, asked }).toEqual({ missing: [], asked: ["@tool/darwin@1.0.0"] });
  expect(JSON.stringify(lock.packages)).toBe(
    JSON.stringify({
      "node_modules/@tool/darwin": {
        version: "1.0.0",
        integrity: "sha512-d",
        cpu: ["arm64"],
        dev: true,
        license: "MIT",
        optional: true,
        os: ["darwin"],
        engines: { node: ">=14" },
      },
      "node_modules/@tool/linux": linux,
      "node_modules/tool": tool,
    }),
  );
});

test("what the registry lacks is a placeholder that no system installs", async () => {
  const lock = { packages: { "node_modules/tool": tool, "node_modules/@tool/linux": linux } };
  expect(await completeLock(lock, async () => undefined)).toEqual(["@tool/darwin"]);
  expect(lock.packages).toEqual({
    "node_modules/@tool/darwin": placeholder,
    "node_modules/@tool/linux": linux,
    "node_modules/tool": tool,
  });
});

test("a dependency below another one's node_modules is no gap", async () => {
  const lock = {
    packages: { "node_modules/a/node_modules/tool": tool, "node_modules/a/node_modules/@tool/linux": linux },
  };
  const missing = await completeLock(lock, async () => undefined);
  expect(missing).toEqual(["@tool/darwin"]);
});

test("the lock file has no placeholder", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: Record<string, { os?: readonly string[] }>;
  };
  expect(Object.entries(packages).filter(([, { os }]) => os?.[0] === "none")).toEqual([]);
});
