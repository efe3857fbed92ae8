/** The bus reader on a SocketCAN interface that these tests make and remove. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { type BusStatus, type LiveBus, openCanBus } from "../../../src/adapters/node/can/can-bus.ts";
import { fastPacketTable } from "../../../src/core/n2k/fast-packets.ts";
import { counting, fastFrames } from "../../adapters/node/can/frames.ts";
import { packetsOf } from "../../support/packets.ts";
import { burst } from "./vcan.ts";

const IF = `hubtest${process.pid % 10000}`;
const FAST = 129029;
const table = fastPacketTable([{ pgn: FAST }]);

const ip = (...words: string[]): void => void execFileSync("ip", words, { stdio: "pipe" });
const create = (): void => ip("link", "add", "dev", IF, "type", "vcan");
const remove = (): void => void spawnSync("ip", ["link", "delete", IF]);
const up = (): void => ip("link", "set", IF, "up");
const down = (): void => ip("link", "set", IF, "down");
const indexOf = (name: string): number => Number(readFileSync(`/sys/class/net/${name}/ifindex`, "utf8"));

/** Each puts an interface of the same name and index in the place of the one that is there. */
const replacements = {
  "made anew by one batch of ip": (): void => {
    const lines = [`link delete ${IF}`, `link add dev ${IF} index ${indexOf(IF)} type vcan`, `link set ${IF} up`];
    execFileSync("ip", ["-batch", "-"], { input: lines.join("\n"), stdio: ["pipe", "pipe", "pipe"] });
  },
  "moved to another network namespace and back": (): void => {
    // The script runs in its own namespace; its parent is this process.
    const script = `nsenter --net --target $PPID ip link set ${IF} netns $$ && ip link set ${IF} netns $PPID`;
    execFileSync("unshare", ["--net", "sh", "-c", script], { stdio: "pipe" });
    up();
  },
};

const hex = (bytes: readonly number[]): string => bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
const identifier = (pgn: number, source: number): string =>
  (6 * 2 ** 26 + pgn * 256 + source).toString(16).padStart(8, "0");
const send = (frame: string): void => void execFileSync("cansend", [IF, frame]);
const frameOf = (pgn: number, source: number, data: readonly number[]): string =>
  `${identifier(pgn, source)}#${hex(data)}`;
const sendData = (pgn: number, source: number, data: readonly number[]): void => send(frameOf(pgn, source, data));

/** Frames sent by all programs since the interface was made. */
const sentFrames = (): number => Number(readFileSync(`/sys/class/net/${IF}/statistics/tx_packets`, "utf8"));

interface Heard {
  readonly pgn: number;
  readonly source: number;
  readonly received: number;
  readonly arrived: number;
  readonly payload: readonly number[];
}

/** Listens and keeps all packets. */
class Listener {
  readonly heard: Heard[] = [];
  readonly states: BusStatus["state"][] = [];
  readonly bus: LiveBus;
  readonly #ended: Promise<void>;

  constructor(options: { ringBytes?: number } = {}) {
    this.bus = openCanBus(IF, table, { ...options, onStatus: ({ state }) => this.states.push(state) });
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

const within = { timeout: 60_000, interval: 10 };

interface Reading {
  readonly state: BusStatus["state"];
  readonly frames: number;
  /** Frames lost in the kernel. */
  readonly lost: number;
}

/** A process with a bus, which can be stopped while frames arrive, or run with as few descriptors as it just needs. */
class ReaderProcess {
  latest: Reading = { state: "closed", frames: 0, lost: 0 };
  /** Each change of the state that it has seen. */
  readonly states: BusStatus["state"][] = [];
  readonly #child: ChildProcess;

  constructor({ descriptors }: { readonly descriptors?: number } = {}) {
    const script = `
      const { openSync } = require("node:fs");
      const { CanBus } = require("./build/Release/hub_can.node");
      const bus = new CanBus({ fastPacketTable: new Uint32Array() });
      const write = () => {
        bus.drain(new Uint8Array(1 << 20));
        const { frames, lost } = bus.counters();
        console.log(JSON.stringify({ state: bus.status().state, frames, lost: lost.kernel }));
      };
      bus.open(${JSON.stringify(IF)}, { wake: write });
      setInterval(write, 20);
      if (${descriptors !== undefined}) {
        const fill = setInterval(() => {
          if (bus.status().state !== "up") return;
          clearInterval(fill);
          try { for (;;) openSync("/dev/null"); } catch {}
        }, 10);
      }`;
    const limit = descriptors === undefined ? "" : `ulimit -n ${descriptors}; `;
    this.#child = spawn("sh", ["-c", `${limit}exec "$0" -e "$1"`, process.execPath, script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let rest = "";
    this.#child.stdout!.on("data", (text: Buffer) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop()!;
      for (const line of lines) {
        this.latest = JSON.parse(line);
        if (this.latest.state !== this.states.at(-1)) this.states.push(this.latest.state);
      }
    });
  }

