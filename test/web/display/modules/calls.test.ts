/** Persons overboard and beacons of the boat, without a browser: where they are, how far, and what plots show of them. */
import { beforeEach, expect, test, vi } from "vitest";
import { callLabels } from "../../../../src/web/display/alarms/call-marks.tsx";
import {
  callsNow,
  driftOf,
  hereNow,
  lineTo,
  placedCalls,
  rangeText,
  searchMiddle,
  searchMiles,
} from "../../../../src/web/display/alarms/calls.ts";
import { endCourse, goTo, isGoingTo, unansweredText } from "../../../../src/web/display/alarms/destination.ts";
import { confirm, press, unsent } from "../../../../src/web/display/alarms/man-overboard.ts";
import { connectionState } from "../../../../src/web/display/data/connection.ts";
import { notNowText } from "../../../../src/web/display/data/link.ts";
import { changeSettings, settings } from "../../../../src/web/display/data/settings.ts";
import { forgetPrograms, store } from "../../../../src/web/display/data/store.ts";
import { instruments } from "../../../../src/web/display/instruments/instruments.ts";
import { defaultUnits } from "../../../../src/web/display/instruments/units.ts";
import { drag, middle, middleNow, rangeNow, zoom } from "../../../../src/web/display/ships/scope.ts";
import { goodIdentity } from "../malformed.ts";
import { PREFIX, publish, send, usePageMemory } from "./page-memory.ts";

usePageMemory();
beforeEach(() => {
  unsent.value = [];
  middle.value = undefined;
  changeSettings({ range: 4, units: defaultUnits });
});

const HERE = { latitude: 52, longitude: 4 };
const now = () => performance.now();
const dated = (seconds = 0): string => new Date(Date.now() - 1000 * seconds).toISOString();
const advance = (seconds: number): void => void vi.advanceTimersByTime(1000 * seconds);

const sail = (place: object = HERE): void =>
  publish(`${PREFIX}/navigation`, {
    position: { hasFix: true, fixType: "gnss", method: 1, numSatellites: 9, ...place },
    speed_course: { headingTrue: 10 },
  });
const current = (setDeg: number, driftKnots: number): void =>
  publish(`${PREFIX}/device/5/pgn/129291`, { pgn: 129_291, setReference: "True", setDeg, driftKnots });

interface Report {
  readonly id?: string;
  readonly kind?: string;
  readonly subject?: number;
  readonly person?: number;
  readonly ago?: number;
  readonly position?: object;
  readonly range?: number;
  readonly bearing?: number;
}
const alarm = ({ id = "manOverboard-0", kind = "manOverboard", ago = 0, ...more }: Report = {}) => ({
  ...{ id, kind, title: "Man overboard", severity: "emergency", state: "active", since: dated(ago) },
  ...more,
});
const report = (...alarms: readonly object[]): void => publish(`${PREFIX}/alarms`, { alarms, watching: {} });
const ship = (mmsi: number, position: object, ago = 0): void =>
  publish(`${PREFIX}/ais`, { ownShip: {}, targets: [{ mmsi, class: "SART", position, lastSeen: dated(ago) }] });

const NORTH = { latitude: 52.01, longitude: 4 };

test("a press that hub-cand does not have yet is a call, and then the reported one in its place", () => {
  sail();
  press();
  vi.advanceTimersByTime(1000);
  confirm();
  const [pressed] = unsent.peek();
  expect(placedCalls(now()).map(({ id, position }) => [id, position])).toEqual([[`unsent-${pressed!.press}`, HERE]]);
  report({ ...alarm({ position: HERE, subject: 0 }), press: pressed!.press });
  expect(callsNow(now()).map(({ id }) => id)).toEqual(["manOverboard-0"]);
});

