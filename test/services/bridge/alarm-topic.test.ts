/** The topic of the alarms through the bridge: messages of the bus in, the report and its commands. */
import { describe, expect, test } from "vitest";
import type { PastAlarm } from "../../../src/core/alarms/report.ts";
import { setUp, start, targetTopic, topic } from "./alarm-bus.ts";

const watchTopic = `${topic}/anchorWatch/set`;

const at = (latitude: number) => ({ pgn: 129025, latitude, longitude: 4 });
const position = at(52);
const course = { pgn: 129026, cogReference: "True", cogDeg: 90, sogMs: 3 };
const depth = (depthM: number) => ({ pgn: 128267, depthM });

test("the report is retained at once, then each thirty seconds, and at once when something changes", () => {
  const { publisher, sail, reports, alarms } = setUp();
  sail(1);
  expect(publisher.messages.find((message) => message.topic === topic)).toMatchObject({ retain: true });
  expect(reports()[0]!.alarms).toEqual([]);
  sail(5, position, course, depth(12));
  publisher.clear();
  sail(60, position, course, depth(12));
  expect(reports()).toHaveLength(2);
  publisher.clear();
  sail(5, position, course, depth(1.5));
  expect(alarms()).toMatchObject([{ id: "depth", value: 1.5, state: "active" }]);
});

test("limits come from the entry alarms, and what is not understood is warned of", () => {
  const { bridge, sail, alarms, log } = setUp();
  bridge.configure(new Map([["alarms", { name: "alarms", depth: { limit: 15 }, wind: { limit: "much" } }]]));
  sail(6, position, course, depth(12));
  expect(alarms()).toMatchObject([{ id: "depth", limit: 15 }]);
  expect(log.lines.map(({ fields }) => fields)).toContainEqual({
    code: "SETTING_IGNORED",
    entry: "alarms",
    reason: "wind limit: must be a number of knots",
  });
});

test("commands are executed and seen within the next tick; others are warned of once a minute", () => {
  const { bridge, sail, alarms, log } = setUp();
  sail(6, position, course, depth(1));
  bridge.command(`${topic}/depth/set`, "acknowledge");
  sail(1, position, course, depth(1));
  expect(alarms()).toMatchObject([{ state: "acknowledged" }]);
  bridge.command(`${topic}/depth/set`, "explode");
  bridge.command(`${topic}/depth/set`, undefined);
  bridge.command(`${topic}/wind/set`, "silence");
  bridge.command("can/can0/navigation", "acknowledge");
  expect(log.lines.filter(({ fields }) => fields?.code === "COMMAND_REFUSED")).toHaveLength(1);
  expect(bridge.counters().commandsSkipped).toEqual({ tooLong: 1, notUnderstood: 1, withoutEffect: 1 });
});

test.each(["limits", "all"])(
  "an answer to a group is not for what is raised in the second of the answer: %s",
  (group) => {
    const { bridge, command, sail, ringing, rung } = setUp();
    const rows = [10, 12].map((above) => ({ id: `d${above}`, pgn: 128267, member: "depthM", above, text: "Deep" }));
    bridge.configure(new Map([["alarms", { name: "alarms", limits: { rows } }]]));
    expect(rung(9, position, course, depth(11))).toEqual(["limits-d10 warning active"]);
    for (let second = 0; second < 9 && ringing().length < 2; second++) {
      command(group, "acknowledge");
      sail(1, position, course, depth(13));
    }
    expect(ringing()).toEqual(["limits-d10 warning acknowledged", "limits-d12 warning active"]);
  },
);

test("a watch that a client retains without a position is replaced by the whole one, as often as that comes", () => {
  const { bridge, sail, retained } = setUp();
  sail(3, position, course);
  const whole = '{"latitude":52,"longitude":4,"radius":30}';
  for (let count = 1; count <= 3; count++) {
    // After a restart its anchor would be where the boat is then.
    bridge.command(watchTopic, '{"radius":30}');
    sail(1, position, course);
    expect(retained("anchorWatch")).toEqual(Array(count).fill(whole));
  }
});

