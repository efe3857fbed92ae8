/**
 * The OCI image: its size, user and architectures, and the containers of compose.yaml, which podman runs in a network of
 * their own.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { architectures as packaged, packages } from "./packages.ts";
import { PATH } from "./roots.ts";

const MEGABYTES = 150;
const USER = "10001:10001";
const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

interface Service {
  readonly image: string;
  readonly network_mode: string;
  readonly command: string;
  readonly read_only: boolean;
  readonly tmpfs: readonly string[];
  readonly cap_drop: readonly string[];
  readonly security_opt: readonly string[];
  readonly volumes?: readonly string[];
  readonly restart: string;
}
interface Index {
  readonly manifests: readonly { readonly digest: string; readonly platform: { readonly architecture: string } }[];
}
interface Config {
  readonly config: { readonly User: string; readonly Labels: Readonly<Record<string, string>> };
}
const compose = parse(readFileSync("packaging/image/compose.yaml", "utf8"), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
};

/** The arguments of `podman run` for a service, as Compose starts it. */
const argumentsOf = (name: string, service: Service): readonly string[] => {
  const {
    image,
    network_mode,
    command,
    read_only,
    tmpfs,
    cap_drop,
    security_opt,
    volumes = [],
    restart,
    ...others
  } = service;
  expect(others, name).toEqual({});
  return [
    ...["--name", name, "--network", network_mode, "--restart", restart],
    ...(read_only ? ["--read-only"] : []),
    ...tmpfs.flatMap((path) => ["--tmpfs", path]),
    ...cap_drop.flatMap((capability) => ["--cap-drop", capability]),
    ...security_opt.flatMap((option) => ["--security-opt", option]),
    ...volumes.flatMap((volume) => ["--volume", volume]),
    ...[image, ...command.split(" ")],
  ];
};

/** The output of a program that ends with 0. */
async function outputOf(command: string, ...args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { env: { ...process.env, PATH }, stdio: ["ignore", "pipe", "pipe"] });
  const [printed, complaints, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")}: ${complaints}`);
  return printed.trim();
}

test("a container with a serial gateway gets the device, and the group that owns it by its number", () => {
  const blocks = readFileSync("docs/containers.md", "utf8").matchAll(/^```yaml\n(.*?)^```$/gms);
  const text = [...blocks].map(([, block]) => block!).find((block) => block.includes("/dev/"));
  const { command, devices, group_add } = parse(text ?? "");
  expect(devices).toEqual([/\/dev\/\S+/.exec(command)![0]]);
  // Debian's dialout, as base-passwd has it; names are those of the image.
  expect(group_add).toEqual(["20"]);
});

test("compose.yaml and its page have the image of this version", () => {
  expect(Object.values(compose.services).map(({ image }) => image)).toEqual(
    Object.keys(compose.services).map(() => `hub:${version}`),
  );
  expect(readFileSync("docs/containers.md", "utf8").match(/hub:\d[\d.]*\d/g)).toEqual([
    `hub:${version}`,
    `hub:${version}`,
  ]);
});

/** A network of its own, in which this machine's control groups are those of version 2 alone, as crun needs them. */
const PREPARE =
  "ip link set lo up; umount -R /sys/fs/cgroup; mount -t cgroup2 none /sys/fs/cgroup; echo ready; exec sleep infinity";

