/** Promises about the life of a bus, each kept in a process of its own: how that ends is part of the promise. */
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const addon = resolve("build/Release/hub_can.node");

/** Runs `script` with `CanBus`, `open()` and `frames` at hand; returns what it has printed and how it has ended. */
function run(script: string, ...flags: string[]) {
  const prelude = `
    const addon = ${JSON.stringify(addon)};
    const { CanBus } = require(addon);
    const framing = new Uint32Array();
    const make = (wake = () => {}) => new CanBus({ framing, wake, ringBytes: 65536 });
    const open = (wake) => { const bus = make(wake); bus.open("no-such-can"); return bus; };
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  `;
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [...flags, "-e", `${prelude}${script}`], {
    encoding: "utf8",
    timeout: 120_000,
  });
  return { printed: stdout, ended: signal ?? status, stderr };
}

const clean = (printed: string) => ({ printed, ended: 0, stderr: "" });

test("close-twice: the second does nothing, and a bus may be opened again", () => {
  const script = `
    const bus = open();
    bus.close(); bus.close();
    bus.open("no-such-can");
    console.log(bus.status().state);
    bus.close();
    console.log(bus.status().state);
    make().close();`;
  expect(run(script)).toEqual(clean("absent\nclosed\n"));
});

test("open-twice: is an error and leaves the bus open", () => {
  const script = `
    const bus = open();
    try { bus.open("no-such-can"); } catch ({ code, errno, syscall }) { console.log(code, errno, syscall); }
    console.log(bus.status().state);
    bus.close();`;
  expect(run(script)).toEqual(clean("EALREADY 114 open\nabsent\n"));
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
      bus.open("no-such-can", { transmit: true });
      bus.close();
    }
    bus.open("no-such-can");
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

test("reopen: a wake-up lost to close does not make the next opening deaf", () => {
  const script = `
    const bus = open(() => { console.log("woken"); bus.close(); });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    bus.close();
    bus.open("no-such-can");`;
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

test("garbage: an open bus that nobody holds stays open, closed ones and those never opened go", () => {
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

test("worker-threads: each may load and use the addon, and be ended while its bus is open", () => {
  const script = `
    const { Worker } = require("node:worker_threads");
    const code = \`
      const { parentPort, workerData } = require("node:worker_threads");
      const { CanBus } = require(workerData);
      const bus = new CanBus({ framing: new Uint32Array(), wake: () => {} });
      bus.open("no-such-can");
      const frame = new Uint8Array(32);
      new DataView(frame.buffer).setUint32(16, 0x80000000, true);
      bus.push(frame, 1);
      parentPort.postMessage(bus.drain(new Uint8Array(4096)));
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

test("misuse: methods of a bus on something else, and a call without new, are errors", () => {
  const script = `
    const attempts = [
      () => CanBus.prototype.push.call({}, new Uint8Array(32), 1),
      () => CanBus({ framing, wake() {} }),
      () => new CanBus(),
      () => new CanBus({ framing }),
      () => new CanBus({ framing, get wake() { throw new RangeError("mine"); } }),
      () => make().open(7),
    ];
    for (const attempt of attempts) {
      try { attempt(); console.log("nothing"); } catch (error) { console.log(error.constructor.name); }
    }`;
  expect(run(script)).toEqual(clean("TypeError\nTypeError\nTypeError\nTypeError\nRangeError\nTypeError\n"));
});
