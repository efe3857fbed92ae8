/** The kernel and its parts: several on one PGN, and parts that throw. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { AlarmsData } from "../../../src/core/alarms/report.ts";
import { noCounts } from "../../../src/core/ports/packet-source.ts";
import type { Health } from "../../../src/core/topics/health.ts";
import { type Topic, topics } from "../../../src/core/topics/topics.ts";
import type { Part, PartRow } from "../../../src/services/bridge/part.ts";
import { memoryBridge } from "../../support/memory-bridge.ts";
import { atNight } from "../../support/size.ts";
import { encoded } from "./alarm-bus.ts";
import { createBursts } from "./bursts.ts";

const start = Date.UTC(2026, 10, 21, 8, 14, 26);
const machine = () => ({ publishRefused: 0, dropped: 0, backlogBytes: 0, memoryBytes: 1 });

/** Topics that hub-cand publishes; those of the slow lanes repeat others, by their names. */
const published = Object.entries<Topic>(topics).flatMap(([name, { received, template }]) =>
  received || template.includes("/every/") ? [] : [name],
);
const folder = "src/services/bridge";
const source = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => readFileSync(`${folder}/${file}`, "utf8"))
  .join();
test.each(published)("the topic %s has a part that publishes it", (name) =>
  expect(source.includes(`.${name}(`), `no file of ${folder} asks \`topics\` for its name`).toBe(true),
);

const setUp = (change: (rows: readonly PartRow[]) => readonly PartRow[] = (rows) => rows) => {
  const options = {
    prefix: "boat",
    vitals: { bus: () => noCounts, machine },
    node: { sender: { send: () => true }, uniqueNumber: 1, softwareVersion: "1" },
    homeAssistant: { prefix: "homeassistant", interface: "can0", version: "1", hostname: "boat" },
    lanes: [1],
  };
  const { bridge, publisher, log } = memoryBridge(options, change);
  bridge.sourceChanged({ isUp: true, hasChanged: true }, 0);
  const burst = createBursts();
  let now = 0;
  return {
    bridge,
    log,
    publisher,
    /** A message each minute. */
    wait(minutes: number): void {
      for (let minute = 0; minute < minutes; minute++, now += 60_000) {
        bridge.take(burst([{ ...position, source: 3, at: start + now }]));
        bridge.advance(now, start + now);
      }
    },
    /** Messages ten times a second. */
    sail(seconds: number, ...messages: readonly { readonly pgn: number; readonly hex: string }[]): void {
      for (let tick = 0; tick < seconds * 10; tick++, now += 100) {
        bridge.take(burst(messages.map((message) => ({ ...message, source: 3, at: start + now }))));
        bridge.advance(now, start + now);
      }
    },
    last: <Data>(topic: string): Data => (publisher.payloads(topic).at(-1) as { readonly data: Data }).data,
  };
};

const claim = { pgn: 60928, hex: "0100e0ff0082460c" };
const position = { pgn: 129025, hex: encoded({ pgn: 129025, latitude: 54.2, longitude: 10.1 }) };
/** Assumed layout: heard by the layouts, and by each lane. */
const generator = { pgn: 127514, hex: "00050001A10012FF" };
const shallow = { pgn: 128267, hex: encoded({ pgn: 128267, depthM: 1.2, offsetM: 0 }) };
const underWay = { pgn: 129026, hex: encoded({ pgn: 129026, cogReference: "True", cogDeg: 90, sogMs: 3 }) };
const all = [claim, position, underWay, generator, shallow];
/** A PGN that navigation reads, of an instance that it does not. */
const freezer = {
  pgn: 130312,
  hex: encoded({ pgn: 130312, instance: 2, source: "Freezer Temperature", actualTempC: 4 }),
};
const sea = { pgn: 130312, hex: encoded({ pgn: 130312, instance: 0, source: "Sea Temperature", actualTempC: 12 }) };

/** The alarm that each of these boats has: too little water. */
const rings = (alarms: AlarmsData): boolean => alarms.alarms.some(({ id }) => id === "depth");

describe("several parts that listen to one PGN", () => {
  const listeningTo = (pgn: number, heard: number[]): PartRow => ({
    name: `listener ${heard.length}`,
    create: () => ({ listens: [[pgn, ({ source }) => heard.push(source)]] }),
  });

  test("all hear it, whatever else does", () => {
    const first: number[] = [];
    const last: number[] = [];
    const messages = [...all, freezer, sea];
    const alone = setUp();
    alone.sail(10, ...messages);
    expect(alone.last<object>("boat/navigation")).toMatchObject({ depth_water: { waterTemperature: 12 } });
    for (const pgn of new Set(messages.map((message) => message.pgn))) {
      first.length = 0;
      last.length = 0;
      const boat = setUp((rows) => [listeningTo(pgn, first), ...rows, listeningTo(pgn, last)]);
      boat.sail(10, ...messages);
      const heard = 100 * messages.filter((message) => message.pgn === pgn).length;
      expect([first.length, last.length]).toEqual([heard, heard]);
      expect(boat.publisher.messages).toEqual(alone.publisher.messages);
    }
  });

  test("a generator that cannot start rings where its layouts are published too", () => {
    const { sail, last, publisher } = setUp();
    sail(20, generator);
    expect(last<AlarmsData>("boat/alarms").alarms.map(({ id }) => id)).toContain(
      "converter-generator-1-unable-to-start",
    );
    expect(publisher.payloads("boat/layouts")).not.toEqual([]);
  });
});