describe("the OCI image", () => {
  const architectures = packaged.filter((name) => name !== "armhf");
  let folder: string;
  let archive: string;
  let namespace: ChildProcess;

  const inside = (...command: readonly string[]): Promise<string> =>
    outputOf("nsenter", "-t", String(namespace.pid), "-n", "-m", ...command);
  const podman = (...args: readonly string[]): Promise<string> =>
    inside(
      ...["podman", "--root", join(folder, "store"), "--runroot", join(folder, "run"), "--storage-driver", "overlay"],
      ...["--cgroup-manager", "cgroupfs", "--events-backend", "none", "--runtime", "crun", ...args],
    );
  const run = (name: string): Promise<string> => {
    // This machine may be a container itself, which has neither control groups nor limits to give.
    const limits = ["--cgroups", "disabled", "--ulimit", "nofile=1024:1024", "--ulimit", "nproc=4096:4096"];
    return podman("run", "--detach", ...limits, ...argumentsOf(name, compose.services[name]!));
  };
  const make = async (name: string, only: readonly string[]): Promise<string> => {
    const { current } = await packages();
    const [from, out] = [dirname(current.get("hub-config_all")!), join(folder, name)];
    const args = ["--packages", from, "--out", out, "--architectures", only.join()];
    await outputOf(process.execPath, "scripts/image.mjs", ...args);
    return `oci-archive:${out}`;
  };
  const inspect = async (image: string, ...args: readonly string[]): Promise<unknown> =>
    JSON.parse(await outputOf("skopeo", "inspect", ...args, image));

  beforeAll(async () => {
    folder = temporaryFolder("image");
    archive = await make("image.tar", architectures);
    namespace = spawn("unshare", ["-n", "-m", "sh", "-c", PREPARE], {
      env: { PATH },
      stdio: ["ignore", "pipe", "ignore"],
    });
    await once(namespace.stdout!, "data");
    await podman("load", "--quiet", "--input", join(folder, "image.tar"));
  });
  afterAll(async () => {
    await podman("rm", "--all", "--force", "--time", "1").catch(() => "");
    namespace.kill("SIGKILL");
    // The cleaning that podman begins at the end of a container may still write to its store.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  test("has each architecture, labels, a user who is not root, and fewer than 150 MB", async () => {
    const { manifests } = (await inspect(archive, "--raw")) as Index;
    expect(manifests.map(({ platform }) => platform.architecture)).toEqual(architectures);
    for (const architecture of architectures) {
      const { config } = (await inspect(archive, "--config", "--override-arch", architecture)) as Config;
      expect(config.User).toBe(USER);
      expect(config.Labels).toMatchObject({ "org.opencontainers.image.version": version });
    }
    const bytes = Number(await podman("image", "inspect", "--format", "{{.Size}}", `hub:${version}`));
    expect(bytes / 1e6).toBeLessThan(MEGABYTES);
  });

  test("has the same digest when it is made again", async () => {
    const digests = async (image: string) =>
      ((await inspect(image, "--raw")) as Index).manifests.map(({ digest }) => digest);
    const [first] = architectures;
    expect(await digests(await make("again.tar", [first!]))).toEqual((await digests(archive)).slice(0, 1));
  });

  test("the containers of compose.yaml show the simulated boat, as a user who may write to their volumes alone", async () => {
    for (const name of Object.keys(compose.services)) await run(name);
    // The first messages after a start have not all values.
    const listen = `mosquitto_sub -t can/can0/navigation -W 60 | grep -m 1 '"position":'`;
    expect(JSON.parse(await inside("sh", "-c", listen)).data.position.latitude).toBeTypeOf("number");
    const get = (path: string) =>
      inside("curl", "-sSf", "--retry", "20", "--retry-all-errors", `http://127.0.0.1:8080${path}`);
    expect(await get("/display/")).toContain("<script");
    expect(JSON.parse(await get("/api/config/health"))).toEqual({ status: "ready" });
    expect(JSON.parse(await get("/signalk")).endpoints.v1.version).toBeTypeOf("string");
    const sentence = await inside("sh", "-c", "curl -sS -m 5 telnet://127.0.0.1:10110 </dev/null | head -1");
    expect(sentence).toMatch(/^[$!]/);
    const script =
      'for (const path of ["/etc/x", "/usr/x", "/var/lib/x", "/tmp/x"]) try { fs.writeFileSync(path, ""); console.log(path) } catch ({ code }) { console.log(code) } console.log(process.getuid())';
    expect((await podman("exec", "reader", "node", "-e", script)).split("\n")).toEqual([
      ...["EROFS", "EROFS", "EROFS", "/tmp/x"],
      USER.split(":")[0],
    ]);
  });

  test("a project outlives its container", async () => {
    const url = "http://127.0.0.1:12000/project/Ella";
    await inside("curl", "-sSf", "-X", "PUT", url, "-H", "content-type: application/json", "-d", "{}");
    await podman("rm", "--force", "--time", "5", "configuration");
    await run("configuration");
    const found = await inside("curl", "-sSf", "--retry", "20", "--retry-all-errors", "http://127.0.0.1:12000/project");
    expect(found).toContain("Ella");
  });
});
