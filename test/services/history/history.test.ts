/** Lines of the history: names, tags, fields and times. */
import { expect, test } from "vitest";
import { History } from "../../../src/services/history/history.ts";
import { lineOf } from "../../../src/services/history/line.ts";
import { memoryBridge } from "../../support/memory-bridge.ts";
import { createBursts } from "../bridge/bursts.ts";

const name = "13868994481956586474";
const stamp = "2026-11-21T11:29:53.277Z";

const setUp = (lane = 10) => {
  const lines: string[] = [];
  const history = new History({ prefix: "can/can0", lane, onLine: (line) => lines.push(line) });
  const hear = (path: string, data: unknown, isRetained = false): void =>
    history.hear(
      `can/can0/${path}`,
      Buffer.from(typeof data === "string" ? data : JSON.stringify({ data, metadata: { rxDate: stamp } })),
      isRetained,
    );
  return { history, lines, hear };
};

test("a battery has its device, its instance and its numbers, with the time of reception", () => {
  const { hear, lines } = setUp();
  hear("devices", `{"data":{"count":1,"peers":[{"addr":20,"name":${name}}]},"metadata":{}}`, true);
  hear("every/10/device/20/pgn/127508/1", { pgn: 127508, instance: 1, sequenceId: 4, voltageV: 14.1, currentA: -1.2 });
  const time = Date.parse(stamp);
  expect(lines).toEqual([
    `battery_status,bus=can/can0,address=20,device=${name},instance=1 voltageV=14.1,currentA=-1.2 ${time}000000\n`,
  ]);
});

test("alarms that have ended are written once, with their words as tags and their duration", () => {
  const { hear, lines, history } = setUp();
  expect(history.filters).toContain("can/can0/alarms/history");
  const depth = { id: "depth", kind: "depth", title: "Shallow water", severity: "alarm", value: 1.2, limit: 2 };
  const lasts = { ...depth, since: "2026-11-21T11:00:00.000Z" };
  const ended = { ...lasts, until: "2026-11-21T11:06:00.000Z", text: "below the keel", name: "" };
  hear("alarms/history", { alarms: [lasts] }, true);
  expect(lines).toEqual([]);
  for (const isRetained of [true, false, false]) hear("alarms/history", { alarms: [ended] }, isRetained);
  const words =
    "id=depth,kind=depth,title=Shallow\\ water,severity=alarm,value=1.2,limit=2,since=2026-11-21T11:00:00.000Z";
  const time = `${Date.parse(ended.until)}000000`;
  expect(lines).toEqual([`alarm,bus=can/can0,${words},text=below\\ the\\ keel seconds=360 ${time}\n`]);
  hear("alarms/history", { alarms: [{ ...ended, acknowledged: "2026-11-21T12:00:00.000Z" }] });
  expect(lines[1]).toContain(",acknowledged=2026-11-21T12:00:00.000Z seconds=360 ");
  hear("alarms/history", {
    alarms: [
      { ...ended, until: "2026-11-21T10:00:00.000Z" },
      { ...ended, since: "long ago" },
    ],
  });
  expect(lines).toHaveLength(2);
});

test("a NAME of 0, which is one that is not known yet, is no device", () => {
  const { hear, lines } = setUp();
  hear("devices", '{"data":{"count":1,"peers":[{"addr":20,"name":0}]},"metadata":{}}', true);
  hear("every/10/device/20/pgn/127508/1", { pgn: 127508, instance: 1, voltageV: 14.1 });
  expect(lines[0]).toMatch(/^battery_status,bus=can\/can0,address=20,instance=1 /);
});

test("a device that is on the list no more gives its NAME to no other", () => {
  const { hear, lines } = setUp();
  hear("devices", `{"data":{"count":1,"peers":[{"addr":20,"name":${name}}]},"metadata":{}}`, true);
  hear("devices", `{"data":{"count":1,"peers":[{"addr":21,"name":${name}}]},"metadata":{}}`);
  for (const address of [20, 21])
    hear(`every/10/device/${address}/pgn/127508/1`, { pgn: 127508, instance: 1, voltageV: 14.1 });
  expect(lines.map((line) => line.split(" ")[0])).toEqual([
    "battery_status,bus=can/can0,address=20,instance=1",
    `battery_status,bus=can/can0,address=21,device=${name},instance=1`,
  ]);
});

