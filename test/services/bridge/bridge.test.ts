import { describe, expect, test } from "vitest";
import { shared } from "../../core/n2k/public-table.ts";
import type { memoryPublisher } from "../../support/memory/publisher.ts";
import { type MemoryBridgeOptions, memoryBridge } from "../../support/memory-bridge.ts";
import { createBursts } from "./bursts.ts";

const start = Date.UTC(2026, 10, 21, 8, 14, 26, 123);
const heading = "07 01 7d ff 7f 2f ff fd";

const setUp = (options: MemoryBridgeOptions = {}) => {
  const { bridge, publisher, log } = memoryBridge(options);
  return { publisher, log, bridge, burst: createBursts(start) };
};

const pgnMessages = ({ messages }: ReturnType<typeof memoryPublisher>) =>
  messages.filter(({ topic }) => topic.includes("/pgn/"));

describe("Bridge", () => {
  test("publishes a message in its envelope, byte for byte", () => {
    const { bridge, publisher, burst } = setUp();
    bridge.take(burst([{ pgn: 127250, hex: "07 00 7d ff 7f 2f ff fd" }]));
    expect(pgnMessages(publisher)).toEqual([
      {
        topic: "can/can0/device/3/pgn/127250",
        retain: false,
        payload:
          '{"data":{"pgn":127250,"sequenceId":7,"headingDeg":183.346,"variationDeg":-1.197,"reference":"Magnetic"},' +
          '"metadata":{"rxDate":"2026-11-21T08:14:26.123Z","rxTimestamp":1795248866,"expireAfterSec":60}}',
      },
    ]);
  });

  test("publishes in the order of arrival, a topic per source and PGN", () => {
    const { bridge, publisher, burst } = setUp();
    bridge.take(
      burst([
        { pgn: 127250, hex: heading, source: 3 },
        { pgn: 127250, hex: heading, source: 253 },
        { pgn: 129025, hex: "00 00 00 00 00 00 00 00", source: 3 },
      ]),
    );
    expect(pgnMessages(publisher).map(({ topic }) => topic)).toEqual([
      "can/can0/device/3/pgn/127250",
      "can/can0/device/253/pgn/127250",
      "can/can0/device/3/pgn/129025",
    ]);
  });

  test("publishes a message of which nothing is available with its pgn alone", () => {
    const { bridge, publisher, burst } = setUp();
    bridge.take(burst([{ pgn: 129025, hex: "ff ff ff 7f ff ff ff 7f" }]));
    expect(publisher.payloads("can/can0/device/3/pgn/129025")).toMatchObject([{ data: { pgn: 129025 } }]);
  });

  test("counts an unknown PGN and publishes it only when asked to", () => {
    const quiet = setUp();
    quiet.bridge.take(quiet.burst([{ pgn: 65280, hex: "3b9f" }]));
    expect(pgnMessages(quiet.publisher)).toEqual([]);
    expect(quiet.bridge.counters().unknown).toBe(1);

    const asked = setUp({ unknown: true });
    asked.bridge.take(asked.burst([{ pgn: 65280, hex: "3B9F" }]));
    expect(asked.publisher.payloads("can/can0/device/3/pgn/65280")).toMatchObject([
      { data: { pgn: 65280, raw: "3b9f" } },
    ]);
  });

  describe("public PGNs", () => {
    const power = "00943577ffffffff";
    const engine = "e1990000f0552f00";
    const heard = [
      { pgn: 65013, hex: power },
      { pgn: 126993, hex: "60ea00ffffffffff" },
      { pgn: 65280, hex: engine },
      { pgn: 130000, hex: "01" },
      { pgn: 127250, hex: heading },
    ];
    const pgnsOf = ({ bridge, publisher, burst }: ReturnType<typeof setUp>): unknown[] => {
      const before = pgnMessages(publisher).length;
      bridge.take(burst(heard));
      return pgnMessages(publisher)
        .slice(before)
        .map(({ payload }) => (JSON.parse(payload!) as { data: { pgn: number } }).data.pgn);
    };
    const publicPgns = () => shared;
    const can = (entry: object) => new Map([["can", { name: "can", ...entry }]]);

    test("are published when they are asked for, and the table is not read before", () => {
      const quiet = setUp({ publicPgns: () => expect.unreachable() });
      expect(pgnsOf(quiet)).toEqual([127250]);
      const all = setUp({ allPgns: true, publicPgns });
      expect(pgnsOf(all)).toEqual([65013, 126993, 65280, 127250]);
      expect(all.publisher.payloads("can/can0/device/3/pgn/65013")).toMatchObject([{ data: { realPowerW: 0 } }]);
      expect(all.bridge.counters().unknown).toBe(1);
    });

    test("follow the settings, and stay as they were when a value cannot be used", () => {
      const boat = setUp({ publicPgns });
      boat.bridge.configure(can({ public: [65013] }));
      expect(pgnsOf(boat)).toEqual([65013, 127250]);
      boat.bridge.configure(can({ public: "all" }));
      expect(pgnsOf(boat)).toEqual([65013, 127250]);
      expect(boat.log.lines.at(-1)).toMatchObject({ fields: { code: "SETTING_IGNORED", entry: "can" } });
      boat.bridge.configure(can({ public: true }));
      expect(pgnsOf(boat)).toEqual([65013, 126993, 65280, 127250]);
      boat.bridge.configure(new Map());
      expect(pgnsOf(boat)).toEqual([127250]);
    });

    test("without a table there are none", () => {
      expect(pgnsOf(setUp({ allPgns: true, publicPgns: () => undefined }))).toEqual([127250]);
    });

    test("are limited by key, and by title", () => {
      const { bridge, publisher, burst } = setUp({ allPgns: true, publicPgns, maxRate: 1 });
      const reply = (report: string) => ({ pgn: 65305, hex: `419f00${report}02000000` });
      bridge.take(burst([reply("02"), reply("0a"), reply("02"), reply("0a")]));
      expect(publisher.payloads("can/can0/device/3/pgn/65305")).toMatchObject([
        { data: { title: "Simnet: Device Status" } },
        { data: { title: "Simnet: Pilot Mode" } },
      ]);
    });
  });

  test("loses one message, not the process, when something throws on its way", () => {
    const { bridge, publisher, burst, log } = setUp();
    const open = publisher.stream.bind(publisher);
    publisher.stream = (topic) => {
      if (topic.endsWith("127250")) throw new Error("broken");
      return open(topic);
    };
    bridge.take(
      burst([
        { pgn: 127250, hex: heading },
        { pgn: 129025, hex: "00 00 00 00 00 00 00 00" },
        { pgn: 127250, hex: heading },
      ]),
    );
    expect(pgnMessages(publisher)).toHaveLength(1);
    expect(bridge.counters().decodeErrors).toBe(2);
    // Once, however often it happens.
    expect(log.lines).toMatchObject([{ level: "error", fields: { pgn: 127250 } }]);
  });

  test("reads a PGN of assumed layout by its layout mode, and warns of invalid modes", () => {
    const { bridge, publisher, burst, log } = setUp();
    const breaker = { pgn: 127744, hex: "01 02 e1 64 00 00 00 ff" };
    bridge.take(burst([breaker]));
    bridge.configure(new Map([["can", { name: "can", pgn: { 127744: "off", 1: "off" } }]]));
    bridge.take(burst([breaker]));
    expect(publisher.payloads("can/can0/device/3/pgn/127744")).toMatchObject([
      { data: { pgn: 127744, acInstance: 1, breakerInstance: 2, breakerState: "Closed", realPowerW: 100 } },
      { data: { pgn: 127744 } },
    ]);
    expect(pgnMessages(publisher)[1]!.payload).toContain('{"data":{"pgn":127744},');
    expect(bridge.assumed).not.toContain(127744);
    expect(log.lines).toMatchObject([{ level: "warn" }]);
  });
});