/** Methods of parts that the kernel calls, and where it calls functions that a part gives it. */
const methods = Object.keys({
  admits: true,
  hear: true,
  hearWatched: true,
  published: true,
  requested: true,
  notice: true,
  advance: true,
  counters: true,
} satisfies Record<Exclude<MethodOf<Part>, "finish">, true>);
type MethodOf<Of> = {
  [Name in keyof Of]-?: Required<Of>[Name] extends (...given: never) => unknown ? Name : never;
}[keyof Of];
const places: readonly string[] = [...methods, "due", "knows", "listens", "settings", "commands"];

/** The part, which throws at a call of one of its places. */
function faulty(part: Part, place: string, isFault: () => boolean): Part {
  const failing =
    <Arguments extends readonly unknown[], Result>(work: (...given: Arguments) => Result) =>
    (...given: Arguments): Result => {
      if (isFault()) throw new Error("planted");
      return work(...given);
    };
  /** The object, whose methods and getters throw. */
  const failingOf = <Of extends object>(whole: Of): Of =>
    new Proxy(whole, {
      get(of, name) {
        const value: unknown = Reflect.get(of, name, of);
        return typeof value === "function" ? failing(value.bind(of)) : failing(() => value)();
      },
    });
  const changed: Readonly<Record<string, () => unknown>> = {
    due: failing(() => part.due),
    knows: () =>
      part.knows && Object.fromEntries(Object.entries(part.knows).map(([name, known]) => [name, failingOf(known)])),
    listens: () => [...(part.listens ?? [])].map(([pgn, listener]) => [pgn, failing(listener)] as const),
    settings: () => part.settings?.map((use) => ({ ...use, apply: failing((value: unknown) => use.apply(value)) })),
    commands: () =>
      Object.fromEntries(Object.entries(part.commands ?? {}).map(([topic, command]) => [topic, failing(command)])),
  };
  return new Proxy(part, {
    get(of, name) {
      if (name === place && place in changed) return changed[place]!();
      const value: unknown = Reflect.get(of, name, of);
      if (typeof value !== "function") return value;
      const method = value.bind(of) as (...given: readonly unknown[]) => unknown;
      return name === place ? failing(method) : method;
    },
  });
}

/** The rows, in which a part throws at a call of one of its places. */
const withFault = (rows: readonly PartRow[], name: string, place: string, isFault: () => boolean): readonly PartRow[] =>
  rows.map((row): PartRow => {
    if (row.name !== name) return row;
    const create = (of: Parameters<typeof row.create>[0]): Part => {
      if (place === "create" && isFault()) throw new Error("planted");
      return faulty(row.create(of), place, isFault);
    };
    return { ...row, create };
  });

/** The parts by their names, with the places that each of them has. */
const placesOf = new Map<string, readonly string[]>();
setUp((rows) =>
  rows.map(({ name, create, ...row }) => ({
    ...row,
    name,
    create: (boat) => {
      const part = create(boat);
      placesOf.set(name, [...places.filter((place) => part[place as keyof Part] !== undefined), "create"]);
      return part;
    },
  })),
);
const partNames = [...placesOf.keys()];

/** Which of the calls throw. */
const faults: readonly (readonly [string, (call: number) => boolean])[] = [
  ["the first", (call) => call === 1],
  ...atNight([], [["the fiftieth", (call: number) => call === 50] as const]),
  ["every", () => true],
];

describe.each(partNames)("the part %s", (name) => {
  test.each(faults)("costs its own work alone when it throws at %s call of a place", (_, isFaultyCall) => {
    for (const place of placesOf.get(name)!) {
      let calls = 0;
      let thrown = 0;
      const isFault = (): boolean => {
        const isFaulty = isFaultyCall(++calls);
        if (isFaulty) thrown++;
        return isFaulty;
      };
      const boat = setUp((rows) => withFault(rows, name, place, isFault));
      boat.sail(9, ...all);
      boat.bridge.configure(new Map([["navigation", { windDamping: 3 }]]));
      for (const topic of ["alarms/all", "findings/baseline"]) boat.bridge.command(`boat/${topic}/set`, "acknowledge");
      boat.sail(9, ...all);
      const navigations = boat.publisher.payloads("boat/navigation").length;
      if (name !== "navigation") expect(navigations, place).toBeGreaterThan(170);
      // What the alarms know comes from navigation. One fault costs neither of them more than a moment.
      const isNeeded = ["alarms", "navigation"].includes(name);
      if (!isNeeded || thrown === 1) expect(rings(boat.last("boat/alarms")), place).toBe(true);
      if (thrown > 0 && (!isNeeded || thrown === 1))
        expect(boat.last<AlarmsData>("boat/alarms").alarms, place).toContainEqual(
          expect.objectContaining({ id: "fault", text: expect.stringContaining(name) }),
        );
      if (name === "navigation" && thrown === 1) expect(navigations, place).toBeGreaterThan(130);
      expect(boat.publisher.payloads("boat/device/3/pgn/128267")).toHaveLength(180);
      const { partFaults } = boat.bridge.counters();
      expect(partFaults?.[name]?.[place] ?? 0, place).toBe(thrown);
      expect(
        boat.log.lines.some(({ fields }) => fields.code === "PART_FAILED"),
        place,
      ).toBe(thrown > 0);
    }
  });
});

