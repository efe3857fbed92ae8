/**
 * The image of a card for PCs: made as `npm run card` makes it, and started by UEFI in an emulated machine three times: it
 * asks, starts again with the answer, a gateway, and after a power cut with another hub.txt, a USB adapter. It is reached
 * from outside, and heard by its sound card. Nothing of this machine but its processor's time is used.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connectAsync, type MqttClient } from "mqtt";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../support/ports.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { randomOf } from "../world/random.ts";
import { partsOf } from "./card-container.ts";
import { cutPower } from "./card-cuts.ts";
import { packages } from "./packages.ts";
import { PATH } from "./roots.ts";
import { redirectAdapter } from "./usb-redirection.ts";

const MEGABYTES = 350;
const MIB = 1 << 20;
/** Processor's time within which a machine does what is waited for, several starts of it, however busy this computer is. */
const LONGEST_CPU_SECONDS = 3000;
const [IMAGE_MS, MACHINE_MS] = [7_200_000, 20_000_000];
/** Power cuts, and how many of them are followed by a whole start. */
const [CUTS, STARTS] = [300, 10];
/** How long is written meanwhile. */
const WRITING_MS = 30_000;
/** A call is on the medium so many milliseconds later, by the boat's clock. */
const SAVED_MS = 5000;
/** A boat's computer is up within so many seconds of its own clock, also at its first start. */
const UP_SECONDS = 90;
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

/** The heading of one radian: its frame, and a line of it as a YDWG-02 sends it. */
const HEADING = { id: 0x89f11223, data: [0x00, 0x10, 0x27, 0xff, 0x7f, 0xff, 0x7f, 0xfd] };
const heading = "17:33:21.107 R 09F11223 00 10 27 FF 7F FF 7F FD\r\n";

/** The largest sample of a WAV file of 16 bits, which is written meanwhile. */
function loudest(wav: string): number {
  const bytes = readFileSync(wav);
  let largest = 0;
  for (let at = 44; at + 1 < bytes.length; at += 2) largest = Math.max(largest, bytes.readInt16LE(at));
  return largest;
}

/**
 * A boat's computer with a disk of its own. Its clock counts instructions, 1 ns each, so that its own deadlines hold however
 * busy this machine is: a core of a Raspberry Pi 3 is about as fast.
 */
class Boat {
  readonly disk: string;
  #machine: ChildProcess | undefined;
  #port = 0;
  #console = "";

  constructor(image: string, disk: string) {
    this.disk = disk;
    copyFileSync(image, disk);
  }

  /** Another computer writes its hub.txt. */
  write(text: string): void {
    writeFileSync(`${this.disk}.txt`, text);
    run("mcopy", "-o", "-i", `${this.disk}${AT}`, `${this.disk}.txt`, "::hub.txt");
  }

