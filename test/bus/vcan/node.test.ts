/** hub-cand as a node of a SocketCAN interface: the frames that candump sees of it, with --node and without. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openCanBus } from "../../../src/adapters/node/can/can-bus.ts";
import { fromCanId } from "../../../src/core/can/can-id.ts";
import { deviceNameBytes, readDeviceName } from "../../../src/core/n2k/device-name.ts";
import { nodeName } from "../../../src/services/bridge/node/bus-node.ts";
import { startHubCand } from "../../support/hub-cand.ts";

const IF = `hubnode${process.pid % 10000}`;
const CLAIM = 60928;
const REQUEST = 59904;

const ip = (...words: string[]): void => void execFileSync("ip", words, { stdio: "pipe" });
const remove = (): void => void spawnSync("ip", ["link", "delete", IF]);

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const identifier = (pgn: number, source: number, destination = 255): string =>
  (6 * 2 ** 26 + (pgn < 61440 ? pgn + destination : pgn) * 256 + source).toString(16).padStart(8, "0");
const send = (frame: string): void => void execFileSync("cansend", [IF, frame]);
const claim = (source: number, name: bigint): void =>
  send(`${identifier(CLAIM, source)}#${hex(deviceNameBytes(name))}`);
const ask = (pgn: number, destination = 255): void =>
  send(`${identifier(REQUEST, 7, destination)}#${hex(Uint8Array.of(pgn & 255, (pgn >> 8) & 255, pgn >> 16))}`);

interface Frame {
  readonly pgn: number;
  readonly source: number;
  readonly destination: number;
  readonly data: Uint8Array;
}

/** candump, which hears all frames. */
class Witness {
  readonly frames: Frame[] = [];
  /** Resolves when it has seen a frame of 11 bits, which is sent for this alone. */
  isListening = false;
  readonly #dump: ChildProcess = spawn("candump", ["-L", IF], { stdio: ["ignore", "pipe", "inherit"] });

  constructor() {
    let rest = "";
    this.#dump.stdout!.on("data", (chunk: Buffer) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop()!;
      for (const line of lines) {
        const [id, data] = line.split(" ")[2]!.split("#");
        if (id!.length === 3) this.isListening = true;
        else this.frames.push({ ...fromCanId(Number.parseInt(id!, 16)), data: Buffer.from(data!, "hex") });
      }
    });
  }

  of(pgn: number, source?: number): Frame[] {
    return this.frames.filter((frame) => frame.pgn === pgn && (source === undefined || frame.source === source));
  }

  stop(): void {
    this.#dump.kill();
  }
}

async function listen(): Promise<Witness> {
  const witness = new Witness();
  await expect
    .poll(() => {
      send("7ff#00");
      return witness.isListening;
    }, within)
    .toBe(true);
  return witness;
}

/** Only the traffic of the bus shows the state, so it is polled. */
const within = { timeout: 60_000, interval: 10 };