test("of several persons each has the number of hub-cand, and none before, so that no number changes", () => {
  sail();
  const numbers = () => callsNow(now()).map(({ id, person, about }) => [id.slice(0, 15), person, about]);
  const [one, two] = [
    { subject: 0, person: 1, position: HERE, ago: 60 },
    { id: "manOverboard-0-2", subject: 0, person: 2, position: HERE },
  ];
  report(alarm(one));
  expect(numbers()).toEqual([["manOverboard-0", undefined, ""]]);
  press();
  vi.advanceTimersByTime(1000);
  confirm();
  expect(callsNow(now()).map(({ person }) => person)).toEqual([undefined, undefined]);
  report(alarm({ ...two, id: "manOverboard-0-7", person: 7 }));
  expect(callsNow(now()).map(({ person }) => person)).toEqual([undefined, 7]);
  unsent.value = [];
  report(alarm(one), alarm(two));
  expect(numbers()).toEqual([
    ["manOverboard-0", 1, "person 1"],
    ["manOverboard-0-", 2, "person 2"],
  ]);
  report(alarm(two));
  expect(numbers()).toEqual([["manOverboard-0-", 2, "person 2"]]);
});

test("persons whose marks would cover one another share one, in the order of their numbers", () => {
  sail();
  const person = (number: number, seconds: number, metres: number, longitude = 4) => ({
    ...{ id: number === 1 ? "manOverboard-0" : `manOverboard-0-${number}`, subject: 0, person: number, ago: seconds },
    position: { latitude: 52 + metres / 111_120, longitude },
  });
  report(...[person(2, 50, 10), person(4, 10, 500), person(1, 60, 0), person(3, 30, 20)].map(alarm));
  const shown = (pixelsPerMile: number, east = 0) => {
    const view = { center: { ...HERE, longitude: 4 + east }, scale: pixelsPerMile, turn: 0, width: 400, height: 400 };
    const { labels, marks } = callLabels(view, now());
    return [labels.map(({ id, text }) => `${id.toString().replaceAll("manOverboard-0", "")} ${text}`), marks] as const;
  };
  const [far, marks] = shown(600);
  expect(far).toEqual(["-4 0:10", " -2 -3 1:00"]);
  expect(marks.map(({ x, y }) => [Math.round(x), Math.round(y)])).toEqual([
    [0, -162],
    [-18, -3],
    [0, -3],
    [18, -3],
  ]);
  expect(shown(6000)[0]).toHaveLength(4);
  // Beyond the edge they share an arrow, and the label has the numbers and the way to the nearest.
  expect(shown(600, 0.01)[0].at(-1)).toBe(" -2 -3 1, 2, 3 · 0\u202fm");
});

test("a beacon is where AIS has heard it last, and does not drift while it is heard", () => {
  sail();
  current(90, 1);
  const beacon = { id: "manOverboard-972123456", subject: 972_123_456 };
  report(alarm({ ...beacon, ago: 3600, position: NORTH }));
  expect(driftOf(placedCalls(now())[0]!, now())!.miles).toBeCloseTo(1);
  ship(beacon.subject, HERE);
  const [call] = placedCalls(now());
  expect(call!.position).toMatchObject(HERE);
  expect(driftOf(call!, now())).toBeUndefined();
  ship(beacon.subject, HERE, 600);
  expect(driftOf(placedCalls(now())[0]!, now())!.miles).toBeCloseTo(1 / 6);
});

test("a person drifts by the current since the place was told; without a current nothing is said", () => {
  sail();
  report(alarm({ position: HERE, ago: 1800 }));
  const drift = () => driftOf(placedCalls(now())[0]!, now());
  expect(drift()).toBeUndefined();
  current(0, 1.2);
  const { place, miles, set } = drift()!;
  expect([miles, set]).toEqual([expect.closeTo(0.6), 0]);
  expect(place).toEqual({ latitude: expect.closeTo(52.01), longitude: expect.closeTo(4) });
  expect(searchMiles(now())).toBeCloseTo(0.6, 2);
});

