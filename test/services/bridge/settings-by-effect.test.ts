/**
 * Each member of the settings `navigation`, `names`, `lanes` and `can` by its effect: what is seen outside without it
 * and with it. A member that has no row fails.
 */
import { expect, test } from "vitest";
import type * as z from "zod";
import { worldMagneticModel } from "../../../src/adapters/node/magnetic-model.ts";
import { deviceNameBytes } from "../../../src/core/n2k/device-name.ts";
import { encoderOf } from "../../../src/core/n2k/encode.ts";
import { assumed } from "../../../src/core/n2k/pgns/assumed.ts";
import { definitions, reportOnly } from "../../../src/core/n2k/pgns/index.ts";
import type { NavigationReport } from "../../../src/core/nav/navigation-report.ts";
import { type PriorityKey, priorityKeys } from "../../../src/core/nav/settings.ts";
import { entries } from "../../../src/core/settings/entries.ts";
import { shared } from "../../core/n2k/public-table.ts";
import { memoryBridge } from "../../support/memory-bridge.ts";
import { createBursts } from "./bursts.ts";
import { named } from "./named.ts";

const start = Date.UTC(2026, 10, 21);
const magneticModel = await worldMagneticModel();
const nameAt = (address: number): string => String(named(address));

interface Message {
  readonly pgn: number;
  readonly [member: string]: unknown;
}

/** A boat with two devices, at the addresses 3 and 4, and one entry of the settings. */
function boatWith(entry: string, members: object | undefined) {
  const { bridge, publisher } = memoryBridge({
    prefix: "boat",
    magneticModel,
    publicPgns: () => shared,
    homeAssistant: { prefix: "homeassistant", interface: "can0", version: "1", hostname: "boat" },
  });
  const burst = createBursts();
  let now = 0;
  const send = (source: number, pgn: number, bytes: Uint8Array): void =>
    bridge.take(burst([{ source, pgn, hex: Buffer.from(bytes).toString("hex"), at: start + now }]));
  const configure = (members_: object | undefined): void => {
    // Twice, which is once.
    for (const _ of [1, 2]) bridge.configure(new Map(members_ && [[entry, { name: entry, ...members_ }]]));
  };
  configure(members);
  for (const address of [3, 4]) send(address, 60928, deviceNameBytes(named(address)));
  return {
    publisher,
    configure,
    send,
    say: (source: number, message: Message): void =>
      send(
        source,
        message.pgn,
        encoderOf([...definitions, ...reportOnly].find(({ pgn }) => pgn === message.pgn)!)(message as never),
      ),
    sail(seconds: number, each: () => void = () => {}): void {
      for (const end = now + 1000 * seconds; now < end; now += 100) {
        each();
        bridge.advance(now, start + now);
      }
    },
    navigation: () => (publisher.payloads("boat/navigation").at(-1) as NavigationReport).data,
    /** Data of the last message of a topic. */
    last: <Data>(topic: string): Data => (publisher.payloads(topic).at(-1) as { readonly data: Data }).data,
  };
}
type Boat = ReturnType<typeof boatWith>;

interface Row {
  readonly value: unknown;
  /** Runs the boat and returns the visible effect. */
  readonly seen: (boat: Boat) => unknown;
  readonly without: unknown;
  readonly with: unknown;
}

const battery = (voltageV: number): Message => ({ pgn: 127508, instance: 0, voltageV });
const laneTopic = "boat/every/1/device/3/pgn/127508/0";

/**
 * The table of the alarms is in test/core/alarms/each-alarm.test.ts, the networks in
 * test/daemons/hub-cand-networks.slow.test.ts, the sensors in test/daemons/hub-cand-sensors.slow.test.ts.
 */
const table: Readonly<
  Record<Exclude<keyof typeof entries, "alarms" | "networks" | "sensors">, Readonly<Record<string, Row>>>
