/**
 * Each fault that is planted in a bus of 40 devices yields its finding and no other, and the bus without a fault none.
 */
import { describe, expect, test } from "vitest";
import type { FindingKind } from "../../../src/core/findings/definitions.ts";
import type { Circumstances } from "../../../src/core/findings/monitor.ts";
import type { Finding } from "../../../src/core/findings/report.ts";
import { readDeviceName } from "../../../src/core/n2k/device-name.ts";
import { windDataForReports } from "../../../src/core/n2k/pgns/for-reports.ts";
import { gnssPositionData, systemTime } from "../../../src/core/n2k/pgns/gnss.ts";
import { heartbeat, isoAddressClaim, pgnList, productInformation } from "../../../src/core/n2k/pgns/system.ts";
import { noCounts } from "../../../src/core/ports/packet-source.ts";
import { memoize } from "../../../src/core/util/memoize.ts";
import {
  ADDRESSES,
  battery,
  claim,
  compass,
  endOf,
  type Fault,
  fastGnss,
  findingsOf,
  gnss,
  heartbeatOf,
  helm,
  log,
  type Message,
  magneticCompass,
  message,
  nameOf,
  request,
  START,
  sounder,
  variation,
  wind,
} from "./synthetic-bus.ts";

const { gnss: receiver, secondGnss, secondCompass, sounder: echo, secondSounder, display, engine, tank } = ADDRESSES;

const upInterface = { interface: "can0", up: true, config: { bitrate: 250_000, restart_ms: 100 } } as const;
const status = (more: object): Pick<Fault, "circumstances"> => ({
  circumstances: () => ({ interface: { ...upInterface, ...more } }) as Circumstances,
});
/** Statistics of the interface. */
function counting(stats: (at: number) => object): Pick<Fault, "circumstances"> {
  return { circumstances: (at) => ({ counters: noCounts, interface: { ...upInterface, stats: stats(at) } }) };
}
/** Counters that grow by a number a second. */
const growing = (kind: keyof typeof noCounts.busErrors): Pick<Fault, "circumstances"> => ({
  circumstances: (at) => ({ counters: { ...noCounts, busErrors: { ...noCounts.busErrors, [kind]: at / 1000 } } }),
});

const without =
  (isGone: (message: Message) => boolean) =>
  (message: Message): readonly Message[] =>
    isGone(message) ? [] : [message];

/** Nothing of a device after a second, or none of its messages of a PGN. */
const silent = (address: number, from: number, only?: number) =>
  without(({ source, pgn, at }) => source === address && (only ?? pgn) === pgn && at > from * 1000);

/** Each message of a PGN of a device is another one. */
const changing = (address: number, pgn: number, change: (message: Message) => Partial<Message>) => ({
  change: (each: Message): readonly Message[] =>
    each.source === address && each.pgn === pgn ? [{ ...each, ...change(each) }] : [each],
});

/** The heartbeat of a device says something else. */
const beating = (fields: object) => changing(tank, heartbeat.pgn, ({ at }) => heartbeatOf(at, tank, fields));

/** Each message is cut behind some bytes. */
const cutAt = (address: number, pgn: number, length: number) =>
  changing(address, pgn, ({ payload }) => ({ payload: payload.slice(0, length) }));

/** The messages of a PGN, changed in place. */
const edited = (address: number, pgn: number, edit: (view: DataView<ArrayBuffer>) => void) =>
  changing(address, pgn, ({ payload }) => {
    const copy = payload.slice();
    edit(new DataView(copy.buffer));
    return { payload: copy };
  });

/** Both messages of a receiver that have a clock: the date is at 2 and 1, the time behind it. */
const clockOf = (address: number, edit: (view: DataView<ArrayBuffer>, date: number) => void) => {
  const changes = (
    [
      [systemTime, 2],
      [gnssPositionData, 1],
    ] as const
  ).map(([{ pgn }, at]) => edited(address, pgn, (view) => edit(view, at)).change);
  return {
    change: (each: Message) => changes.reduce((all, change) => all.flatMap(change), [each] as readonly Message[]),
  };
};

/** Claims that devices make at these milliseconds. */
const claimsAt = (times: readonly number[], addresses: readonly number[]) => (at: number) =>
  times.includes(at) ? addresses.map((address) => claim(at + 20, address, nameOf(address))) : [];