/** Every place of the part throws while `isFault` says so. */
const withFaults = (rows: readonly PartRow[], name: string, isFault: () => boolean): readonly PartRow[] =>
  placesOf.get(name)!.reduce((changed, place) => withFault(changed, name, place, isFault), rows);

const pairs = partNames.flatMap((one, index) => partNames.slice(index + 1).map((other) => [one, other] as const));
/** Each part is in one of these at least; all of them at night. */
const triedPairs = atNight(
  pairs.filter(([one, other]) => partNames.indexOf(other) - partNames.indexOf(one) === 1),
  pairs,
);

test.each(triedPairs)("the parts %s and %s cost their own work alone when all that they do throws", (one, other) => {
  const failed = [one, other];
  // Not before they are made: the places of a part that was never made do not run.
  let isFaulty = false;
  const boat = setUp((rows) => failed.reduce((changed, name) => withFaults(changed, name, () => isFaulty), rows));
  isFaulty = true;
  boat.sail(15, ...all);
  if (!failed.includes("navigation")) expect(boat.publisher.payloads("boat/navigation").length).toBeGreaterThan(140);
  if (!failed.includes("navigation") && !failed.includes("alarms")) {
    expect(rings(boat.last("boat/alarms"))).toBe(true);
    const { text } = boat.last<AlarmsData>("boat/alarms").alarms.find(({ id }) => id === "fault")!;
    for (const name of failed) expect(text).toContain(name);
  }
  expect(boat.publisher.payloads("boat/device/3/pgn/128267")).toHaveLength(150);
  const { partFaults = {} } = boat.bridge.counters();
  expect(Object.keys(partFaults).toSorted()).toEqual(failed.toSorted());
  for (const name of failed) expect(Object.keys(partFaults[name]!), name).not.toEqual(["create"]);
});

test("a fault is an alarm and a line of the log, and again an hour later", () => {
  let isFaulty = false;
  const boat = setUp((rows) => withFaults(rows, "findings", () => isFaulty));
  const isTold = () => boat.last<AlarmsData>("boat/alarms").alarms.some(({ id }) => id === "fault");
  const lines = () => boat.log.lines.filter(({ fields }) => fields.code === "PART_FAILED").length;
  boat.sail(5, ...all);
  for (const _ of ["at first", "an hour later"]) {
    expect(isTold()).toBe(false);
    const linesBefore = lines();
    isFaulty = true;
    boat.sail(5, ...all);
    isFaulty = false;
    boat.sail(5, ...all);
    expect(isTold()).toBe(true);
    expect(lines()).toBeGreaterThan(linesBefore);
    boat.wait(60);
    boat.sail(5, ...all);
  }
  expect(boat.last<Health>("boat/health").partFaults).toEqual(boat.bridge.counters().partFaults);
});

test("a part that fails on and on is made anew, and an alarm keeps the answers that it has", () => {
  let made = 0;
  let isBroken = false;
  const boat = setUp((rows) => [
    ...rows,
    {
      name: "unsteady",
      create: () => {
        made++;
        const isOfNow = made;
        return {
          get due() {
            return Number.NEGATIVE_INFINITY;
          },
          advance() {
            if (isBroken && isOfNow === 1) throw new Error("its state is lost");
          },
        };
      },
    },
  ]);
  boat.sail(10, ...all);
  expect(made).toBe(1);
  isBroken = true;
  boat.sail(9, ...all);
  expect(made).toBe(1);
  boat.sail(3, ...all);
  expect(made).toBe(2);
  boat.sail(60, ...all);
  expect(made).toBe(2);
  expect(boat.bridge.counters().partFaults).toEqual({ unsteady: { advance: 10 } });
});

test("the fast-packet table follows the settings", () => {
  const { bridge } = setUp();
  const before = [...bridge.fastPacketTable];
  bridge.configure(new Map([["can", { pgn: { 127747: { fields: [{ bits: 8 }], transport: "single" } } }]]));
  expect([...bridge.fastPacketTable]).not.toEqual(before);
  bridge.configure(new Map());
  expect([...bridge.fastPacketTable]).toEqual(before);
});