  async isUp(): Promise<void> {
    // Node takes seconds to start in a guest.
    await expect.poll(() => this.latest.state, { ...within, timeout: 30_000 }).toBe("up");
    // The process has used up its descriptors by then, too.
    await new Promise((resolve) => setTimeout(resolve, 50));
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async stop(): Promise<void> {
    this.#child.kill();
    await once(this.#child, "exit");
  }
}

/** So many frames of one kind. */
const same = (count: number): readonly string[] => Array<string>(count).fill(`${identifier(127250, 1)}#00`);

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
    burst(
      IF,
      fastFrames(counting(20), 3).map((data) => frameOf(FAST, 36, data)),
    );
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
    // Both clocks tell the same time between two packets, within what the process may wait between reading the two.
    const [first, second] = stamps;
    expect(Math.abs(second!.received - first!.received - (second!.arrived - first!.arrived))).toBeLessThan(10);
    await listener.close();
  });

  test("counts 11-bit, remote, error and CAN FD frames and hears none of them", async () => {
    const listener = await listen();
    send("123#0011");
    send(`${identifier(127250, 1)}#R`);
    send("20000040#0000000000000000"); // bus off, as a driver reports it
    send(`${identifier(127250, 1)}##1${"00".repeat(12)}`);
    send("123##011");
    sendData(127250, 1, [1]);
    await expect.poll(() => listener.heard.length, within).toBe(1);
    expect(listener.bus.counters()).toMatchObject({
      frames: 1,
      ignored: { standard: 1, remote: 1, error: 1, canFd: 2 },
    });
    await listener.close();
  });

  test("goes on when the interface has been down", async () => {
    const listener = await listen();
    // A change that is undone before the event loop runs is not reported, so each is waited for.
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
    // At once, and not only by the probe once a second.
    sendData(127250, 1, [1]);
    await expect.poll(() => listener.heard.length, within).toBe(1);
    expect(listener.bus.status().state).toBe("up");
    await listener.close();
  });

  test("follows an interface that is deleted and made anew, and one that is replaced between two probes", async () => {
    const listener = await listen();
    const { index } = listener.bus.status();
    remove();
    await expect.poll(() => listener.bus.status(), within).toMatchObject({ state: "absent", index: 0, errno: 19 });
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

  test.each(Object.entries(replacements))(
    "reads the frames that wait, and hears on, when the interface is %s between two looks at it",
    async (_, replace) => {
      const reader = new ReaderProcess();
      await reader.isUp();
      const index = indexOf(IF);
      reader.kill("SIGSTOP");
      burst(IF, same(100));
      replace();
      expect(indexOf(IF)).toBe(index);
      reader.kill("SIGCONT");
      await expect
        .poll(() => {
          sendData(127250, 1, [1]);
          return reader.latest.frames;
        }, within)
        .toBeGreaterThan(100);
      expect(reader.latest.state).toBe("up");
      await reader.stop();
    },
  );

  test("opens before there is an interface", async () => {
    remove();
    const listener = new Listener();
    await expect.poll(() => listener.states, within).toEqual(["absent"]);
    create();
    up();
    await expect.poll(() => listener.bus.status().state, within).toBe("up");
    await listener.close();
  });

  test("is absent to an interface that is no CAN interface, and says so", async () => {
    const bus = openCanBus("lo", table);
    await expect
      .poll(() => bus.status(), within)
      .toEqual({ state: "absent", index: 0, errno: 124, reason: "not a CAN interface" });
    bus.close();
  });

  test("keeps listening when the process has no descriptor left", async () => {
    const reader = new ReaderProcess({ descriptors: 64 });
    await reader.isUp();
    for (let sent = 0; sent < 120; sent += 10) {
      burst(IF, same(10));
      // The interface is probed once a second; three probes pass.
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    await expect.poll(() => reader.latest, within).toMatchObject({ state: "up", frames: 120 });
    expect(reader.states).toEqual(["absent", "up"].slice(-reader.states.length));
    await reader.stop();
  });

  test("reads the frames that wait when the interface goes down, and is down then", async () => {
    const reader = new ReaderProcess();
    await reader.isUp();
    reader.kill("SIGSTOP");
    burst(IF, same(300));
    down();
    reader.kill("SIGCONT");
    await expect.poll(() => reader.latest.frames, within).toBe(300);
    // At once, and not only by the next probe.
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(reader.latest).toEqual({ state: "down", frames: 300, lost: 0 });
    await reader.stop();
  });

  test("reads the frames that wait when the interface is unplugged", async () => {
    const reader = new ReaderProcess();
    await reader.isUp();
    reader.kill("SIGSTOP");
    burst(IF, same(300));
    remove();
    reader.kill("SIGCONT");
    await expect.poll(() => reader.latest, within).toMatchObject({ state: "absent", frames: 300, lost: 0 });
    await reader.stop();
  });

  test("loses no frame while the event loop stalls, and counts those that a full ring could not take", async () => {
    const frames = Array.from({ length: 5000 }, (_, at) => `${identifier(127250, 1)}#${hex([at & 255, at >> 8])}`);
    const patient = await listen();
    const small = await listen({ ringBytes: 4096 });
    burst(IF, frames); // does not come back to the event loop before all are sent
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
    // More frames are sent to a stopped process than its socket holds.
    const reader = new ReaderProcess();
    await reader.isUp();
    reader.kill("SIGSTOP");
    const total = 30_000;
    burst(IF, same(total));
    reader.kill("SIGCONT");
    // The kernel reports the loss with the next frame.
    await expect
      .poll(() => {
        sendData(127250, 1, [1]);
        return reader.latest.lost;
      }, within)
      .toBeGreaterThan(0);
    expect(reader.latest.frames + reader.latest.lost).toBeGreaterThanOrEqual(total);
    await reader.stop();
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
    sendData(59904, 1, [0x00, 0xee, 0x00]); // requests the address claims of all
    sendData(60416 + 255, 1, [16, 20, 0, 3, 255, 0x14, 0xf0, 1]); // requests to send
    await expect.poll(() => listener.bus.counters().frames, within).toBe(2);
    dump.kill();
    await once(dump, "exit");
    const sent = sentFrames();
    // candump ends with the interface; from here on the counter of the interface tells.
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