/** Every message of a device at a factor of its period. */
const onlyAt = (address: number, pgn: number, every: number) => {
  let count = 0;
  return (message: Message): readonly Message[] => {
    if (message.source !== address || message.pgn !== pgn) return [message];
    count++;
    return count % every === 0 ? [message] : [];
  };
};

const between = (at: number, from: number, to: number): boolean => at >= from * 1000 && at < to * 1000;

/** Two NAMEs claim an address in turn at these seconds, the one that holds it first. */
const contest = (address: number, seconds: readonly number[]) => (at: number) =>
  seconds.flatMap((second, turn) =>
    at === second * 1000 ? [claim(at + 20, address, nameOf(address + 100 * ((turn + 1) % 2)))] : [],
  );

/** A device says once that it sends these PGNs. */
const listing = (address: number, pgns: readonly number[]): Pick<Fault, "more"> => ({
  more: (at) =>
    at === 20_000
      ? [message(at + 10, address, pgnList, { function: "Transmit PGN list", pgns: pgns.map((id) => ({ id })) })]
      : [],
});

const reversed = { [ADDRESSES.compass]: magneticCompass(180), [secondCompass]: [] };
const dropsOut = (every: number, seconds: number) =>
  without(({ source, pgn, at }) => source === engine && pgn === 127488 && at % (every * 1000) < seconds * 1000);

