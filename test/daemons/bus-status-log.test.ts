import { expect, test } from "vitest";
import type { BusStatus } from "../../src/adapters/node/can/can-bus.ts";
import { busStatusLog } from "../../src/daemons/bus-status-log.ts";
import { memoryLog } from "../support/memory/log.ts";

const up: BusStatus = {
  state: "up",
  index: 3,
  errno: 0,
  receiveBufferBytes: 8_388_608,
  wantedReceiveBufferBytes: 8_388_608,
};
const absent = (errno: number, reason: string): BusStatus => ({ state: "absent", index: 0, errno, reason });

const linesFor = (...statuses: readonly BusStatus[]) => {
  const log = memoryLog();
  const logStatus = busStatusLog("can0", log);
  for (const status of statuses) logStatus(status);
  return log.lines;
};

test("busStatusLog says why the interface cannot be listened to, in fields of a constant message", () => {
  const lines = linesFor(absent(19, "no such interface"), absent(124, "not a CAN interface"));
  expect(lines).toMatchObject(
    ["no such interface", "not a CAN interface"].map((reason) => ({
      level: "warn",
      message: "cannot listen to the interface, trying every second",
      fields: { code: "INTERFACE_UNUSABLE", interface: "can0", reason },
    })),
  );
});

test("busStatusLog logs the size of the receive buffer once", () => {
  const down: BusStatus = { ...up, state: "down", errno: 100, reason: "the interface is down" };
  expect(linesFor(absent(19, "no such interface"), down, up, down, up)).toMatchObject([
    { message: "cannot listen to the interface, trying every second" },
    { message: "the interface is down, waiting for it" },
    { level: "info", message: "the kernel's receive buffer", fields: { interface: "can0", bytes: 8_388_608 } },
    { level: "info", message: "listening" },
    { message: "the interface is down, waiting for it" },
    { message: "listening" },
  ]);
});

test("busStatusLog warns of a receive buffer that the system has cut", () => {
  expect(linesFor({ ...up, receiveBufferBytes: 425_984 })).toMatchObject([
    { message: "listening" },
    {
      level: "warn",
      message: "the kernel's receive buffer is smaller than requested",
      fields: { code: "RECEIVE_BUFFER_SMALL", bytes: 425_984, wanted: 8_388_608, limit: "net.core.rmem_max" },
    },
  ]);
});