describe("Bridge, when settings change,", () => {
  // A message with its reserved bits set may be either one; after a public message of its sender it is public too.
  const ambiguous = { pgn: 127744, hex: "01 02 e1 64 00 00 00 ff" };
  const configure = ({ bridge }: ReturnType<typeof setUp>, can: object, navigation: object) =>
    bridge.configure(
      new Map([
        ["can", { name: "can", pgn: can }],
        ["navigation", { name: "navigation", ...navigation }],
      ]),
    );
  const countStreams = ({ publisher }: ReturnType<typeof setUp>): (() => number) => {
    let opened = 0;
    const open = publisher.stream.bind(publisher);
    publisher.stream = (topic) => {
      opened++;
      return open(topic);
    };
    return () => opened;
  };

  test("keeps its streams and its readers", () => {
    const boat = setUp();
    const { bridge, burst } = boat;
    const opened = countStreams(boat);
    const batch = () => burst([{ pgn: 127250, hex: heading }, ambiguous]);
    bridge.take(batch());
    expect(opened()).toBe(2);
    configure(boat, {}, { windDamping: 3 });
    configure(boat, { 127744: "off" }, { windDamping: 3 });
    configure(boat, { 127744: "off" }, { windDamping: 5 });
    bridge.take(batch());
    expect(opened()).toBe(2);
    expect(boat.publisher.payloads("can/can0/device/3/pgn/127744").at(-1)).toMatchObject({ data: { pgn: 127744 } });
  });

  test("does not forget which layout a sender uses, unless that PGN is to be read in another way", () => {
    const boat = setUp();
    const { bridge, burst, publisher } = boat;
    const hear = (hex: string): unknown => {
      bridge.take(burst([{ pgn: 127744, hex }]));
      return (publisher.payloads("can/can0/device/3/pgn/127744").at(-1) as { data: unknown }).data;
    };
    const [asBreaker, asPhase] = [{ breakerState: "Closed" }, { pgn: 127744, acInstance: 2, realPowerW: -16777216 }];
    expect(hear(ambiguous.hex)).toMatchObject(asBreaker);
    expect(hear("05 01 7b00 c4090000")).toEqual({ pgn: 127744, acInstance: 1, realPowerW: 2500 });
    const inContext = hear(ambiguous.hex);
    expect(inContext).not.toMatchObject(asBreaker);
    expect(Object.keys(inContext as object)).toEqual(Object.keys(asPhase));
    configure(boat, { 127747: "off" }, { windDamping: 3 });
    expect(hear(ambiguous.hex)).toEqual(inContext);
    configure(boat, { 127744: "assumed", 127747: "off" }, { windDamping: 3 });
    configure(boat, { 127747: "off" }, { windDamping: 3 });
    expect(hear(ambiguous.hex)).toMatchObject(asBreaker);
  });
});