const planted = [
  { kind: "busOff", ...status({ state: "BUS-OFF" }) },
  { kind: "errorPassive", ...status({ state: "ERROR-PASSIVE" }) },
  { kind: "errorsClimb", ...counting((at) => ({ bus_errors: at / 1000 })) },
  { kind: "restarts", ...counting((at) => ({ restarts: at > 60_000 ? 1 : 0 })) },
  { kind: "bitErrors", ...growing("bit") },
  { kind: "formErrors", ...growing("form") },
  { kind: "stuffErrors", ...growing("stuff") },
  { kind: "checksumErrors", ...growing("checksum") },
  { kind: "notAcknowledged", ...growing("acknowledge") },
  { kind: "silent", ...status({}), change: without(({ at }) => between(at, 60, 100)) },
  { kind: "interfaceDown", ...status({ up: false }) },
  { kind: "bitRate", ...status({ config: { bitrate: 500_000, restart_ms: 100 } }) },
  { kind: "noRestart", ...status({ config: { bitrate: 250_000, restart_ms: 0 } }) },
  {
    kind: "framesLost",
    circumstances: (at) => ({ counters: { ...noCounts, lost: { kernel: at > 60_000 ? 12 : 0, ring: 0 } } }),
  },
  {
    kind: "foreignFrames",
    circumstances: (at) => ({ counters: { ...noCounts, ignored: { ...noCounts.ignored, standard: at / 100 } } }),
  },
  { kind: "load", more: (at) => flood(at, 54) },
  { kind: "overload", more: (at) => flood(at, 64) },
  { kind: "requestStorm", more: (at) => (at % 200 === 0 ? [request(at + 30, display, 255, 65_001)] : []) },
  { kind: "addressWar", more: contest(tank, [30, 31, 32, 33, 34, 35, 36, 37, 38]) },
  { kind: "addressTwice", more: contest(tank, [30, 31]) },
  // The holder does not defend its address, and goes on.
  { kind: "addressTwice", more: contest(tank, [30]) },
  {
    kind: "nameTwice",
    // A copy of a receiver with its NAME at another address; both send.
    more: (at) =>
      at === 30_000
        ? [claim(at + 20, 90, nameOf(receiver))]
        : between(at, 30, 150) && at % 1000 === 0
          ? [heartbeatOf(at + 5, 90, { intervalS: 1 })]
          : [],
    change: without(({ pgn, source, at }) => pgn === isoAddressClaim.pgn && source === receiver && at > 30_000),
  },
  { kind: "noAddress", more: (at) => (at === 30_000 ? [claim(at + 20, 254, nameOf(77))] : []) },
  // A compass is silent for a second and a half and claims its address, three times.
  {
    kind: "deviceRestarts",
    more: claimsAt([41_500, 61_500, 81_500], [ADDRESSES.compass]),
    change: without(
      ({ source, at }) => source === ADDRESSES.compass && at > 40_000 && at < 81_500 && at % 20_000 < 1500,
    ),
  },
  // The bus is without power for 13 seconds, twice; all devices claim their addresses when they are back.
  {
    kind: "busRestarts",
    seconds: 200,
    more: claimsAt([93_000, 143_000], [...Array(33).keys()]),
    change: without(({ at }) => [80, 130].some((from) => between(at, from, from + 13))),
  },
  { kind: "vanished", seconds: 320, change: silent(display - 4, 100) },
  // A cut in the backbone: one finding for all devices behind it, whose heartbeats are a minute apart.
  {
    kind: "vanishedTogether",
    seconds: 320,
    change: without(({ source, at }) => [tank, tank + 1, tank + 2, display - 4].includes(source) && at > 100_000),
  },
  {
    kind: "vanishedTogether",
    seconds: 320,
    baseline: baselineAt(90_000),
    change: without(({ source, at }) => [tank, tank + 1].includes(source) && at > 100_000),
  },
  { kind: "heartbeatLost", seconds: 400, change: silent(tank, 130, heartbeat.pgn) },
  // A device that sends every six seconds only.
  {
    kind: "heartbeatLost",
    seconds: 400,
    change: without(
      ({ source, pgn, at }) =>
        source === tank && (pgn === heartbeat.pgn ? at > 130_000 : pgn === 127_505 && at % 7500 > 2500),
    ),
  },
  { kind: "reportsErrors", ...beating({ controller1State: "Error Passive" }) },
  { kind: "equipmentFault", ...beating({ equipmentStatus: "Fault" }) },
  { kind: "heartbeatInterval", seconds: 300, ...beating({ intervalS: 20 }) },
  { kind: "unlistedPgn", ...listing(ADDRESSES.wind, [127_250]) },
  { kind: "wrongLength", ...cutAt(ADDRESSES.battery, 127508, 4) },
  { kind: "jitter", ...changing(engine, 127488, ({ at }) => ({ at: at + 90 * (Math.floor(at / 100) % 2) })) },
  { kind: "noProduct", change: without(({ source, pgn }) => source === tank && pgn === productInformation.pgn) },
  {
    kind: "noClaim",
    seconds: 150,
    change: without(({ source, pgn }) => source === tank && pgn === isoAddressClaim.pgn),
    more: (at) => (at === 30_000 || at === 60_000 ? [request(at + 10, 0, tank, isoAddressClaim.pgn)] : []),
  },
  { kind: "receiverLoses", incomplete: (address, at) => (address < 5 || address > 30 ? Math.floor(at / 5000) : 0) },
  { kind: "incomplete", incomplete: (address, at) => (address === receiver ? Math.floor(at / 5000) : 0) },
  { kind: "loadEquivalence", product: () => ({ loadEquiv: 2 }) },
  { kind: "noProductCode", product: (address) => (address === tank ? { productCode: 0 } : {}) },
  { kind: "unknownManufacturer", manufacturer: (address) => (address === tank ? 2001 : 275) },
  { kind: "conflict", devices: { [ADDRESSES.secondBattery]: battery(0, 13.2) } },
  // Three devices of one instance: one finding.
  {
    kind: "conflict",
    devices: { [ADDRESSES.secondBattery]: battery(0, 13.2), [ADDRESSES.secondBattery + 1]: battery(0, 14.2) },
  },
  // A sensor that drops out for three seconds every quarter of a minute, or for five every half.
  { kind: "gaps", change: dropsOut(15, 3), seconds: 120 },
  { kind: "gaps", change: dropsOut(30, 5), seconds: 180 },
  {
    kind: "periodDrifts",
    change: (() => {
      const half = onlyAt(engine, 127488, 2);
      return (each: Message) => (each.at > 60_000 ? half(each) : [each]);
    })(),
  },
  { kind: "slowStream", change: onlyAt(ADDRESSES.wind, windDataForReports.pgn, 5) },
  { kind: "streamStopped", change: silent(receiver, 60, 129026) },
  // The device goes on with its heartbeat alone.
  {
    kind: "streamStopped",
    change: without(({ source, pgn, at }) => source === receiver && pgn !== 126993 && at > 60_000),
  },
  {
    kind: "publicLayout",
    more: (at) => (at % 1500 === 0 ? [raw(at + 10, tank, 127744, Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7))] : []),
  },
  { kind: "positionsDiffer", devices: { [secondGnss]: gnss(0.2) } },
  { kind: "depthsDiffer", devices: { [secondSounder]: sounder(20) } },
  { kind: "headingReversed", devices: { [secondCompass]: compass(180) } },
  { kind: "headingsDiffer", devices: { [secondCompass]: compass(40) } },
  { kind: "headingsDiffer", devices: { [secondCompass]: magneticCompass(40), [display]: variation } },
  // The only compass is a magnetic one, the wrong way round.
  { kind: "headingReversed", devices: { ...reversed, [display]: variation, [receiver]: fastGnss() } },
  // No variation is known, and both say magnetic north.
  { kind: "headingReversed", devices: { ...reversed, [receiver]: fastGnss("Magnetic") } },
  // A device that is reset each minute.
  {
    kind: "deviceRestarts",
    seconds: 420,
    change: without(({ source, at }) => source === ADDRESSES.compass && at > 30_000 && at % 60_000 < 5000),
    more: (at) => (at > 30_000 && at % 60_000 === 5000 ? [claim(at, ADDRESSES.compass)] : []),
  },
  // The receiver loses frames from the first second: product information never arrives whole.
  {
    kind: "receiverLoses",
    seconds: 300,
    incomplete: (_, at) => Math.floor(at / 4000),
    change: without(({ pgn }) => pgn === productInformation.pgn),
  },
  // The answers of a device are lost whole, or with their first frame, which leaves no trace.
  {
    kind: "receiverLoses",
    seconds: 300,
    incomplete: (address, at) => (address === tank ? 0 : Math.floor(at / 4000)),
    change: without(
      ({ source, pgn }) => source === tank && (pgn === productInformation.pgn || pgn === isoAddressClaim.pgn),
    ),
    more: (at) => (at === 30_000 || at === 60_000 ? [request(at + 10, 0, tank, isoAddressClaim.pgn)] : []),
  },
  // A message without the bytes of its depth has no value either.
  { kind: "wrongLength", seconds: 420, ...cutAt(echo, 128267, 3) },
  { kind: "ruddersDiffer", devices: { [ADDRESSES.pilot]: helm(20) } },
  { kind: "vaneStuck", seconds: 420, devices: { [ADDRESSES.wind]: wind(() => 30) } },
  { kind: "paddleWheel", seconds: 200, devices: { [ADDRESSES.log]: log(0) } },
  {
    kind: "valueAtLimit",
    ...changing(ADDRESSES.battery, 127508, () => ({
      payload: Uint8Array.of(0, 0xfc, 0x7f, 0xce, 0xff, 0xff, 0xff, 0xff),
    })),
  },
  {
    kind: "clocksDiffer",
    ...clockOf(secondGnss, (view, date) => view.setUint32(date + 2, view.getUint32(date + 2, true) + 100_000, true)),
  },
  {
    kind: "weekRollover",
    ...clockOf(secondGnss, (view, date) => view.setUint16(date, view.getUint16(date, true) - 7168, true)),
  },
  // A plotter with its clock in PGN 129033 alone.
  {
    kind: "weekRollover",
    more: (at) => {
      if (at % 1000 !== 0) return [];
      const payload = new Uint8Array(8);
      new DataView(payload.buffer).setUint16(0, Math.floor((START + at) / 86_400_000) - 7168, true);
      new DataView(payload.buffer).setUint32(2, ((START + at) % 86_400_000) * 10, true);
      return [raw(at, display, 129033, payload)];
    },
  },
  { kind: "noValue", seconds: 420, devices: { [ADDRESSES.log]: log(Number.NaN) } },
  { kind: "noValue", seconds: 420, devices: { [echo]: sounder(Number.NaN) } },
  { kind: "computerClock", circumstances: () => ({ clockAheadSec: -3600 }) },
  {
    kind: "noFix",
    seconds: 420,
    ...edited(secondGnss, gnssPositionData.pgn, (view) => view.setUint8(31, view.getUint8(31) & 0x0f)),
  },
  { kind: "missingDevice", seconds: 320, change: silent(tank, 100), baseline: baselineAt(90_000) },
  { kind: "newDevice", baseline: baselineAt(60_000), more: claimsAt([90_000], [90]) },
  {
    kind: "newVersion",
    baseline: baselineAt(60_000),
    ...changing(tank, productInformation.pgn, (each) => (each.at > 90_000 ? softer(each) : each)),
  },
  { kind: "missingStream", seconds: 400, baseline: baselineAt(60_000), change: silent(tank, 90, 127505) },
] as const satisfies readonly Fault[];