test("the NAME is that of the list that hub-cand publishes", () => {
  const { history, lines, hear } = setUp();
  const { bridge, publisher } = memoryBridge();
  const payload = Buffer.alloc(8);
  payload.writeBigUInt64LE(BigInt(name));
  bridge.take(createBursts()([{ source: 20, pgn: 60_928, hex: payload.toString("hex"), at: Date.parse(stamp) }]));
  bridge.advance(10_000, Date.parse(stamp) + 10_000);
  const list = publisher.messages.filter(({ topic }) => topic === "can/can0/devices").at(-1)!;
  history.hear(list.topic, Buffer.from(list.payload!), true);
  hear("every/10/device/20/pgn/127508/1", { pgn: 127508, instance: 1, voltageV: 14.1 });
  expect(lines[0]).toContain(`,device=${name},`);
});

test("numbers and times that no engine can take are left out; a wrong clock and messages without a time are counted", () => {
  const { history, lines, hear } = setUp();
  const at = (rxDate: string, volts: string): string =>
    `{"data":{"pgn":127508,"voltageV":${volts},"currentA":1},"metadata":{"rxDate":"${rxDate}"}}`;
  hear("every/10/device/20/pgn/127508", at(stamp, "1e999"));
  expect(lines.map((line) => line.split(" ")[1])).toEqual(["currentA=1"]);
  for (const rxDate of ["1970-01-01T00:00:09.000Z", "9999-12-31T23:59:59.999Z", "never"])
    hear("every/10/device/20/pgn/127508", at(rxDate, "1"));
  expect(lines).toHaveLength(1);
  expect([history.malformed, history.undated, history.undatedTime]).toEqual([1, 2, "9999-12-31T23:59:59.999Z"]);
});

test("keys that are texts are escaped, PGNs beyond the document have the key of their topic", () => {
  const { hear, lines } = setUp();
  hear("every/10/device/4/pgn/127505/0-Black_water", {
    pgn: 127505,
    instance: 0,
    fluidType: "Black water",
    levelPercent: 3,
  });
  hear("every/10/device/4/pgn/130999/7", { pgn: 130999, anything: 5, isOn: true, text: "x", list: [1] });
  expect(lines.map((line) => line.split(" 1")[0])).toEqual([
    "fluid_level,bus=can/can0,address=4,instance=0,fluidType=Black\\ water levelPercent=3",
    expect.stringMatching(/^\w+,bus=can\/can0,address=4,instance=7 anything=5,isOn=1$/),
  ]);
});

test("thermometers of the same kind on two devices are two series", () => {
  const { hear, lines } = setUp();
  for (const address of [4, 5])
    hear(`every/10/device/${address}/pgn/130312/0-Sea_Temperature`, {
      pgn: 130312,
      instance: 0,
      source: "Sea Temperature",
      actualTempC: 14.2,
    });
  expect(lines.map((line) => line.split(" actual")[0])).toEqual([
    "temperature,bus=can/can0,address=4,instance=0,source=Sea\\ Temperature",
    "temperature,bus=can/can0,address=5,instance=0,source=Sea\\ Temperature",
  ]);
});

test("the navigation report is one point of its groups, without sources and clock", () => {
  const { hear, lines } = setUp();
  const source = { pgn: 128267, age: 0.1 };
  hear("every/10/navigation", {
    depth_water: { depth: 3.1, source },
    position: { hasFix: true, fixType: "gnss", latitude: 53.1 },
    date: { date: "2026-11-21" },
    wind: { trueSpeed: 1 },
  });
  expect(lines[0]!.split(" 1")[0]).toBe(
    "navigation,bus=can/can0 depth_water_depth=3.1,position_hasFix=1,position_latitude=53.1",
  );
});