describe("hub-cand on vcan", () => {
  let daemon: ChildProcess | undefined;
  let stdout = "";
  const start = async (...options: string[]): Promise<void> => {
    stdout = "";
    daemon = startHubCand(["-i", IF, "--stdout", "-c", "/nonexistent", ...options]);
    daemon.stdout!.on("data", (chunk: Buffer) => {
      stdout += chunk;
    });
    await expect.poll(() => stdout, within).toContain(`can/${IF}/interface`);
  };
  const sentFrames = (): number => Number(readFileSync(`/sys/class/net/${IF}/statistics/tx_packets`, "utf8"));

  beforeAll(() => {
    ip("link", "add", "dev", IF, "type", "vcan");
    ip("link", "set", IF, "up");
  });
  afterEach(async () => {
    daemon?.kill("SIGTERM");
    if (daemon?.exitCode === null) await once(daemon, "close");
  });
  afterAll(remove);

  test("sends no frame without --node, whatever is requested and whatever happens to the interface", async () => {
    await start();
    const before = sentFrames();
    ask(CLAIM);
    ask(126996, 100);
    claim(100, nodeName(1));
    claim(100, 0xffffffffffffffffn);
    ip("link", "set", IF, "down");
    await expect.poll(() => stdout, within).toContain('"up":false');
    ip("link", "set", IF, "up");
    await expect.poll(() => stdout.split('"up":true').length, within).toBeGreaterThan(2);
    ask(CLAIM);
    await expect.poll(() => stdout, within).toContain('"addr":7');
    daemon!.kill("SIGTERM");
    await once(daemon!, "close");
    expect(sentFrames() - before).toBe(5);
  });

  test("with --node claims 100, sends requests to all and to each device, and answers requests", async () => {
    const witness = await listen();
    await start("--node");
    await expect.poll(() => witness.of(REQUEST, 100).length, within).toBeGreaterThan(0);
    const [first] = witness.of(CLAIM, 100);
    expect(witness.frames[0]).toEqual(first);
    expect(witness.of(REQUEST, 100)[0]).toMatchObject({ destination: 255, data: Buffer.of(0x00, 0xee, 0x00) });

    claim(42, 42n);
    await expect
      .poll(() => witness.of(REQUEST, 100).filter(({ destination }) => destination === 42).length, within)
      .toBeGreaterThanOrEqual(3);
    ask(126996, 100);
    await expect.poll(() => witness.of(126996, 100).length, within).toBe(20);
    ask(126464, 100);
    await expect.poll(() => witness.of(126464, 100).length, within).toBe(6);
    // The node does not receive its own frames: it is not in its list, and nothing is published from its address.
    expect(stdout).toContain('"addr":42');
    expect(stdout).not.toContain('"addr":100');
    expect(stdout).not.toContain("/device/100/");
    witness.stop();
  });

  test("with --node defends its address against a higher NAME, leaves it to a lower, and comes back after a pause", async () => {
    const witness = await listen();
    await start("--node");
    await expect.poll(() => witness.of(126993, 100).length, within).toBeGreaterThan(0);
    const own = readDeviceName(witness.of(CLAIM, 100)[0]!.data, 0, 8)!;
    const before = witness.of(CLAIM, 100).length;
    claim(100, own + 1n);
    await expect
      .poll(
        () =>
          witness
            .of(CLAIM, 100)
            .slice(before)
            .filter(({ data }) => hex(data) === hex(deviceNameBytes(own))).length,
        within,
      )
      .toBeGreaterThan(0);
    claim(100, own - 1n);
    await expect.poll(() => witness.of(CLAIM, 101).length, within).toBeGreaterThan(0);
    await expect.poll(() => witness.of(126993, 101).length, within).toBeGreaterThan(0);

    ip("link", "set", IF, "down");
    await expect.poll(() => stdout, within).toContain('"up":false');
    ip("link", "set", IF, "up");
    // candump ends with the interface, and its successor may miss the claim; so the claim is requested.
    const again = await listen();
    await expect
      .poll(() => {
        ask(126996, 101);
        return again.of(126996, 101).length;
      }, within)
      .toBeGreaterThanOrEqual(20);
    again.stop();
  });

  test("send throws unless the bus was opened to transmit, and returns false without an interface", async () => {
    const listener = openCanBus(IF, new Uint32Array(0));
    expect(() => listener.send(1, new Uint8Array(8))).toThrow("not opened to transmit");
    listener.close();
    const sender = openCanBus(IF, new Uint32Array(0), { transmit: true });
    await expect.poll(() => sender.status().state, within).toBe("up");
    expect(sender.send(0x18eeff01, new Uint8Array(8))).toBe(true);
    expect(() => sender.send(2 ** 29, new Uint8Array(8))).toThrow(RangeError);
    expect(() => sender.send(1, new Uint8Array(9))).toThrow(RangeError);
    ip("link", "set", IF, "down");
    expect(sender.send(1, new Uint8Array(8))).toBe(false);
    // The node did not receive its own frames.
    expect(sender.counters().frames).toBe(0);
    sender.close();
    expect(sender.send(1, new Uint8Array(8))).toBe(false);
    const absent = openCanBus("hubnone", new Uint32Array(0), { transmit: true });
    expect(absent.send(1, new Uint8Array(8))).toBe(false);
    absent.close();
    ip("link", "set", IF, "up");
  });
});