test("how long ago a call was follows no clock that was set before this page or since", () => {
  report({ ...alarm(), first: { at: dated(3 * 3600 + 60), clockSetSec: 3 * 3600 } });
  const elapsed = () => Math.round((now() - callsNow(now())[0]!.at) / 1000);
  expect(elapsed()).toBe(60);
  advance(20);
  vi.setSystemTime(Date.now() - 3_600_000);
  sail();
  expect(elapsed()).toBe(80);
});

test("bearing, distance and the side to steer", () => {
  sail();
  report(alarm({ position: NORTH }));
  const { range, bearing, off } = lineTo(placedCalls(now())[0]!, now());
  expect([range, bearing, off]).toEqual([expect.closeTo(0.6, 2), 0, expect.closeTo(-10)]);
});

test("without the position of the boat the line is the old one and no way to steer, and then none", () => {
  sail();
  report(alarm({ position: NORTH, range: 9, bearing: 9 }));
  advance(70);
  expect(lineTo(placedCalls(now())[0]!, now())).toEqual({ range: expect.closeTo(0.6, 2), bearing: 0, isOld: true });
  advance(600);
  expect(lineTo(placedCalls(now())[0]!, now())).toEqual({ isOld: false });
});

test("a place has the time at which it was told: of a report after the first one none, from which nothing drifts", () => {
  sail();
  current(0, 1.2);
  const first = { at: dated(1800), position: HERE };
  const drifted = (position: object) => {
    report({ ...alarm({ id: "manOverboard-device-35", position }), first });
    const [call] = placedCalls(now());
    return [call!.positionAt, driftOf(call!, now()) !== undefined];
  };
  expect(drifted(HERE)).toEqual([now() - 1_800_000, true]);
  expect(drifted(NORTH)).toEqual([undefined, false]);
});

test("calls that were answered are below those that ring, and a person of the button is never below", () => {
  const of = (id: string, subject: number, state: string) => ({ ...alarm({ id, subject, position: HERE }), state });
  report(
    of("manOverboard-11", 11, "acknowledged"),
    of("manOverboard-0", 0, "acknowledged"),
    of("manOverboard-12", 12, "silenced"),
  );
  expect(callsNow(now()).map(({ id }) => id)).toEqual(["manOverboard-0", "manOverboard-12", "manOverboard-11"]);
});

test.each([
  ["m", 0.1, "185 m"],
  ["ft", 0.1, "608 ft"],
  ["fm", 0.1, "608 ft"],
  ["m", 0.7, "0.70 NM"],
  ["m", 12.3, "12.3 NM"],
] as const)("with depths in %s, %d nautical miles are %s", (depth, miles, text) => {
  changeSettings({ units: { ...defaultUnits, depth } });
  expect(rangeText(miles).join(" ")).toBe(text);
});

test("calls outlast a hub-cand that is away, and say so; those of yesterday are not shown", () => {
  sail();
  report(alarm({ position: NORTH }));
  advance(120);
  expect(callsNow(now())[0]!.about).toContain("as told");
  // Plots keep boat and person in sight, then the person alone.
  expect([hereNow(now()), searchMiddle(now()), rangeNow(now())]).toEqual([undefined, HERE, 1]);
  advance(600);
  expect([searchMiddle(now()), lineTo(callsNow(now())[0]!, now())]).toEqual([NORTH, { isOld: false }]);
  advance(3600);
  expect([callsNow(now()), searchMiddle(now())]).toEqual([[], undefined]);
});

