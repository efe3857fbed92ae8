/** The page of networks: its ready forms, the state of each network, and what is heard on it. */
import { describe, expect, test } from "vitest";
import { isFileOfAnother } from "../../../../src/daemons/hub-cand-networks.ts";
import { readNetwork } from "../../../../src/daemons/hub-cand-options.ts";
import { activityText, HeardRates } from "../../../../src/web/display/boat/heard-rate.ts";
import { kindOfNetwork, networkForms, readFilled } from "../../../../src/web/display/boat/network-forms.ts";
import { networkRows } from "../../../../src/web/display/boat/network-rows.ts";

const good: Readonly<Record<string, readonly string[]>> = {
  host: ["192.168.4.1", "boat.local", "localhost", "[fe80::1]"],
  port: ["1", "10110", "65535"],
  path: ["/dev/ttyUSB0", "/dev/serial/by-id/usb-AIS-if00"],
  baud: ["4800", "38400"],
  bus: ["can1", "slcan0"],
  url: ["actisense+tcp://192.168.4.1:60001", "candump+tcp://192.168.1.9:2000"],
};
test("a port that is typed behind an address is the port", () => {
  const [tcp] = networkForms;
  const read = (host: string) => readFilled(tcp!, { host, port: "10110" });
  expect(read(" 192.168.4.1:2000 ")).toEqual({ host: "192.168.4.1", port: "2000" });
  expect(read("[fe80::1]:2000")).toEqual({ host: "[fe80::1]", port: "2000" });
  expect(read("[fe80::1]")).toEqual({ host: "[fe80::1]", port: "10110" });
});

const bad: Readonly<Record<string, readonly string[]>> = {
  host: ["", "a b", "192.168.4.1:80", "user@host", "a/b"],
  port: ["", "0", "65536", "1e3", "-1"],
  path: ["", "/dev/", "/etc/passwd", "/dev/../etc/passwd", "ttyUSB0", "/dev/serial/by-id/", "/dev/a?b"],
  baud: ["", "0", "fast"],
  bus: ["", "can 1", "a-name-of-more-than-15"],
  url: ["", "a b"],
};

describe.each(networkForms)("$title", (form) => {
  const names = Object.keys(form.fields);
  const first = Object.fromEntries(names.map((name) => [name, good[name]![0]!]));
  const all = [first, ...names.flatMap((name) => good[name]!.map((text) => ({ ...first, [name]: text })))];

  test.each(all)("hub-cand reads what it makes of %j", (filled) => {
    for (const name of names)
      expect(form.fields[name]!.pattern.test(filled[name]!), `${name} ${filled[name]}`).toBe(true);
    const network = form.network(filled);
    expect(readNetwork(network), network).toBeTypeOf("object");
    expect(isFileOfAnother(network)).toBe(false);
  });

  test.each(names)("a wrong %s is refused, and the first text is right or has to be completed", (name) => {
    const { pattern, first: text = "" } = form.fields[name]!;
    for (const wrong of bad[name]!) expect(pattern.test(wrong), wrong).toBe(false);
    if (!/^(|\/dev\/serial\/by-id\/)$/.test(text)) expect(pattern.test(text)).toBe(true);
  });
});

test.each([
  ["nmea0183+tcp://192.168.4.1:10110", "NMEA 0183 over TCP"],
  ["gpsd://localhost", "GPS or AIS receiver at gpsd"],
  ["j1939:can2", "Engine on SAE J1939"],
  ["j1939+yd-raw+tcp://192.168.4.9:1457", "Engine on SAE J1939"],
  ["mqtt:", "Sensors at the boat's broker"],
  ["mqtt://venus.local", "Sensors at another broker"],
  ["yd-raw+tcp://192.168.4.1:1457", "NMEA 2000 at a gateway"],
  ["can1", "NMEA 2000"],
])("%s is called %s", (network, kind) => {
  expect(kindOfNetwork(network)).toBe(kind);
});

