/** The bus reader on a real SocketCAN interface of its own, made and taken away by these tests. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { type BusStatus, type CanBusSource, openCanBus } from "../../../src/adapters/node/can-bus.ts";
import { packetsOf } from "../../../src/bridge/packet-batch.ts";
import { packFraming } from "../../../src/n2k/framing.ts";
import { counting, fastFrames } from "../../adapters/node/frames.ts";

const IF = `hubtest${process.pid % 10000}`;
const FAST = 129029;
const framing = packFraming([{ pgn: FAST, fast: true }]);

const ip = (...words: string[]): void => void execFileSync("ip", words, { stdio: "pipe" });
const create = (): void => ip("link", "add", "dev", IF, "type", "vcan");
const remove = (): void => void spawnSync("ip", ["link", "delete", IF]);
const up = (): void => ip("link", "set", IF, "up");
const down = (): void => ip("link", "set", IF, "down");

const hex = (bytes: readonly number[]): string => bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
const identifier = (pgn: number, source: number): string =>
  (6 * 2 ** 26 + pgn * 256 + source).toString(16).padStart(8, "0");
const send = (frame: string): void => void execFileSync("cansend", [IF, frame]);
const sendData = (pgn: number, source: number, data: readonly number[]): void =>
  send(`${identifier(pgn, source)}#${hex(data)}`);

/** How many frames anybody has sent since the interface was made. */
const sentFrames = (): number => Number(readFileSync(`/sys/class/net/${IF}/statistics/tx_packets`, "utf8"));

/** Plays frames as fast as the interface takes them. */
function play(frames: readonly string[]): void {
  const input = frames.map((frame) => `(0.000000) ${IF} ${frame}\n`).join("");
  execFileSync("canplayer", ["-t", "-g", "0"], { input });
}

interface Heard {
  readonly pgn: number;
  readonly source: number;
  readonly received: number;
  readonly arrived: number;
  readonly payload: readonly number[];
}

/** Listens and keeps what is heard. */
class Listener {
  readonly heard: Heard[] = [];
  readonly states: BusStatus["state"][] = [];
  readonly bus: CanBusSource;
  readonly #ended: Promise<void>;

  constructor(options: { ringBytes?: number } = {}) {
    this.bus = openCanBus(IF, framing, { ...options, onStatus: ({ state }) => this.states.push(state) });
    this.#ended = this.#listen();
  }

  async #listen(): Promise<void> {
    for await (const batch of this.bus.batches()) {
      for (const { pgn, source, received, arrived, bytes, at, end } of packetsOf(batch)) {
        this.heard.push({ pgn, source, received, arrived, payload: [...bytes.subarray(at, end)] });
      }
    }
  }

  async close(): Promise<void> {
    this.bus.close();
    await this.#ended;
  }
}

const within = { timeout: 5000, interval: 10 };

