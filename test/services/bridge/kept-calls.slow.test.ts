/** Calls of distress outlive hub-cand: what one bridge retains, the next one takes up. */
import { expect, test } from "vitest";
import { alarmCommandOf, MAX_COMMAND_BYTES } from "../../../src/core/alarms/commands.ts";
import { claim, setUp, start, targetTopic, topic } from "./alarm-bus.ts";

const position = { pgn: 129025, latitude: 52, longitude: 4 };
const course = { pgn: 129026, cogReference: "True", cogDeg: 0, sogMs: 3 };
const underWay = [position, course];
const there = { latitude: 52.0021584, longitude: 4 };
const dsc = { pgn: 129808, format: "Distress", category: "Distress", natureOfDistress: "Sinking", ...there };
const beacon = { pgn: 129038, mmsi: 972123456, ...there, sogMs: 0, navStatus: "AIS-SART" };
const HOUR_MS = 3_600_000;

type Boat = ReturnType<typeof setUp>;
const topicOf = (id: string): string => targetTopic(`calls/${id}`);
const kept = ({ publisher }: Boat, id: string): string | undefined => publisher.states.get(topicOf(id));

/** A bridge of some time later, which gets from the broker what the one before has retained. */
function restart({ publisher }: Boat, afterMs: number): Boat {
  const next = setUp(start + afterMs);
  for (const [name, payload] of publisher.states)
    if (name.endsWith("/set") || name.startsWith("app/")) next.bridge.command(name, payload);
  return next;
}

/** A boat that has received a call by radio and one of a beacon. */
function called(): Boat {
  const boat = setUp();
  boat.sail(5, ...underWay);
  boat.sail(2, ...underWay, { ...dsc, address: "2446600000" }, beacon);
  return boat;
}

test("calls without an answer ring again after a restart, with the first report, hours after they were heard", () => {
  const first = called();
  const before = first.alarms();
  expect(before.map(({ id }) => id)).toEqual(["manOverboard-972123456", "distress-244660000"]);
  let boat = restart(first, 5 * HOUR_MS);
  boat.wait(900, { ...position, latitude: 52.01 }, course);
  expect(boat.alarms()).toMatchObject(
    before.map(({ id, text, first: report, position: place }) => ({
      ...{ id, text, first: report, position: place, bearing: 180, range: 0.471, state: "active", unanswered: true },
    })),
  );
  boat = restart(boat, 10 * HOUR_MS);
  boat.sail(2, ...underWay);
  expect(boat.alarms().map(({ first: report }) => report)).toEqual(before.map(({ first: report }) => report));
});

test("a call that hub 1.2 kept rings again, and is kept where the others are", () => {
  const first = called();
  const boat = setUp(start + HOUR_MS);
  const former = `${topic}/calls/distress-244660000/set`;
  const call = JSON.parse(kept(first, "distress-244660000")!);
  boat.bridge.command(former, JSON.stringify({ ...call, heardAt: call.first.at }));
  boat.bridge.command(former, "");
  boat.sail(2, ...underWay);
  expect(boat.alarms().map(({ id }) => id)).toEqual(["distress-244660000"]);
  expect(boat.publisher.messages.filter((message) => message.topic === former).map(({ payload }) => payload)).toEqual([
    null,
  ]);
  expect(kept(boat, "distress-244660000")).toBeDefined();
});

test("one that was acknowledged comes back acknowledged until it has been silent for ten minutes, also when it is heard again", () => {
  const first = called();
  first.bridge.command(`${topic}/manOverboard-972123456/set`, "acknowledge");
  first.sail(2, ...underWay);
  const [call] = first.alarms();
  const second = restart(first, 300_000);
  second.sail(2, ...underWay);
  const found = () => second.alarms().find(({ id }) => id === "manOverboard-972123456");
  expect(found()).toMatchObject({ state: "acknowledged", first: call!.first });
  second.wait(100, ...underWay, beacon);
  expect(found()).toMatchObject({ state: "acknowledged", first: call!.first });
  second.wait(590, ...underWay);
  expect(found()).toBeDefined();
  second.sail(20, ...underWay);
  expect(found()).toBeUndefined();
  expect(kept(second, "manOverboard-972123456")).toBeUndefined();
  expect(kept(second, "distress-244660000")).toBeDefined();
});