/** The compiler names the kinds of findings that have no fault here. */
const faults: readonly Fault[] & Record<Exclude<FindingKind, (typeof planted)[number]["kind"]>, never> = planted;

function baselineAt(time: number): NonNullable<Fault["baseline"]> {
  return (monitor, at) => {
    if (at === time) monitor.baseline = monitor.takeBaseline(at, START + at);
  };
}

/** Product information with another version of the software. */
function softer(each: Message): Message {
  const payload = each.payload.slice();
  payload.set(new TextEncoder().encode("1.1"), 36);
  return { ...each, payload };
}

function raw(at: number, source: number, pgn: number, payload: Uint8Array<ArrayBuffer>): Message {
  return { at, source, destination: 255, pgn, payload };
}

/** A number of full frames in 50 ms by a device without a function. */
function flood(at: number, frames: number): readonly Message[] {
  return Array.from({ length: frames }, (_, index) => raw(at + index / 2, display, 65_300, new Uint8Array(8)));
}

/** The findings of a fault as it is planted, about which several tests ask. */
const foundOf = memoize(findingsOf);

test("the bus of 40 devices without a fault has no findings in seven minutes", () => {
  expect([...findingsOf({ seconds: 420 }).keys()]).toEqual([]);
});

describe("a planted fault yields its finding and no other", () => {
  test.each(faults)("$kind", (fault) => {
    const found = foundOf(fault);
    expect([...new Set([...found.values()].map(({ kind }) => kind))]).toEqual([fault.kind]);
    if (fault.kind === "conflict") expect(found.size).toBe(1);
    for (const { measured, advice } of found.values()) {
      expect(measured).toMatch(/^[A-Za-z0-9].*[^.]$/);
      expect(advice).toMatch(/\.$/);
    }
  });
});

