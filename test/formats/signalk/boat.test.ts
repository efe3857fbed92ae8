/**
 * Deltas and the tree of Signal K: those of the simulated voyage against the specification, and when values come and
 * go.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { Boat } from "../../../src/formats/signalk/boat.ts";
import { Changes } from "../../../src/formats/signalk/changes.ts";
import { navigationPaths } from "../../../src/formats/signalk/navigation-paths.ts";
import { deltaText, treeText } from "../../../src/formats/signalk/text.ts";
import { boatOf, hear, type Published, publishedOf, SELF, START, voyageOf } from "./boats.ts";
import { specification } from "./specification.ts";

/** JSON of any shape. */
type Tree = ReturnType<typeof JSON.parse>;

/** The tree as a client reads it. */
const treeJson = (boat: Boat, path: readonly string[]): Tree => {
  const found = treeText(boat, path);
  return found === undefined ? undefined : JSON.parse(found);
};
const read = (boat: Boat, path = ""): Tree => treeJson(boat, path.split(".").filter(Boolean));
const valueAt = (boat: Boat, path: string): unknown => treeJson(boat, ["vessels", "self", ...path.split("."), "value"]);

/** Paths beyond the schema, or of a point that it knows only with a value of its own. */
const beyond = [
  /^vessels\..*\.navigation\.course\w+\.(?:activeRoute|previousPoint|followingPoint|nextPoint\.name)$/,
  /^vessels\..*\.navigation\.(?:specialManeuver|gnss\.satellitesInView)$/,
  /^vessels\..*\.navigation\.gnss\.type\.values$/,
  /^vessels\..*\.electrical\.switches$/,
  /^atons\..*\.(?:virtual|offPosition)$/,
  // Members of version 2.
  /\.notifications\..*\.value\.(?:id|status|createdAt)$/,
];

/** Members of a notification by version 2. */
const version2 = { id: expect.any(String), status: expect.objectContaining({ canClear: false }) };

/** Some paths are beyond the schema, and the specification calls `aton` what all programs call `atons`. */
function asSpecified(tree: Tree): Tree {
  const without = (part: Tree, path: string): Tree =>
    typeof part !== "object" || part === null || Array.isArray(part)
      ? part
      : Object.fromEntries(
          Object.entries(part)
            .map(([name, value]) => [name, value, path === "" ? name : `${path}.${name}`] as const)
            .filter(([, , below]) => !beyond.some((pattern) => pattern.test(below)))
            .map(([name, value, below]) => [name, without(value, below)]),
        );
  const { atons, ...others } = without(tree, "");
  return { ...others, aton: atons };
}
describe("of the simulated voyage", () => {
  const deltas: string[] = [];
  const changes = new Changes();
  const boat = boatOf((leaf) => changes.add(leaf));
  let tree: Tree;

  beforeAll(async () => {
    for await (const message of publishedOf(voyageOf(120_000))) {
      hear(boat, message);
      for (const [context, leaves] of changes.take()) deltas.push(deltaText(context, leaves));
    }
    tree = read(boat);
  });

  test("every delta is one of the specification", () => {
    expect(deltas.length).toBeGreaterThan(3000);
    // The validator is slow, so one delta of each shape is checked.
    const shapes = new Map(deltas.map((delta) => [delta.replace(/-?\d+(?:\.\d+)?(?:e-?\d+)?/g, "0"), delta]));
    expect(shapes.size).toBeGreaterThan(100);
    const faults = new Set([...shapes.values()].flatMap((delta) => specification.faultsOfDelta(JSON.parse(delta))));
    expect([...faults]).toEqual([]);
  });

  test("the full tree is one of the specification", () => {
    expect(specification.faultsOfTree(asSpecified(tree))).toEqual([]);
  });

  test("own ship is where hub says, in SI units, with the device that hub chose", () => {
    const { navigation, environment, propulsion, electrical, tanks } = tree.vessels[SELF];
    expect(navigation.position.value).toEqual({ latitude: expect.closeTo(53.3, 1), longitude: expect.closeTo(3.6, 1) });
    expect(navigation.position.$source).toBe("can0.c07891001ca003e9");
    expect(tree.sources.can0.c07891001ca003e9.n2k.productName).toBe("GNSS Receiver SBAS");
    expect(navigation.position.timestamp).toMatch(/^2026-11-21T00:0[12]:\d\d\.\d{3}Z$/);
    expect(navigation.speedOverGround.value).toBeGreaterThan(1);
    expect(navigation.headingTrue.value).toBeLessThan(2 * Math.PI);
    expect(navigation.headingTrue.meta).toEqual({ description: "Heading, from true north", units: "rad" });
    expect(environment.water.temperature.value).toBeGreaterThan(280);
    expect(environment.wind.speedTrue.value).toBeGreaterThan(1);
    expect(environment.wind.speedOverGround).toBeUndefined();
    expect(propulsion.port.revolutions.meta.units).toBe("Hz");
    expect(Object.keys(electrical.batteries)).toEqual(["0", "1"]);
    expect(tanks.fuel["0"].currentLevel.value).toBeLessThan(1);
    expect(electrical.switches.bank["0"]["1"].state.value).toBe(1);
  });

  test("ships, aids to navigation and rescuers stand at their places", () => {
    const ship = tree.vessels["urn:mrn:imo:mmsi:299001100"];
    expect(ship).toMatchObject({
      mmsi: "299001100",
      name: "VEERKRACHT",
      communication: { callsignVhf: "3XAB1" },
      registrations: { imo: "IMO 9100001" },
    });
    expect(ship.design.aisShipType.value).toEqual({ id: 60, name: "Passenger ship" });
    expect(ship.design.length.value).toEqual({ overall: 92 });
    expect(ship.sensors.ais.class.value).toBe("A");
    expect(ship.navigation.closestApproach.value).toEqual({ distance: expect.any(Number), timeTo: expect.any(Number) });
    expect(Object.values<Tree>(tree.atons)[0]?.atonType.value.name).toEqual(expect.any(String));
    expect(Object.keys(tree.aircraft)).toEqual(["urn:mrn:imo:mmsi:111299501"]);
  });

  test("a part of the tree is found by its path, and nothing by one that there is not", () => {
    expect(read(boat, "vessels.self.navigation.speedOverGround.meta.units")).toBe("m/s");
    expect(read(boat, `vessels.${SELF}.uuid`)).toBe(SELF);
    expect(read(boat, "self")).toBe(`vessels.${SELF}`);
    expect(read(boat, "version")).toBe("1.7.0");
    expect(Object.keys(read(boat, "atons")).length).toBeGreaterThan(0);
    for (const path of ["vessels.none", "vessels.self.none", "none", "vessels.self.__proto__", "constructor"])
      expect(read(boat, path), path).toBeUndefined();
  });
});

