import { describe, expect, test } from "vitest";
import { noCounts } from "../../../src/core/ports/packet-source.ts";
import type { InterfaceStatus } from "../../../src/core/report/interface-status.ts";
import { InterfaceReport } from "../../../src/services/bridge/interface-report.ts";
import { RateLimitedLog } from "../../../src/services/bridge/rate-limited-log.ts";
import type { FurtherNetwork } from "../../../src/services/bridge/taken-networks.ts";
import { memoryInterface } from "../../support/memory/interface-monitor.ts";
import { memoryLog } from "../../support/memory/log.ts";
import { memoryPublisher } from "../../support/memory/publisher.ts";
import { boatOf } from "./boat.ts";

const start = Date.UTC(2026, 10, 21, 8, 14, 26, 123);
const topic = "can/can0/interface";
const stats = { tx_frames: 1, tx_bytes: 8, rx_frames: 1000, rx_bytes: 8000, tx_errors: 0, rx_errors: 0 };
const config = {
  bitrate: 250000,
  sample_point: 875,
  tq: 250,
  prop_seg: 6,
  phase_seg1: 7,
  phase_seg2: 2,
  sjw: 1,
  brp: 2,
  restart_ms: 100,
  ctrlmode: 0,
};
const controller: InterfaceStatus = {
  interface: "can0",
  state: "ERROR-ACTIVE",
  up: true,
  stats: { ...stats, bus_errors: 0, restarts: 0 },
  config,
};

const setUp = (status: InterfaceStatus = controller, further: readonly FurtherNetwork[] = []) => {
  const monitor = memoryInterface(status);
  const publisher = memoryPublisher();
  const log = memoryLog();
  let now = Number.NEGATIVE_INFINITY;
  const limited = new RateLimitedLog(log, () => now);
  const report = new InterfaceReport(boatOf({ publisher, log: limited, networks: further }), monitor);
  const advance = (at: number): number => {
    now = at;
    report.advance(at, start + at);
    return publisher.messages.length;
  };
  const latest = (): unknown => (publisher.payloads(topic).at(-1) as { data: unknown } | undefined)?.data;
  return { monitor, publisher, log, report, advance, latest };
};

