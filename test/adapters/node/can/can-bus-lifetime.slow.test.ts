/** The lifetime of a bus, each test in a process of its own, whose end is part of the test. */
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const addon = resolve("build/Release/hub_can.node");

/** Runs `script` with `CanBus`, `make()` and `open()` in scope; returns its output and its exit code or signal. */
const run = (script: string, ...flags: string[]) => runBy([process.execPath], script, ...flags);

/** … where `command` starts Node. */
function runBy([program, ...words]: readonly string[], script: string, ...flags: string[]) {
  const prelude = `
    const addon = ${JSON.stringify(addon)};
    const { CanBus, Reassembler, configureSerialPort, releaseSerialPort, serialOverruns } = require(addon);
    const fastPacketTable = new Uint32Array();
    const make = () => new CanBus({ fastPacketTable, ringBytes: 65536 });
    const reopen = (bus, wake = () => {}) => { bus.open("no-such-can", { wake }); return bus; };
    const open = (wake) => reopen(make(), wake);
    const descriptors = () => require("node:fs").readdirSync("/proc/self/fd").length;
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  `;
  const { status, signal, stdout, stderr } = spawnSync(program!, [...words, ...flags, "-e", `${prelude}${script}`], {
    encoding: "utf8",
  });
  return { printed: stdout, ended: signal ?? status, stderr };
}

const clean = (printed: string) => ({ printed, ended: 0, stderr: "" });

test("close-twice: the second does nothing, and a bus may be opened again", () => {
  const script = `
    const bus = open();
    bus.close(); bus.close();
    reopen(bus);
    console.log(bus.status().state);
    bus.close();
    console.log(bus.status().state);
    make().close();`;
  expect(run(script)).toEqual(clean("absent\nclosed\n"));
});

test("open-twice: is an error and leaves the bus open", () => {
  const script = `
    const bus = open();
    try { reopen(bus); } catch ({ errno, syscall }) { console.log(errno, syscall); }
    console.log(bus.status().state);
    bus.close();`;
  expect(run(script)).toEqual(clean("114 open\nabsent\n"));
});

test("keeps-alive: an open bus keeps the process, a closed one and one never opened do not", () => {
  const script = `
    make();
    const bus = open();
    let over = false;
    setTimeout(() => { over = true; bus.close(); }, 300).unref();
    process.on("exit", () => console.log(over));`;
  expect(run(script)).toEqual(clean("true\n"));
});

test("transmit: a bus that may send is closed, opened again and forgotten as one that may not", () => {
  const script = `
    const bus = make();
    for (let round = 0; round < 2; round++) {
      bus.open("no-such-can", { wake() {}, transmit: true });
      bus.close();
    }
    reopen(bus);
    console.log(bus.status().state);
    setTimeout(() => bus.close(), 50);`;
  expect(run(script)).toEqual(clean("absent\n"));
});

test("at-exit: a process may end while a bus is open", () => {
  expect(run(`open(); setTimeout(() => process.exit(3), 50);`)).toEqual({ ...clean(""), ended: 3 });
  expect(run(`open(); process.exit(4);`)).toEqual({ ...clean(""), ended: 4 });
});

test("at-throw: an exception in the wake-up function is an uncaught exception", () => {
  const script = `open(() => { throw new Error("from wake"); });`;
  expect(run(script)).toEqual({ printed: "", ended: 1, stderr: expect.stringContaining("from wake") });
  const heard = `process.on("uncaughtException", ({ message }) => { console.log(message); process.exit(); });`;
  expect(run(heard + script)).toEqual(clean("from wake\n"));
});

test("wakes: once for the first status, and not after close", () => {
  const script = `
    let count = 0;
    const bus = open(() => { console.log(++count, bus.status().state); bus.close(); });
    setTimeout(() => {}, 1200);`;
  expect(run(script)).toEqual(clean("1 absent\n"));
});

test("close-in-the-same-turn: the wake-up that was on its way never comes", () => {
  const script = `
    const bus = open(() => console.log("woken"));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    bus.close();
    setTimeout(() => console.log("over"), 100);`;
  expect(run(script)).toEqual(clean("over\n"));
});

test("reopen: a wake-up lost to close does not suppress those of the next opening", () => {
  const script = `
    const wake = () => { console.log("woken"); bus.close(); };
    const bus = open(wake);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    bus.close();
    reopen(bus, wake);`;
  expect(run(script)).toEqual(clean("woken\n"));
});

test("two-buses: live and end on their own", () => {
  const script = `
    const first = open(), second = open();
    first.close();
    console.log(first.status().state, second.status().state);
    setTimeout(() => second.close(), 100);`;
  expect(run(script)).toEqual(clean("closed absent\n"));
});

test("garbage: an open bus without a reference stays open, closed ones and those never opened are collected", () => {
  const script = `
    let woken = 0;
    open(() => woken++);
    for (let round = 0; round < 200; round++) { make(); open().close(); }
    (async () => {
      for (let round = 0; round < 5; round++) { gc(); await pause(20); }
      const { rss } = process.memoryUsage();
      for (let round = 0; round < 2000; round++) { make(); open().close(); if (round % 100 === 0) { gc(); await pause(1); } }
      console.log(woken, process.memoryUsage().rss - rss < 100e6);
      process.exit();
    })();`;
  expect(run(script, "--expose-gc")).toEqual(clean("1 true\n"));
});