const seconds = (after: number): string => new Date(START + after * 1000).toISOString();

const message = (topic: string, data: object, after: number, expireAfterSec = 60): Published => ({
  topic,
  payload: JSON.stringify({ data, metadata: { rxDate: seconds(after), expireAfterSec } }),
});

test("the date with each ten-thousandth of a second is truncated to milliseconds", () => {
  const [{ value }] = navigationPaths.date;
  const source = { name: "1", pgn: 126992, rxTimestamp: 0, age: 0 };
  for (let fraction = 0; fraction < 10_000; fraction++) {
    const text = value({ date: "2026-11-21", time: "08:05:09", fraction: fraction / 10_000, source }, {});
    expect(text).toBe(`2026-11-21T08:05:09.${String(Math.floor(fraction / 10)).padStart(3, "0")}Z`);
  }
});

const battery = (address: number, voltageV: number | undefined, after: number, instance = 0): Published =>
  message(`device/${address}/pgn/127508`, { pgn: 127508, instance, voltageV }, after);

const VOLTAGE = "electrical.batteries.0.voltage";

describe("values come and go", () => {
  /** A boat, and the changes since it was asked last. */
  const setUp = () => {
    const deltas: Tree[] = [];
    const boat = boatOf((leaf) => void deltas.push(JSON.parse(deltaText(leaf.context, [leaf]))));
    return {
      boat,
      news: () => deltas.splice(0).flatMap(({ updates }) => updates.flatMap((update: Tree) => update.values)),
      /** All values with their sources. */
      sourcesSaid: () =>
        deltas.flatMap(({ updates }) => updates.map((update: Tree) => ({ [update.$source]: update.values[0].value }))),
    };
  };

  test("a value that is the same is told once a second", () => {
    const { boat, news } = setUp();
    for (const after of [0, 0.5, 0.9, 1]) hear(boat, battery(20, 12.5, after));
    expect(news()).toHaveLength(2);
    hear(boat, battery(20, 12.6, 1.1));
    expect(news()).toEqual([{ path: VOLTAGE, value: 12.6 }]);
  });

  test("a field that its device does not know any more is null, and in the tree no more", () => {
    const { boat, news } = setUp();
    hear(boat, battery(20, 12.5, 0));
    hear(boat, battery(20, undefined, 1));
    expect(news().at(-1)).toEqual({ path: VOLTAGE, value: null });
    expect(valueAt(boat, VOLTAGE)).toBeUndefined();
  });

  test("a message that claims to count for ever counts for a day", () => {
    const { boat, news } = setUp();
    const { topic, payload } = battery(20, 12.5, 0);
    hear(boat, { topic, payload: payload.replace('"expireAfterSec":60', '"expireAfterSec":1e999') });
    const day = 86_400;
    boat.model.expire(START + day * 1000 - 1, seconds(day));
    expect(valueAt(boat, VOLTAGE)).toBe(12.5);
    news();
    boat.model.expire(START + day * 1000, seconds(day));
    expect(news()).toEqual([{ path: VOLTAGE, value: null }]);
  });

  test("a device keeps its path while it is heard; another one has it ten seconds after the last message", () => {
    const { boat, sourcesSaid } = setUp();
    hear(boat, battery(20, 12.5, 0));
    hear(boat, battery(21, 24, 9));
    expect(valueAt(boat, VOLTAGE)).toBe(12.5);
    hear(boat, battery(21, undefined, 10));
    expect(valueAt(boat, VOLTAGE)).toBe(12.5);
    hear(boat, battery(21, 24, 11));
    expect(valueAt(boat, VOLTAGE)).toBe(24);
    expect(read(boat, `vessels.self.${VOLTAGE}.$source`)).toBe("can0.21");
    // The value of the first one has ended.
    expect(sourcesSaid().at(-2)).toEqual({ "can0.20": null });
    boat.model.expire(START + 3_600_000, seconds(3600));
    expect(sourcesSaid().at(-1)).toEqual({ "can0.21": null });
  });

  test("instances of a device have paths of their own", () => {
    const { boat } = setUp();
    hear(boat, battery(20, 12.5, 0));
    hear(boat, battery(20, 24, 0, 1));
    expect(valueAt(boat, VOLTAGE)).toBe(12.5);
    expect(valueAt(boat, "electrical.batteries.1.voltage")).toBe(24);
  });

  test("a source is named by its NAME once the list of devices has it", () => {
    const { boat } = setUp();
    hear(boat, message("devices", { count: 1, peers: [{ addr: 20, name: "13854948221379412976" }] }, 0));
    hear(boat, battery(20, 12.5, 1));
    expect(read(boat, `vessels.self.${VOLTAGE}.$source`)).toBe("can0.c046aa002cc003f0");
    // Another device may have the address then.
    hear(boat, message("devices", { count: 0, peers: [] }, 12));
    hear(boat, battery(20, 12.6, 12));
    expect(read(boat, `vessels.self.${VOLTAGE}.$source`)).toBe("can0.20");
  });

  test("a device whose NAME becomes known goes on, and is one device", () => {
    const { boat, sourcesSaid } = setUp();
    hear(boat, battery(20, 12.5, 0));
    hear(boat, battery(21, 13, 0));
    hear(boat, message("devices", { count: 1, peers: [{ addr: 20, name: "13854948221379412976" }] }, 0.5));
    expect(sourcesSaid().at(-1)).toEqual({ "can0.20": null });
    expect(read(boat, `vessels.self.${VOLTAGE}.$source`)).toBe("can0.c046aa002cc003f0");
    hear(boat, battery(20, 12.6, 1));
    expect(valueAt(boat, VOLTAGE)).toBe(12.6);
    expect(Object.keys(read(boat, `vessels.self.${VOLTAGE}.values`))).toEqual(["can0.c046aa002cc003f0", "can0.21"]);
    hear(boat, message("device/21/infos", { name: "13854948221379412977", addr: 21, manufacturer: "A" }, 1.5));
    hear(boat, battery(21, 13.1, 2));
    expect(
      Object.entries(read(boat, `vessels.self.${VOLTAGE}.values`)).map(([name, { value }]: Tree) => [name, value]),
    ).toEqual([
      ["can0.c046aa002cc003f0", 12.6],
      ["can0.c046aa002cc003f1", 13.1],
    ]);
  });

  test("a group of the navigation report that is there no more is null at once, a report that stops after two seconds", () => {
    const { boat, news } = setUp();
    const course = { cog: 90, sog: 5.4, source: { name: "1", pgn: 129026, rxTimestamp: 0, age: 0.5 } };
    hear(boat, message("navigation", { speed_course: course, wind_apparent: { speed: 10, angle: null } }, 0, 2));
    expect(news()).toEqual([
      { path: "navigation.courseOverGroundTrue", value: 1.570796327 },
      { path: "navigation.speedOverGround", value: 2.778 },
      { path: "environment.wind.speedApparent", value: 5.144444444 },
    ]);
    expect(read(boat, "vessels.self.navigation.speedOverGround.timestamp")).toBe(seconds(-0.5));
    hear(boat, message("navigation", { speed_course: course }, 0.1, 2));
    expect(news()).toEqual([{ path: "environment.wind.speedApparent", value: null }]);
    boat.model.expire(START + 2100, seconds(3));
    expect(news().map(({ value }) => value)).toEqual([null, null]);
  });

  test.each([
    [0.6, { "environment.depth.surfaceToTransducer": 0.6, "environment.depth.belowSurface": 10.6 }],
    [-1.5, { "environment.depth.transducerToKeel": 1.5, "environment.depth.belowKeel": 8.5 }],
    [0, {}],
    [undefined, {}],
  ])("a depth of 10 m with an offset of %s", (offset, expected) => {
    const { boat, news } = setUp();
    hear(boat, message("navigation", { depth_water: { depth: 10, offset } }, 0, 2));
    const values = Object.fromEntries(news().map(({ path, value }) => [path, value]));
    expect(values).toEqual({ "environment.depth.belowTransducer": 10, ...expected });
  });

  test("true wind over ground is not called wind over water", () => {
    const { boat } = setUp();
    const wind = { speed: 10, angle: 45, direction: 90, reference: "ground", computed: false };
    hear(boat, message("navigation", { wind_true: wind }, 0, 2));
    expect(Object.keys(read(boat, "vessels.self.environment.wind")).sort()).toEqual([
      "angleTrueGround",
      "directionTrue",
      "speedOverGround",
    ]);
  });

  test("a position without a fix is none", () => {
    const { boat } = setUp();
    const fix = { hasFix: false, fixType: "no_fix", method: 0, numSatellites: 2, latitude: 53, longitude: 3 };
    hear(boat, message("navigation", { position: fix }, 0, 2));
    expect(valueAt(boat, "navigation.position")).toBeUndefined();
    expect(valueAt(boat, "navigation.gnss.methodQuality")).toBe("no GPS");
  });

  const ship = (lastSeen: number, members: object = {}) => ({
    mmsi: 299001100,
    class: "A",
    name: "VEERKRACHT",
    position: { latitude: 53, longitude: 3 },
    lastSeen: seconds(lastSeen),
    ...members,
  });
  const context = ["vessels", "urn:mrn:imo:mmsi:299001100"];

  test("a ship is news when it was heard, what does not change of it every minute", () => {
    const { boat, news } = setUp();
    const ais = (after: number, ...targets: object[]) => hear(boat, message("ais", { ownShip: {}, targets }, after));
    ais(0, ship(0));
    expect(news().map(({ path }) => path)).toEqual(["", "", "navigation.position", "sensors.ais.class"]);
    ais(1, ship(0));
    expect(news()).toEqual([]);
    ais(2, ship(2, { cpa: 0.5, tcpa: 2 }));
    expect(news().map(({ path }) => path)).toEqual(["navigation.position", "navigation.closestApproach"]);
    ais(59, ship(59));
    news();
    ais(60, ship(60));
    expect(news().map(({ path }) => path)).toEqual(["", "", "navigation.position", "sensors.ais.class"]);
  });

  test("the position of a ship keeps its time when later messages have none", () => {
    const { boat } = setUp();
    hear(boat, message("ais", { ownShip: {}, targets: [ship(20, { sog: 1, positionSeen: seconds(10) })] }, 20));
    const timeOf = (path: string): unknown =>
      (treeJson(boat, [...context, "navigation", path]) as { timestamp: string }).timestamp;
    expect([timeOf("position"), timeOf("speedOverGround")]).toEqual([seconds(10), seconds(20)]);
  });

  test("a ship has SI units, its antenna as seen from the centre line, and nine digits", () => {
    const { boat, news } = setUp();
    const dimensions = { length: 20, beam: 6, toBow: 8, toStarboard: 1 };
    hear(boat, message("ais", { ownShip: {}, targets: [ship(0, { mmsi: 1234, dimensions, cpa: 0.5, tcpa: 2 })] }, 0));
    expect(news()).toEqual(
      expect.arrayContaining([
        { path: "navigation.closestApproach", value: { distance: 926, timeTo: 120 } },
        { path: "sensors.ais.fromCenter", value: 2 },
      ]),
    );
    expect(treeJson(boat, ["vessels", "urn:mrn:imo:mmsi:000001234", "mmsi"])).toBe("000001234");
  });

  test.each([
    ["B&G", 381, undefined],
    ["Simrad", 1857, undefined],
    ["Raymarine", 1851, undefined],
    ["Garmin", 229, "auto"],
    ["not known", undefined, undefined],
  ])(
    "a pilot of %s that says heading control steers by the compass, or may steer by the wind",
    (_name, code, state) => {
      const { boat } = setUp();
      const name = String((BigInt(code ?? 0) << 21n) | 7n);
      const pilot = (steeringMode: string, after: number) =>
        hear(boat, message("device/17/pgn/127237", { pgn: 127237, steeringMode }, after));
      if (code !== undefined) hear(boat, message("devices", { count: 1, peers: [{ addr: 17, name }] }, 0));
      pilot("Track Control", 0);
      expect(valueAt(boat, "steering.autopilot.state")).toBe("route");
      pilot("Heading Control", 1);
      expect(valueAt(boat, "steering.autopilot.state")).toBe(state);
    },
  );

  test("the pilot's own message precedes its steering mode, which counts again when that has been silent", () => {
    const { boat } = setUp();
    const name = String((1857n << 21n) | 7n);
    const device = "device/17/pgn";
    const steering = (steeringMode: string, after: number) =>
      hear(boat, message(`${device}/127237`, { pgn: 127237, steeringMode }, after));
    const mode = (text: string, after: number, title = "Simnet: Pilot Mode") =>
      hear(boat, message(`${device}/65305`, { pgn: 65305, title, report: "Mode", mode: [text] }, after));
    const state = () => valueAt(boat, "steering.autopilot.state");
    hear(boat, message("devices", { count: 1, peers: [{ addr: 17, name }] }, 0));
    steering("Main Steering", 0);
    expect(state()).toBe("standby");
    mode("Wind", 1);
    expect(state()).toBe("wind");
    mode("Heading", 2, "Simnet: Another");
    steering("Heading Control", 3);
    expect(state()).toBe("wind");
    mode("Heading", 4);
    expect(state()).toBe("auto");
    steering("Main Steering", 13);
    expect(state()).toBe("auto");
    steering("Main Steering", 14);
    expect(state()).toBe("standby");
  });

  test.each([
    ["Simnet: Autopilot Angle", 65341, { mode: "Wind", angleDeg: 315 }, -0.7853981634],
    ["Simnet: Autopilot Angle", 65341, { mode: "Heading", angleDeg: 315 }, undefined],
    ["Seatalk: Pilot Wind Datum", 65345, { windDatumDeg: 90 }, 1.570796327],
  ])("%s (%i): %o is an angle to the wind, starboard positive", (title, pgn, members, angle) => {
    const { boat } = setUp();
    hear(boat, message(`device/17/pgn/${pgn}`, { pgn, title, ...members }, 0));
    expect(valueAt(boat, "steering.autopilot.target.windAngleApparent")).toBe(angle);
  });

  test("two devices with one instance are both in the tree by their source, and each is told", () => {
    const { boat, news } = setUp();
    const voltage = (address: number, voltageV: number | undefined, after: number) =>
      hear(boat, message(`device/${address}/pgn/127508`, { pgn: 127508, instance: 5, voltageV }, after));
    const path = "electrical.batteries.5.voltage";
    const leaf = () => treeJson(boat, ["vessels", "self", ...path.split(".")]);
    voltage(3, 12.5, 0);
    expect(leaf().values).toBeUndefined();
    voltage(4, 13.46, 1);
    expect(news()).toEqual([
      { path, value: 12.5 },
      { path, value: 13.46 },
    ]);
    expect(leaf()).toMatchObject({
      value: 12.5,
      $source: "can0.3",
      values: { "can0.3": { value: 12.5, pgn: 127508 }, "can0.4": { value: 13.46, pgn: 127508 } },
    });
    voltage(4, undefined, 2);
    expect(leaf().values).toBeUndefined();
    voltage(4, 13.5, 3);
    expect(Object.keys(leaf().values)).toEqual(["can0.3", "can0.4"]);
    voltage(4, 13.6, 11);
    expect(leaf()).toMatchObject({ value: 13.6, $source: "can0.4" });
    expect(leaf().values).toBeUndefined();
    voltage(3, 12.6, 12);
    expect(Object.keys(leaf().values)).toEqual(["can0.4", "can0.3"]);
    boat.model.expire(START + 3_600_000, "2026-11-21T01:00:00.000Z");
    expect(leaf()).toBeUndefined();
  });

  test("a battery that two devices measure has the values of the first one, and those that it does not send of the other", () => {
    const { boat } = setUp();
    const measure = (address: number, after: number, members: object, pgn = 127508) =>
      hear(boat, message(`device/${address}/pgn/${pgn}`, { pgn, instance: 5, ...members }, after));
    const charge = (address: number, after: number, stateOfChargePercent: number) =>
      measure(address, after, { dcType: "Battery", stateOfChargePercent }, 127506);
    const of = (path: string) => {
      const { value, $source } = treeJson(boat, [
        "vessels",
        "self",
        "electrical",
        "batteries",
        "5",
        ...path.split("."),
      ]);
      return `${value} ${$source}`;
    };
    const all = () => ["voltage", "current", "capacity.stateOfCharge"].map(of);
    measure(3, 0, { voltageV: 12.5 });
    measure(4, 0.5, { voltageV: 24.5, currentA: 7 });
    charge(4, 0.5, 40);
    expect(all()).toEqual(["12.5 can0.3", "7 can0.4", "0.4 can0.4"]);
    measure(3, 1, { voltageV: 12.5, currentA: -2 });
    charge(3, 1, 90);
    for (const second of [2, 5, 8]) {
      measure(4, second, { voltageV: 24.5, currentA: 7 });
      charge(4, second, 40);
    }
    expect(all()).toEqual(["12.5 can0.3", "-2 can0.3", "0.9 can0.3"]);
    // The first one becomes known by its NAME, and then silent.
    hear(boat, message("devices", { count: 1, peers: [{ addr: 3, name: "13854948221379412976" }] }, 8.5));
    measure(4, 10.9, { voltageV: 24.5, currentA: 7 });
    expect(of("current")).toBe("-2 can0.c046aa002cc003f0");
    measure(4, 11, { voltageV: 24.5, currentA: 7 });
    charge(4, 11, 40);
    expect(all()).toEqual(["24.5 can0.4", "7 can0.4", "0.4 can0.4"]);
  });

  test("a compass that tells the yaw alone takes no attitude from a device that tells roll and pitch", () => {
    const { boat } = setUp();
    hear(boat, message("device/20/pgn/127257", { pgn: 127257, yawDeg: 90 }, 0));
    hear(boat, message("device/21/pgn/127257", { pgn: 127257, rollDeg: -180 }, 0));
    expect(valueAt(boat, "navigation.attitude")).toEqual({ roll: expect.closeTo(-Math.PI) });
  });

  test("the device that holds a battery goes on to hold it when its NAME becomes known", () => {
    const { boat } = setUp();
    const measure = (address: number, after: number, members: object) =>
      hear(boat, message(`device/${address}/pgn/127508`, { pgn: 127508, instance: 5, ...members }, after));
    measure(3, 0, { voltageV: 12.5 });
    hear(boat, message("devices", { count: 1, peers: [{ addr: 3, name: "13854948221379412976" }] }, 0.5));
    measure(4, 1, { voltageV: 24.5, currentA: 7 });
    measure(3, 2, { voltageV: 12.5, currentA: -2 });
    expect(valueAt(boat, "electrical.batteries.5.current")).toBe(-2);
  });

  test("the way to a waypoint is at both paths, with its names, the speed towards it and the time to go", () => {
    const { boat } = setUp();
    const waypoints = ["Pier", "Buoy", "Cape"].map((name, index) => ({
      waypointId: 7 + index,
      name,
      latitude: index,
      longitude: 4,
    }));
    hear(boat, message("navigation", { speed_course: { cog: 30, sog: 10, variation: 3 } }, 0));
    const way = {
      pgn: 129284,
      waypointId: 8,
      bearingToWaypoint: 87,
      bearingReference: "Magnetic",
      distanceToWaypoint: 1852,
    };
    hear(boat, message("device/9/pgn/129284", way, 0));
    hear(boat, message("device/9/pgn/129285", { pgn: 129285, routeName: "Home", waypoints }, 0));
    for (const line of ["courseGreatCircle", "courseRhumbline"]) {
      const at = (path: string) => valueAt(boat, `navigation.${line}.${path}`);
      expect(at("nextPoint.velocityMadeGood")).toBeCloseTo((10 / 2) * (1852 / 3600), 6);
      expect(at("nextPoint.timeToGo")).toBe(720);
      expect(at("activeRoute.name")).toBe("Home");
      expect(at("previousPoint.name")).toBe("Pier");
      expect(at("nextPoint.name")).toBe("Buoy");
      expect(at("followingPoint.position")).toEqual({ latitude: 2, longitude: 4 });
    }
    expect(valueAt(boat, "navigation.courseOverGroundMagnetic")).toBeCloseTo((27 * Math.PI) / 180, 9);
  });

  test("the waypoints before and after may be in other messages of the route", () => {
    const { boat } = setUp();
    const part = (startRps: number, after: number, ...names: readonly string[]): Published => {
      const waypoints = names.map((name, index) => ({ waypointId: startRps + index, name, latitude: 1, longitude: 2 }));
      const data = { pgn: 129285, startRps, databaseId: 1, routeId: 2, routeName: "Home", waypoints };
      return message("device/9/pgn/129285", data, after);
    };
    const at = (path: string) => valueAt(boat, `navigation.courseRhumbline.${path}`);
    hear(boat, message("device/9/pgn/129284", { pgn: 129284, waypointId: 2 }, 0));
    hear(boat, part(0, 0, "Pier", "Buoy"));
    hear(boat, part(2, 0.1, "Cape"));
    hear(boat, part(3, 0.2, "Isle"));
    hear(boat, part(0, 0.3, "Pier", "Buoy"));
    expect(["previousPoint", "nextPoint", "followingPoint"].map((point) => at(`${point}.name`))).toEqual([
      "Buoy",
      "Cape",
      "Isle",
    ]);
    expect(at("previousPoint.position")).toEqual({ latitude: 1, longitude: 2 });
    boat.forgetCourse(seconds(1));
    hear(boat, message("device/9/pgn/129284", { pgn: 129284, waypointId: 2 }, 1));
    hear(boat, part(2, 1, "Cape"));
    expect(at("nextPoint.name")).toBe("Cape");
    expect(at("previousPoint.name")).toBeUndefined();
  });

  test("a battery has its capacity in joules and its kind, without time and source", () => {
    const { boat } = setUp();
    const setUpOfBattery = { pgn: 127513, instance: 1, batteryType: "AGM", nominalVoltageV: 12, capacityAh: 100 };
    hear(boat, message("device/9/pgn/127513", setUpOfBattery, 0));
    expect(treeJson(boat, ["vessels", "self", "electrical", "batteries", "1", "chemistry"])).toBe("AGM");
    expect(treeJson(boat, ["vessels", "self", "electrical", "batteries", "1", "capacity", "nominal"])).toBe(4_320_000);
  });

  test("a ship shows the blue sign, and has a time of arrival", () => {
    const { boat, news } = setUp();
    const eta = "2026-11-22T10:00:00.000Z";
    hear(boat, message("ais", { ownShip: {}, targets: [ship(0, { eta, blueSign: true })] }, 0));
    expect(news()).toEqual(
      expect.arrayContaining([
        { path: "navigation.destination.eta", value: eta },
        { path: "navigation.specialManeuver", value: "engaged" },
      ]),
    );
  });

  test("an aid to navigation is virtual or real, and in its place or adrift", () => {
    const { boat, news } = setUp();
    const aid = (members: object) =>
      hear(
        boat,
        message("ais", { ownShip: {}, targets: [ship(0, { mmsi: 992996012, class: "AtoN", ...members })] }, 0),
      );
    aid({ virtual: true, offPosition: false });
    expect(news()).toEqual(
      expect.arrayContaining([
        { path: "virtual", value: true },
        { path: "offPosition", value: false },
      ]),
    );
    aid({ virtual: true, offPosition: true });
    expect(news()).toContainEqual({ path: "offPosition", value: true });
  });

  test("a boat that is told apart by its MMSI is none of the ships around it", () => {
    const boat = new Boat({
      self: "urn:mrn:imo:mmsi:299001100",
      label: "can0",
      startedAt: seconds(0),
      listener: () => {},
    });
    hear(boat, message("ais", { ownShip: {}, targets: [ship(0)] }, 0));
    expect(Object.keys(read(boat, "vessels.self"))).toEqual(["mmsi"]);
  });

  const nulls = [
    { path: "", value: { mmsi: null } },
    { path: "", value: { name: null } },
    { path: "navigation.position", value: null },
    { path: "sensors.ais.class", value: null },
    { path: "navigation.closestApproach", value: null },
  ];

  test.each<[string, (boat: Boat) => void]>([
    ["is in the report no more", (boat) => hear(boat, message("ais", { ownShip: {}, targets: [] }, 1))],
    ["was heard by a bridge that is offline", (boat) => boat.forget(seconds(1))],
    ["was in a report that has expired", (boat) => boat.model.expire(START + 60_000, seconds(60))],
  ])("a ship that %s is null, and in the tree no more", (_name, lose) => {
    const { boat, news } = setUp();
    hear(boat, message("ais", { ownShip: {}, targets: [ship(0, { cpa: 0.5, tcpa: 2 })] }, 0));
    news();
    lose(boat);
    const gone = news();
    for (const value of nulls) expect(gone).toContainEqual(value);
    expect(gone).toHaveLength(nulls.length);
    expect(treeJson(boat, context)).toBeUndefined();
    expect(Object.keys(read(boat, "vessels"))).toEqual([SELF]);
  });

  test("a value without a place is in no path", () => {
    const { boat, news } = setUp();
    const level = (fluidType: unknown) =>
      hear(boat, message("device/30/pgn/127505", { pgn: 127505, instance: 1, fluidType, levelPercent: 50 }, 0));
    level("Live Well");
    level("__proto__");
    level(undefined);
    for (const engineInstance of ["__proto__", "a b", -1, {}])
      hear(boat, message("device/40/pgn/127488", { pgn: 127488, engineInstance, engineSpeedRpm: 600 }, 0));
    expect(news()).toEqual([]);
    level("Live well");
    expect(news()).toEqual([{ path: "tanks.liveWell.1.currentLevel", value: 0.5 }]);
  });

  test("of lists that no hub-cand sends the beginning counts, and the rest is counted", () => {
    const { boat } = setUp();
    const alarm = { kind: "cpa", title: "Danger", severity: "alarm", state: "active" };
    const alarms = Array.from({ length: 150_000 }, (_, subject) => ({ ...alarm, id: `cpa-${subject}`, subject }));
    hear(boat, message("alarms", { alarms }, 0));
    const targets = Array.from({ length: 1500 }, (_, index) => ship(0, { mmsi: 299_000_100 + index }));
    hear(boat, message("ais", { ownShip: {}, targets }, 0));
    expect(Object.keys(read(boat, "vessels.self.notifications.navigation.closestApproach"))).toHaveLength(50);
    expect(boat.model.contexts.size).toBe(1001);
    expect(boat.leftOut).toBe(149_950 + 500);
    const [, own] = [...boat.model.contexts][0]!;
    for (let instance = 0; own.size < 2000; instance++) hear(boat, battery(20, 12.5, 0, instance));
    hear(boat, battery(20, 12.5, 0, 5000));
    expect([own.size, boat.leftOut]).toEqual([2000, 149_950 + 501]);
  });

  test("texts and places of a length that nothing has are left out", () => {
    const { boat, news } = setUp();
    const long = "x".repeat(600);
    hear(boat, message("ais", { ownShip: {}, targets: [ship(0, { name: long, position: { latitude: long } })] }, 0));
    expect(news().map(({ path, value }) => value.mmsi ?? path)).toEqual(["299001100", "sensors.ais.class"]);
    hear(boat, message("ais", { ownShip: {}, targets: [ship(1, { mmsi: long })] }, 1));
    expect(boat.model.contexts.size).toBe(1);
    expect(boat.leftOut).toBe(3);
  });

  test.each(["x", "x".repeat(1000), null, 5])("a message of the time %j is none", (rxDate) => {
    const { boat } = setUp();
    const payload = JSON.stringify({ data: { pgn: 127508, instance: 0, voltageV: 12 }, metadata: { rxDate } });
    expect(() => hear(boat, { topic: "device/20/pgn/127508", payload }, START)).toThrow(TypeError);
    expect(valueAt(boat, VOLTAGE)).toBeUndefined();
  });

  test("a bus has 256 devices, and a device short texts", () => {
    const { boat } = setUp();
    const infos = (name: number, members: object = {}) =>
      hear(boat, message("device/20/infos", { name: String(name), addr: 20, manufacturer: "A", ...members }, 0));
    for (let name = 1; name <= 300; name++) infos(name);
    infos(1, { manufacturer: "x".repeat(1e5), productInfo: { modelId: {} } });
    expect(Object.keys(read(boat, "sources.hub"))).toEqual(["label", "type", "ais", "alarms", "course", "findings"]);
    const { type, label, ...devices } = read(boat, "sources.can0");
    expect(Object.keys(devices)).toHaveLength(256);
    expect(devices["0000000000000001"]).toEqual({ n2k: { src: "20" } });
    expect(boat.leftOut).toBe(44 + 2);
    const many = Array.from({ length: 300 }, (_, addr) => ({ addr, name: "0" }));
    hear(boat, message("devices", { count: 300, peers: many }, 0));
    expect(boat.leftOut).toBe(44 + 2 + 44);
    expect(() => infos(Number.NaN)).toThrow(TypeError);
    const peers = [{ addr: 1, name: "9".repeat(1e6) }];
    expect(() => hear(boat, message("devices", { count: 1, peers }, 0))).toThrow(TypeError);
  });

  test("an aid to navigation has its dimensions", () => {
    const { boat } = setUp();
    const dimensions = { length: 8, beam: 4, toBow: 6, toStarboard: 3 };
    const target = { mmsi: 995_036_001, class: "AtoN", name: "Rock", lastSeen: seconds(0), dimensions };
    hear(boat, message("ais", { ownShip: {}, targets: [target] }, 0));
    const aid = read(boat, "atons.urn:mrn:imo:mmsi:995036001");
    expect(aid.design).toMatchObject({ length: { value: { overall: 8 } }, beam: { value: 4 } });
    expect(aid.sensors.ais).toMatchObject({ fromBow: { value: 6 }, fromCenter: { value: -1 } });
  });

  test("a person overboard is an emergency, with where to go", () => {
    const { boat } = setUp();
    const position = { latitude: 52.0021584, longitude: 4 };
    const alarm = {
      id: "manOverboard-972123456",
      kind: "manOverboard",
      title: "Man overboard",
      severity: "emergency",
      state: "active",
      subject: 972123456,
      text: "AIS man-overboard beacon",
      position,
      range: 0.13,
      bearing: 7.4,
      since: seconds(0),
    };
    hear(boat, message("alarms", { alarms: [alarm], watching: {} }, 0));
    expect(valueAt(boat, "notifications.mob.972123456")).toEqual({
      state: "emergency",
      method: ["visual", "sound"],
      message: "Man overboard, 007°, 0.13 nm, AIS man-overboard beacon",
      position,
      ...version2,
      createdAt: seconds(0),
    });
  });

  test("an alarm without an answer is an emergency until it is answered", () => {
    const { boat } = setUp();
    const alarm = { id: "depth", kind: "depth", title: "Shallow water", severity: "alarm", since: seconds(0) };
    const state = (more: object): unknown => {
      hear(boat, message("alarms", { alarms: [{ ...alarm, ...more }], watching: {} }, 0));
      return (valueAt(boat, "notifications.environment.depth.belowTransducer") as { state: unknown }).state;
    };
    expect(state({ state: "active" })).toBe("alarm");
    expect(state({ state: "active", unanswered: true })).toBe("emergency");
    expect(state({ state: "acknowledged" })).toBe("alarm");
  });

  test.each([
    ["emergency", "emergency"],
    ["alarm", "alarm"],
    ["warning", "warn"],
  ])("an alarm of the severity %s has the state %s", (severity, state) => {
    const { boat } = setUp();
    const alarm = { id: "external-bilge", kind: "external", title: "Alarm of a program", severity, state: "active" };
    hear(boat, message("alarms", { alarms: [{ ...alarm, text: "Bilge", since: seconds(0) }], watching: {} }, 0));
    expect(valueAt(boat, "notifications.external.bilge")).toMatchObject({ state });
  });

  test("a finding about the bus is a notification without sound, information is none, and its end is told", () => {
    const { boat } = setUp();
    const finding = { title: "High load", measured: "72 % by 12 devices", advice: "…", since: seconds(0) };
    const hearFindings = (...severities: readonly string[]): void =>
      hear(
        boat,
        message("findings", { findings: severities.map((severity) => ({ ...finding, id: severity, severity })) }, 0),
      );
    hearFindings("fault", "warning", "information");
    const found = (id: string): unknown => valueAt(boat, `notifications.findings.${id}`);
    expect(found("fault")).toEqual({
      state: "warn",
      method: ["visual"],
      message: "High load: 72 % by 12 devices",
      ...version2,
    });
    expect(found("warning")).toMatchObject({ state: "alert" });
    expect(found("information")).toBeUndefined();
    hearFindings("warning");
    expect(found("fault")).toEqual({ state: "normal", method: [], message: "High load" });
  });

  test("an alarm that has ended is normal, then gone", () => {
    const { boat } = setUp();
    const alarm = {
      id: "oilPressure-1",
      kind: "oilPressure",
      title: "Low oil pressure",
      severity: "alarm",
      state: "silenced",
      subject: 1,
      value: 80,
      limit: 100,
      unit: "kPa",
      since: seconds(0),
    };
    const path = "notifications.propulsion.starboard.lowOilPressure";
    hear(boat, message("alarms", { alarms: [alarm], watching: {} }, 0));
    const said = "Low oil pressure, 80 kPa, limit 100 kPa";
    expect(valueAt(boat, path)).toEqual({
      state: "alarm",
      method: ["visual"],
      message: said,
      ...version2,
      createdAt: seconds(0),
    });
    hear(boat, message("alarms", { alarms: [], watching: {} }, 1));
    expect(valueAt(boat, path)).toEqual({ state: "normal", method: [], message: "Low oil pressure" });
    hear(boat, message("alarms", { alarms: [], watching: {} }, 30));
    boat.model.expire(START + 61_000, seconds(61));
    expect(valueAt(boat, path)).toBeUndefined();
  });
});
