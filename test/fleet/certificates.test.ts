/** The script `certificates` a second time, with what it needs missing, and cut short. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";

const script = resolve("packaging/fleet/certificates");
/** An openssl that signs nothing. */
const failing = `#!/bin/sh\ncase "$*" in *"x509 -req"*) exit 1 ;; esac\nPATH=\${PATH#*:} exec openssl "$@"\n`;

function fleet() {
  const folder = temporaryFolder("fleet");
  const run = (args: string, path = process.env.PATH) =>
    spawnSync("sh", [script, ...args.split(" ")], { cwd: folder, encoding: "utf8", env: { PATH: path } });
  expect(run("node nats-1.fleet.example").status).toBe(0);
  return { run, file: (name: string) => `${folder}/${name}` };
}

test("the authority stays the first one: without its key nothing is made, and its certificate can be made again", () => {
  const { run, file } = fleet();
  const before = readFileSync(file("ca.crt"), "utf8");
  renameSync(file("ca.key"), file("away"));
  expect(run("boat hull-42")).toMatchObject({ status: 2, stderr: expect.stringContaining("put it back") });
  expect([existsSync(file("ca.key")), readFileSync(file("ca.crt"), "utf8")]).toEqual([false, before]);
  renameSync(file("away"), file("ca.key"));
  renameSync(file("ca.crt"), file("former.crt"));
  expect(run("boat hull-42").status).toBe(0);
  const verified = spawnSync("openssl", ["verify", "-CAfile", file("former.crt"), file("boats/hull-42/boat.crt")]);
  expect(verified.status).toBe(0);
});

test("what was cut short is no boat yet, and is made by the next attempt", () => {
  const { run, file } = fleet();
  mkdirSync(file("bin"));
  writeFileSync(file("bin/openssl"), failing, { mode: 0o755 });
  expect(run("boat hull-42", `${file("bin")}:${process.env.PATH}`).status).not.toBe(0);
  run("users");
  expect(readFileSync(file("users.conf"), "utf8")).not.toContain("hull-42");
  expect(run("boat hull-42").status).toBe(0);
  expect(readdirSync(file("boats/hull-42")).sort()).toEqual(["boat.crt", "boat.key", "ca.crt", "fleet.conf"]);
  expect(run("boat hull-42")).toMatchObject({ status: 2, stderr: expect.stringContaining("already there") });
});

test("a name of two words is refused, and no boat has its first one", () => {
  const { run, file } = fleet();
  expect(run("boat hull 43").status).toBe(2);
  expect(existsSync(file("boats"))).toBe(false);
});
