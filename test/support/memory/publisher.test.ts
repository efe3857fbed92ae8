import { expect, test } from "vitest";
import { publishText } from "../../../src/core/ports/publisher.ts";
import { memoryLog } from "./log.ts";
import { memoryPublisher } from "./publisher.ts";

test("memoryPublisher keeps messages in order and the latest of each state", async () => {
  const publisher = memoryPublisher();
  const stream = publisher.stream("a");
  publishText(stream, '{"x":1}');
  publisher.retain("b", '{"y":1}');
  publisher.retain("b", '{"y":2}');
  publisher.retain("c", "{}");
  publisher.retain("c", null);
  publishText(stream, '{"x":2}');
  publisher.flush();
  expect(publisher.payloads("a")).toEqual([{ x: 1 }, { x: 2 }]);
  expect(publisher.payloads("c")).toEqual([{}, null]);
  expect([...publisher.states]).toEqual([["b", '{"y":2}']]);
  expect(publisher.counters()).toEqual({ published: 6, refused: 0, dropped: 0, backlog: 0 });
  expect(publisher.flushes).toBe(1);
  publisher.clear();
  expect(publisher.messages).toEqual([]);
  await publisher.close();
  expect(publisher.isClosed).toBe(true);
  expect(() => publishText(stream, "{}")).toThrow("after close");
});

test("memoryLog keeps its lines", () => {
  const log = memoryLog();
  log.warn("something", { code: "LOSSES", x: 1 });
  log.info("else");
  expect(log.lines).toEqual([
    { level: "warn", message: "something", fields: { code: "LOSSES", x: 1 } },
    { level: "info", message: "else", fields: {} },
  ]);
});