describe("openCanBus on vcan", () => {
  beforeEach(async () => {
    remove();
    create();
    up();
  });
  afterAll(remove);

  /** Opens a listener and waits until it is up. */
  async function listen(options: { ringBytes?: number } = {}): Promise<Listener> {
    const listener = new Listener(options);
    await expect.poll(() => listener.bus.status().state, within).toBe("up");
    return listener;
  }

  test("hears single frames and fast packets with the time of their last frame on both clocks", async () => {
    const listener = await listen();
    const before = { wall: Date.now(), monotonic: Number(process.hrtime.bigint()) / 1e6 };
    sendData(127250, 35, [1, 2, 3]);
    for (const data of fastFrames(counting(20), 3)) sendData(FAST, 36, data);
    await expect.poll(() => listener.heard.length, within).toBe(2);
    const after = { wall: Date.now(), monotonic: Number(process.hrtime.bigint()) / 1e6 };
    expect(listener.heard).toMatchObject([
      { pgn: 127250, source: 35, payload: [1, 2, 3] },
      { pgn: FAST, source: 36, payload: counting(20) },
    ]);
    const stamps = listener.heard.map(({ received, arrived }) => ({ received, arrived }));
    for (const { received, arrived } of stamps) {
      // Date.now() has cut off its microseconds.
      expect(received).toBeGreaterThanOrEqual(before.wall);
      expect(received).toBeLessThan(after.wall + 1);
      expect(arrived).toBeGreaterThanOrEqual(before.monotonic - 1);
      expect(arrived).toBeLessThanOrEqual(after.monotonic);
    }
    // Both clocks tell the same time between two packets.
    const [first, second] = stamps;
    expect(second!.received - first!.received).toBeCloseTo(second!.arrived - first!.arrived, 0);
    await listener.close();
  });

  test("counts 11-bit, remote and error frames and hears none of them", async () => {
    const listener = await listen();
    send("123#0011");
    send(`${identifier(127250, 1)}#R`);
    send("20000040#0000000000000000"); // bus off, as a driver reports it
    sendData(127250, 1, [1]);
    await expect.poll(() => listener.heard.length, within).toBe(1);
    expect(listener.bus.counters()).toMatchObject({ frames: 1, ignored: { standard: 1, remote: 1, error: 1 } });
    await listener.close();
  });

  test("goes on when the interface has been down", async () => {
    const listener = await listen();
    // What changes again before the event loop comes round is not told, so each change is waited for.
    await expect.poll(() => listener.states, within).toEqual(["up"]);
    down();
    await expect.poll(() => listener.states, within).toEqual(["up", "down"]);
    expect(listener.bus.status()).toMatchObject({ state: "down", errno: 100 });
    up();
    await expect.poll(() => listener.bus.status(), within).toMatchObject({ state: "up", errno: 0 });
    sendData(127250, 1, [1]);
    await expect.poll(() => listener.heard.length, within).toBe(1);
    expect(listener.states).toEqual(["up", "down", "up"]);
    await listener.close();
  });

  test("hears an interface that is down when it comes up", async () => {
    down();
    const listener = new Listener();
    await expect.poll(() => listener.bus.status().state, within).toBe("down");
    up();
    // At once, by the frame itself, and not only by the look once a second.
    sendData(127250, 1, [1]);
    await expect.poll(() => listener.heard.length, within).toBe(1);
    expect(listener.bus.status().state).toBe("up");
    await listener.close();
  });

  test("follows an interface that is deleted and made anew, and one that is replaced between two looks", async () => {
    const listener = await listen();
    const { index } = listener.bus.status();
    remove();
    await expect.poll(() => listener.bus.status(), within).toEqual({ state: "absent", index: 0, errno: 19 });
    create();
    up();
    await expect.poll(() => listener.bus.status().state, within).toBe("up");
    expect(listener.bus.status().index).not.toBe(index);
    sendData(127250, 1, [1]);
    await expect.poll(() => listener.heard.length, within).toBe(1);

    const replaced = listener.bus.status().index;
    remove();
    create();
    up();
    await expect
      .poll(() => [listener.bus.status().state, listener.bus.status().index === replaced], within)
      .toEqual(["up", false]);
    sendData(127250, 1, [2]);
    await expect.poll(() => listener.heard.length, within).toBe(2);
    await listener.close();
  });

  test("opens before there is an interface", async () => {
    remove();
    const listener = new Listener();
    await expect.poll(() => listener.states, within).toEqual(["absent"]);
    create();
    up();
    await expect.poll(() => listener.bus.status().state, within).toBe("up");
    await listener.close();
  });

  test("is absent to an interface that is no CAN interface", async () => {
    const bus = openCanBus("lo", framing);
    await expect.poll(() => bus.status(), within).toEqual({ state: "absent", index: 0, errno: 19 });
    bus.close();
  });

  test("loses no frame while the event loop stalls, and counts those that a full ring could not take", async () => {
    const frames = Array.from({ length: 5000 }, (_, at) => `${identifier(127250, 1)}#${hex([at & 255, at >> 8])}`);
    const patient = await listen();
    const small = await listen({ ringBytes: 4096 });
    play(frames); // does not come back to the event loop before all are sent
    await expect.poll(() => patient.heard.length, within).toBe(5000);
    expect(patient.heard.map(({ payload }) => payload[0]! + payload[1]! * 256)).toEqual(
      Array.from({ length: 5000 }, (_, at) => at),
    );
    expect(patient.bus.counters().lost).toEqual({ kernel: 0, ring: 0 });
    await expect.poll(() => small.bus.counters().frames, within).toBe(5000);
    expect(small.bus.counters().lost.ring).toBe(5000 - small.heard.length);
    expect(small.heard.length).toBe(Math.floor(4096 / 40));
    await patient.close();
    await small.close();
  });

  test("counts what the kernel had no room for", async () => {
    // A process whose reader thread is stopped while more is sent than its socket holds.
    const script = `
        const { CanBus } = require("./build/Release/hub_can.node");
        const bus = new CanBus({ framing: new Uint32Array(), wake() {} });
        bus.open(${JSON.stringify(IF)});
        setInterval(() => {
          bus.drain(new Uint8Array(1 << 20));
          const { frames, lost } = bus.counters();
          console.log(bus.status().state, frames, lost.kernel);
        }, 50);`;
    const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    let last = "";
    child.stdout!.on("data", (text: Buffer) => {
      last = text.toString().trim().split("\n").at(-1)!;
    });
    await expect.poll(() => last, within).toBe("up 0 0");
    child.kill("SIGSTOP");
    const total = 30_000;
    play(Array.from({ length: total }, () => `${identifier(127250, 1)}#00`));
    child.kill("SIGCONT");
    // The count comes with the next frame that is heard.
    await expect
      .poll(() => {
        sendData(127250, 1, [1]);
        return Number(last.split(" ")[2]);
      }, within)
      .toBeGreaterThan(0);
    const [, frames, lost] = last.split(" ").map(Number);
    expect(frames! + lost!).toBeGreaterThanOrEqual(total);
    child.kill();
    await once(child, "exit");
  });

  test("sends nothing: candump sees the frames of others and no other", async () => {
    const dump: ChildProcess = spawn("candump", ["-L", IF], { stdio: ["ignore", "pipe", "inherit"] });
    let seen = "";
    dump.stdout!.on("data", (text: Buffer) => {
      seen += text;
    });
    await expect
      .poll(() => {
        send("7ff#00");
        return seen.includes("7FF#00");
      }, within)
      .toBe(true);
    const listener = await listen();
    sendData(59904, 1, [0x00, 0xee, 0x00]); // asks everybody for an address claim
    sendData(60416 + 255, 1, [16, 20, 0, 3, 255, 0x14, 0xf0, 1]); // asks for leave to send
    await expect.poll(() => listener.bus.counters().frames, within).toBe(2);
    dump.kill();
    await once(dump, "exit");
    const sent = sentFrames();
    // candump ends with the interface, so from here on the interface itself is the witness.
    down();
    await expect.poll(() => listener.bus.status().state, within).toBe("down");
    up();
    await expect.poll(() => listener.bus.status().state, within).toBe("up");
    await listener.close();
    expect(sentFrames()).toBe(sent);
    const frames = seen
      .trim()
      .split("\n")
      .map((line) => line.split(" ")[2]!.toLowerCase())
      .filter((frame) => !frame.startsWith("7ff"));
    expect(frames).toEqual([`${identifier(59904, 1)}#00ee00`, `${identifier(60416 + 255, 1)}#10140003ff14f001`]);
  });
});