describe("InterfaceReport", () => {
  test("publishes all there is of a CAN controller, byte for byte, retained", () => {
    const { advance, publisher } = setUp();
    advance(0);
    expect(publisher.messages).toEqual([
      {
        topic,
        retain: true,
        payload:
          '{"data":{"interface":"can0","state":"ERROR-ACTIVE","up":true,' +
          '"stats":{"tx_frames":1,"tx_bytes":8,"rx_frames":1000,"rx_bytes":8000,"tx_errors":0,"rx_errors":0,' +
          '"bus_errors":0,"restarts":0},' +
          '"config":{"bitrate":250000,"sample_point":875,"tq":250,"prop_seg":6,"phase_seg1":7,"phase_seg2":2,' +
          '"sjw":1,"brp":2,"restart_ms":100,"ctrlmode":0}},' +
          '"metadata":{"rxDate":"2026-11-21T08:14:26.123Z","rxTimestamp":1795248866,"expireAfterSec":60}}',
      },
    ]);
  });

  test("asks every second, and publishes counters every ten", () => {
    const { advance, monitor, report, latest } = setUp();
    expect(advance(0)).toBe(1);
    expect(report.due).toBe(1000);
    monitor.become({ ...controller, stats: { ...stats, rx_frames: 2000 } });
    for (let at = 1000; at < 10_000; at += 1000) expect(advance(at)).toBe(1);
    expect(advance(10_000)).toBe(2);
    expect(latest()).toMatchObject({ stats: { rx_frames: 2000 } });
    expect(advance(19_000)).toBe(2);
    expect(advance(20_000)).toBe(3);
  });

  test.each<[string, InterfaceStatus, number]>([
    ["its state", { ...controller, state: "BUS-OFF" }, 1],
    ["up", { ...controller, up: false, state: "STOPPED" }, 1],
    ["a bit timing", { ...controller, config: { ...config, bitrate: 500000 } }, 1],
    ["its absence", { interface: "can0", state: "UNKNOWN", up: false }, 0],
    ["another interface of its name", controller, 8],
  ])("publishes a change of %s with the next poll, and at once after a notification", (_, status, index) => {
    const asked = setUp();
    asked.advance(0);
    asked.monitor.become(status, index);
    expect(asked.advance(999)).toBe(1);
    expect(asked.advance(1000)).toBe(2);
    expect(asked.latest()).toEqual(status);

    const noticed = setUp();
    noticed.advance(0);
    noticed.monitor.become(status, index);
    noticed.report.notice({ of: "network", gone: [] });
    expect(noticed.report.due).toBe(20);
    expect(noticed.advance(20)).toBe(2);
    // The rhythm of the counters begins anew.
    expect(noticed.advance(10_019)).toBe(2);
    expect(noticed.advance(10_020)).toBe(3);
  });

  test("a notice without a change publishes nothing, and a storm of them asks at most every 20 ms", () => {
    const { advance, report, monitor } = setUp();
    let asked = 0;
    const read = monitor.read;
    monitor.read = () => {
      asked++;
      return read();
    };
    for (let at = 0; at < 1000; at++) {
      report.notice({ of: "network", gone: [] });
      expect(advance(at)).toBe(1);
    }
    expect(asked).toBe(50);
  });

  test("goes on when the system does not answer for a while, with one line a minute", () => {
    const { advance, monitor, log } = setUp();
    advance(0);
    monitor.fail(new Error("no buffers"));
    for (let at = 1000; at <= 30_000; at += 1000) expect(advance(at)).toBe(1);
    expect(log.lines).toMatchObject([
      { level: "error", fields: { code: "INTERFACE_UNREADABLE", reason: "Error: no buffers" } },
    ]);
    monitor.fail(undefined);
    expect(advance(31_000)).toBe(2);
  });

  test.each<[string, InterfaceStatus, number]>([
    ["restart-ms 0", { ...controller, config: { ...config, restart_ms: 0 } }, 1],
    ["another bitrate", { ...controller, config: { ...config, bitrate: 500000 } }, 1],
    ["another bitrate while down", { ...controller, up: false, config: { ...config, bitrate: 500000 } }, 0],
    ["restart-ms 0 where it only listens", { ...controller, config: { ...config, restart_ms: 0, ctrlmode: 0x12 } }, 0],
    [
      "another bitrate where it only listens",
      { ...controller, config: { ...config, bitrate: 500000, ctrlmode: 2 } },
      1,
    ],
    ["a sound set-up", controller, 0],
    ["no controller", { interface: "vcan0", state: "UNKNOWN", up: true, stats }, 0],
  ])("%s: warns once or not at all", (_, status, warnings) => {
    const { advance, log } = setUp(status);
    for (let at = 0; at <= 600_000; at += 1000) advance(at);
    expect(log.lines.filter(({ level }) => level === "warn")).toHaveLength(warnings);
  });

  test("the bus of an engine has the bit rate of its maker, and hub never sends there: no advice", () => {
    const log = memoryLog();
    const engine = { ...controller, config: { ...config, bitrate: 500000, restart_ms: 0 } };
    const further = ["j1939:can2", "can1"].map((name) => {
      const monitor = memoryInterface({ ...engine, interface: name });
      return { name, monitor, counters: () => noCounts };
    });
    new InterfaceReport(boatOf({ log, networks: further }), memoryInterface(controller)).advance(0, start);
    expect(log.lines.map(({ fields }) => fields)).toMatchObject([{ code: "INTERFACE_SETUP", interface: "can1" }]);
  });

  test("warns of each of two networks, also of both within a second", () => {
    const fast = { ...controller, config: { ...config, bitrate: 500000 } };
    const second = memoryInterface({ ...fast, interface: "can1" });
    const { advance, monitor, log } = setUp(fast, [{ name: "can1", monitor: second, counters: () => noCounts }]);
    advance(0);
    monitor.become({ ...fast, state: "BUS-OFF" });
    second.become({ ...fast, interface: "can1", state: "BUS-OFF" });
    advance(1000);
    expect(log.lines.map(({ fields }) => [fields.code, fields.interface])).toEqual([
      ["INTERFACE_SETUP", "can0"],
      ["INTERFACE_SETUP", "can1"],
      ["BUS_OFF", "can0"],
      ["BUS_OFF", "can1"],
    ]);
  });

  test("warns that the controller is off the bus, at most once a minute", () => {
    const { advance, monitor, log } = setUp();
    for (let at = 0; at < 120_000; at += 1000) {
      monitor.become({ ...controller, state: at % 2000 === 0 ? "BUS-OFF" : "ERROR-ACTIVE" });
      advance(at);
    }
    expect(log.lines.map(({ fields }) => fields.leftOut)).toEqual([undefined, 29]);
  });

  test("knows the load of the bus over the last ten seconds, from the same interface only", () => {
    const { advance, monitor, report } = setUp();
    advance(0);
    expect(report.counters().busLoadPercent).toBeUndefined();
    // 8000 frames of 8 bytes in 10 s: 145.625 bits each of 250000 a second.
    monitor.become({ ...controller, stats: { ...stats, rx_frames: 9000, rx_bytes: 72_000 } });
    advance(10_000);
    expect(report.counters().busLoadPercent).toBe(46.6);
    monitor.become(controller, 2);
    advance(11_000);
    expect(report.counters().busLoadPercent).toBeUndefined();
  });

  test("escapes a name beyond ASCII", () => {
    const { advance, publisher, latest } = setUp({ interface: "bücan", state: "UNKNOWN", up: false });
    advance(0);
    expect(publisher.messages[0]!.payload).toMatch(/^[ -~]*$/);
    expect(latest()).toMatchObject({ interface: "bücan" });
  });
});