test.each([
  ["15 minutes, a power cut in a search,", HOUR_MS / 4],
  ["three days, as a clock that was set says,", 72 * HOUR_MS],
  ["minus three days", -72 * HOUR_MS],
  ["a winter", 4000 * HOUR_MS],
])(
  "%s later a call without an answer rings until it is answered, an answered one is shown for ten minutes",
  (_, afterMs) => {
    const first = called();
    first.bridge.command(`${topic}/manOverboard-972123456/set`, "acknowledge");
    first.sail(2, ...underWay);
    const before = first.alarms();
    const boat = restart(first, afterMs);
    boat.wait(590, ...underWay);
    expect(boat.alarms()).toMatchObject([
      { id: "manOverboard-972123456", state: "acknowledged", first: before[0]!.first, position: there },
      { id: "distress-244660000", state: "active", unanswered: true, first: before[1]!.first },
    ]);
    boat.wait(HOUR_MS / 1000, ...underWay);
    expect(boat.alarms()).toMatchObject([{ id: "distress-244660000", state: "active" }]);
    boat.bridge.command(`${topic}/distress-244660000/set`, "acknowledge");
    boat.sail(20, ...underWay);
    expect(boat.alarms()).toEqual([]);
    for (const { id } of before) expect(boat.retained(`calls/${id}`).at(-1)).toBeNull();
  },
);

test("an end is final: neither an echo nor a broker that returns to an older state brings a call back", () => {
  const boat = called();
  const old = kept(boat, "manOverboard-972123456")!;
  boat.bridge.command(`${topic}/manOverboard-972123456/set`, "acknowledge");
  boat.sail(1, ...underWay);
  boat.bridge.command(topicOf("manOverboard-972123456"), old);
  boat.wait(620, ...underWay);
  expect(kept(boat, "manOverboard-972123456")).toBeUndefined();
  boat.bridge.command(topicOf("manOverboard-972123456"), old);
  boat.sail(5, ...underWay);
  expect(boat.alarms().map(({ id }) => id)).toEqual(["distress-244660000"]);
  // The call is retained at the broker again.
  expect(boat.retained("calls/manOverboard-972123456").slice(-2)).toEqual([null, null]);
});

test("what another client writes to the topic of a call that goes on is replaced, and ends nothing", () => {
  const boat = called();
  const own = kept(boat, "distress-244660000")!;
  expect(boat.retained("calls/distress-244660000")).toEqual([own]);
  for (const payload of ["", "null", JSON.stringify(good)]) {
    boat.bridge.command(topicOf("distress-244660000"), payload);
    boat.sail(2, ...underWay);
    expect(boat.retained("calls/distress-244660000").at(-1)).toBe(own);
    const { length } = boat.retained("calls/distress-244660000");
    boat.bridge.command(topicOf("distress-244660000"), own);
    boat.sail(2, ...underWay);
    expect(boat.retained("calls/distress-244660000")).toHaveLength(length);
  }
  expect(boat.alarms()).toMatchObject([{ state: "active" }, { state: "active" }]);
});

test("one that is heard before the broker has been read keeps the first report of before, and rings", () => {
  const first = called();
  const { first: report } = first.alarms()[0]!;
  first.bridge.command(`${topic}/manOverboard-972123456/set`, "acknowledge");
  first.sail(2, ...underWay);
  const second = setUp(start + 60_000);
  second.sail(3, { ...position, latitude: 52.0004 }, course, beacon);
  expect(second.alarms()[0]!.first).not.toEqual(report);
  second.bridge.command(topicOf("manOverboard-972123456"), kept(first, "manOverboard-972123456")!);
  second.sail(2, ...underWay);
  expect(second.alarms()).toMatchObject([{ id: "manOverboard-972123456", state: "active", first: report }]);
  expect(JSON.parse(kept(second, "manOverboard-972123456")!).first).toEqual(report);
});

test("a call is retained once while its beacon says the same, the button and tests of beacons not at all", () => {
  const boat = setUp();
  boat.bridge.command(`${topic}/manOverboard/set`, "{}");
  boat.wait(300, ...underWay, beacon, { pgn: 127233, emitterId: 7, status: 2 });
  const topics = new Set(
    boat.publisher.messages.map((message) => message.topic).filter((name) => name.includes("/calls/")),
  );
  expect([...topics]).toEqual([topicOf("manOverboard-972123456")]);
  expect(boat.retained("calls/manOverboard-972123456")).toHaveLength(1);
});