test("the plot shows boat and person whatever the crew had chosen, and what it chooses then until the next call", () => {
  sail();
  middle.value = { latitude: 40, longitude: 0 };
  expect([rangeNow(now()), middleNow(now())]).toEqual([4, { latitude: 40, longitude: 0 }]);
  report(alarm({ position: NORTH }));
  expect([rangeNow(now()), middleNow(now())]).toEqual([1, undefined]);
  sail({ latitude: 52.0099, longitude: 4 });
  expect(rangeNow(now())).toBe(0.03);
  sail();
  zoom(1);
  expect([rangeNow(now()), middleNow(now())]).toEqual([2, undefined]);
  drag({ center: HERE, scale: 100, turn: 0, width: 400, height: 400 }, { x: 100, y: 0 });
  expect(middleNow(now())).toBeDefined();
  report(alarm({ position: NORTH }), alarm({ id: "distress-1", kind: "distress", position: HERE }));
  expect([rangeNow(now()), middleNow(now())]).toEqual([1, undefined]);
  zoom(1);
  report();
  expect([rangeNow(now()), settings.peek().range]).toEqual([2, 3]);
  // The next person, an hour later, has the id of the first.
  report(alarm({ position: NORTH, ago: -3600 }));
  expect(rangeNow(now())).toBe(1);
});

test("two persons near each other are in sight, and a person beside a far vessel, which is an arrow at the edge", () => {
  sail();
  const other = { id: "manOverboard-12", subject: 12, position: { latitude: 52.003, longitude: 4 } };
  report(alarm({ id: "manOverboard-11", subject: 11, position: HERE }), alarm(other));
  expect(rangeNow(now())).toBe(0.25);
  expect(callsNow(now()).map(({ about }) => about)).toEqual(["no. 11", "no. 12"]);
  report(alarm({ position: HERE }), alarm({ id: "distress-244660000", kind: "distress", position: NORTH }));
  expect(rangeNow(now())).toBe(0.03);
});

test.each([
  [0, ""],
  [3, "no. 3"],
  [16_777_216, "no. 16777216"],
  [972_123_456, "MMSI 972123456"],
])("the person overboard of number %d is %o", (subject, about) => {
  report(alarm({ id: `manOverboard-${subject}`, subject, position: HERE }));
  expect(callsNow(now())[0]!.about).toBe(about);
});

test("a far beacon is in sight too, and nothing is chosen by a call without a place", () => {
  sail();
  report(alarm({ kind: "distress", position: { latitude: 52.4, longitude: 4 } }));
  expect(rangeNow(now())).toBe(32);
  report(alarm());
  expect([rangeNow(now()), searchMiles(now())]).toEqual([4, undefined]);
});

test("the destination of hub-link is that of a person by her press, if it has one, within some metres", () => {
  const course = (report: object): void => send("app/link/course", JSON.stringify(report));
  sail();
  const fell = (id: string, ago: number) => ({
    ...alarm({ id, subject: 0, position: NORTH }),
    ...{ press: `of-${ago}`, first: { at: dated(ago) } },
  });
  report(fell("manOverboard-0", 60), fell("manOverboard-0-2", 40));
  const [call, other] = placedCalls(now());
  const press = "of-60";
  expect(store.course).toBeUndefined();
  course({});
  expect([store.course, isGoingTo(call!)]).toEqual([{}, false]);
  course({ destination: { latitude: 52.010_01, longitude: 4, name: "MOB", press } });
  expect([isGoingTo(call!), isGoingTo(other!)]).toEqual([true, false]);
  course({ destination: { latitude: 52.011, longitude: 4, press } });
  expect(isGoingTo(call!)).toBe(false);
  course({ destination: { ...NORTH, name: "Of an app" } });
  expect(isGoingTo(call!)).toBe(true);
  course({ destination: { latitude: 52.011, longitude: 4 } });
  send("app/link/course", '{"destination":{"latitude":"x"}}');
  expect(isGoingTo(call!)).toBe(false);
});