test.each([
  ["another form", '{"radius":"40"}'],
  ["an answer", "silence"],
  ["a text that is too long", undefined],
])("%s in the place of a watch is no command, and does not outlive it at the broker", (_, payload) => {
  const { bridge, sail, reports, retained } = setUp();
  sail(3, position, course);
  bridge.command(watchTopic, '{"radius":30}');
  sail(1, position, course);
  bridge.command(watchTopic, payload);
  sail(2, position, course);
  const [watch, ...again] = retained("anchorWatch");
  expect(again).toEqual([watch]);
  expect(reports().at(-1)!.anchorWatch).toMatchObject({ radius: 30 });
});

test("the kind of persons overboard is silenced at the topic of their button", () => {
  const { bridge, sail, reports } = setUp();
  const button = `${topic}/manOverboard/set`;
  bridge.command(button, "{}");
  sail(1, position, course);
  bridge.command(button, "acknowledge");
  bridge.command(button, "silence");
  sail(1, position, course);
  expect(reports().at(-1)!.alarms).toMatchObject([{ id: "manOverboard-0", state: "silenced" }]);
});

test("the echo of an anchor watch does not undo a newer one", () => {
  const { bridge, sail, reports, retained } = setUp();
  sail(3, position, course);
  bridge.command(watchTopic, '{"radius":30}');
  sail(1, position, course);
  bridge.command(watchTopic, '{"radius":40}');
  bridge.command(watchTopic, retained("anchorWatch").at(-1)!);
  sail(1, position, course);
  expect(reports().at(-1)!.anchorWatch).toMatchObject({ radius: 40 });
});

test("two anchor watches do not take turns for ever where the broker is slow", () => {
  const { bridge, sail, reports, retained } = setUp();
  sail(3, position, course);
  for (const radius of [30, 40]) {
    bridge.command(watchTopic, JSON.stringify({ radius }));
    sail(1, position, course);
  }
  const [first, second, ...others] = retained("anchorWatch");
  expect(others).toEqual([]);
  // Both come back after the second has been retained.
  for (const echo of [first!, second!]) {
    bridge.command(watchTopic, echo);
    sail(1, position, course);
    expect(reports().at(-1)!.anchorWatch).toMatchObject({ radius: 40 });
  }
  expect(retained("anchorWatch")).toEqual([first, second]);
  // The same from a client is a command.
  bridge.command(watchTopic, first!);
  sail(1, position, course);
  expect(reports().at(-1)!.anchorWatch).toMatchObject({ radius: 30 });
});

test.each([
  ["anchorWatch", '{"radius":30}'],
  ["manOverboard", "{}"],
] as const)("the end of %s right after its beginning counts, also where the last one ended", (name, begin) => {
  const { bridge, sail, reports, retained } = setUp();
  const state = `${topic}/${name}/set`;
  sail(3, position, course);
  for (let time = 1; time <= 3; time++) {
    bridge.command(state, begin);
    if (time === 1) sail(1, position, course);
    bridge.command(state, "");
    sail(5, position, course);
    // The broker sends back what was retained.
    if (retained(name).length > 1) bridge.command(state, "");
    expect(reports().at(-1)).toMatchObject({ alarms: [] });
    expect(reports().at(-1)!.anchorWatch).toBeUndefined();
  }
});

test("of a flood of commands the last anchor watch counts, and an answer to an alarm is heard", () => {
  const { bridge, sail, reports, retained } = setUp();
  sail(6, position, course, depth(1));
  for (let radius = 5; radius < 1000; radius++) {
    bridge.command(watchTopic, JSON.stringify({ radius }));
    bridge.command(`${topic}/unknown${radius}/set`, "silence");
    if (radius === 500) bridge.command(`${topic}/depth/set`, "acknowledge");
    if (radius > 500) bridge.command(`${topic}/depth/set`, "silence");
  }
  sail(1, position, course, depth(1));
  expect(reports().at(-1)).toMatchObject({ anchorWatch: { radius: 999 }, alarms: [{ state: "acknowledged" }] });
  expect(retained("anchorWatch")).toHaveLength(1);
  expect(bridge.counters().commandsSkipped.withoutEffect).toBe(995);
});

