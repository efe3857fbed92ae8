import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { StdoutPublisher } from "../../../src/adapters/node/stdout-publisher.ts";
import { publishText } from "../../../src/core/ports/publisher.ts";
import { bundled } from "../../support/bundled.ts";
import { endsWithTest } from "../../support/ends-with-test.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const folder = temporaryFolder("stdout");

/** A sink that takes nothing until it is let go. */
function slowSink(): { output: Writable; written: () => string; letGo: () => void } {
  const chunks: Buffer[] = [];
  let held: (() => void) | undefined;
  let isFree = false;
  const output = new Writable({
    write(chunk, _encoding, done) {
      // The memory is used again once it is taken.
      chunks.push(Buffer.from(chunk));
      if (isFree) done();
      else held = done;
    },
  });
  const letGo = (): void => {
    isFree = true;
    held?.();
  };
  return { output, written: () => Buffer.concat(chunks).toString(), letGo };
}

const onGone = (code: string): never => {
  throw new Error(code);
};

test("a message is one line: topic, retain, payload, without spaces", async () => {
  const { output, written, letGo } = slowSink();
  letGo();
  const publisher = new StdoutPublisher(output, { onGone });
  publishText(publisher.stream('can/bö"ot/device/3/pgn/127250'), '{"data":{"pgn":127250}}');
  publisher.retain("can/can0/device/3/infos", '{"data":{}}');
  publisher.retain("can/can0/device/3/infos", null);
  await publisher.close();
  expect(written()).toBe(
    '{"topic":"can/b\\u00f6\\"ot/device/3/pgn/127250","retain":false,"payload":{"data":{"pgn":127250}}}\n' +
      '{"topic":"can/can0/device/3/infos","retain":true,"payload":{"data":{}}}\n' +
      '{"topic":"can/can0/device/3/infos","retain":true,"payload":null}\n',
  );
  expect(publisher.counters()).toEqual({ published: 3, refused: 0, dropped: 0, backlog: 0 });
});

test("little bursts that wait for a slow reader keep no more memory than they fill", () => {
  const { output } = slowSink();
  const kept = new Set<ArrayBufferLike>();
  const write = output.write.bind(output);
  output.write = (chunk: Uint8Array, ...rest: never[]) => {
    kept.add(chunk.buffer);
    return write(chunk, ...rest);
  };
  const publisher = new StdoutPublisher(output, { onGone });
  const stream = publisher.stream("a");
  for (let index = 0; index < 10_000; index += 1) {
    publishText(stream, `{"number":${index}}`);
    publisher.flush();
  }
  const bytes = [...kept].reduce((sum, buffer) => sum + buffer.byteLength, 0);
  const oneStretch = 160 << 10;
  expect(bytes).toBeLessThanOrEqual(publisher.counters().backlog + oneStretch);
});

test("a burst leaves as one write", () => {
  const writes: string[] = [];
  const output = new Writable({
    write(chunk, _encoding, done) {
      writes.push(String(chunk));
      done();
    },
  });
  const publisher = new StdoutPublisher(output, { onGone });
  const stream = publisher.stream("a");
  for (let index = 0; index < 10; index += 1) publishText(stream, String(index));
  expect(writes).toHaveLength(0);
  publisher.flush();
  expect(writes).toHaveLength(1);
});

test("drained waits for a slow reader, close for all of it", async () => {
  const { output, written, letGo } = slowSink();
  const publisher = new StdoutPublisher(output, { onGone });
  const stream = publisher.stream("a");
  await publisher.drained();
  for (let index = 0; index < 5000; index += 1) publishText(stream, `"${"x".repeat(90)}"`);
  publisher.flush();
  const events: string[] = [];
  const drained = publisher.drained().then(() => events.push("drained"));
  const closed = publisher.close().then(() => events.push("closed"));
  await new Promise(setImmediate);
  expect(events).toEqual([]);
  letGo();
  await Promise.all([drained, closed]);
  expect(written().split("\n")).toHaveLength(5001);
  expect(publisher.counters()).toEqual({ published: 5000, refused: 0, dropped: 0, backlog: 0 });
});

test("a source that waits for the reader loses nothing, however much one of its batches makes", async () => {
  const { output, written, letGo } = slowSink();
  const publisher = new StdoutPublisher(output, { onGone, isWaitedFor: true });
  const stream = publisher.stream("can/can0/ais");
  for (let count = 0; count < 120; count++) publishText(stream, `"${"x".repeat(100_000)}"`);
  publisher.retain("can/can0/devices", "{}");
  publisher.flush();
  letGo();
  await publisher.close();
  expect(written().split("\n")).toHaveLength(122);
  expect(publisher.counters()).toMatchObject({ published: 121, dropped: 0 });
});

test("a reader that never reads costs messages, not memory", () => {
  const { output } = slowSink();
  const publisher = new StdoutPublisher(output, { onGone });
  const stream = publisher.stream("a");
  for (let index = 0; index < 20_000; index += 1) publishText(stream, `"${"x".repeat(1000)}"`);
  for (let index = 0; index < 20_000; index += 1) publisher.retain("b", `"${"x".repeat(1000)}"`);
  expect(publisher.counters().backlog).toBeLessThanOrEqual(9 << 20);
  publisher.flush();
  const { backlog, dropped, published } = publisher.counters();
  expect(backlog).toBeLessThanOrEqual(9 << 20);
  expect(dropped).toBeGreaterThan(30_000);
  expect(published + dropped).toBe(40_000);
});

const script = `
import { StdoutPublisher } from "./src/adapters/node/stdout-publisher.ts";
import { publishText } from "./src/core/ports/publisher.ts";
const publisher = new StdoutPublisher(process.stdout, { onGone: (code) => process.exit(code === "EPIPE" ? 0 : 3) });
const stream = publisher.stream("a");
const payload = '"' + "x".repeat(200) + '"';
for (let index = 0; index < 50_000; index += 1) {
  publishText(stream, index + "");
  if (index % 10 === 0) publisher.retain("b", payload);
  if (index % 100 === 99) {
    publisher.flush();
    await publisher.drained();
  }
}
await publisher.close();
process.exit(0);
`;

const numbers = (text: string): number[] =>
  text
    .split("\n")
    .filter((line) => line.startsWith('{"topic":"a"'))
    .map((line) => JSON.parse(line).payload);
const all = Array.from({ length: 50_000 }, (_, index) => index);

test("a pipe gets every line in order, also with exit right behind close", async () => {
  const child = endsWithTest(
    spawn(process.execPath, [await bundled(folder, script)], { stdio: ["ignore", "pipe", "inherit"] }),
  );
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part) => {
    text += part;
    child.stdout.pause();
    setImmediate(() => child.stdout.resume());
  });
  const [status] = await once(child, "close");
  expect(status).toBe(0);
  expect(numbers(text)).toEqual(all);
});

test("a file gets every line in order", async () => {
  const path = join(folder, "out.jsonl");
  const child = spawn(process.execPath, [await bundled(folder, script)], {
    stdio: ["ignore", openSync(path, "w"), "inherit"],
  });
  const [status] = await once(child, "close");
  expect(status).toBe(0);
  expect(numbers(readFileSync(path, "utf8"))).toEqual(all);
});

test("a reader that goes ends it quietly", async () => {
  const child = endsWithTest(
    spawn(process.execPath, [await bundled(folder, script)], { stdio: ["ignore", "pipe", "pipe"] }),
  );
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (part) => {
    complaint += part;
  });
  child.stdout.once("data", () => child.stdout.destroy());
  const [status] = await once(child, "close");
  expect(complaint).toBe("");
  expect(status).toBe(0);
});
