/**
 * The source on a bare Debian 13 with what README names and nothing else: a lone clone installs and builds as a user,
 * and passes the tests of what depends on the machine. The others run the same code everywhere, or need more than what
 * README names.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { builderRoot, PATH, writableCopy } from "./roots.ts";

const environment = { ...process.env, PATH };

function must(command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { env: environment, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${error ?? stderr}`);
  return stdout;
}

/** Tests of the set-up, of `npm start`, and of a daemon with the addon that was built there. */
const parts = ["daemons/hub-cand.slow.test.ts", "scripts/setup.slow.test.ts", "scripts/start.slow.test.ts"];

const requirements = /`(apt install [^`]+)`/.exec(readFileSync("README.md", "utf8"))?.[1];

test("a clone on a bare Debian installs, builds and passes npm test", async () => {
  expect(requirements).toBe("apt install nodejs npm git g++ make python3");
  const { root, remove } = writableCopy(await builderRoot());
  onTestFinished(remove);
  mkdirSync(join(root, "home/sailor/.npm"));
  must("git", "clone", "--quiet", "--no-hardlinks", ".", join(root, "home/sailor/hub"));
  // What npm has here it need not fetch again; it compares all with the hashes of the lock file.
  const [here, there] = [must("npm", "config", "get", "cache").trim(), join(root, "home/sailor/.npm")];
  if (existsSync(join(here, "_cacache"))) must("cp", "-r", "-t", there, join(here, "_cacache"));
  must("chroot", root, "chown", "-R", "sailor:", "/home/sailor");
  const registry = must("npm", "config", "get", "registry").trim();
  const arguments_ = [
    ...["--quiet", "--directory", root, "--pipe", "--register=no", "--keep-unit", "--resolv-conf=replace-host"],
    // The machine's way to the registry.
    ...["--bind-ro=/etc/hosts", "--bind-ro=/etc/ssl/certs/ca-certificates.crt"],
    ...[
      "--user=sailor",
      "--chdir=/home/sailor/hub",
      `--setenv=npm_config_registry=${registry}`,
      "--setenv=npm_config_prefer_offline=true",
      "--setenv=LC_ALL=C.UTF-8",
    ],
  ];
  const files = parts.map((part) => `test/${part}`).join(" ");
  const command = `npm test --silent -- --reporter=default --reporter=./test/support/tally.ts ${files}`;
  const { status, stdout, stderr } = spawnSync("systemd-nspawn", [...arguments_, "sh", "-c", command], {
    env: environment,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  expect(status, `${stdout.slice(-20_000)}${stderr.slice(-5000)}`).toBe(0);
  expect(Number(/^(\d+) passed, 0 failed/m.exec(stdout)?.[1])).toBeGreaterThan(40);
}, 900_000);