/** The findings of a fault at its end, of a kind. */
const onlyOf = (kind: string, more?: Partial<Fault>): Finding => {
  const fault = faults.find((each) => each.kind === kind)!;
  return [...(more === undefined ? foundOf(fault) : findingsOf({ ...fault, ...more })).values()][0]!;
};

const secondsSince = ({ since }: Finding): number => (Date.parse(since) - START) / 1000;

test("a finding that is noticed late begins when the case began", () => {
  expect(secondsSince(onlyOf("vanishedTogether"))).toBeCloseTo(100, -0.5);
  expect(secondsSince(onlyOf("streamStopped"))).toBeCloseTo(60, -0.5);
  expect(secondsSince(onlyOf("addressTwice"))).toBeCloseTo(31, -0.5);
  expect(secondsSince(onlyOf("nameTwice"))).toBeCloseTo(30, -0.5);
  expect(secondsSince(onlyOf("deviceRestarts"))).toBeCloseTo(41.5, -0.5);
  expect(secondsSince(onlyOf("requestStorm"))).toBeLessThan(1);
  expect(secondsSince(onlyOf("framesLost"))).toBeCloseTo(60, -1);
});

test("all devices behind a cut are in one finding, the NAMEs that contend for an address too", () => {
  const cut = onlyOf("vanishedTogether");
  expect(cut.devices!.map(({ addr }) => addr).toSorted()).toEqual([tank, tank + 1, tank + 2, display - 4]);
  expect(cut.measured).toMatch(/^Model 19 \(19\), Model 20 \(20\).* and .* have been silent for \d+ (s|min)$/);
  const names = [nameOf(tank), nameOf(tank + 100)].map(String);
  for (const kind of ["addressWar", "addressTwice"])
    expect(onlyOf(kind).devices!.map(({ addr, name }) => [addr, name])).toEqual(names.map((name) => [tank, name]));
});

