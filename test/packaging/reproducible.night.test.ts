/** Packages that are built elsewhere are the same byte by byte. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { buildPackages, packages, run, sourceSeconds } from "./packages.ts";

test("a build elsewhere, under another name and in another language, is the same byte by byte", {
  timeout: 600_000,
}, async () => {
  const { current } = await packages();
  // Beside node_modules, so that its files can be the same ones.
  mkdirSync("build", { recursive: true });
  const elsewhere = mkdtempSync(resolve("build/elsewhere-"));
  try {
    const listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard");
    for (const path of listed.split("\0").filter((path) => path !== "")) {
      cpSync(path, join(elsewhere, path), { recursive: true });
    }
    // Files that the build writes into src are not in git.
    cpSync("src", join(elsewhere, "src"), { recursive: true });
    run("cp", "-al", "node_modules", join(elsewhere, "node_modules"));
    const environment = {
      ...{ SOURCE_DATE_EPOCH: sourceSeconds(), TZ: "Pacific/Auckland", LC_ALL: "C", HOME: "/", HOSTNAME: "elsewhere" },
      ...{ TMPDIR: join(elsewhere, "build"), USER: "somebody", LOGNAME: "somebody", DEBEMAIL: "a@b.invalid" },
    };
    mkdirSync(join(elsewhere, "build"));
    const second = await buildPackages(join(elsewhere, "packages"), {
      checkout: elsewhere,
      // All else that they contain is built by the packaging itself.
      preparation: "scripts/display.mjs",
      environment,
      umask: "077",
      // arm64 alone: it covers the packages for all architectures and the cross compiler, in a third of the time.
      architectures: "arm64",
    });
    expect([...second.keys()].sort()).toEqual(
      [...current.keys()].filter((name) => !/_(amd64|armhf)$/.test(name)).sort(),
    );
    for (const name of second.keys()) {
      expect(readFileSync(second.get(name)!).equals(readFileSync(current.get(name)!)), name).toBe(true);
    }
  } finally {
    rmSync(elsewhere, { recursive: true });
  }
});