> = {
  navigation: {
    windDamping: {
      value: 0,
      seen: ({ sail, say, navigation }) => {
        const blow = (windSpeedKnots: number) => () =>
          say(3, { pgn: 130306, windSpeedKnots, windAngleDeg: 90, reference: "Apparent" });
        sail(5, blow(10));
        sail(1, blow(20));
        return Math.round(navigation().wind_apparent!.speed!) === 20;
      },
      without: false,
      with: true,
    },
    ownMmsi: {
      value: 244_123_456,
      seen: ({ sail, say, last }) => {
        for (const mmsi of [244_123_456, 244_123_457]) say(3, { pgn: 129038, mmsi, latitude: 52, longitude: 4 });
        sail(2);
        return last<{ targets: readonly { mmsi: number }[] }>("boat/ais").targets.map(({ mmsi }) => mmsi);
      },
      without: [244_123_456, 244_123_457],
      with: [244_123_457],
    },
    friendlyNames: {
      value: { [nameAt(3)]: "Mast" },
      seen: ({ sail, last }) => {
        sail(2);
        return [3, 4].map((addr) => last<{ friendlyName?: string }>(`boat/device/${addr}/infos`).friendlyName);
      },
      without: [undefined, undefined],
      with: ["Mast", undefined],
    },
    // Each quantity has a row of its own below.
    priority: { value: { depth: [nameAt(4)] }, seen: (boat) => chosen("depth", boat), without: 5, with: 6 },
    variation: {
      value: "model",
      seen: ({ sail, say, navigation }) => {
        sail(2, () => {
          say(3, { pgn: 129025, latitude: 52, longitude: 4 });
          say(3, { pgn: 127250, headingDeg: 100, variationDeg: 7, reference: "Magnetic" });
        });
        const { variation, variationSource } = navigation().speed_course!;
        return [variation === 7, variationSource];
      },
      without: [true, undefined],
      with: [false, "WMM 2025"],
    },
  },
  names: {
    things: {
      value: [{ device: nameAt(3), pgn: 127508, key: { instance: 0 }, name: "House" }],
      seen: ({ sail, last }) => {
        sail(2);
        return last<{ names?: readonly { name: string }[] }>("boat/device/3/infos").names?.map(({ name }) => name);
      },
      without: undefined,
      with: ["House"],
    },
  },
  lanes: {
    lanes: {
      value: [5, 60],
      seen: ({ sail, say, publisher }) => {
        say(3, battery(12.5));
        sail(2);
        const lanes = publisher.messages.flatMap(({ topic }) => /^boat\/every\/(\d+)\/device/.exec(topic)?.[1] ?? []);
        return lanes.map(Number);
      },
      // The lane of Home Assistant always exists.
      without: [1],
      with: [1, 5, 60],
    },
    homeAssistant: {
      value: 10,
      seen: ({ sail, say, publisher }) => {
        sail(12, () => say(3, battery(12.5)));
        const text = publisher.states.get(`homeassistant/device/hub_${nameAt(3)}/config`)!;
        return new Set(text.match(/boat\/every\/\d+\/device/g));
      },
      without: new Set(["boat/every/1/device"]),
      with: new Set(["boat/every/10/device"]),
    },
    messageExpirySec: {
      value: 86_400,
      seen: ({ sail, say, publisher }) => {
        say(3, battery(12.5));
        sail(1);
        return publisher.messages.find(({ topic }) => topic === laneTopic)?.expirySeconds;
      },
      without: 60,
      with: 86_400,
    },
    deadBands: {
      value: { "127508.voltageV": 0.1 },
      seen: ({ sail, say, publisher }) => {
        for (const voltageV of [12.5, 12.55, 12.65]) {
          say(3, battery(voltageV));
          sail(2);
        }
        return publisher.messages.filter(({ topic }) => topic === laneTopic).length;
      },
      without: 3,
      with: 2,
    },
  },
  can: {
    // Each PGN has a row of its own below.
    pgn: {
      value: { 127490: "assumed" },
      seen: (boat) => membersOf(127490, boat).length > 1,
      without: false,
      with: true,
    },
    public: {
      value: [65_013],
      seen: ({ send, publisher }) => {
        for (const pgn of [65_013, 126_993]) send(3, pgn, new Uint8Array(8));
        return publisher.messages.map(({ topic }) => topic).filter((topic) => topic.startsWith("boat/device/3/pgn"));
      },
      without: [],
      with: ["boat/device/3/pgn/65013"],
    },
  },
};

