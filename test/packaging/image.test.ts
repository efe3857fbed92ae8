/**
 * The image for containers, and the compose file beside it: both as a boat uses them, by Debian's podman and
 * podman-compose, in a network namespace of the test's own.
 */
import { type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { size, withoutEmulation, withoutSecondBuild } from "../size.ts";
import { packages, sourceSeconds, titled, withoutPackaging } from "./packages.ts";
import { imageBases, PATH, withoutRoots } from "./roots.ts";

const has = (command: string): boolean => spawnSync(command, ["--version"], { env: { PATH } }).error === undefined;
const obstacle =
  withoutRoots ??
  withoutPackaging ??
  (process.env.CI === "true" || ["podman", "podman-compose", "skopeo", "mosquitto_sub", "curl"].every(has)
    ? undefined
    : "containers need podman, podman-compose, skopeo, mosquitto-clients and curl");

const architectures = size(["amd64"] as const, ["amd64", "arm64"] as const);
/** Bytes of the files of an image, for a boat's memory card. */
const MOST_BYTES = 150e6;
const USER = 65532;

/** What a container is started with here, where a container may be in a container: no limits are set above this one's. */
const HERE = "--cgroups=disabled --ulimit nofile=1024:1024 --ulimit nproc=1000:1000";

interface Descriptor {
  readonly digest: string;
  readonly size: number;
  readonly platform?: { readonly architecture: string };
}

describe(titled("the image", obstacle), { skip: obstacle !== undefined }, () => {
  let folder: string;
  const archive = (): string => join(folder, "hub.oci.tar");

  /** Makes the image into a folder. */
  const make = async (out: string): Promise<void> => {
    const { current } = await packages();
    const args = ["--packages", dirname(current.get("hub-config_all")!), "--out", out, "--bases", imageBases];
    const child = spawn(process.execPath, ["scripts/image.mjs", ...args, "--architectures", architectures.join()], {
      env: { ...process.env, SOURCE_DATE_EPOCH: sourceSeconds() },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const [complaints, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
    expect(code, complaints).toBe(0);
  };
  const run = (command: string, ...args: readonly string[]): SpawnSyncReturns<string> =>
    spawnSync(command, args, { encoding: "utf8", env: { ...process.env, PATH }, maxBuffer: 1 << 28 });
  const textOf = (command: string, ...args: readonly string[]): string => {
    const { status, stdout, stderr } = run(command, ...args);
    expect(status, `${command} ${args.join(" ")}: ${stderr}`).toBe(0);
    return stdout;
  };
  const blob = ({ digest }: Descriptor): Buffer => readFileSync(join(folder, "layout/blobs", digest.replace(":", "/")));
  const json = <Content>(descriptor: Descriptor): Content => JSON.parse(blob(descriptor).toString());
  const manifestOf = (architecture: string): { readonly layers: readonly Descriptor[] } => {
    const { manifests } = JSON.parse(readFileSync(join(folder, "layout/index.json"), "utf8"));
    const index = json<{ readonly manifests: readonly Descriptor[] }>(manifests[0]);
    return json(index.manifests.find(({ platform }) => platform?.architecture === architecture)!);
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "hub-image-test-"));
    await make(folder);
    mkdirSync(join(folder, "layout"));
    textOf("tar", "--extract", "--file", archive(), "--directory", join(folder, "layout"));
  }, 600_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  describe.each(architectures)("for %s", (architecture) => {
    test("skopeo reads it: a user without a name, the labels of the project", () => {
      const args = ["inspect", "--override-arch", architecture, "--config", `oci-archive:${archive()}`];
      const { architecture: said, created, config } = JSON.parse(textOf("skopeo", ...args));
      expect(said).toBe(architecture);
      expect(Date.parse(created)).toBe(Number(sourceSeconds()) * 1000);
      expect(config.User).toBe(`${USER}:${USER}`);
      const { version, license, homepage, repository } = JSON.parse(readFileSync("package.json", "utf8"));
      expect(config.Labels).toMatchObject({
        "org.opencontainers.image.version": version,
        "org.opencontainers.image.licenses": license,
        "org.opencontainers.image.url": homepage,
        "org.opencontainers.image.source": repository.url,
      });
    });

    test("it is small, has what scanners and lawyers ask for, and no file becomes another user", () => {
      const lists = manifestOf(architecture).layers.map((layer) => {
        const path = join(folder, "layer.tar");
        writeFileSync(path, gunzipSync(blob(layer)));
        return textOf("tar", "--list", "--verbose", "--numeric-owner", "--file", path);
      });
      const lines = lists.join("").trimEnd().split("\n");
      const bytes = lines.map((line) => Number(/^\S+ \S+ +(\d+)/.exec(line)![1]));
      expect(bytes.reduce((sum, its) => sum + its, 0)).toBeLessThan(MOST_BYTES);
      expect(lines.filter((line) => /^-.{2}s|^-.{5}s/.test(line))).toEqual([]);
      const owned = lines.filter((line) => !/^\S+ 0\/0 /.test(line)).map((line) => line.split(/ +/).slice(1).join(" "));
      expect(owned.length).toBeGreaterThan(0);
      for (const line of owned) expect(line).toMatch(new RegExp(`^${USER}/${USER} .* \\./(etc|var/lib)/`));
      for (const file of ["usr/share/doc/nodejs/copyright", "usr/share/doc/hub-cand/copyright"])
        expect(lists.join("")).toContain(`./${file}`);
      for (const name of ["nodejs", "mosquitto", "hub-cand"])
        expect(lists.join("")).toContain(`./var/lib/dpkg/status.d/${name}\n`);
    });
  });

  test(titled("a second build has the same bytes", withoutSecondBuild), {
    skip: withoutSecondBuild !== undefined,
    timeout: 600_000,
  }, async () => {
    const again = join(folder, "again");
    await make(again);
    expect(readFileSync(join(again, "hub.oci.tar")).equals(readFileSync(archive()))).toBe(true);
  });

  test(titled("hub-cand and its addon run on arm64", withoutEmulation), {
    skip: withoutEmulation !== undefined,
    timeout: 60_000,
  }, () => {
    const root = join(folder, "arm64");
    mkdirSync(root);
    for (const layer of manifestOf("arm64").layers) {
      writeFileSync(join(folder, "layer.tar"), gunzipSync(blob(layer)));
      textOf("tar", "--extract", "--file", join(folder, "layer.tar"), "--directory", root);
    }
    const node = (...args: string[]): string =>
      textOf("qemu-aarch64-static", "-L", root, join(root, "usr/bin/node"), ...args);
    const lib = join(root, "usr/lib/hub-cand");
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(node(join(lib, "hub-cand.mjs"), "--version")).toContain(version);
    expect(node("--print", `process.arch + Object.keys(require("${lib}/hub_can.node")).length`)).toMatch(/^arm64[1-9]/);
  });

  test("compose: topics, display and configuration, without root, and nothing but the volumes is written", {
    timeout: 180_000,
  }, async () => {
    const store = join(folder, "store");
    const podman = join(folder, "podman");
    // podman-compose 1.0 also joins a network of its own where the file names another.
    const commands = `kept=()
while [ $# -gt 0 ]; do
  case $1 in --net | --network-alias) shift ;; *) kept+=("$1") ;; esac
  shift
done
exec podman --root ${store} --runroot ${folder}/run --cgroup-manager cgroupfs "\${kept[@]}"`;
    writeFileSync(podman, `#!/bin/bash\n${commands}\n`, { mode: 0o755 });
    // Some kernels still show the older control groups beside the newer ones, which crun refuses.
    const prepare = "ip link set lo up; umount -q /sys/fs/cgroup/unified; echo ready; exec sleep infinity";
    const namespace = spawn("unshare", ["-n", "-m", "sh", "-c", prepare], {
      env: { PATH },
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void namespace.kill("SIGKILL"));
    await once(namespace.stdout, "data");
    const inside = (...args: string[]): SpawnSyncReturns<string> =>
      run("nsenter", "-t", String(namespace.pid), "-n", "-m", "env", "HUB_NETWORK=host", ...args);
    const compose = (...args: string[]): SpawnSyncReturns<string> =>
      inside(
        ...["podman-compose", "--podman-path", podman, `--podman-run-args=${HERE}`],
        ...["--file", join(folder, "compose.yaml"), ...args],
      );
    textOf(podman, "load", "--input", archive());
    onTestFinished(() => {
      compose("down", "--volumes", "--timeout", "1");
      inside(podman, "system", "reset", "--force");
    });
    const { stdout, stderr } = compose("up", "--detach");
    const containers = JSON.parse(textOf(podman, "ps", "--format", "json"));
    expect(containers.length, stdout + stderr).toBe(5);

    const asked = (path: string): string => inside("curl", "--silent", "--fail", `http://127.0.0.1:8080${path}`).stdout;
    const heard = (): string => inside("mosquitto_sub", "-t", "#", "-F", "%t", "-W", "2").stdout;
    for (let topics = ""; !topics.includes("can/can0/navigation"); topics = heard()) await delay(100);
    const topics = heard();
    for (const topic of ["app/can-can0/info", "app/config/info", "can/can0/device/"]) expect(topics).toContain(topic);
    expect(asked("/display/")).toMatch(/^<!doctype html>/i);
    expect(asked("/api/config/health")).toContain('"ready"');
    inside(
      "curl",
      "--silent",
      "-X",
      "PUT",
      "-d",
      '{"name": "Hull 42"}',
      "http://127.0.0.1:8080/api/config/project/hull-42",
    );
    inside("curl", "--silent", "-X", "PUT", "http://127.0.0.1:8080/api/config/project/hull-42/deploy");
    expect(asked("/api/deploy.json")).toContain("Hull 42");

    for (const { Id: id, Pid: pid } of containers) {
      expect(readFileSync(`/proc/${pid}/status`, "utf8")).toMatch(new RegExp(`^Uid:\t${USER}\t${USER}\t`, "m"));
      const mounts = readFileSync(`/proc/${pid}/mounts`, "utf8").split("\n");
      expect(
        mounts.find((line) => line.split(" ")[1] === "/"),
        id,
      ).toMatch(/^\S+ \/ \S+ ro[, ]/);
    }
    const shell = [
      "run",
      ...HERE.split(" "),
      "--rm",
      "--network",
      "none",
      "--read-only",
      "localhost/hub:latest",
      "sh",
      "-c",
    ];
    expect(inside(podman, ...shell, "echo 1 >/usr/lib/hub").stderr).toContain("Read-only file system");
  });
});