test("a destination is held no more when hub-link has gone, or while the page has no broker", () => {
  sail();
  report({ ...alarm({ position: NORTH }), first: { at: dated(60) } });
  const [call] = placedCalls(now());
  const hold = (): void => send("app/link/course", JSON.stringify({ destination: NORTH }));
  for (const end of [() => send("app/link/course", ""), forgetPrograms]) {
    hold();
    expect([isGoingTo(call!), instruments.waypointBearing.read(now()).kind]).toEqual([true, "live"]);
    end();
    expect([isGoingTo(call!), instruments.waypointBearing.read(now()).kind]).toEqual([false, "none"]);
  }
});

test("a command that hub-link does not answer is said to be so until its next report", () => {
  sail();
  report({ ...alarm({ position: NORTH }), first: { at: dated(60) } });
  const course = (): void => send("app/link/course", "{}");
  course();
  for (const command of [() => goTo(placedCalls(now())[0]!), endCourse]) {
    command();
    advance(2);
    expect(unansweredText(now())).toBeUndefined();
    advance(2);
    expect(unansweredText(now())).toBe("hub-link does not answer");
    course();
    expect(unansweredText(now())).toBeUndefined();
  }
});

test("a seventh press says that hub-cand marks six persons", () => {
  sail();
  connectionState.value = "connected";
  press();
  advance(1);
  confirm();
  const about = () => callsNow(now())[0]!.about;
  const persons = (count: number) =>
    Array.from({ length: count }, (_, n) => alarm({ id: `${n}`, subject: 0, ago: 60 }));
  report(...persons(5));
  expect(about()).toBe("hub-cand has not confirmed it yet");
  report(...persons(6));
  expect(about()).toBe("hub-cand marks six persons at most: this one when another one is back on board");
  connectionState.value = "lost";
  expect(about()).toBe("not sent: no connection to the boat. It is sent when the connection is back");
  connectionState.value = "connecting";
});

test("a command that hub-cand would not get is said to be so", () => {
  const bridge = (online: boolean): void => send("app/can-can0/info", JSON.stringify({ ...goodIdentity, online }));
  connectionState.value = "connected";
  sail();
  bridge(true);
  expect(notNowText(now())).toBeUndefined();
  // One that hangs gets it when it goes on.
  advance(60);
  expect(notNowText(now())).toBeUndefined();
  bridge(false);
  expect(notNowText(now())).toBe("Not possible now: the program that reads the instruments, hub-cand, is off.");
  bridge(true);
  connectionState.value = "lost";
  expect(notNowText(now())).toBe("Not possible now: this screen has lost the boat's computer.");
  connectionState.value = "connecting";
});

test("while hub-link holds a destination, the route is that to it, and not that of the plotter", () => {
  const { waypointDistance, waypointBearing, crossTrack, timeToGo } = instruments;
  const shown = () =>
    [waypointDistance, waypointBearing, crossTrack].map((each) => {
      const reading = each.read(now());
      return "value" in reading ? Math.round(100 * reading.value) / 100 : reading.kind;
    });
  sail();
  const way = { distanceToWaypoint: 18_520, bearingReference: "Magnetic", bearingToWaypoint: 287 };
  publish(`${PREFIX}/device/2/pgn/129284`, { pgn: 129_284, ...way });
  publish(`${PREFIX}/device/2/pgn/129283`, { pgn: 129_283, xte: 185.2 });
  expect([...shown(), waypointBearing.unit!(now()), crossTrack.note!(now())]).toEqual([
    10,
    287,
    0.1,
    "°M",
    "steer left",
  ]);
  send("app/link/course", JSON.stringify({ destination: NORTH }));
  expect([...shown(), waypointBearing.unit!(now())]).toEqual([0.6, 0, "none", "°T"]);
  expect(waypointDistance.source(now())?.name).toBe("computed");
  publish(`${PREFIX}/navigation`, { position: { hasFix: true, ...HERE }, speed_course: { sog: 6, cog: 0 } });
  expect(timeToGo.read(now())).toMatchObject({ kind: "live", value: expect.closeTo(6, 1) });
  send("app/link/course", "{}");
  expect(shown()).toEqual([10, 287, 0.1]);
});