describe("the rows of the networks", () => {
  const entry = (...also: readonly string[]) => ({ name: "networks", also });
  const gateway = (source: string, reason?: string) => ({
    interface: source,
    up: reason === undefined,
    gateway: {
      ...{ source, since: "2026-01-01T00:00:00Z", connections: 1, receivedBytes: 1, refused: 0 },
      ...(reason !== undefined && { reason }),
    },
  });
  const ais = "nmea0183+tcp://192.168.4.1:10110";
  const status = {
    ...{ interface: "can0", state: "ERROR-ACTIVE" as const, up: true },
    networks: [
      { ...gateway(ais, "connection refused"), firstAddr: 256 },
      { interface: "mqtt:", up: true, firstAddr: 512 },
    ],
  };
  const told = (known: Omit<Parameters<typeof networkRows>[0], "hasSensors">, hasSensors = true) =>
    networkRows({ ...known, hasSensors }).map(({ network, number, mood, state, reasons, isNamed }) => [
      ...[network, number, mood, state],
      ...[reasons.join("; "), isNamed],
    ]);

  test("each has its state and reason, and those of the settings can be removed", () => {
    expect(told({ status, edited: entry(ais), deployed: entry(ais), ignored: [] })).toEqual([
      ["can0", 0, "good", "All well", "", false],
      [ais, 1, "bad", "Not connected", "connection refused", true],
      ["mqtt:", 2, "good", "Connected", "an option of hub-cand, not one of the settings", false],
    ]);
  });

  test("a broker waits for sensors, which is no fault", () => {
    const away = { ...status, networks: [{ interface: "mqtt:", up: false, firstAddr: 256 }] };
    const known = { status: away, edited: entry("mqtt:"), deployed: entry("mqtt:"), ignored: [] };
    expect(told(known)[1]).toEqual(["mqtt:", 1, "bad", "Not connected", "", true]);
    expect(told(known, false)[1]).toContain("Waits for sensors");
  });

  test("what is added or removed and not deployed says so", () => {
    expect(told({ status, edited: entry("can1"), deployed: entry(ais), ignored: [] }).slice(1)).toEqual([
      [ais, 1, "bad", "Not connected", "connection refused; removed: deploy the change", false],
      ["mqtt:", 2, "good", "Connected", "an option of hub-cand, not one of the settings", false],
      ["can1", undefined, "waiting", "Not in force yet", "deploy it", true],
    ]);
  });

  test("a network that hub-cand refuses has its reason, and none of another", () => {
    const one = { file: "", entry: "networks", reason: "" };
    const ignored = [
      { ...one, path: ["also", "can01"], problem: "is listened to already" },
      { ...one, path: ["also", "can0"], problem: "must be one of x" },
    ];
    const edited = entry("can0", "can01", "can7");
    expect(told({ status: { interface: "can5", up: true }, edited, deployed: edited, ignored }).slice(1)).toEqual([
      ["can0", undefined, "bad", "Refused", "must be one of x", true],
      ["can01", undefined, "bad", "Refused", "is listened to already", true],
      ["can7", undefined, "waiting", "Not open", "hub-cand's log says why, if it stays so", true],
    ]);
  });

  test("beside a simulation, and without hub-cand, nothing is promised", () => {
    const edited = entry("can1");
    const simulated = { interface: "simulation", up: true };
    expect(told({ status: simulated, edited, deployed: edited, ignored: [] })[1]).toContain("Not listened to");
    expect(told({ status: undefined, edited, deployed: edited, ignored: [] })).toEqual([
      ["can1", undefined, "waiting", "Not known", "hub-cand is not heard", true],
    ]);
  });
});

describe("what is heard on a network", () => {
  const health = (uptimeSec: number, first: number, ...others: readonly number[]) =>
    ({
      uptimeSec,
      packets: { single: first, fast: 0, isoTp: 0 },
      networks: others.map((packets) => ({ packets })),
    }) as never;
  const told = (...reports: readonly object[]) => {
    const rates = new HeardRates();
    for (const report of reports) rates.take(report as never);
    return [0, 1].map((number) => {
      const activity = rates.of(number);
      return activity && activityText(activity, (seconds) => `${seconds} s`);
    });
  };
  const counting = "heard since hub-cand began; counting";

  test.each([
    ["a report just after the start", [health(25, 50, 0)], [counting, "not known yet"]],
    ["one report", [health(100, 50, 0)], [counting, "no message since hub-cand began"]],
    [
      "two",
      [health(100, 50, 7), health(130, 650, 7)],
      ["20 messages a second, the last one within 30 s", "no message for 30 s"],
    ],
    [
      "the same one twice",
      [health(100, 50, 1), health(130, 350, 2), health(130, 350, 2)],
      ["10 messages a second, the last one within 30 s", "a few messages a minute, the last one within 30 s"],
    ],
    [
      "a silence that lasts",
      [health(0, 0, 5), health(30, 1, 5), health(60, 2, 5)],
      ["a few messages a minute, the last one within 30 s", "no message for 60 s"],
    ],
    ["hub-cand begins again", [health(100, 50, 7), health(130, 650, 9), health(20, 700, 8)], [counting, counting]],
    [
      "a network that has gone",
      [health(100, 50, 7), health(130, 650)],
      ["20 messages a second, the last one within 30 s", undefined],
    ],
    ["a member that any client may leave out", [{}, { uptimeSec: 3 }], [undefined, undefined]],
  ])("%s", (_, reports, expected) => {
    expect(told(...reports)).toEqual(expected);
  });
});