test("a person that a device reports without the number of an emitter comes back by its device", () => {
  const first = setUp();
  first.sail(2, ...underWay, { pgn: 127233, from: 7, status: 1, ...there }, { pgn: 127233, from: 8, status: 1 });
  const before = first.alarms().map(({ id, first: report }) => [id, report]);
  const second = restart(first, HOUR_MS);
  second.sail(2, ...underWay, { pgn: 127233, from: 7, status: 1, ...there });
  expect(second.alarms().map(({ id, first: report }) => [id, report])).toEqual(before);
});

test("it comes back as that of its NAME, before and after the NAME is known again", () => {
  const name = 0xc0_32_96_00_22_61_24_82n;
  const first = setUp();
  const notification = { pgn: 127233, from: 7, status: 1, ...there };
  first.sail(2, ...underWay, claim(7, name), notification);
  const before = first.alarms();
  expect(before.map(({ id }) => id)).toEqual([`manOverboard-device-${name}`]);
  const second = restart(first, HOUR_MS);
  const same = before.map(({ id, text, first: report }) => ({ id, text, first: report }));
  for (const messages of [[], [notification], [claim(7, name), notification], [claim(8, name)]]) {
    second.sail(2, ...underWay, ...messages);
    expect(second.alarms()).toMatchObject(same);
  }
  second.sail(2, ...underWay, { ...notification, from: 8 });
  expect(second.alarms()).toMatchObject([{ id: same[0]!.id, text: "man-overboard button, address 8" }]);
});

const good = { text: "DSC call: Sinking", first: { at: new Date(start).toISOString() } };

test.each([
  ["another kind", "depth-1", good],
  ["a test", "beaconTest-1", good],
  ["no number", "distress-x", good],
  ["a number that is written otherwise", "distress-01", good],
  ["no text", "distress-1", { ...good, text: undefined }],
  ["a place that is none", "distress-1", { ...good, position: { latitude: 91, longitude: 4 } }],
  ["half a place", "distress-1", { ...good, first: { ...good.first, boat: { latitude: 50 } } }],
  ["no time", "distress-1", { ...good, first: { at: "yesterday" } }],
  ["another member", "distress-1", { ...good, __proto__x: 1 }],
  ["a list", "distress-1", [good]],
  ["a long name", "distress-1", { ...good, name: "x".repeat(300) }],
])("a call with %s is passed over and counted", (_, id, call) => {
  const boat = setUp();
  boat.bridge.command(topicOf(id), JSON.stringify(call));
  boat.sail(2, ...underWay);
  expect(boat.alarms()).toEqual([]);
  expect(boat.bridge.counters().commandsSkipped).toEqual({ tooLong: 0, notUnderstood: 1, withoutEffect: 0 });
});

test("a thousand calls of the broker displace none that was heard, and the topics of a flood are forgotten", () => {
  const boat = called();
  for (let subject = 1; subject <= 1000; subject++)
    boat.bridge.command(topicOf(`distress-${subject}`), JSON.stringify(good));
  // An alarm of a call that is not there any more goes on for a minute.
  boat.sail(70, ...underWay);
  const ids = boat.alarms().map(({ id }) => id);
  expect(ids).toHaveLength(50);
  expect(ids).toEqual(expect.arrayContaining(["manOverboard-972123456", "distress-244660000"]));
  for (let second = 0; second < 20; second++)
    boat.sail(1, ...Array.from({ length: 50 }, (_, n) => ({ pgn: 127233, status: 0, emitterId: second * 50 + n + 1 })));
  expect([...boat.publisher.states.keys()].filter((name) => name.includes("/calls/"))).toHaveLength(200);
});

test("the longest call fits into a command", () => {
  const place = { latitude: -52.1234567, longitude: -104.1234567 };
  const boat = setUp();
  const far = { ...position, ...place };
  const name = '"\\'.repeat(10);
  const ship = { pgn: 129038, mmsi: 999999999, ...place, navStatus: "AIS-SART" };
  boat.sail(3, far, course, { pgn: 129794, mmsi: 999999999, name, imoNumber: 1 }, ship);
  const payload = kept(boat, "distress-999999999")!;
  expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(MAX_COMMAND_BYTES);
  expect(alarmCommandOf("calls/distress-999999999", payload)).toBeDefined();
});