test("devices, fields and keys beyond those of a bus are left out, and counted", () => {
  const { hear, history, lines } = setUp();
  const peers = Array.from({ length: 2300 }, (_, addr) => ({ addr, name: String(addr + 1) }));
  hear("devices", { count: 2301, peers: [{ addr: 0, name: "x".repeat(1000) }, ...peers] }, true);
  expect(history.leftOut).toBe(2301 - 2047);
  const fields = Object.fromEntries(Array.from({ length: 150_000 }, (_, index) => [`field${index}`, index]));
  hear("every/10/device/20/pgn/127508/1", {
    pgn: 127508,
    instance: "x".repeat(1000),
    ["x".repeat(1000)]: 1,
    ...fields,
  });
  expect(history.leftOut).toBe(2301 - 2047 + 1 + 149_501);
  hear(`every/10/device/20/pgn/130845/${"x".repeat(1000)}`, { pgn: 130845, value: 1 });
  expect(history.leftOut).toBe(2301 - 2047 + 1 + 149_501 + 1);
  const groups = Array.from({ length: 150_000 }, (_, index) => [`group${index}`, { value: index }]);
  hear("every/10/navigation", Object.fromEntries(groups));
  expect(lines.map((line) => [line.includes("x"), line.split(",").length])).toEqual([
    [false, 2 + 1 + 500],
    [false, 1 + 500],
  ]);
  expect(history.malformed).toBe(0);
});

test("the report of the lane is expected before it is stale", () => {
  const expected = (lane: number): unknown => setUp(lane).history.expected;
  expect(expected(10)).toEqual({ topic: "can/can0/every/10/navigation", withinMs: 60_000 });
  expect(expected(3600)).toEqual({ topic: "can/can0/every/3600/navigation", withinMs: 10_800_000 });
});

test("retained messages, other lanes, texts alone and malformed messages write nothing", () => {
  const { hear, history, lines } = setUp();
  const data = { pgn: 127508, instance: 1, voltageV: 14.1 };
  hear("every/10/device/20/pgn/127508/1", data, true);
  hear("every/1/device/20/pgn/127508/1", data);
  hear("device/20/pgn/127508", data);
  hear("every/10/device/20/pgn/127508/1", { pgn: 127508, instance: 1 });
  // A ship.
  hear("every/10/device/43/pgn/129038/244123456", { pgn: 129038, mmsi: 244123456, latitude: 53 });
  expect(history.malformed).toBe(0);
  for (const text of ["", "{", "null", '{"data":{}}', '{"data":{"pgn":1},"metadata":{"rxDate":"never"}}'])
    hear("every/10/device/20/pgn/127508/1", text);
  expect(lines).toEqual([]);
  expect(history.malformed).toBe(3);
  expect(history.filters).toEqual([
    "can/can0/devices",
    "can/can0/alarms/history",
    "can/can0/every/10/navigation",
    "can/can0/every/10/device/+/pgn/+",
    "can/can0/every/10/device/+/pgn/+/+",
  ]);
});

test("a message that cannot be written costs nothing but itself", () => {
  const lines: string[] = [];
  const onLine = (line: string): void => {
    if (line.startsWith("battery_status")) throw new Error("planted");
    lines.push(line);
  };
  const history = new History({ prefix: "can/can0", lane: 10, onLine });
  const hear = (path: string, data: object): void =>
    history.hear(`can/can0/${path}`, Buffer.from(JSON.stringify({ data, metadata: { rxDate: stamp } })), false);
  for (const _ of [1, 2]) {
    hear("every/10/device/20/pgn/127508/1", { pgn: 127508, instance: 1, voltageV: 14.1 });
    hear("every/10/navigation", { depth: null, position: { latitude: 54 } });
    hear("devices", { peers: [null, { addr: 20, name: 7 }] });
  }
  hear("devices", { peers: {} });
  expect(lines).toHaveLength(2);
  expect([history.faults, history.malformed, history.leftOut]).toEqual([2, 1, 2]);
  expect(history.fault).toEqual({ topic: "can/can0/every/10/device/20/pgn/127508/1", reason: "Error: planted" });
});

test("no text of a device makes another line, tag or field", () => {
  const hostile = 'a b,c=d\n"e\\';
  expect(lineOf({ measurement: hostile, tags: { [hostile]: hostile }, fields: { [hostile]: 1 }, time: 5 })).toBe(
    `${'a\\ b\\,c\\=d_"e_'},${'a\\ b\\,c\\=d_"e_'}=${'a\\ b\\,c\\=d_"e_'} ${'a\\ b\\,c\\=d_"e_'}=1 5000000\n`,
  );
});