test("claims and requests are counted truly, however many", () => {
  const war = onlyOf("addressWar", {
    seconds: 120,
    more: (at) => (at < 20_000 ? [] : [claim(at + 20, tank, nameOf(tank + 100 * ((at / 50) % 2)))]),
  });
  expect(Number(/claimed (\d+) times/.exec(war.measured)![1])).toBeGreaterThan(1100);
  const storm = onlyOf("requestStorm", { more: (at) => [request(at + 30, display, 255, 65_001)] });
  expect(storm.measured).toMatch(/has sent 1[12]\d\d requests in a minute$/);
});

test("a sensor that comes back with the value from before its silence is neither stuck nor at its limit", () => {
  const kindsOf = (fault: Partial<Fault>): readonly string[] => [...findingsOf(fault).values()].map(({ kind }) => kind);
  const stuck = { seconds: 420, devices: { [ADDRESSES.wind]: wind(() => 30) } };
  const silentFor = (address: number, from: number, to: number) =>
    without(({ source, at }) => source === address && between(at, from, to));
  expect(kindsOf(stuck)).toEqual(["vaneStuck"]);
  for (const change of [silentFor(ADDRESSES.wind, 100, 370), silentFor(ADDRESSES.wind, 200, 230)])
    expect(kindsOf({ ...stuck, change })).not.toContain("vaneStuck");
  const limited = { devices: { [ADDRESSES.battery]: battery(0, 327.64) } };
  expect(kindsOf({ ...limited, seconds: 240 })).toEqual(["valueAtLimit"]);
  const returns = { ...limited, seconds: 215, change: silentFor(ADDRESSES.battery, 20, 200) };
  expect(kindsOf(returns)).not.toContain("valueAtLimit");
});

test("members of messages are named in words, and a conflict has the values of both", () => {
  expect(onlyOf("valueAtLimit").measured).toBe(
    "Battery Status, instance 0 of Model 13 (13) has numbers at the end of their range: voltage 327.64 V",
  );
  expect(onlyOf("conflict").measured).toBe(
    "Model 13 (13) and Model 14 (14) send Battery Status, instance 0, with different values: voltage 12.6 and 13.2 V",
  );
});

test("a device that replaces another one at its address contends for nothing", () => {
  const found = findingsOf({
    seconds: 120,
    change: without(({ source, at }) => source === tank && at > 30_000),
    more: (at) => (at === 60_000 ? [claim(at + 20, tank, nameOf(tank + 100))] : []),
  });
  expect([...found.keys()].filter((id) => id.startsWith("address"))).toEqual([]);
});

test("a receiver without a fix is told although it is the only one", () => {
  const lone = onlyOf("noFix", { devices: { [receiver]: [] } });
  expect(lone.measured).toMatch(/has no fix$/);
});

describe("a near miss is silent", () => {
  const turned = (offset: number) => ({ [ADDRESSES.secondCompass]: magneticCompass(offset), [display]: variation });
  const rows: readonly (readonly [string, Partial<Fault>])[] = [
    ["a magnetic compass that agrees by the variation", { devices: turned(4) }],
    [
      "a magnetic compass that agrees by its deviation",
      { devices: { ...turned(4), [ADDRESSES.compass]: magneticCompass(4, 30) } },
    ],
    ["a device that lists what it sends", listing(ADDRESSES.wind, [windDataForReports.pgn])],
    ["an older message without its last field", cutAt(echo, 128267, 7)],
    [
      "intervals that vary by a quarter",
      changing(engine, 127488, ({ at }) => ({ at: at + 25 * (Math.floor(at / 100) % 2) })),
    ],
    [
      "every message late by turns, as by a gateway that sends in bursts",
      { change: (each) => [{ ...each, at: each.at + 300 - (each.at % 300) }] },
    ],
    [
      "a heartbeat that is lost once",
      {
        seconds: 400,
        change: without(({ source, pgn, at }) => source === tank && pgn === heartbeat.pgn && between(at, 110, 170)),
      },
    ],
    [
      "two receivers of one quantity, which are redundant",
      { seconds: 100, devices: { [secondSounder]: sounder(12.4), [echo]: sounder(12) } },
    ],
    [
      "a gateway that repeats the battery of another device, however late",
      {
        change: (each) =>
          each.source === ADDRESSES.battery && each.pgn === 127508
            ? [each, { ...each, source: display, at: each.at + 40 }]
            : [each],
      },
    ],
    [
      "a device that is reset once",
      { change: without(({ source, at }) => source === ADDRESSES.compass && between(at, 60, 64)) },
    ],
    [
      "devices that are without power for almost three minutes, and whose next heartbeats come later",
      { seconds: 400, change: without(({ source, at }) => source >= tank && between(at, 100, 275)) },
    ],
    [
      "a bus that is without power for four minutes, whose devices are heard again one by one",
      { seconds: 400, baseline: baselineAt(90_000), change: without(({ at }) => between(at, 100, 340)) },
    ],
  ];
  test.each(rows)("%s", (_, fault) => {
    expect([...findingsOf(fault).values()].map(({ id, measured }) => `${id}: ${measured}`)).toEqual([]);
  });
});