const rows = Object.entries(table).flatMap(([entry, members]) =>
  Object.entries(members).map(([member, row]) => ({ entry, member, ...row })),
);

test.each(rows)("$member of $entry", ({ entry, member, value, seen, without, with: expected }) => {
  expect(seen(boatWith(entry, undefined)), "without").toEqual(without);
  expect(seen(boatWith(entry, { [member]: value })), "with").toEqual(expected);
  const boat = boatWith(entry, { [member]: value });
  boat.configure(undefined);
  expect(seen(boat), "taken away").toEqual(without);
});

test.each(Object.keys(table) as (keyof typeof table)[])("each member of %s has a row", (entry) =>
  expect(Object.keys(table[entry]).sort()).toEqual(Object.keys((entries[entry].schema as z.ZodObject).shape).sort()),
);

type Report = NavigationReport["data"];
/** A message with a value, and that value in the report, in whole numbers as the wire rounds them. */
type Quantity = readonly [says: (value: number) => Message, shows: (data: Report) => number | null | undefined];

const course = (sogKnots: number): Message => ({ pgn: 129026, cogDeg: 10, sogKnots, cogReference: "True" });
const heading = (headingDeg: number): Message => ({ pgn: 127250, headingDeg, reference: "True" });
const variation = (degrees: number): Message => ({ pgn: 127258, source: "Manual", variation: degrees });
const wind = (knots: number): Message => ({
  ...{ pgn: 130306, windSpeedKnots: knots, windAngleDeg: 90, reference: "Apparent" },
});
const time = (hours: number): Message => ({
  ...{ pgn: 126992, source: "GPS", date: start / 86_400_000, time: 3600 * hours },
});

const quantities: Readonly<Record<PriorityKey, Quantity>> = {
  position: [(latitude) => ({ pgn: 129025, latitude, longitude: 4 }), ({ position }) => position?.latitude],
  course: [course, ({ speed_course }) => speed_course?.sog],
  heading: [heading, ({ speed_course }) => speed_course?.headingTrue],
  speed: [(speedWaterKnots) => ({ pgn: 128259, speedWaterKnots }), (data) => data.speed_course?.speedThroughWater],
  rateOfTurn: [(rateDegPerSec) => ({ pgn: 127251, rateDegPerSec }), ({ speed_course }) => speed_course?.rateOfTurn],
  variation: [variation, ({ speed_course }) => speed_course?.variation],
  leeway: [(leewayDeg) => ({ pgn: 128000, leewayDeg }), ({ speed_course }) => speed_course?.leeway],
  wind: [wind, ({ wind_apparent }) => wind_apparent?.speed],
  depth: [(depthM) => ({ pgn: 128267, depthM }), ({ depth_water }) => depth_water?.depth],
  environment: [(waterTempC) => ({ pgn: 130310, waterTempC }), ({ depth_water }) => depth_water?.waterTemperature],
  date: [time, ({ date }) => Number(date?.time?.slice(0, 2))],
};

/** The value that is chosen of those of two devices: 5 of one and 6 of the other. */
function chosen(key: PriorityKey, { sail, say, navigation }: Boat): number {
  const [says, shows] = quantities[key];
  sail(8, () => {
    if (key === "variation") say(3, { pgn: 127250, headingDeg: 100, reference: "Magnetic" });
    say(3, says(5));
    say(4, says(6));
  });
  return Math.round(Number(shows(navigation())));
}

test.each(priorityKeys)("priority.%s", (key) => {
  const of = (address: number) => chosen(key, boatWith("navigation", { priority: { [key]: [nameAt(address)] } }));
  expect([of(3), of(4)]).toEqual([5, 6]);
});

/** Members of the message of a PGN whose bytes are those of no padding. */
function membersOf(pgn: number, { send, last }: Boat): readonly string[] {
  send(3, pgn, new Uint8Array(40));
  return Object.keys(last<object>(`boat/device/3/pgn/${pgn}`));
}

test.each(assumed.map(({ definition }) => definition.pgn))("can.pgn.%d", (pgn) => {
  const of = (mode: string) => membersOf(pgn, boatWith("can", { pgn: { [pgn]: mode } }));
  expect(of("assumed").length).toBeGreaterThan(1);
  expect(of("off")).toEqual(["pgn"]);
});
