/** Counters of losses in the log: at once, once a minute, and the last count. */
import { expect, test } from "vitest";
import { LossLog } from "../../../../src/services/bridge/health/loss-log.ts";
import { memoryLog } from "../../../support/memory/log.ts";

test("a loss is told at once, further ones once a minute, and the last count in any case", () => {
  const log = memoryLog();
  let dropped = 0;
  const losses = new LossLog(log, [
    { message: "dropped", count: () => dropped, fields: () => ({ code: "HISTORY_DROPPED", dropped }) },
  ]);
  const told = (): unknown[] => log.lines.map(({ fields }) => fields.dropped);
  losses.advance(0);
  expect(told()).toEqual([]);
  dropped = 5;
  losses.advance(1000);
  dropped = 7;
  losses.advance(2000);
  losses.advance(60_999);
  expect(told()).toEqual([5]);
  losses.advance(61_000);
  losses.advance(200_000);
  expect(told()).toEqual([5, 7]);
  dropped = 8;
  losses.advance(200_001);
  dropped = 9;
  losses.close();
  losses.close();
  expect(told()).toEqual([5, 7, 8, 9]);
});
