/** Faults of a gateway and of the way to it, over real sockets: what is published of them, and that it heals. */
import { spawn, spawnSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { readdirSync, readlinkSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  GatewaySource,
  type GatewayStatus,
  type GatewayTiming,
} from "../../../../src/adapters/node/gateways/source.ts";
import { systemClock } from "../../../../src/adapters/node/system-clock.ts";
import { fastPacketTable } from "../../../../src/core/n2k/fast-packets.ts";
import { type GatewayAddress, readGatewayUrl } from "../../../../src/formats/gateway/table.ts";
import {
  bstMessage,
  plugIn,
  serveNgt,
  serveSocketcand,
  tcpStandIn,
  withoutSocat,
} from "../../../formats/gateway/stand-ins.ts";
import { until } from "../../../support/mosquitto.ts";
import { packetsOf } from "../../../support/packets.ts";
import { freePort, freeUdpPort } from "../../../support/ports.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const fast: Partial<GatewayTiming> = { firstWaitMs: 20, longestWaitMs: 100, stableMs: 0, connectMs: 1000 };

interface Watched {
  readonly source: GatewaySource;
  readonly statuses: GatewayStatus[];
  /** PGNs with their sources, as heard. */
  readonly heard: string[];
  /** Their wall clocks, milliseconds since 1970. */
  readonly stamps: number[];
  readonly ended: Promise<void>;
}

function watch(url: string, timing: Partial<GatewayTiming> = {}, transmit = false, clock = systemClock): Watched {
  const address = readGatewayUrl(url) as GatewayAddress;
  const statuses: GatewayStatus[] = [];
  const heard: string[] = [];
  const stamps: number[] = [];
  const source = new GatewaySource({
    name: "boat",
    address,
    transmit,
    clock,
    onStatus: (status) => statuses.push(status),
    timing: { ...fast, ...timing },
  });
  const ended = (async () => {
    for await (const batch of source.packets(fastPacketTable([{ pgn: 129029 }])))
      for (const { pgn, source: from, received } of packetsOf(batch)) {
        heard.push(`${pgn} ${from}`);
        stamps.push(received);
      }
  })();
  onTestFinished(async () => {
    source.close();
    await ended;
  });
  return { source, statuses, heard, stamps, ended };
}

const standIn = async (serve: (socket: Socket, count: number) => void, port?: number) => {
  let count = 0;
  const made = await tcpStandIn((socket) => serve(socket, ++count), port);
  onTestFinished(() => made.close());
  return made;
};

/** A heading from a device, as a line of RAW. */
const heading = (from: number): string =>
  `17:33:21.107 R 09F112${from.toString(16).padStart(2, "0").toUpperCase()} 01 2F 30 70 00 2F 30 7D\r\n`;
const status = ({ source }: Watched) => source.monitor.read().status;

test("a further reason keeps the moment of the loss", async () => {
  const gateway = await standIn((socket) => socket.write(heading(3)));
  let wall = Date.UTC(2026, 10, 24);
  const watched = watch(`yd-raw+tcp://127.0.0.1:${gateway.port}`, {}, false, {
    ...systemClock,
    wall: () => {
      wall += 1000;
      return wall;
    },
  });
  const since = (): string => status(watched).gateway!.since;
  await until(() => watched.statuses.at(-1)?.isUp === true);
  const up = since();
  await gateway.close();
  await until(() => watched.statuses.at(-1)?.isUp === false);
  const lost = since();
  expect(lost > up).toBe(true);
  await until(() => watched.statuses.at(-1)?.reason === "connection refused");
  expect(since()).toBe(lost);
});

test("measurements of which nothing is made are counted over all connections", async () => {
  const gateway = await standIn((socket) => socket.end("$IIXDR,C,70,C,SAUNA#0,C,18.5,C,TempAir\r\n"));
  const { source } = watch(`nmea0183+tcp://127.0.0.1:${gateway.port}`);
  await until(() => (source.counters().unusedTransducers?.SAUNA ?? 0) >= 3);
  expect(Object.keys(source.counters().unusedTransducers!)).toEqual(["SAUNA"]);
});

test("no frame is sent to a gateway before it is up", async () => {
  const received: string[] = [];
  const gateway = await standIn((socket) => {
    socket.on("data", (bytes) => received.push(String(bytes)));
    socket.write("< hi >");
  });
  const watched = watch(`socketcand://127.0.0.1:${gateway.port}/can0`, {}, true);
  await until(() => received.join("").includes("< open can0 >"));
  expect(watched.source.sender!.send(0x18ea_ff00, Uint8Array.of(1, 0xee, 0))).toBe(false);
  watched.source.close();
  await watched.ended;
  expect(received.join("")).not.toContain("send");
});

test("connection refused: the reason is told, and the gateway is there once it is", async () => {
  const port = await freePort();
  const watched = watch(`yd-raw+tcp://127.0.0.1:${port}`);
  await until(() => watched.statuses.length > 0);
  expect(watched.statuses).toEqual([{ isUp: false, reason: "connection refused" }]);
  expect(status(watched)).toMatchObject({
    interface: "boat",
    state: "UNKNOWN",
    up: false,
    gateway: { source: `yd-raw+tcp://127.0.0.1:${port}`, reason: "connection refused", connections: 0 },
  });
  await standIn((socket) => socket.write(heading(3)), port);
  await until(() => watched.heard.length > 0);
  expect(watched.statuses.at(-1)).toEqual({ isUp: true });
  expect(status(watched)).toMatchObject({ up: true, gateway: { connections: 1, receivedBytes: heading(3).length } });
  expect(status(watched).gateway).not.toHaveProperty("reason");
});

test("a host without an address", async () => {
  const watched = watch("candump+tcp://no-such-host.invalid:2000");
  await until(() => watched.statuses.length > 0);
  expect(watched.statuses[0]!.reason).toMatch(/^the name of the host cannot be looked up$/);
});

test("a host that does not answer is given up and tried again", async () => {
  // The kernel drops connections beyond a full queue that no program accepts from.
  const program =
    "import socket, sys; s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(0); print(s.getsockname()[1], flush=True); sys.stdin.read()";
  const server = spawn("python3", ["-c", program], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void server.kill());
  const port = Number(await new Promise((resolve) => server.stdout.once("data", resolve)));
  const fillers = Array.from({ length: 4 }, () => connect(port, "127.0.0.1").on("error", () => {}));
  onTestFinished(() => fillers.forEach((socket) => void socket.destroy()));
  await until(() => fillers.some(({ connecting }) => !connecting));
  await pause(50);
  const watched = watch(`candump+tcp://127.0.0.1:${port}`, { connectMs: 100 });
  await until(() => watched.statuses.length > 0);
  expect(watched.statuses[0]).toEqual({ isUp: false, reason: "no connection within 0.1 s" });
});

const endings: readonly [string, (socket: Socket) => void, RegExp][] = [
  ["closed", (socket) => socket.end(), /^the gateway has closed the connection$/],
  ["reset", (socket) => socket.resetAndDestroy(), /^connection reset by peer$/],
];
test.each(endings)(
  "a connection %s within a message: no message is glued, the next connection is read",
  async (_, end, reason) => {
    const half = heading(4).slice(0, 30);
    const { port } = await standIn((socket, count) => {
      socket.write(count === 1 ? heading(3) + half : heading(5), () => {
        if (count === 1) setTimeout(() => end(socket), 50);
      });
    });
    const watched = watch(`yd-raw+tcp://127.0.0.1:${port}`);
    await until(() => watched.heard.length === 2);
    expect(watched.heard).toEqual(["127250 3", "127250 5"]);
    expect(watched.statuses.map(({ isUp }) => isUp)).toEqual([true, false, true]);
    expect(watched.statuses[1]!.reason).toMatch(reason);
    expect(watched.source.counters()).toMatchObject({ frames: 2, malformed: 0 });
    expect(status(watched).gateway).toMatchObject({ connections: 2, refused: 0 });
  },
);

const silences: readonly [string, (socket: Socket) => void, string][] = [
  ["says nothing", () => {}, "no data for 0.2 s"],
  [
    "speaks another format",
    (socket) => {
      const timer = setInterval(() => socket.write(Buffer.from([0x8f, 0x00, 0xe0, 0xfc, 0x0a, 0xf8])), 10);
      socket.on("close", () => clearInterval(timer));
    },
    "nothing that can be read for 0.2 s",
  ],
];
test.each(silences)(
  "a gateway that %s is left and tried again, and is up only when it is heard",
  async (_, serve, reason) => {
    const gateway = await standIn((socket, count) => {
      if (count < 3) serve(socket);
      else socket.write(heading(3));
    });
    const watched = watch(`yd-raw+tcp://127.0.0.1:${gateway.port}`, { silenceMs: 200 });
    await until(() => watched.statuses.length >= 3);
    expect(gateway.count()).toBe(3);
    expect(watched.statuses.slice(0, 3)).toEqual([{ isUp: true }, { isUp: false, reason }, { isUp: true }]);
  },
);

test("a UDP port is not shared", async () => {
  const socket = createSocket("udp4");
  onTestFinished(() => void socket.close());
  const port = await freeUdpPort();
  await new Promise<void>((resolve) => socket.bind(port, resolve));
  const watched = watch(`yd-raw+udp://:${port}`);
  await until(() => watched.statuses.length > 0);
  expect(watched.statuses[0]).toEqual({ isUp: false, reason: "address already in use" });
});

/** The clock of a source whose waits are kept and end at once; `pass` lets time go by. */
function clockOfWaits() {
  const waits: number[] = [];
  let passed = 0;
  const clock: typeof systemClock = {
    ...systemClock,
    monotonic: () => systemClock.monotonic() + passed,
    after: (milliseconds, call) => {
      waits.push(milliseconds);
      return systemClock.after(0, call);
    },
  };
  const pass = (milliseconds: number): void => {
    passed += milliseconds;
  };
  return { waits, clock, pass };
}

test("waits double up to the longest, and begin anew after a stable connection", async () => {
  const { waits, clock, pass } = clockOfWaits();
  const { port } = await standIn((socket, count) => {
    if (count !== 6) socket.destroy();
    else {
      socket.write(heading(3));
      void until(() => watched.heard.length > 0).then(() => {
        pass(30_000);
        socket.destroy();
      });
    }
  });
  const timing = { firstWaitMs: 40, longestWaitMs: 320, stableMs: 30_000 };
  const watched = watch(`yd-raw+tcp://127.0.0.1:${port}`, timing, false, clock);
  await until(() => waits.length >= 7);
  expect(waits.slice(0, 7)).toEqual([40, 80, 160, 320, 320, 40, 80]);
});

test("connections that deliver for a second do not make waits grow, those that deliver and close at once do", async () => {
  const { waits, clock, pass } = clockOfWaits();
  let heard = 0;
  const { port } = await standIn((socket, count) => {
    const before = heard;
    socket.write(heading(3));
    void until(() => heard > before).then(() => {
      if (count <= 3) pass(1100);
      socket.destroy();
    });
  });
  const address = readGatewayUrl(`yd-raw+tcp://127.0.0.1:${port}`) as GatewayAddress;
  const timing = { firstWaitMs: 100, longestWaitMs: 60_000 };
  const source = new GatewaySource({ name: "boat", address, transmit: false, clock, timing });
  onTestFinished(() => source.close());
  void (async () => {
    for await (const batch of source.packets(fastPacketTable([]))) heard += [...packetsOf(batch)].length;
  })();
  await until(() => waits.length >= 6);
  expect(waits.slice(0, 6)).toEqual([100, 100, 100, 200, 400, 800]);
});

describe("half a packet", () => {
  const frames = Array.from({ length: 7 }, (_, index) => {
    const bytes = index === 0 ? "00 2B 01 02 03 04 05 06" : `0${index} 01 02 03 04 05 06 07`;
    return `17:33:21.107 R 0DF80503 ${bytes}\r\n`;
  });
  const movedClock = () => ({
    ...systemClock,
    passedMs: 0,
    monotonic() {
      return systemClock.monotonic() + this.passedMs;
    },
  });
  const first = [...frames.slice(0, 4), heading(4)].join("");
  const second = [...frames.slice(4), heading(5), ...frames, heading(6)].join("");

  test("of one connection is not completed by frames of the next", async () => {
    const clock = movedClock();
    const { port } = await standIn((socket, count) => {
      clock.passedMs = (count - 1) * 2000;
      if (count === 1) socket.end(first);
      else socket.write(second);
    });
    const { heard, source } = watch(`yd-raw+tcp://127.0.0.1:${port}`, {}, false, clock);
    await until(() => heard.includes("127250 6"));
    expect(heard).toEqual(["127250 4", "127250 5", "129029 3", "127250 6"]);
    expect(source.counters().discarded).toMatchObject({ fastStale: 1 });
  });

  test.each([
    ["is not completed by frames after a pause of its time-out, in which others may be missing", 800, []],
    ["goes on after a shorter pause", 400, ["129029 3"]],
  ])("%s", async (_, pauseMs, joined) => {
    const clock = movedClock();
    const sockets: Socket[] = [];
    const { port } = await standIn((socket) => {
      sockets.push(socket);
      socket.write(first);
    });
    const { heard } = watch(`yd-raw+tcp://127.0.0.1:${port}`, {}, false, clock);
    await until(() => heard.includes("127250 4"));
    clock.passedMs = pauseMs;
    sockets[0]!.write(second);
    await until(() => heard.includes("127250 6"));
    expect(heard).toEqual(["127250 4", ...joined, "127250 5", "129029 3", "127250 6"]);
  });
});

test("a gateway that is faster than its reader is slowed down, and nothing of it is lost", async () => {
  const lines = Buffer.from(Array.from({ length: 1000 }, (_, index) => heading(index % 200)).join(""));
  const ROUNDS = 100;
  let written = 0;
  const { port } = await standIn(async (socket) => {
    for (let round = 0; round < ROUNDS; round++) {
      if (!socket.write(lines)) await new Promise((resolve) => socket.once("drain", resolve));
      written++;
    }
  });
  const address = readGatewayUrl(`yd-raw+tcp://127.0.0.1:${port}`) as GatewayAddress;
  const source = new GatewaySource({ name: "boat", address, transmit: false, clock: systemClock, timing: fast });
  onTestFinished(() => source.close());
  let packets = 0;
  let writtenAtFirst: number | undefined;
  for await (const batch of source.packets(fastPacketTable([]))) {
    // A reader that is held up: the rest waits in the kernel and at the gateway.
    if (writtenAtFirst === undefined) {
      await pause(300);
      writtenAtFirst = written;
    }
    packets += [...packetsOf(batch)].length;
    if (packets === ROUNDS * 1000) break;
  }
  expect(packets).toBe(ROUNDS * 1000);
  expect(writtenAtFirst).toBeLessThan(ROUNDS);
  expect(source.counters()).toMatchObject({ frames: ROUNDS * 1000, malformed: 0, lost: { kernel: 0, ring: 0 } });
});

describe("UDP", () => {
  const send = (port: number, text: string): void => {
    const socket = createSocket("udp4");
    socket.send(text, port, "127.0.0.1", () => socket.close());
  };
  /** Sends until something holds. */
  const sendUntil = async (port: number, text: string, holds: () => boolean): Promise<void> => {
    const timer = setInterval(() => send(port, text), 20);
    await until(holds).finally(() => clearInterval(timer));
  };

  test("is up with the first line; each datagram is whole; silence is reported", async () => {
    const port = await freeUdpPort();
    const watched = watch(`yd-raw+udp://:${port}`, { silenceMs: 500 });
    await sendUntil(port, `${heading(3)}${heading(4).slice(0, 40)}`, () => watched.heard.length > 3);
    expect(watched.statuses).toEqual([{ isUp: true }]);
    expect(new Set(watched.heard)).toEqual(new Set(["127250 3"]));
    expect(watched.source.counters().malformed).toBeGreaterThan(2);
    await until(() => watched.statuses.length === 2);
    expect(watched.statuses[1]).toMatchObject({ isUp: false, reason: expect.stringMatching(/for 0.5 s$/) });
    await sendUntil(port, heading(5), () => watched.heard.includes("127250 5"));
    expect(watched.statuses.at(-1)).toEqual({ isUp: true });
  });

  test("dropped datagrams are counted, and memory is bounded", async () => {
    const port = await freeUdpPort();
    const address = readGatewayUrl(`yd-raw+udp://:${port}`) as GatewayAddress;
    const source = new GatewaySource({ name: "boat", address, transmit: false, clock: systemClock, timing: fast });
    onTestFinished(() => source.close());
    const socket = createSocket("udp4");
    onTestFinished(() => void socket.close());
    const SENT = 3000;
    const datagram = Buffer.from(heading(4).repeat(30));
    const timer = setInterval(() => socket.send(heading(3), port, "127.0.0.1"), 20);
    onTestFinished(() => clearInterval(timer));
    const send = async (count: number): Promise<void> => {
      for (let sent = 0; sent < count; sent++)
        await new Promise<void>((resolve) => {
          socket.send(datagram, port, "127.0.0.1", () => resolve());
        });
    };
    let hasSent = false;
    let taken = 0;
    let lost = 0;
    let later: number | undefined;
    for await (const batch of source.packets(fastPacketTable([]))) {
      taken += [...packetsOf(batch)].filter((packet) => packet.source === 4).length / 30;
      if (later !== undefined) {
        if (taken === later) break;
        continue;
      }
      lost = source.counters().lost.ring + source.counters().lost.kernel;
      if (hasSent && taken + lost >= SENT) {
        // There is room again.
        later = taken + 20;
        await send(20);
      }
      // Four megabytes while nothing is taken.
      if (!hasSent) await send(SENT);
      hasSent = true;
    }
    taken -= 20;
    // The heartbeat of the test may be among the lost.
    expect(lost).toBeGreaterThan(500);
    expect(taken + lost).toBeLessThan(SENT + 20);
    source.close();
    const { ring, kernel } = source.counters().lost;
    expect(ring + kernel).toBeGreaterThanOrEqual(lost);
  });

  test("a node answers the gateway that was heard last, and no sender of anything else", async () => {
    const port = await freeUdpPort();
    const watched = watch(`yd-raw+udp://:${port}`, {}, true);
    expect(watched.source.sender!.send(0x18ea64ff, Uint8Array.of(0, 0xee, 0))).toBe(false);
    const gateway = createSocket("udp4");
    onTestFinished(() => void gateway.close());
    const answers: string[] = [];
    gateway.on("message", (bytes) => answers.push(bytes.toString()));
    const timer = setInterval(() => gateway.send(heading(3), port, "127.0.0.1"), 20);
    await until(() => watched.heard.length > 0).finally(() => clearInterval(timer));
    const stranger = createSocket("udp4");
    onTestFinished(() => void stranger.close());
    const before = watched.source.counters().malformed;
    stranger.send("junk", port, "127.0.0.1");
    await until(() => watched.source.counters().malformed > before);
    expect(watched.source.sender!.send(0x18ea64ff, Uint8Array.of(0, 0xee, 0))).toBe(true);
    await until(() => answers.length > 0);
    expect(answers).toEqual(["18EA64FF 00 EE 00\r\n"]);
  });
});

test("without --node there is no sender, and nothing is written to a gateway that only listens", async () => {
  let written = 0;
  const { port } = await standIn((socket) => {
    socket.on("data", (bytes) => {
      written += bytes.length;
    });
    socket.write(heading(3));
  });
  const watched = watch(`yd-raw+tcp://127.0.0.1:${port}`);
  await until(() => watched.heard.length > 0);
  expect(watched.source.sender).toBeUndefined();
  await pause(50);
  expect(written).toBe(0);
});

describe("socketcand", () => {
  test("a bus that it does not have is reported in its own words", async () => {
    const { port } = await standIn((socket) => serveSocketcand(socket, { bus: "can0", onRaw: () => {} }));
    const watched = watch(`socketcand://127.0.0.1:${port}/can1`);
    await until(() => watched.statuses.some(({ reason }) => reason === "the gateway refuses: could not open bus"));
    expect(watched.statuses.some(({ isUp }) => isUp)).toBe(false);
  });

  test("a quiet bus is asked for and stays connected; a daemon that does not answer is left", async () => {
    const gateway = await standIn((socket) => serveSocketcand(socket, { bus: "can0", onRaw: () => {} }));
    const watched = watch(`socketcand://127.0.0.1:${gateway.port}/can0`, { silenceMs: 3500 });
    await until(() => watched.statuses.at(-1)?.isUp === true);
    const before = watched.statuses.length;
    await pause(4500);
    expect({ connections: gateway.count(), statuses: watched.statuses.length }).toEqual({
      connections: 1,
      statuses: before,
    });
    for (const socket of gateway.sockets) socket.removeAllListeners("data").resume();
    await until(() => gateway.count() === 2);
    expect(watched.statuses[before]).toEqual({ isUp: false, reason: "no data for 3.5 s" });
  });
});

describe.skipIf(withoutSocat)(withoutSocat ? `serial ports (skipped: ${withoutSocat})` : "serial ports", () => {
  const headingOf = (source: number) =>
    bstMessage({ pgn: 127250, source, priority: 2, payload: Uint8Array.of(1, 16, 2, 16, 3, 0, 0, 0), wall: 0 });
  const ttyPath = (): string => {
    const folder = temporaryFolder("tty");
    return join(folder, "tty");
  };

  test("a device that is pulled out and plugged in again gets its commands again", async () => {
    const { port } = await standIn((socket, count) => serveNgt(socket, () => socket.write(headingOf(count))));
    const path = ttyPath();
    const watched = watch(`actisense://${path}`);
    await until(() => watched.statuses.length > 0);
    expect(watched.statuses).toEqual([{ isUp: false, reason: "no such file or directory" }]);
    const first = plugIn(path, port);
    await until(() => watched.heard.length === 1);
    // The rate of the URL, raw.
    const { stdout } = spawnSync("stty", ["-F", path, "-a"], { encoding: "utf8" });
    expect(stdout).toMatch(/speed 115200 baud/);
    for (const flag of ["-icanon", "-echo", "-opost", "-ixon", "-icrnl", "-crtscts", "-parenb", "cs8"])
      expect(stdout.split(/[\s;]+/)).toContain(flag);
    await first.unplug();
    await until(() => watched.statuses.at(-1)!.reason === "no such file or directory");
    const second = plugIn(path, port);
    onTestFinished(() => second.unplug());
    await until(() => watched.heard.length === 2);
    expect(watched.heard).toEqual(["127250 1", "127250 2"]);
    expect(watched.statuses.at(-1)).toEqual({ isUp: true });
    expect(status(watched).gateway).toMatchObject({ connections: 2 });
  });

  test("a port that is opened again and again leaves no descriptor behind, which would keep it in use", async () => {
    const gateway = await standIn((socket) => socket.resume());
    const path = ttyPath();
    const ports = (): string[] =>
      readdirSync("/proc/self/fd")
        .flatMap((name) => {
          try {
            return readlinkSync(`/proc/self/fd/${name}`);
          } catch {
            return [];
          }
        })
        .filter((target) => target.startsWith("/dev/pts/"));
    const before = ports();
    const watched = watch(`actisense://${path}`);
    for (let count = 1; count <= 4; count++) {
      const device = plugIn(path, gateway.port);
      await until(() => status(watched).gateway?.connections === count);
      await device.unplug();
      await until(() => watched.statuses.at(-1)!.reason === "no such file or directory");
      await until(() => ports().length <= before.length);
    }
    watched.source.close();
    await watched.ended;
    await until(() => ports().length <= before.length);
  });

  /** The path of one whose master goes on when the port is closed. */
  async function pseudoTerminal(): Promise<string> {
    const program =
      "import os, pty, sys, time; m, s = pty.openpty(); print(os.ttyname(s), flush=True); os.close(s); sys.stdin.read()";
    const device = spawn("python3", ["-c", program], { stdio: ["pipe", "pipe", "inherit"] });
    onTestFinished(() => void device.kill());
    return String(await new Promise((resolve) => device.stdout.once("data", resolve))).trim();
  }

  test("a port that another program left with flow control, echo and lines has none of them", async () => {
    const path = await pseudoTerminal();
    const stty = (...args: readonly string[]): string => String(spawnSync("stty", ["-F", path, ...args]).stdout);
    stty("ixon", "ixoff", "ixany", "crtscts", "echo", "icanon", "cstopb");
    expect(stty("-a").split(/[\s;]+/)).toEqual(expect.arrayContaining(["ixoff", "crtscts", "echo", "cstopb"]));
    const watched = watch(`actisense://${path}`);
    await until(() => status(watched).up === true);
    expect(stty("-a").split(/[\s;]+/)).toEqual(
      expect.arrayContaining(["-ixon", "-ixoff", "-ixany", "-crtscts", "-echo", "-icanon", "-cstopb"]),
    );
  });

  test("a port that was given up for its silence can be opened again by those who are not root", async () => {
    const path = await pseudoTerminal();
    const open = (): number | null => {
      const args = ["--bounding-set", "-sys_admin", "--inh-caps", "-sys_admin", "sh", "-c", `: <>${path}`];
      return spawnSync("setpriv", args).status;
    };
    expect(open()).toBe(0);
    const watched = watch(`actisense://${path}`, { silenceMs: 1500, firstWaitMs: 60_000 });
    await until(() => status(watched).up === true);
    expect(open()).not.toBe(0);
    await until(() => watched.statuses.at(-1)!.reason === "no data for 1.5 s");
    await until(() => open() === 0);
  });

  test.each([
    ["actisense:///dev/null", "not a serial port"],
    ["actisense:///tmp", "illegal operation on a directory"],
  ])("%s: %s", async (url, reason) => {
    const watched = watch(url);
    await until(() => watched.statuses.length > 0);
    expect(watched.statuses).toEqual([{ isUp: false, reason }]);
  });

  test("a rate that the port does not have", async () => {
    const { port } = await standIn(() => {});
    const path = ttyPath();
    const device = plugIn(path, port);
    onTestFinished(() => device.unplug());
    const watched = watch(`actisense://${path}?baud=12345`);
    await until(() => watched.statuses.some(({ reason }) => reason === "the port has no rate of 12345 bits a second"));
  });
});

test("three hundred losses leave no descriptor behind", async () => {
  const descriptors = (): number => readdirSync("/proc/self/fd").length;
  const gateway = await standIn((socket, count) => {
    if (count % 3 === 0) socket.resetAndDestroy();
    else socket.end(`${heading(3)}malformed\r\n`);
  });
  const before = descriptors();
  const watched = watch(`yd-raw+tcp://127.0.0.1:${gateway.port}`, { firstWaitMs: 1, longestWaitMs: 1 });
  await until(() => gateway.count() > 300);
  watched.source.close();
  await watched.ended;
  await until(() => gateway.sockets.size === 0);
  expect(descriptors()).toBeLessThanOrEqual(before);
  expect(watched.heard.length).toBeGreaterThan(100);
  expect(watched.source.counters().malformed).toBe(watched.heard.length);
});

test("ends at once when it is closed: while it waits, connects and listens", async () => {
  const port = await freePort();
  const waiting = watch(`yd-raw+tcp://127.0.0.1:${port}`, { firstWaitMs: 60_000 });
  await until(() => waiting.statuses.length > 0);
  const gateway = await standIn((socket) => socket.write(heading(3)));
  const listening = watch(`yd-raw+tcp://127.0.0.1:${gateway.port}`);
  await until(() => listening.heard.length > 0);
  const connecting = watch("yd-raw+tcp://192.0.2.1:1457", { connectMs: 60_000 });
  for (const { source } of [waiting, listening, connecting]) source.close();
  await Promise.all([waiting.ended, listening.ended, connecting.ended]);
  expect(listening.statuses).toEqual([{ isUp: true }]);
});
