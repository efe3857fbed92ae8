/** Sensors of a broker as devices: what belongs together is one message, and counts no longer than its period. */
import { describe, expect, test } from "vitest";
import { readDeviceName } from "../../../src/core/n2k/device-name.ts";
import { quantityNamed, quantityNames } from "../../../src/core/sensors/quantities.ts";
import { type Heard, row, sensors } from "./rows.ts";

const venus = (path: string): string => `N/48e7da/battery/278/${path}`;
const battery = (members: Readonly<Record<string, unknown>>) =>
  row({ name: "House", pointer: "/value", quantity: "batteryVoltage", ...members });
const voltage = battery({ topic: "N/+/battery/278/Dc/0/Voltage" });
const current = battery({ topic: "N/+/battery/278/Dc/0/Current", quantity: "batteryCurrent" });
const charge = battery({ topic: "N/+/battery/278/Soc", quantity: "stateOfCharge" });
const value = (number: number | null): string => JSON.stringify({ value: number });

describe("messages", () => {
  test("values of one message are sent together", () => {
    const { hear, told } = sensors([voltage, current, charge]);
    hear(venus("Dc/0/Voltage"), value(13.31));
    hear(venus("Dc/0/Current"), value(-4.2));
    hear(venus("Soc"), value(87));
    const heard = told();
    expect(heard.map(({ data }) => data)).toEqual([
      { pgn: 127508, instance: 0, voltageV: 13.31, currentA: -4.2 },
      { pgn: 127506, instance: 0, dcType: "Battery", stateOfChargePercent: 87 },
    ]);
    expect(new Set(heard.map(({ address }) => address)).size).toBe(1);
  });

  test.each(quantityNames)("a row of %s says that, and nothing else", (quantity) => {
    const { definition, member, limits, kind, instance, members } = quantityNamed(quantity);
    const one = row({
      quantity,
      ...(instance && { instance: 1 }),
      ...(kind && { kind: kind.byDefault ?? kind.choices[0] }),
    });
    const { all, told } = sensors([one]);
    const middle = Math.round((limits[0] + limits[1]) / 2);
    all.hear({ topic: "a/b", payload: String(middle), isRetained: false }, 1000, Date.UTC(2026, 10, 21));
    const names = [instance?.member, kind?.member, ...Object.keys(members), member].filter(Boolean);
    const [{ data }] = told() as [Heard];
    const second = Object.entries(definition.fields).filter(([, field]) => "of" in field && field.of === member);
    expect(Object.keys(data).sort()).toEqual(["pgn", ...names, ...second.map(([name]) => name)].sort());
  });

  test("a change is sent at the next turn, an unchanged message after one and a half seconds", () => {
    const { hear, told, pass } = sensors([voltage, current]);
    hear(venus("Dc/0/Voltage"), value(13.31));
    expect(told()).toHaveLength(1);
    pass(0.5);
    hear(venus("Dc/0/Voltage"), value(13.31));
    expect(told()).toEqual([]);
    hear(venus("Dc/0/Current"), value(-4.2));
    expect(told()[0]!.data).toEqual({ pgn: 127508, instance: 0, voltageV: 13.31, currentA: -4.2 });
    pass(1.4);
    expect(told()).toEqual([]);
    pass(0.1);
    expect(told()).toHaveLength(1);
  });

  test("a value ends with its period, the message with its last value, and both come back", () => {
    const { hear, told, pass } = sensors([
      { ...voltage, periodSec: 60 },
      { ...current, periodSec: 20 },
    ]);
    hear(venus("Dc/0/Voltage"), value(13.31));
    hear(venus("Dc/0/Current"), value(-4.2));
    told();
    pass(19);
    expect(told()[0]!.data).toMatchObject({ currentA: -4.2 });
    pass(1);
    expect(told()[0]!.data).toEqual({ pgn: 127508, instance: 0, voltageV: 13.31 });
    pass(39);
    expect(told()).toHaveLength(1);
    pass(2);
    expect(told()).toEqual([]);
    hear(venus("Dc/0/Voltage"), value(13.31));
    expect(told()).toHaveLength(1);
  });

  test("a value that was old when it came ends earlier", () => {
    const { hear, told, pass, wall } = sensors([row({ pointer: "/v", time: "/t", periodSec: 60 })]);
    hear("a/b", JSON.stringify({ v: 20, t: wall - 50_000 }), true);
    expect(told()).toHaveLength(1);
    pass(9);
    expect(told()).toHaveLength(1);
    // It would be repeated by now.
    pass(2);
    expect(told()).toEqual([]);
  });

  describe.each([
    ["ahead of", 10_800],
    ["behind", -10_800],
    ["decades behind", -1_700_000_000],
  ])("a sensor whose clock is %s the boat's", (_, aheadSec) => {
    const timed = () => {
      const boat = sensors([row({ pointer: "/v", time: "/t", periodSec: 60 })]);
      const payload = (value: number, age: number): string =>
        JSON.stringify({ v: value, t: new Date(boat.start + (boat.passed + aheadSec - age) * 1000) });
      const hear = (value: number, age: number, isRetained = false) =>
        boat.hear("a/b", payload(value, age), isRetained);
      return { ...boat, hear };
    };

    test("is used from its arrival on, which is told once, also when the boat's clock is set", () => {
      const boat = timed();
      for (let second = 0; second < 30; second += 2, boat.pass(2)) boat.hear(20 + second, 0);
      expect(boat.told()[0]!.data).toMatchObject({ actualTempC: 48 });
      expect(boat.clocks).toEqual([`Sensor ${aheadSec}`]);
      const { refused } = boat.all;
      expect(refused).toBe(aheadSec > 0 ? 0 : 3);
      boat.setClock(aheadSec);
      boat.hear(50, 0);
      expect(boat.told()[0]!.data).toMatchObject({ actualTempC: 50 });
      boat.pass(59);
      expect(boat.told()).toHaveLength(1);
      boat.pass(2);
      expect(boat.told()).toEqual([]);
      expect([boat.clocks.length, boat.all.refused]).toEqual([1, refused]);
    });

    test("gives no old value as new: neither retained ones nor those that a broker repeats, one by one or all together", () => {
      const boat = timed();
      boat.hear(1, 61, true);
      boat.hear(1, 7200, true);
      // Of a clock that is ahead of ours no time is old.
      if (aheadSec < 0)
        for (const age of [7200, 7200, 7190, 7180, 7170, 7100]) {
          boat.hear(2, age);
          boat.pass(0.1);
        }
      expect(boat.told()).toEqual([]);
      for (let second = 0; second < 8; second += 2, boat.pass(2)) boat.hear(3, 0);
      expect(boat.told()[0]!.data).toMatchObject({ actualTempC: 3 });
      boat.hear(4, 3600);
      boat.hear(4, 61, true);
      expect(boat.told()).toEqual([]);
      boat.hear(5, 20, true);
      expect(boat.told()[0]!.data).toMatchObject({ actualTempC: 5 });
    });
  });

  test("a source that says that it has no value ends it at once; other payloads change nothing", () => {
    const { hear, told, all, pass } = sensors([voltage, current]);
    hear(venus("Dc/0/Voltage"), value(13.31));
    hear(venus("Dc/0/Current"), value(-4.2));
    told();
    hear(venus("Dc/0/Current"), value(null));
    expect(told()[0]!.data).toEqual({ pgn: 127508, instance: 0, voltageV: 13.31 });
    pass(2);
    hear(venus("Dc/0/Voltage"), "offline");
    hear(venus("Dc/0/Voltage"), undefined);
    hear(venus("Dc/0/Voltage"), value(9999));
    expect(told()[0]!.data).toMatchObject({ voltageV: 13.31 });
    expect(all.refused).toBe(3);
    hear(venus("Dc/0/Voltage"), "");
    expect(told()).toEqual([]);
  });

  test("a retained value is not sent until a fresh one follows, and does not replace a fresh one", () => {
    const { hear, told, pass } = sensors([row({ quantity: "coolantTemperature" })]);
    hear("a/b", "71", true);
    expect(told()).toEqual([]);
    hear("a/b", "72");
    expect(told()[0]!.data).toMatchObject({ coolantTempC: 72 });
    pass(2);
    hear("a/b", "60", true);
    expect(told()[0]!.data).toMatchObject({ coolantTempC: 72 });
  });

  test("a row keeps to the topic that it heard first, while that has a value", () => {
    const { hear, told, all, pass } = sensors([row({ topic: "zigbee/+", pointer: "/temperature", periodSec: 30 })]);
    hear("zigbee/saloon", '{"temperature":20}');
    hear("zigbee/fridge", '{"temperature":5}');
    expect(told()[0]!.data).toMatchObject({ actualTempC: 20 });
    expect(all.refused).toBe(1);
    pass(30);
    hear("zigbee/fridge", '{"temperature":5}');
    expect(told()[0]!.data).toMatchObject({ actualTempC: 5 });
  });

  test("other topics, and those of the broker, are not read", () => {
    const { hear, told, all } = sensors([row({ topic: "+/b" })]);
    for (const topic of ["a/c", "a/b/c", "b", "$SYS/b", "/a/b"]) hear(topic, "20");
    expect([told(), all.refused, all.topics]).toEqual([[], 0, []]);
    hear("x/b", "20");
    expect(all.topics).toEqual(["x/b"]);
  });
});

