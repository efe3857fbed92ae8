/**
 * The image of a card for PCs: made as `npm run card` makes it, started by UEFI in an emulated machine with the hub.txt of
 * a boat with a gateway, and reached from outside; updated from a repository, and switched off by its main switch. Nothing
 * of this machine but its processor's time is used.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connectAsync, type MqttClient } from "mqtt";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { UpdateReport } from "../../src/core/report/update.ts";
import { freePort } from "../support/ports.ts";
import { packages, repack } from "./packages.ts";
import { PATH } from "./roots.ts";

const MEGABYTES = 350;
/** A computer of two others' tests takes many times what a boat's computer takes. */
const START_MS = 1_800_000;
/** Power cuts, each with a start. */
const CUTS = 3;
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
  let gateway: Server;
  let machine: ChildProcess;
  let port: number;
  let console = "";
  let repository: HttpServer;
  /** The owner's keys of gpg, which sign the repository. */
  let keys: string;

  const must = (command: string, ...args: readonly string[]): void => {
    const { status, stderr } = spawnSync(command, args, { env: { ...process.env, GNUPGHOME: keys }, encoding: "utf8" });
    if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
  };

  /** Adds the packages of a folder to the boat's repository. */
  const publish = (from: string): void => {
    const { port: ofRepository } = repository.address() as AddressInfo;
    must(
      process.execPath,
      ...["scripts/repository.mjs", "--key", "owner@boat.invalid", "--packages", from],
      ...["--out", join(folder, "repository"), "--url", `http://10.0.2.2:${ofRepository}`],
    );
  };

  /** A version of all packages, with what is new in it; `change` changes those of the display. */
  const release = (version: string, from: string, change: string): string => {
    const target = join(folder, version);
    mkdirSync(target);
    for (const name of readdirSync(from).filter((each) => /_(all|amd64)\.deb$/.test(each))) {
      const changes = [`sed -i "s/^Version: .*/Version: ${version}/" DEBIAN/control`];
      if (name.startsWith("hub-display_")) changes.push(change);
      if (name.startsWith("hub-config_"))
        changes.push(
          `cd usr/share/doc/hub-config && (printf 'hub (${version}) UNRELEASED; urgency=medium\\n\\n  * News of ${version}.\\n\\n' && gunzip -c changelog.gz) | gzip -n >new && mv new changelog.gz`,
        );
      repack(join(from, name), join(target, name.replace(/_[^_]+_/, `_${version}_`)), changes.join(" && "));
    }
    return target;
  };

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

  async function cutPower(): Promise<void> {
    const ended = once(machine, "close");
    machine.kill("SIGKILL");
    await ended;
  }

  const address = (path: string): string => `http://127.0.0.1:${port}/${path}`;

  /** The first answer of the service for which `is` holds. */
  async function answered<Answer>(path: string, is: (answer: Answer) => boolean): Promise<Answer> {
    for (const end = Date.now() + START_MS; ; await delay(2000)) {
      const response = await fetch(address(path)).catch(() => undefined);
      const answer = response?.status === 200 ? ((await response.json().catch(() => undefined)) as Answer) : undefined;
      if (answer !== undefined && is(answer)) return answer;
      if (Date.now() > end || machine.exitCode !== null)
        throw new Error(`${path}: ${JSON.stringify(answer)}, ${console}`);
    }
  }

  const isUp = (): Promise<unknown> => answered("api/config/health", () => true);
  const put = async (path: string, body: object = {}): Promise<number> =>
    (await fetch(address(`api/config/${path}`), { method: "PUT", body: JSON.stringify(body) })).status;

  /** Asks for an update, and waits for the report of the outcome. */
  async function update(request: string): Promise<UpdateReport> {
    const { at } = await answered<UpdateReport>("api/config/update", () => true);
    expect(await put(`update/${request}`)).toBe(201);
    return answered("api/config/update", (report) => report.phase === "idle" && report.at !== at);
  }

  const said = (): string => run("mtype", "-i", `${disk}${AT}`, "::hub-said.txt");

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "hub-card-"));
    keys = mkdtempSync(join(tmpdir(), "hub-keys-"));
    must(
      "gpg",
      "--batch",
      "--passphrase",
      "",
      "--quick-generate-key",
      "owner <owner@boat.invalid>",
      "ed25519",
      "sign",
      "0",
    );
    repository = createHttpServer((request, response) => {
      const path = join(folder, "repository", new URL(request.url!, "http://boat").pathname);
      if (existsSync(path)) createReadStream(path).pipe(response);
      else response.writeHead(404).end();
    }).listen(0, "127.0.0.1");
    await once(repository, "listening");
    const { current } = await packages();
    const from = dirname(current.get("hub-config_all")!);
    publish(from);
    run(
      process.execPath,
      ...["scripts/card.mjs", "--packages", from, "--out", folder],
      ...["--sources", join(folder, "repository/hub.sources")],
    );
    packed = join(folder, readdirSync(folder).find((name) => name.endsWith(".xz"))!);
    run("xz", "--decompress", "--keep", "--force", packed);
    disk = packed.replace(/\.xz$/, "");

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
    repository?.close();
    spawnSync("gpgconf", ["--kill", "all"], { env: { ...process.env, GNUPGHOME: keys } });
    rmSync(keys, { recursive: true });
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
    "installs a newer version that is asked for, and goes back from one without a display",
    async () => {
      const { current } = await packages();
      const from = dirname(current.get("hub-config_all")!);
      const { installed } = await update("check");
      publish(release("90.0", from, "true"));
      expect(await update("check")).toMatchObject({ installed, available: "90.0", news: ["News of 90.0."] });
      expect(await update("install")).toMatchObject({ installed: "90.0", before: installed, result: "installed" });
      publish(release("90.1", from, "find . -name 'index.html*' -delete"));
      expect(await update("install")).toMatchObject({
        ...{ installed: "90.0", available: "90.1", before: installed, result: "returned" },
        reason: "the site has no display",
      });
      expect((await fetch(address("display/"))).status).toBe(200);
      expect(await update("back")).toMatchObject({ installed, before: "90.0", result: "installed" });
    },
    START_MS,
  );

  test(
    "starts after each power cut, with all that was acknowledged",
    async () => {
      expect(await put("project/boat", { name: "Boat" })).toBe(201);
      for (let cut = 1; cut <= CUTS; cut++) {
        expect(await put("project/boat/sensor/bilge", { cut })).toBe(201);
        // One more change is under way.
        void put("project/boat/sensor/other", { cut }).catch(() => {});
        await delay(cut * 20);
        await cutPower();
        start();
        await isUp();
        const sensor = await answered("api/config/project/boat/sensor/bilge", () => true);
        expect(sensor).toMatchObject({ cut });
        expect((await fetch(address("display/"))).status).toBe(200);
      }
    },
    (CUTS + 1) * START_MS,
  );
});