test("garbage: a closed bus is collected even if its wake function refers to it, and leaves no descriptor", () => {
  const script = `
    let collected = 0;
    const registry = new FinalizationRegistry(() => collected++);
    const before = descriptors();
    const openAndClose = () => {
      const bus = open(() => bus.status());
      registry.register(bus);
      bus.close();
    };
    for (let round = 0; round < 300; round++) openAndClose();
    const after = descriptors();
    (async () => {
      for (let round = 0; round < 100 && collected < 300; round++) { gc(); await pause(20); }
      console.log(after - before, collected);
    })();`;
  expect(run(script, "--expose-gc")).toEqual(clean("0 300\n"));
});

test("descriptors: a reassembler and a bus that was never opened have none", () => {
  const script = `
    const before = descriptors();
    const kept = Array.from({ length: 20 }, () => [make(), new Reassembler({ fastPacketTable })]);
    console.log(descriptors() - before, kept.length);`;
  expect(run(script)).toEqual(clean("0 20\n"));
});

test("memory: V8 knows that of reassemblers and buses, and collects forgotten ones before there are many", () => {
  const script = `
    let collected = 0;
    const registry = new FinalizationRegistry(() => collected++);
    const forget = async (make) => {
      collected = 0;
      for (let made = 0; made < 300; made++) {
        registry.register(make());
        if (made % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      console.log(collected > 100);
    };
    (async () => {
      await forget(() => new Reassembler({ fastPacketTable }));
      await forget(() => new CanBus({ fastPacketTable }));
      await forget(() => new CanBus({ fastPacketTable, ringBytes: 4096, tapBytes: 2 ** 23 }));
    })();`;
  expect(run(script)).toEqual(clean("true\ntrue\ntrue\n"));
});

test("memory: what it is short of is an exception", () => {
  const script = `
    const kept = [];
    const fill = (make) => {
      try { for (;;) kept.push(make()); } catch (error) { console.log(error.name, error.message); }
    };
    fill(() => new Reassembler({ fastPacketTable, ringBytes: 2 ** 30 }));
    fill(() => new CanBus({ fastPacketTable, tapBytes: 2 ** 30 }));
    console.log(new Reassembler({ fastPacketTable, ringBytes: 4096 }).counters().frames);`;
  const limited = ["sh", "-c", 'ulimit -v 8000000; exec "$0" "$@"', process.execPath];
  expect(runBy(limited, script)).toEqual(clean("Error std::bad_alloc\nError std::bad_alloc\n0\n"));
});

test("worker-threads: each may load and use the addon, and be ended while its bus is open", () => {
  const script = `
    const { Worker } = require("node:worker_threads");
    const code = \`
      const { parentPort, workerData } = require("node:worker_threads");
      const { CanBus, Reassembler } = require(workerData);
      const fastPacketTable = new Uint32Array();
      new CanBus({ fastPacketTable }).open("no-such-can", { wake() {} });
      const reassembler = new Reassembler({ fastPacketTable });
      const frame = new Uint8Array(32);
      new DataView(frame.buffer).setUint32(16, 0x80000000, true);
      reassembler.push(frame, 1);
      parentPort.postMessage(reassembler.drain(new Uint8Array(4096)));
    \`;
    const here = open();
    (async () => {
      for (let round = 0; round < 3; round++) {
        const workers = [1, 2, 3].map(() => new Worker(code, { eval: true, workerData: addon }));
        const answers = await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once("message", resolve))));
        await Promise.all(workers.map((worker) => worker.terminate()));
        console.log(...answers);
      }
      console.log(here.status().state);
      here.close();
    })();`;
  expect(run(script)).toEqual(clean("32 32 32\n32 32 32\n32 32 32\nabsent\n"));
});

test("misuse: methods of another object, a call without new and missing options are errors", () => {
  const script = `
    const attempts = [
      () => CanBus.prototype.drain.call({}, new Uint8Array(4096)),
      () => Reassembler.prototype.push.call({}, new Uint8Array(32), 1),
      () => Reassembler.prototype.push.call(make(), new Uint8Array(32), 1),
      () => CanBus.prototype.drain.call(new Reassembler({ fastPacketTable }), new Uint8Array(4096)),
      () => CanBus({ fastPacketTable }),
      () => new CanBus(),
      () => new Reassembler(),
      () => new CanBus({}),
      () => new CanBus({ get fastPacketTable() { throw new RangeError("mine"); } }),
      () => make().open(7),
      () => make().open("no-such-can"),
      () => make().open("no-such-can", { wake: 1 }),
      () => make().open("no-such-can", { wake() {}, transmit: 1 }),
      () => make().push(new Uint8Array(32), 1),
      () => configureSerialPort("0", 4800),
      () => configureSerialPort(2 ** 32, 4800),
      () => configureSerialPort(0.5, 4800),
      () => configureSerialPort(0, 2 ** 32 + 4800),
      () => releaseSerialPort(-1),
      () => serialOverruns(NaN),
    ];
    for (const attempt of attempts) {
      try { attempt(); console.log("nothing"); } catch (error) { console.log(error.constructor.name); }
    }`;
  const errors = Array<string>(15).fill("TypeError");
  errors[8] = "RangeError";
  errors.push(...Array<string>(5).fill("RangeError"));
  expect(run(script)).toEqual(clean(`${errors.join("\n")}\n`));
});
