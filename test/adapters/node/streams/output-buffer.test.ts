import { Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { BufferedStream, OutputBuffer } from "../../../../src/adapters/node/streams/output-buffer.ts";
import { encodeText } from "../../../../src/core/text/ascii-buffer.ts";

const head = encodeText("<");
const tail = encodeText(">");
const LIMIT = 1 << 20;

/** An output that takes each write at once, or only when it is let go. */
function sink({ isSlow = false } = {}) {
  const writes: string[] = [];
  let take = (): void => {};
  const output = new Writable({
    write(chunk, _encoding, done) {
      writes.push(String(chunk));
      if (isSlow) take = done;
      else done();
    },
  });
  return { output, writes, take: () => take() };
}

function setUp(options?: { isSlow?: boolean }) {
  let dropped = 0;
  const buffer = new OutputBuffer({ complete: (out) => out.write(tail), onDrop: () => dropped++ });
  const to = sink(options);
  const publish = (text: string, limit = LIMIT): void => {
    buffer.open(head).ascii(text);
    buffer.commit(limit);
  };
  return { buffer, ...to, publish, onDropCalls: () => dropped };
}

describe("OutputBuffer", () => {
  test("writes committed messages one behind the other, in one write", () => {
    const { buffer, output, writes, publish } = setUp();
    buffer.attach(output);
    publish("a");
    publish("b");
    expect(buffer.backlog).toBe(6);
    buffer.flush();
    expect(writes).toEqual(["<a><b>"]);
    expect([buffer.published, buffer.dropped, buffer.backlog]).toEqual([2, 0, 0]);
  });

  test("forgets a message that is discarded after any part of it was written", () => {
    const { buffer, output, writes, publish } = setUp();
    buffer.attach(output);
    publish("a");
    buffer.open(head).ascii("half");
    buffer.discard();
    publish("b");
    buffer.flush();
    expect(writes).toEqual(["<a><b>"]);
  });

  test.each<[string, (buffer: OutputBuffer) => void]>([
    ["open", (buffer) => buffer.open(head)],
    ["flush", (buffer) => buffer.flush()],
  ])("%s throws while a message is open, and leaves that message as it was", (_, publishWithin) => {
    const { buffer, output, writes } = setUp();
    buffer.attach(output);
    const out = buffer.open(head);
    out.ascii("a");
    expect(() => publishWithin(buffer)).toThrow("a message is open");
    out.ascii("b");
    buffer.commit(LIMIT);
    buffer.flush();
    expect(writes).toEqual(["<ab>"]);
  });

  test("commit throws when no message is open", () => {
    const { buffer, publish } = setUp();
    publish("a");
    expect(() => buffer.commit(LIMIT)).toThrow("no message is open");
  });

  test("drops messages without an output, and counts them, and those not taken, once there has been one", () => {
    const { buffer, output, writes, publish, onDropCalls } = setUp();
    publish("before");
    buffer.attach(output);
    publish("within");
    buffer.detach();
    publish("after");
    buffer.flush();
    expect([buffer.dropped, onDropCalls(), writes]).toEqual([2, 0, []]);
    buffer.attach(output);
    publish("again");
    buffer.flush();
    expect(writes).toEqual(["<again>"]);
  });

  test("drops a message beyond the limit of its stream, and calls onDrop", () => {
    const { buffer, output, publish, onDropCalls } = setUp({ isSlow: true });
    buffer.attach(output);
    publish("12345678");
    buffer.flush();
    publish("12345678", 19);
    expect([buffer.dropped, onDropCalls()]).toEqual([1, 1]);
    publish("12345678", 20);
    expect([buffer.dropped, buffer.backlog]).toEqual([1, 20]);
  });

  test("a burst that fills a stretch leaves before it ends", () => {
    const { buffer, output, writes, publish } = setUp();
    buffer.attach(output);
    for (let index = 0; index < 200; index++) publish("x".repeat(998));
    expect(writes.map(({ length }) => length)).toEqual([132_000]);
    expect(buffer.backlog).toBe(68_000);
  });

  test("drained waits for an output, and for a slow one to take what it has; for nothing once it has ended", async () => {
    const { buffer, output, publish, take } = setUp({ isSlow: true });
    const events: string[] = [];
    const note = (event: string) => buffer.drained().then(() => events.push(event));
    void note("attached");
    await new Promise(setImmediate);
    expect(events).toEqual([]);
    buffer.attach(output);
    await new Promise(setImmediate);
    expect(events).toEqual(["attached"]);
    for (let index = 0; index < 300; index++) publish("x".repeat(998));
    buffer.flush();
    void note("taken");
    await new Promise(setImmediate);
    expect(events).toEqual(["attached"]);
    for (let write = 0; write < 3; write++) {
      take();
      await new Promise(setImmediate);
    }
    expect(events).toEqual(["attached", "taken"]);
    buffer.detach();
    void note("ended");
    buffer.end();
    await new Promise(setImmediate);
    expect(events).toEqual(["attached", "taken", "ended"]);
  });
});

test("BufferedStream: two streams share an output, each with its head and its limit", () => {
  const { buffer, output, writes } = setUp();
  buffer.attach(output);
  const one = new BufferedStream("one", buffer, () => encodeText("1:"), LIMIT);
  const two = new BufferedStream("two", buffer, () => encodeText("2:"), 8);
  for (const stream of [one, two, one, two]) {
    stream.open().ascii(stream.topic);
    stream.commit();
  }
  buffer.flush();
  expect(writes).toEqual(["1:one>1:one>"]);
  expect(buffer.dropped).toBe(2);
});
