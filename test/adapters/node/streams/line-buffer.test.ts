/** Lines in memory: waiting ones, those that the engine has and may lose, and those that are dropped for others. */
import { expect, test } from "vitest";
import { LineBuffer } from "../../../../src/adapters/node/streams/line-buffer.ts";

const texts = (blocks: readonly { readonly text: string }[]): string[] => blocks.map(({ text }) => text);

test("lines come out in order; what is added while a block is under way is the next one", () => {
  const buffer = new LineBuffer(1000);
  expect(buffer.next()).toBeUndefined();
  buffer.add("a 1\n");
  buffer.add("b 2\n");
  const first = buffer.next()!;
  buffer.add("c 3\n");
  expect(first.text).toBe("a 1\nb 2\n");
  expect(buffer.next()).toBe(first);
  buffer.take(first, 0);
  expect(buffer.next()!.text).toBe("c 3\n");
  expect([buffer.length, buffer.waitingLength]).toEqual([12, 4]);
});

test("what was taken waits again, first of all, until it is settled", () => {
  const buffer = new LineBuffer(1000);
  for (const at of [1, 2, 3]) {
    buffer.add(`a ${at}\n`);
    buffer.take(buffer.next()!, at);
  }
  buffer.add("a 4\n");
  expect(texts(buffer.waiting())).toEqual(["a 4\n"]);
  buffer.settle(1);
  buffer.takeBack();
  buffer.settle(3);
  expect(texts(buffer.waiting())).toEqual(["a 2\n", "a 3\n", "a 4\n"]);
});

test("blocks that are kept elsewhere are removed, those added meanwhile are not", () => {
  const buffer = new LineBuffer(1000);
  buffer.add("a 1\n");
  const blocks = buffer.waiting();
  buffer.add("b 2\n");
  buffer.remove(blocks);
  expect(texts(buffer.waiting())).toEqual(["b 2\n"]);
  expect(buffer.dropped).toBe(0);
});

test("the oldest make room: what the engine has is forgotten, what waited is counted", () => {
  const buffer = new LineBuffer(12);
  buffer.add("a 1\n");
  buffer.take(buffer.next()!, 0);
  buffer.add("b 2\n");
  buffer.next();
  buffer.add("c 3\n");
  buffer.add("d 4\n");
  expect([buffer.length, buffer.dropped]).toEqual([12, 0]);
  buffer.add("e 5\n");
  expect([buffer.length, buffer.dropped]).toEqual([12, 1]);
  buffer.drop(buffer.waiting());
  expect([buffer.length, buffer.dropped]).toEqual([0, 4]);
});

test("a block has a megabyte at most", () => {
  const buffer = new LineBuffer(4 << 20);
  const line = `${"x".repeat(1023)}\n`;
  for (let count = 0; count < 2048; count++) buffer.add(line);
  expect(buffer.waiting().map(({ text }) => text.length)).toEqual([1 << 20, 1 << 20]);
});
