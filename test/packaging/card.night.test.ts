/**
 * The image of a card for PCs: made as `npm run card` makes it, started by UEFI in an emulated machine with the hub.txt of
 * a boat with a gateway, reached from outside, and switched off by its main switch. Nothing of this machine but its
 * processor's time is used.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connectAsync, type MqttClient } from "mqtt";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../support/ports.ts";
import { randomOf } from "../world/random.ts";
import { partsOf } from "./card-container.ts";
import { cutPower } from "./card-cuts.ts";
import { packages } from "./packages.ts";
import { PATH } from "./roots.ts";

const MEGABYTES = 350;
const MIB = 1 << 20;
/** A computer of two others' tests takes many times what a boat's computer takes. */
const START_MS = 1_800_000;
/** Power cuts, and how many of them are followed by a whole start. */
const [CUTS, STARTS] = [300, 10];
/** How long is written meanwhile. */
const WRITING_MS = 30_000;
/** Where the FAT partition begins. */
const AT = "@@1M";

function run(command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    env: { ...process.env, PATH },
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
  return stdout;
}

/** The heading of one radian, as a YDWG-02 sends it. */
const heading = "17:33:21.107 R 09F11223 00 10 27 FF 7F FF 7F FD\r\n";

const isRoot = process.getuid?.() === 0;

describe.skipIf(!isRoot)("the image of a card for PCs", () => {
  let folder: string;
  let packed: string;
  let disk: string;
  /** The third partition before the first start. */
  let data: string;
  let gateway: Server;
  let machine: ChildProcess;
  let port: number;
  let console = "";

  const said = (): string => run("mtype", "-i", `${disk}${AT}`, "::hub-said.txt");

  function start(): void {
    machine = spawn(
      "qemu-system-x86_64",
      [
        ...["-M", "q35", "-cpu", "max", "-accel", "tcg,thread=multi", "-smp", "2", "-m", "1024"],
        ...["-bios", "/usr/share/ovmf/OVMF.fd", "-drive", `file=${disk},format=raw,if=virtio`],
        ...["-netdev", `user,id=boat,hostfwd=tcp:127.0.0.1:${port}-:80`, "-device", "virtio-net-pci,netdev=boat"],
        ...["-display", "none", "-serial", "stdio", "-monitor", "none"],
      ],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    for (const stream of [machine.stdout!, machine.stderr!])
      stream.on("data", (chunk: Buffer) => {
        console = `${console}${chunk}`.slice(-10_000);
      });
  }

  async function isUp(): Promise<void> {
    for (const end = Date.now() + START_MS; ; await delay(2000)) {
      const answer = await fetch(`http://127.0.0.1:${port}/api/config/health`).catch(() => undefined);
      if (answer?.status === 200) break;
      if (Date.now() > end || machine.exitCode !== null) throw new Error(`the machine does not start: ${console}`);
    }
  }

  /** A request for the project, or something in it. */
  const inProject = (method: string, name: string, entry?: object): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}/api/config/project/boat${name}`, {
      method,
      ...(entry !== undefined && { body: JSON.stringify(entry) }),
    });

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "hub-card-"));
    const { current } = await packages();
    const from = dirname(current.get("hub-config_all")!);
    run(process.execPath, "scripts/card.mjs", "--packages", from, "--out", folder);
    packed = join(folder, readdirSync(folder).find((name) => name.endsWith(".xz"))!);
    run("xz", "--decompress", "--keep", "--force", packed);
    disk = packed.replace(/\.xz$/, "");
    data = join(folder, "data");
    const [, , { start: first, size }] = partsOf(disk);
    run("dd", `if=${disk}`, `of=${data}`, "bs=1M", `skip=${first / MIB}`, `count=${size / MIB}`, "status=none");

    gateway = createServer((socket) => {
      const timer = setInterval(() => socket.write(heading), 500);
      socket.on("error", () => {}).on("close", () => clearInterval(timer));
    });
    gateway.listen(0, "127.0.0.1");
    await once(gateway, "listening");
    const { port: ofGateway } = gateway.address() as AddressInfo;
    const text = `name = Ella\r\ncountry = Holland\r\nbus = yd-raw+tcp://10.0.2.2:${ofGateway}\r\n`;
    writeFileSync(join(folder, "hub.txt"), text);
    run("mcopy", "-o", "-i", `${disk}${AT}`, join(folder, "hub.txt"), "::hub.txt");

    port = await freePort();
    start();
    await isUp();
  }, 2 * START_MS);

  afterAll(() => {
    machine?.kill("SIGKILL");
    gateway?.close();
    rmSync(folder, { recursive: true });
  });

  test("has less than 350 MB, its checksum, the list of its packages", () => {
    expect(spawnSync("sha256sum", ["-c", `${packed}.sha256`], { cwd: folder }).status).toBe(0);
    expect(Number(run("stat", "-c", "%s", packed)) / 1e6).toBeLessThan(MEGABYTES);
    expect(readFileSync(`${disk}.packages`, "utf8")).toMatch(/^hub-cand\t/m);
  });

  test("shows the display, with what the gateway sends", async () => {
    expect(await (await fetch(`http://127.0.0.1:${port}/display/`)).text()).toContain("<script");
    const client: MqttClient = await connectAsync(`ws://127.0.0.1:${port}/mqtt`, { protocolVersion: 5 });
    const heard = new Promise<string>((resolve) =>
      client.once("message", (_topic, payload) => resolve(String(payload))),
    );
    await client.subscribeAsync("can/can0/device/+/pgn/127250");
    const message = await heard;
    await client.endAsync();
    expect(JSON.parse(message).data.headingDeg).toBeCloseTo(57.296, 2);
  }, 300_000);

  test("says which line of hub.txt is wrong, on its page and in hub-said.txt, and takes no answer", async () => {
    const sentence = "Line 2: country must be two letters, such as NL.";
    const page = await (await fetch(`http://127.0.0.1:${port}/card/`)).text();
    expect(page).toContain(sentence);
    expect(page).not.toContain("<form");
    expect(said()).toContain(sentence);
    const answer = await fetch(`http://127.0.0.1:${port}/card/`, { method: "POST", body: "name=Emma" });
    expect(answer.status).toBe(403);
  });

  test(
    "starts after its power was cut, with all that was acknowledged",
    async () => {
      expect((await inProject("PUT", "", { name: "Boat" })).status).toBe(201);
      expect((await inProject("PUT", "/sensor/bilge", { cut: 1 })).status).toBe(201);
      const ended = once(machine, "close");
      machine.kill("SIGKILL");
      await ended;
      start();
      await isUp();
      expect(await (await inProject("GET", "/sensor/bilge")).json()).toMatchObject({ cut: 1 });
      expect((await fetch(`http://127.0.0.1:${port}/display/`)).status).toBe(200);
    },
    2 * START_MS,
  );

  test(
    "has all that was acknowledged wherever the power is cut, also of a card that loses what it has not flushed",
    async () => {
      const done = await cutPower({
        ...{ image: disk, data, folder, ms: WRITING_MS, cuts: CUTS, every: CUTS / STARTS, random: randomOf(CUTS) },
      });
      expect(done.starts).toBe(STARTS);
      expect(done.acknowledged).toBeGreaterThan(20);
    },
    2 * START_MS,
  );
});
