import { expect, test } from "vitest";
import { memoryPublisher } from "../../../src/adapters/memory/publisher.ts";
import { passingPublisher } from "../../../src/services/bridge/passing-publisher.ts";

test("a replay keeps no call, what it retains expires, and nothing is left at its end", async () => {
  const broker = memoryPublisher();
  const publisher = passingPublisher(broker, "can/can0");
  publisher.retain("can/can0/alarms/calls/distress-244123456/set", "{}");
  publisher.retain("can/can0/alarms/calls/distress-244123456/set", null);
  publisher.retain("can/can0/findings/baseline/set", "{}");
  expect(broker.messages).toEqual([]);
  publisher.retain("can/can0/alarms", "{}");
  publisher.retain("can/can0/every/60/navigation", "{}");
  publisher.retain("homeassistant/device/1/config", "{}");
  publisher.retain("can/can0/health", "{}", 60);
  publisher.retain("can/can0/device/3/infos", "{}");
  publisher.retain("can/can0/device/3/infos", null);
  expect(broker.messages.map(({ expirySeconds }) => expirySeconds)).toEqual([120, undefined, undefined, 60, 120, 120]);
  expect(broker.states.size).toBe(4);
  await publisher.close();
  expect(broker.states.size).toBe(0);
  expect(broker.isClosed).toBe(true);
});