test("Bridge counts what no layout of a PGN fits, over changes of its switches", () => {
  const { bridge, burst } = setUp();
  const short = { pgn: 127750, hex: "01 02" };
  bridge.take(burst([short, { pgn: 127250, hex: heading }]));
  bridge.configure(new Map([["can", { name: "can", pgn: { 127490: "off" } }]]));
  bridge.take(burst([short]));
  expect(bridge.counters().refusedByPgn).toEqual(new Map([[127750, 2]]));
});

describe("Bridge with a highest rate", () => {
  const battery = (instance: number, volts: number): string =>
    Buffer.of(instance, volts & 0xff, volts >> 8, 0xff, 0x7f, 0xff, 0xff, 0xff).toString("hex");
  const volts = (publisher: ReturnType<typeof memoryPublisher>): unknown[] =>
    publisher.payloads("can/can0/device/3/pgn/127508").map((message) => {
      const { instance, voltageV } = (message as { data: { instance: number; voltageV: number } }).data;
      return [instance, voltageV];
    });

  test("time passes with the packets too", () => {
    const { bridge, publisher, burst } = setUp({ maxRate: 1 });
    bridge.take(
      burst([
        { pgn: 127508, hex: battery(0, 1200), at: start },
        { pgn: 127508, hex: battery(0, 1210), at: start + 500 },
        { pgn: 129025, hex: "00 00 00 00 00 00 00 00", at: start + 1500 },
      ]),
    );
    expect(pgnMessages(publisher).map(({ topic }) => topic.slice(-6))).toEqual(["127508", "127508", "129025"]);
  });

  test("sends waiting messages when no packet comes any more", () => {
    const { bridge, publisher, burst } = setUp({ maxRate: 0.1 });
    bridge.take(
      burst([
        { pgn: 127508, hex: battery(0, 1200) },
        { pgn: 127508, hex: battery(0, 1210) },
      ]),
    );
    bridge.finish();
    expect(volts(publisher)).toEqual([
      [0, 12],
      [0, 12.1],
    ]);
  });

  test("ends with the reports about the last packet", () => {
    const { bridge, publisher, burst } = setUp();
    bridge.take(burst([{ pgn: 129025, hex: "00 a8 8e 1f 00 5a 62 02", at: start }]));
    bridge.finish();
    expect(publisher.states.get("can/can0/devices")).toContain('"count":1');
    expect(publisher.payloads("can/can0/navigation").at(-1)).toMatchObject({
      data: { position: { latitude: 52.9442816, longitude: 4 } },
      metadata: { rxDate: "2026-11-21T08:14:27.123Z" },
    });
  });

  test("never holds back an alert", () => {
    const { bridge, publisher, burst } = setUp({ maxRate: 1 });
    const alert = { pgn: 126983, hex: "21" };
    bridge.take(burst([alert, alert, alert]));
    expect(pgnMessages(publisher)).toHaveLength(3);
  });
});
