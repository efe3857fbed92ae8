import { expect, test } from "vitest";
import { gatewayStatusLog } from "../../src/daemons/gateway-status-log.ts";
import { memoryLog } from "../support/memory/log.ts";

test("a gateway that is away is a warning with its reason; one that is there or waited for is none", () => {
  const log = memoryLog();
  const note = gatewayStatusLog("yd-raw+tcp://boat", log);
  note({ isUp: false, reason: "connection refused" });
  note({ isUp: false, reason: "the gateway is off the bus", isConnected: true });
  note({ isUp: true });
  expect(log.lines.map(({ level, fields }) => [level, fields])).toEqual([
    ["warn", { code: "GATEWAY_AWAY", source: "yd-raw+tcp://boat", reason: "connection refused" }],
    ["info", { source: "yd-raw+tcp://boat", reason: "the gateway is off the bus" }],
    ["info", { source: "yd-raw+tcp://boat" }],
  ]);
});