test("an alarm that a program has ended and raises again is another one, which nobody has answered", () => {
  const { bridge, sail, rung } = setUp();
  const fire = [`${topic}/external/f/set`, '{"severity":"alarm","message":"Fire"}'] as const;
  sail(3, position, course);
  bridge.command(...fire);
  sail(1, position, course);
  bridge.command(`${topic}/external-f/set`, "acknowledge");
  expect(rung(1, position, course)).toEqual(["external-f alarm acknowledged alarm of a program"]);
  bridge.command(fire[0], "");
  sail(1, position, course);
  bridge.command(...fire);
  expect(rung(1, position, course)).toEqual(["external-f alarm active alarm of a program"]);
});

describe("over a restart", () => {
  const shallow = [
    { pgn: 128267, depthM: 1 },
    { pgn: 129025, latitude: 52, longitude: 4 },
    { pgn: 129026, sogMs: 3, cogDeg: 9 },
  ];
  const last = (bus: ReturnType<typeof setUp>, name: string): string | null | undefined =>
    bus.publisher.messages.findLast((message) => [targetTopic(name), `${topic}/${name}`].includes(message.topic))
      ?.payload;

  test("nothing is replaced or reported before the broker has sent what it retained", () => {
    const before = setUp();
    before.sail(3, ...shallow);
    before.command("anchorWatch", '{"radius": 40}');
    before.command("manOverboard", "{}");
    before.sail(20, ...shallow);
    before.command("manOverboard-0", "acknowledge");
    before.sail(10, ...shallow);
    const after = setUp(start + 60_000);
    after.publisher.isReading = true;
    after.sail(40, ...shallow);
    const received = /alarms|sounding|calls|known/;
    expect(after.publisher.messages.filter(({ topic: name }) => received.test(name))).toEqual([]);
    for (const name of ["anchorWatch", "manOverboard", "sounding"]) after.command(name, last(before, name)!);
    after.bridge.command(`${topic}/history`, last(before, "history")!);
    // Nobody has seen what would be in its report.
    after.command("all", "acknowledge");
    after.publisher.isReading = false;
    after.sail(6, ...shallow);
    const first = after.reports()[0]!;
    expect(first.alarms.map(({ id, state }) => [id, state])).toEqual([
      ["manOverboard-0", "acknowledged"],
      ["depth", "active"],
    ]);
    expect(first.anchorWatch).toMatchObject({ radius: 40 });
    const rowsOf = (bus: ReturnType<typeof setUp>) =>
      JSON.parse(last(bus, "history")!).data.alarms.map((row: PastAlarm) => [row.id, row.since, row.acknowledged]);
    expect(rowsOf(after)).toEqual(rowsOf(before));
  });

  test("the history goes on, and the message that the broker sends back changes nothing", () => {
    const before = setUp();
    before.sail(8, ...shallow);
    before.sail(20, { ...shallow[0]!, depthM: 9 }, shallow[1]!, shallow[2]!);
    const after = setUp(start + 60_000);
    after.bridge.command(`${topic}/history`, last(before, "history")!);
    after.sail(20, ...shallow);
    const history = last(after, "history")!;
    after.bridge.command(`${topic}/history`, history);
    after.sail(20, ...shallow);
    const { alarms } = JSON.parse(last(after, "history")!).data;
    expect(alarms.map(({ id, until }: { id: string; until?: string }) => [id, until !== undefined])).toEqual([
      ["depth", false],
      ["depth", true],
    ]);
  });
});