describe("devices", () => {
  const names = (rows: Parameters<typeof sensors>[0], network?: string) => {
    const { hear, told, introduced } = sensors(rows, network);
    for (const { topic } of rows) hear(topic, "20");
    told();
    return new Map([...introduced].map(([address, claim]) => [address, readDeviceName(claim, 0, 8)!]));
  };
  const [one, two] = [row({ name: "Saloon", topic: "a" }), row({ name: "Fridge", topic: "b", instance: 1 })];

  test("have the same NAME and address after a restart, in any order, and others on another network", () => {
    const first = names([one, two]);
    expect(first.size).toBe(2);
    expect(names([two, one])).toEqual(new Map([...first].reverse()));
    expect([...names([one]).values()]).toEqual([[...first.values()][0]]);
    const other = names([one, two], "mqtt://192.168.1.5");
    for (const name of other.values()) expect([...first.values()]).not.toContain(name);
  });

  test("two hundred have addresses of their own", () => {
    const rows = Array.from({ length: 200 }, (_, at) => row({ name: `Sensor ${at}`, topic: `t/${at}` }));
    const { hear, told } = sensors(rows);
    for (const { topic } of rows) hear(topic, "20");
    expect(new Set(told().map(({ address }) => address)).size).toBe(200);
  });
});