describe("a finding ends when its devices are switched off", () => {
  const cut = 160_000;
  /** Kinds that remember what was for ten minutes, or that say that a device is gone. */
  const lasting = [
    ...["deviceRestarts", "busRestarts", "vanished", "vanishedTogether", "missingDevice", "missingStream", "newDevice"],
    "newVersion",
  ];
  const short = faults.filter(({ kind, seconds = 150 }) => seconds <= 150 && !lasting.includes(kind));
  const named = short.filter((fault) => [...foundOf(fault).values()].some(({ devices = [] }) => devices.length > 0));
  test.each(named)("$kind", (fault) => {
    const off = new Set([...foundOf(fault).values()].flatMap(({ devices = [] }) => devices.map(({ addr }) => addr)));
    const gone = ({ source, at }: Message): boolean => at > cut && off.has(source);
    const { change = (each: Message) => [each] } = fault;
    const all: Partial<Fault> = {
      ...fault,
      // A device is gone after three minutes.
      seconds: 370,
      change: (each) => (gone(each) ? [] : change(each).filter((message) => !gone(message))),
    };
    expect(endOf(all).filter((kind) => kind === fault.kind)).toEqual([]);
  });
});

describe("two devices of one address are a finding until one of them answers no request for claims any more", () => {
  const other = nameOf(tank + 100);
  const answers = (at: number) => (at % 100_000 === 0 && at > 0 ? [claim(at + 500, tank, other)] : []);
  const beside = contest(tank, [30]);
  const withoutClaims = without(({ source, pgn, at }) => source === tank && pgn === isoAddressClaim.pgn && at > 60_000);
  test.each<readonly [string, Partial<Fault>, readonly string[]]>([
    ["both answer", { more: (at) => [...beside(at), ...answers(at)] }, ["addressTwice"]],
    ["the second one is gone", { more: beside }, []],
    [
      "the first one is gone",
      {
        more: (at) => [...beside(at), ...answers(at)],
        change: (each) => (nameIn(each) === other ? [each] : withoutClaims(each)),
      },
      [],
    ],
  ])("%s", (_, fault, expected) => {
    expect([...findingsOf({ ...fault, seconds: 240 }).values()].map(({ kind }) => kind)).toEqual(["addressTwice"]);
    expect(endOf({ ...fault, seconds: 240 })).toEqual(expected);
  });
});

/** The NAME that a message claims. */
function nameIn({ pgn, payload }: Message): bigint | undefined {
  return pgn === isoAddressClaim.pgn ? readDeviceName(payload, 0, payload.length) : undefined;
}

describe("counters of the controller go on beyond 2^32, and begin at 0 when its driver is loaded anew", () => {
  const errors = (count: (seconds: number) => number): Pick<Fault, "circumstances"> => ({
    circumstances: (at) => ({ counters: { ...noCounts, busErrors: { ...noCounts.busErrors, bit: count(at / 1000) } } }),
  });
  test.each<readonly [string, Partial<Fault>, readonly string[]]>([
    ["round 2^32", errors((seconds) => (2 ** 32 - 5 + seconds) % 2 ** 32), ["bitErrors"]],
    ["begun anew, and growing", errors((seconds) => (seconds < 10 ? 5000 : seconds)), ["bitErrors"]],
    ["begun anew", errors((seconds) => (seconds < 30 ? 5000 : 3)), []],
    ["begun anew from a great number", errors((seconds) => (seconds < 30 ? 2 ** 33 : 3)), []],
  ])("%s", (_, fault, expected) => {
    expect([...findingsOf({ ...fault, seconds: 60 }).values()].map(({ kind }) => kind)).toEqual(expected);
  });
});