  /** Resolves once it answers, with the seconds by its own clock. */
  async start(devices: readonly string[]): Promise<number> {
    this.#port = await freePort();
    const from = Date.now();
    this.#machine = spawn(
      "qemu-system-x86_64",
      [
        ...["-M", "q35", "-cpu", "max", "-accel", "tcg,thread=single", "-smp", "1", "-m", "1024"],
        ...["-icount", "shift=0", "-rtc", "clock=vm"],
        ...["-bios", "/usr/share/ovmf/OVMF.fd", "-drive", `file=${this.disk},format=raw,if=virtio`],
        ...["-netdev", `user,id=boat,hostfwd=tcp:127.0.0.1:${this.#port}-:80`],
        ...["-device", "virtio-net-pci,netdev=boat", ...devices],
        ...["-display", "none", "-serial", "stdio", "-monitor", "none"],
      ],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    for (const stream of [this.#machine.stdout!, this.#machine.stderr!])
      stream.on("data", (chunk: Buffer) => {
        this.#console = `${this.#console}${chunk}`.slice(-10_000);
      });
    let now = 0;
    await this.until(async () => {
      now = await this.clock();
      return true;
    });
    return (now - from) / 1000;
  }

  /** Its clock, in milliseconds since 1970; rejects while it does not answer. */
  async clock(): Promise<number> {
    const { status, headers } = await this.request("/api/config/health");
    if (status !== 200) throw new Error(`it answers with ${status}`);
    return Date.parse(headers.get("date")!);
  }

  async until(holds: () => Promise<boolean>): Promise<void> {
    for (const end = this.#cpuSeconds() + LONGEST_CPU_SECONDS; ; await delay(2000)) {
      if (await holds().catch(() => false)) break;
      if (this.#cpuSeconds() > end) throw new Error(`it does not answer: ${this.#console}`);
    }
  }

  /** Processor's time that its machine has taken; throws if that has ended. */
  #cpuSeconds(): number {
    if (this.#machine?.exitCode !== null) throw new Error(`it has ended: ${this.#console}`);
    const fields = readFileSync(`/proc/${this.#machine.pid}/stat`, "utf8").split(") ")[1]!.split(" ");
    // In hundredths of a second, as a user and in the kernel.
    return (Number(fields[11]) + Number(fields[12])) / 100;
  }

  async cutPower(): Promise<void> {
    const machine = this.#machine;
    if (machine?.exitCode !== null) return;
    this.#machine = undefined;
    const ended = once(machine, "close");
    machine.kill("SIGKILL");
    await ended;
  }

  request(path: string, options?: RequestInit): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.#port}${path}`, options);
  }

  async page(path: string): Promise<string> {
    return (await this.request(path)).text();
  }

  /** A request for the project, or something in it. */
  inProject(method: string, name: string, entry?: object): Promise<Response> {
    return this.request(`/api/config/project/boat${name}`, {
      method,
      ...(entry !== undefined && { body: JSON.stringify(entry) }),
    });
  }

  #connect(): Promise<MqttClient> {
    return connectAsync(`ws://127.0.0.1:${this.#port}/mqtt`, { protocolVersion: 5 });
  }

  async publish(topic: string, payload: string): Promise<void> {
    const client = await this.#connect();
    await client.publishAsync(topic, payload, { qos: 1 });
    await client.endAsync();
  }

  /** Resolves once an alarm of a kind is raised. */
  async alarm(kind: string): Promise<void> {
    await this.until(async () => JSON.stringify(await this.message("can/can0/alarms")).includes(`"kind":"${kind}"`));
  }

  /** The next message of a topic. */
  async message(topic: string): Promise<{ readonly data: Readonly<Record<string, unknown>> }> {
    const client = await this.#connect();
    const heard = new Promise<string>((resolve) =>
      client.once("message", (_topic, payload) => resolve(String(payload))),
    );
    await client.subscribeAsync(topic);
    const message = await heard;
    await client.endAsync();
    return JSON.parse(message);
  }

  /** A file of the drive HUB. */
  onDrive(name: string): string {
    return run("mtype", "-i", `${this.disk}${AT}`, `::${name}`);
  }
}

const isRoot = process.getuid?.() === 0;

describe.skipIf(!isRoot)("the image of a card for PCs", () => {
  let folder: string;
  let packed: string;
  let image: string;

  beforeAll(async () => {
    folder = temporaryFolder("card");
    const { current } = await packages();
    const from = dirname(current.get("hub-config_all")!);
    run(process.execPath, "scripts/card.mjs", "--packages", from, "--out", folder);
    packed = join(folder, readdirSync(folder).find((name) => name.endsWith(".xz"))!);
    image = packed.replace(/\.xz$/, "");
    run("xz", "--decompress", "--keep", "--force", packed);
  }, IMAGE_MS);

  afterAll(() => rmSync(folder, { recursive: true }));

  test("has less than 350 MB, its checksum, the list of its packages", () => {
    expect(spawnSync("sha256sum", ["-c", `${packed}.sha256`], { cwd: folder }).status).toBe(0);
    expect(Number(run("stat", "-c", "%s", packed)) / 1e6).toBeLessThan(MEGABYTES);
    expect(readFileSync(`${image}.packages`, "utf8")).toMatch(/^hub-cand\t/m);
  });

  describe("in a machine", () => {
    let boat: Boat;
    let gateway: Server;
    let url: string;
    let firstStart: number;
    const connections = new Set<Socket>();
    let sound: string;

    beforeAll(async () => {
      gateway = createServer((socket) => {
        connections.add(socket);
        const timer = setInterval(() => socket.write(heading), 500);
        socket.on("error", () => {}).on("close", () => clearInterval(timer));
      });
      gateway.listen(0, "127.0.0.1");
      await once(gateway, "listening");
      url = `yd-raw+tcp://10.0.2.2:${(gateway.address() as AddressInfo).port}`;
      sound = join(folder, "sound.wav");
      boat = new Boat(image, join(folder, "boat.img"));
      firstStart = await boat.start([
        ...["-audiodev", `wav,id=sound,path=${sound}`],
        ...["-device", "intel-hda", "-device", "hda-output,audiodev=sound"],
      ]);
    }, MACHINE_MS);

    afterAll(async () => {
      await boat?.cutPower();
      gateway?.close();
    });

    test("with nothing in hub.txt it is up within 90 seconds, and asks", async () => {
      expect(firstStart).toBeLessThan(UP_SECONDS);
      expect(await boat.page("/card/")).toContain("<form");
      expect(boat.onDrive("hub-said.txt")).toContain("hub.txt has no values");
      expect((await boat.request("/display/")).status).toBe(200);
    }, 300_000);

    test(
      "it starts again with the answer, and shows the display with what the gateway sends",
      async () => {
        const body = new URLSearchParams({ name: "Ella", bus: url });
        expect((await boat.request("/card/", { method: "POST", body })).status).toBe(200);
        await boat.until(async () => (await boat.page("/card/")).includes("hub has read hub.txt."));
        expect(boat.onDrive("hub.txt")).toMatch(/^name = Ella\r\n/m);
        expect(boat.onDrive("hub-said.txt")).toBe("hub has read hub.txt.\r\n");
        expect(await boat.page("/display/")).toContain("<script");
        const { data } = await boat.message("can/can0/device/+/pgn/127250");
        expect(data.headingDeg).toBeCloseTo(57.296, 2);
      },
      MACHINE_MS,
    );

    test(
      "it sounds at its own sound card once an alarm has no answer: the gateway is gone",
      async () => {
        gateway.close();
        for (const socket of connections) socket.destroy();
        await boat.until(async () => loudest(sound) > 20_000);
      },
      MACHINE_MS,
    );

    test(
      "after a power cut it has all that was acknowledged and the person overboard, and of a hub.txt that was changed meanwhile the USB adapter as can0 and a sentence about the wrong line",
      async () => {
        expect((await boat.inProject("PUT", "", { name: "Boat" })).status).toBe(201);
        expect((await boat.inProject("PUT", "/sensor/bilge", { cut: 1 })).status).toBe(201);
        await boat.publish("can/can0/alarms/manOverboard/set", "{}");
        await boat.alarm("manOverboard");
        const saved = (await boat.clock()) + SAVED_MS;
        await boat.until(async () => (await boat.clock()) >= saved);
        await boat.cutPower();

        boat.write("name = Ella\r\ncountry = Holland\r\nbus = usb\r\n");
        const port = join(folder, "usb");
        const adapter = redirectAdapter(port);
        const timer = setInterval(() => adapter.hear(HEADING.id, HEADING.data), 500);
        try {
          const devices = [
            ...["-device", "qemu-xhci", "-chardev", `socket,id=adapter,path=${port}`],
            ...["-device", "usb-redir,chardev=adapter"],
          ];
          expect(await boat.start(devices)).toBeLessThan(UP_SECONDS);
          await boat.alarm("manOverboard");
          expect(await (await boat.inProject("GET", "/sensor/bilge")).json()).toMatchObject({ cut: 1 });
          expect((await boat.request("/display/")).status).toBe(200);
          const { data } = await boat.message("can/can0/device/+/pgn/127250");
          expect(data.headingDeg).toBeCloseTo(57.296, 2);
        } finally {
          clearInterval(timer);
          adapter.close();
        }

        const sentence = "Line 2: country must be the two letters of a country, such as NL; the United Kingdom has GB.";
        const page = await boat.page("/card/");
        expect(page).toContain(sentence);
        expect(page).not.toContain("<form");
        expect(boat.onDrive("hub-said.txt")).toContain(sentence);
        expect((await boat.request("/card/", { method: "POST", body: "name=Emma" })).status).toBe(403);
      },
      2 * MACHINE_MS,
    );
  });

  test(
    "has all that was acknowledged wherever the power is cut, also of a card that loses what it has not flushed",
    async () => {
      const data = join(folder, "data");
      const [, , { start: first, size }] = partsOf(image);
      run("dd", `if=${image}`, `of=${data}`, "bs=1M", `skip=${first / MIB}`, `count=${size / MIB}`, "status=none");
      const done = await cutPower({
        ...{ image, data, folder, ms: WRITING_MS, cuts: CUTS, every: CUTS / STARTS, random: randomOf(CUTS) },
      });
      expect(done.starts).toBe(STARTS);
      expect(done.acknowledged).toBeGreaterThan(20);
    },
    IMAGE_MS,
  );
});
