import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { VoyageKeeper } from "../../../src/core/voyages/keeper.ts";
import { entryText } from "../../../src/core/voyages/kinds/index.ts";
import { LatestValues } from "../../../src/core/voyages/latest-values.ts";
import { type KeptLine, lineIn } from "../../../src/core/voyages/lines.ts";
import type { Observation } from "../../../src/core/voyages/observation.ts";
import { figuresOf, voyageOf, windRoseOf } from "../../../src/core/voyages/voyage.ts";
import { STARTS, type Stage, sailing } from "./boat.ts";

const HOUR = 3_600_000;

/** The voyages in lines, as a store has them. */
function voyagesIn(lines: readonly KeptLine[]) {
  const files: KeptLine[][] = [];
  for (const line of lines) {
    if (line.line === "entry" && line.kind === "begin") files.push([]);
    files.at(-1)!.push(line);
  }
  return files.map((file) => voyageOf(file)!);
}

const keptOf = (observations: Iterable<Observation>, keeper = new VoyageKeeper(HOUR)): readonly KeptLine[] => {
  const lines: KeptLine[] = [];
  for (const observation of observations) for (const line of keeper.hear(observation)) lines.push(line);
  for (const line of keeper.finish()) lines.push(line);
  return lines;
};

const entriesOf = (lines: readonly KeptLine[]): readonly string[] =>
  voyagesIn(lines).flatMap(({ entries }) =>
    entries.map(({ kind, time }) => `${kind} ${Math.round((time - STARTS) / 1000)}`),
  );

const alarm = {
  id: "depth-0",
  title: "Depth",
  severity: "alarm",
  since: "2026-06-01T08:00:00Z",
  isAcknowledged: false,
};

/** From a berth by an anchorage to a berth. */
const plan: readonly Stage[] = [
  { seconds: 120, knots: 0, mooring: "berth" },
  { seconds: 600, knots: 4, course: 0, engine: true },
  { seconds: 1200, knots: 6, course: 50, wind: 20 },
  { seconds: 600, knots: 6, course: 320, pressure: 101_100, alarms: [alarm], arrived: 7 },
  { seconds: 300, knots: 6, course: 320, pressure: 101_100, alarms: [{ ...alarm, isAcknowledged: true }] },
  { seconds: 15 * 3600, knots: 0, mooring: "anchor" },
  { seconds: 900, knots: 5, course: 90, engine: true },
  { seconds: 300, knots: 0, mooring: "berth" },
];

test("a voyage has each event with its time, and a night at anchor", () => {
  const lines = keptOf(sailing(plan));
  expect(entriesOf(lines)).toEqual([
    ...["begin 120", "engineOn 120", "course 180", "engineOff 720", "wind 720", "course 780", "hourly 1800"],
    ...["alarm 1920", "barometer 1920", "course 1980", "waypoint 2220", "alarmAnswer 2520", "rest 2820"],
    ...["alarmEnd 2820", "barometer 2820", "anchorDown 2820", "anchorUp 56820", "engineOn 56820", "underway 56820"],
    ...["course 56940", "rest 57720", "engineOff 57720", "end 57720"],
  ]);
  const [voyage] = voyagesIn(lines);
  const figures = figuresOf(voyage!);
  const sailed = (600 * 4 + 1500 * 6 + 600 * 6 - 600 * 6 + 600 * 6 + 900 * 5) / 3600;
  expect(figures.groundMiles).toBeCloseTo(sailed, 1);
  expect(figures.waterMiles).toBeCloseTo(sailed, 1);
  expect(figures.engineSeconds["0"]).toBeGreaterThan(1480);
  expect(figures.engineSeconds["0"]).toBeLessThan(1520);
  expect(figures.fuelLitres).toBeCloseTo((1500 * 3) / 3600, 1);
  expect(figures).toMatchObject({ gapMiles: 0, maxSog: 6, maxWind: 20 });
  expect(windRoseOf(voyage!)[12]).toMatchObject({ share: 1, strongest: 20 });
});

test.each([
  [
    "a swing at an anchor that nobody watches",
    [
      { seconds: 900, knots: 0 },
      { seconds: 40, knots: 1.5 },
      { seconds: 900, knots: 0 },
    ],
  ],
  [
    "a receiver that jumps for some seconds",
    [
      { seconds: 300, knots: 0 },
      { seconds: 5, knots: 9000 },
      { seconds: 5, knots: 9000, course: 180 },
      { seconds: 300, knots: 0 },
    ],
  ],
] satisfies readonly (readonly [string, readonly Stage[]])[])("%s is no voyage", (_, stages) => {
  expect(keptOf(sailing(stages))).toEqual([]);
});

/** The entries of a plan with pauses: by kind, what it says, and the second of the first plan. */
const told = (...legs: readonly (readonly [after: number, stages: readonly Stage[], isRestarted?: boolean])[]) => {
  let keeper = new VoyageKeeper(HOUR);
  const lines: KeptLine[] = [];
  let at = STARTS;
  for (const [after, stages, isRestarted = false] of legs) {
    at += after * 1000;
    if (isRestarted) {
      lines.push(...keeper.finish());
      keeper = new VoyageKeeper(HOUR);
      for (const line of lines) keeper.recall(line);
    }
    for (const observation of sailing(stages, at)) lines.push(...keeper.hear(observation));
    at += 1000 * stages.reduce((sum, { seconds }) => sum + seconds, 0);
  }
  lines.push(...keeper.finish());
  const entries = voyagesIn(lines).flatMap((voyage) => voyage.entries);
  const ofStates = entries.filter(({ kind }) => /^(engine|anchor|alarm|back)/.test(kind));
  return ofStates.map((entry) => `${entryText(entry)} ${(entry.time - STARTS) / 1000}`);
};

const since = (second: number): string => new Date(STARTS + second * 1000).toISOString();
const depth = { ...alarm, since: since(1200) };
const lies: Stage = { seconds: 600, knots: 0, mooring: "anchor", engine: true, alarms: [depth] };
const arrives: readonly Stage[] = [{ seconds: 1200, knots: 5, engine: true }, lies];
const before = ["Engine on: engine 0, 100 h 0", "Alarm: Depth 1200", "Anchor down 1200"];
/** hub-cand has just started, and the depth has not rung again. */
const starting: Stage = { ...lies, seconds: 60, alarms: [], isStarting: true };

test.each([true, false])("a start of hub-cand, or of the broker, is no event; with hub-history: %s", (isRestarted) => {
  expect(told([0, arrives], [8, [starting, lies], isRestarted], [30, [starting, lies]])).toEqual(before);
});

/** A device beside the first, and the report before the messages of the engines, as after a start of hub-cand. */
function* twoEngines(stages: readonly Stage[], start: number): Generator<Observation> {
  let engines: Observation[] = [];
  for (const observation of sailing(stages, start)) {
    if (observation.of === "engine") engines.push(observation, { ...observation, instance: "1" });
    else yield observation;
    if (observation.of !== "navigation") continue;
    yield* engines;
    engines = [];
  }
}

test.each([25, 40])("engines of which the first report after %d s says nothing yet go on", (seconds) => {
  const keeper = new VoyageKeeper(HOUR);
  const sails: Stage = { seconds: 300, knots: 5, engine: true };
  const lines = [STARTS, STARTS + 1000 * (300 + seconds)].flatMap((start) =>
    [...twoEngines([sails], start)].flatMap((each) => keeper.hear(each)),
  );
  expect(entriesOf(lines).filter((each) => each.startsWith("engine"))).toEqual(["engineOn 1", "engineOn 1"]);
});

test("a bus that is silent stops no engine", () => {
  const silent: Stage = { ...lies, isUnheard: true };
  expect(told([0, [...arrives, silent, lies]])).toEqual(before);
});

test.each([true, false])(
  "what has happened in a pause is told once, with its length; with hub-history: %s",
  (isRestarted) => {
    const after: Stage = { seconds: 600, knots: 0 };
    expect(told([0, arrives], [600, [{ ...after, isStarting: true }, after], isRestarted], [8, [after]])).toEqual([
      ...before,
      "Anchor up: in the 11 min before 2400",
      "Engine off: engine 0, 100 h, in the 11 min before 2400",
      "Alarm ends: Depth, in the 11 min before 2400",
    ]);
  },
);

test("an engine that stays silent after a pause is off when silence tells it, and an alarm that rings another time is another", () => {
  const silent: Stage = { ...lies, engine: "silent", alarms: [{ ...alarm, since: since(2100) }] };
  expect(told([0, arrives], [600, [silent], true])).toEqual([
    ...before,
    "Alarm ends: Depth, in the 6 min before 2100",
    "Alarm: Depth 2100",
    "Engine off: engine 0, in the 11 min before 2416",
  ]);
});

test("persons have their numbers, and the time and place of their press, which may arrive late", () => {
  const person = { id: "manOverboard-0", title: "Man overboard", severity: "emergency", isAcknowledged: false };
  const boatAt = { latitude: 54.31, longitude: 10.2 };
  const first = { ...person, since: since(500), boatAt, person: 1 };
  const second = { ...person, id: "manOverboard-0-2", since: since(899), person: 2 };
  const lines = keptOf(
    sailing([
      { seconds: 900, knots: 5 },
      { seconds: 60, knots: 5, alarms: [first, second] },
    ]),
  );
  const entries = voyagesIn(lines)[0]!.entries.filter(({ kind }) => kind === "alarm");
  expect(entries.map((entry) => [entryText(entry), (entry.time - STARTS) / 1000])).toEqual([
    ["Alarm: Man overboard person 1", 500],
    ["Alarm: Man overboard person 2", 900],
  ]);
  expect(entries[0]!.conditions).toEqual(boatAt);
  expect(entries[1]!.conditions).toMatchObject({ sog: 5 });
});

test("an alarm that an answer of before still covers begins as acknowledged, and is not answered again", () => {
  const [ship, covered] = [{ ...alarm, id: "closeApproach-1", title: "Close approach", since: since(300) }, since(600)];
  const sails = { seconds: 100, knots: 5 };
  const told = [
    [],
    [ship],
    [{ ...ship, isAcknowledged: true }],
    [],
    [{ ...ship, since: covered, isAcknowledged: true }],
  ];
  const lines = keptOf(sailing(told.map((alarms, at) => ({ ...sails, seconds: at === 0 ? 300 : 100, alarms }))));
  expect(entriesOf(lines).filter((each) => each.startsWith("alarm"))).toEqual([
    "alarm 300",
    "alarmAnswer 400",
    "alarmEnd 500",
    "alarm 600",
  ]);
  const texts = voyagesIn(lines)[0]!.entries.map((entry) => entryText(entry));
  expect(texts).toContain("Alarm: Close approach, acknowledged");
});

test("a person who is released is back on board, and an acknowledgement before that is one", () => {
  const of = { title: "Man overboard", severity: "emergency", since: since(300), isAcknowledged: false };
  const [one, two] = [1, 2].map((person) => ({ ...of, id: `manOverboard-0-${person}`, person }));
  const answered = [one!, two!].map((each) => ({ ...each, isAcknowledged: true }));
  const lines = keptOf(
    sailing([
      { seconds: 300, knots: 5 },
      { seconds: 60, knots: 5, alarms: [one!, two!] },
      { seconds: 60, knots: 5, alarms: [answered[0]!, two!] },
      { seconds: 3, knots: 5, alarms: answered },
      { seconds: 60, knots: 5 },
    ]),
  );
  const entries = voyagesIn(lines)[0]!.entries.map((entry) => `${entryText(entry)} ${(entry.time - STARTS) / 1000}`);
  expect(entries.slice(-5)).toEqual([
    "Alarm: Man overboard person 1 300",
    "Alarm: Man overboard person 2 300",
    "Alarm acknowledged: Man overboard person 1 360",
    "Back on board: person 1 423",
    "Back on board: person 2 423",
  ]);
});

test("an alarm of the same id with another begin, such as a second press of the button, ends the one before", () => {
  const of = { ...alarm, id: "manOverboard-0", title: "Man overboard", person: 1, since: since(300) };
  const lines = keptOf(
    sailing([
      { seconds: 300, knots: 5 },
      { seconds: 60, knots: 5, alarms: [of, { ...alarm, since: since(300) }] },
      { seconds: 60, knots: 5, alarms: [of, alarm].map((each) => ({ ...each, since: since(360) })) },
    ]),
  );
  const entries = voyagesIn(lines)[0]!.entries.map((entry) => `${entryText(entry)} ${(entry.time - STARTS) / 1000}`);
  expect(entries.slice(-6)).toEqual([
    ...["Alarm: Man overboard person 1 300", "Alarm: Depth 300", "Alarm ends: Depth 360"],
    ...["Back on board: person 1 360", "Alarm: Man overboard person 1 360", "Alarm: Depth 360"],
  ]);
});

test("answers and ends in a start of hub-cand, or without hub-history, have the times of its history", () => {
  const person = { ...alarm, id: "manOverboard-0", title: "Man overboard", person: 1, since: since(60) };
  const [wreck, at] = [{ ...alarm, since: since(60) }, (second: number): number => STARTS + second * 1000];
  const row = { since: at(60), until: undefined, endedBefore: undefined, acknowledged: undefined };
  const past = [
    { ...row, id: person.id, acknowledged: at(327), until: at(330) },
    { ...row, id: wreck.id, acknowledged: at(110), endedBefore: at(120) },
  ];
  const sails: Stage = { seconds: 60, knots: 5 };
  const legs = (isRestarted: boolean) => [
    [0, [sails, { ...sails, alarms: [person, wreck] }, { ...sails, seconds: 180, isStarting: true }]] as const,
    [
      30,
      [
        { ...sails, isStarting: true, past },
        { ...sails, past },
      ],
      isRestarted,
    ] as const,
  ];
  for (const isRestarted of [true, false])
    expect(told(...legs(isRestarted)).slice(2)).toEqual([
      "Alarm acknowledged: Depth 110",
      "Alarm ends: Depth 120",
      "Back on board: person 1 330",
    ]);
});

test("an entry that is dated back has the values of its time", () => {
  const lines = keptOf(
    sailing([
      { seconds: 600, knots: 5, wind: 11 },
      { seconds: 5, knots: 0, wind: 12 },
      { seconds: 900, knots: 0, wind: 13 },
      { seconds: 5, knots: 4, wind: 14 },
      { seconds: 600, knots: 4, wind: 15 },
      { seconds: 5, knots: 0, wind: 16 },
      { seconds: 13 * 3600, knots: 0, wind: 13 },
    ]),
  );
  const { entries } = voyagesIn(lines)[0]!;
  const dated = entries.filter(({ kind }) => /^(rest|underway|end)$/.test(kind));
  expect(dated.map(({ kind, conditions }) => `${kind} ${conditions?.sog} ${conditions?.windSpeed}`)).toEqual([
    "rest 0 12",
    "underway 4 14",
    "rest 0 16",
    "end 0 16",
  ]);
  expect(dated[1]!.conditions!.latitude).toBeCloseTo(dated[0]!.conditions!.latitude!, 4);
});

test("a voyage that ends without data has its last values", () => {
  const legs = [...sailing([{ seconds: 300, knots: 5 }]), ...sailing([{ seconds: 9, knots: 1 }], STARTS + 14 * HOUR)];
  const end = voyagesIn(keptOf(legs))[0]!.entries.at(-1)!;
  expect(end).toMatchObject({ kind: "end", time: STARTS + 299_000, conditions: { sog: 5 } });
});

test("twelve hours at rest that is no anchorage end a voyage where the rest began", () => {
  const lines = keptOf(
    sailing([
      { seconds: 1200, knots: 5 },
      { seconds: 13 * 3600, knots: 0 },
    ]),
  );
  const entries = entriesOf(lines);
  expect(entries.filter((each) => /^(rest|end)/.test(each))).toEqual(["rest 1200", "end 1200"]);
  // Of the ten minutes until it is known that the boat is at rest, none is under way.
  const [voyage] = voyagesIn(lines);
  expect(Math.abs(figuresOf(voyage!).underwaySeconds - 1200)).toBeLessThanOrEqual(1);
  expect(figuresOf(voyage!).averageKnots).toBeCloseTo(5, 1);
});

test("a clock that is set back ends the voyage, and another one begins; one that is corrected does neither", () => {
  const first = [...sailing([{ seconds: 1200, knots: 5 }])];
  const later = (backMs: number) => [...sailing([{ seconds: 1200, knots: 5 }], STARTS + 1_200_000 - backMs)];
  const back = voyagesIn(keptOf([...first, ...later(600_000)]));
  expect(back.map(({ entries }) => entries.map(({ kind }) => kind))).toEqual([
    ["begin", "course", "end"],
    ["begin", "course"],
  ]);
  expect(voyagesIn(keptOf([...first, ...later(30_000)]))).toHaveLength(1);
});

test("twelve hours at rest end a voyage, also if the clock was a day ahead at the anchor before", () => {
  const atAnchor = sailing([
    { seconds: 1200, knots: 5 },
    { seconds: 1200, knots: 0, mooring: "anchor" },
  ]);
  const later = sailing(
    [
      { seconds: 1200, knots: 5 },
      { seconds: 13 * 3600, knots: 0 },
    ],
    STARTS - 24 * HOUR,
  );
  expect(voyagesIn(keptOf([...atAnchor, ...later])).map(({ entries }) => entries.at(-1)!.kind)).toEqual(["end", "end"]);
});

/** Observations with the times that a clock gives which is set ahead, each with the time of its arrival. */
function* setAhead(observations: Iterable<Observation>, at: number, aheadMs: number) {
  for (const observation of observations) {
    const { time: arrived } = observation;
    yield [arrived < at ? observation : { ...observation, time: arrived + aheadMs }, arrived] as const;
  }
}

const keptAsArrived = (arrived: Iterable<readonly [Observation, number]>): readonly KeptLine[] => {
  const keeper = new VoyageKeeper(HOUR);
  return [...[...arrived].flatMap(([observation, at]) => keeper.hear(observation, at)), ...keeper.finish()];
};

describe.each([
  ["half an hour", HOUR / 2, []],
  ["three hours", 3 * HOUR, ["hourly"]],
  ["two days", 54 * HOUR, ["hourly"]],
] as const)("a clock that is set ahead by %s", (_, aheadMs, hourly) => {
  test("under way is no pause: not a second of the voyage is missing, and the boat does not rest", () => {
    const observations = [...sailing([{ seconds: 2400, knots: 5, engine: true, wind: 20 }])];
    const lines = keptAsArrived(setAhead(observations, STARTS + 1_211_000, aheadMs));
    const voyages = voyagesIn(lines);
    expect(voyages.map(({ entries }) => entries.map(({ kind }) => kind))).toEqual([
      ["begin", "engineOn", "wind", "course", ...hourly],
    ]);
    const [figures, unset] = [figuresOf(voyages[0]!), figuresOf(voyagesIn(keptOf(observations))[0]!)];
    expect(figures.groundMiles).toBeCloseTo(unset.groundMiles, 3);
    expect({ ...figures, groundMiles: 0, averageKnots: 0 }).toEqual({ ...unset, groundMiles: 0, averageKnots: 0 });
    expect(figures.averageKnots).toBeCloseTo(5, 1);
    expect(voyages[0]!.until).toBe(observations.at(-1)!.time + aheadMs);
    for (const { time } of voyages[0]!.entries.slice(4)) expect(time).toBe(STARTS + 1_800_000 + aheadMs);
  });

  test("at rest is a pause, which it may have been: the computer starts with the time of its end", () => {
    const plan: readonly Stage[] = [
      { seconds: 1200, knots: 5 },
      { seconds: 900, knots: 0 },
    ];
    const [voyage] = voyagesIn(keptAsArrived(setAhead(sailing(plan), STARTS + 2_000_000, aheadMs)));
    expect(voyage!.entries.map(({ kind }) => kind)).toEqual([
      "begin",
      "course",
      "rest",
      ...(aheadMs > 12 * HOUR ? ["end"] : []),
    ]);
  });
});

test("of two engines of one number all values are of one, in whichever order their messages come", () => {
  const latest = new LatestValues();
  const say = (source: string, time: number, values: { rpm?: number; hours?: number; fuelRate?: number }): void =>
    latest.hear({ of: "engine", source, time, instance: "0", ...values });
  say("1", 0, { rpm: 1800 });
  say("2", 1, { hours: 9000, fuelRate: 9 });
  // It is that of the same engine as long as the device of the speed does not tell it.
  expect(latest.conditions(1)).toEqual({ engineHours: { 0: 9000 } });
  say("2", 2, { rpm: 900 });
  say("1", 3, { hours: 100, fuelRate: 3 });
  say("2", 4, { hours: 9000, fuelRate: 9 });
  expect(latest.conditions(4)).toEqual({ engineHours: { 0: 100 } });
  expect(latest.running(4)).toEqual(new Map([["0", 3]]));
});

test("of two devices that tell one tank or log once a minute the first one is heard until it falls silent", () => {
  const latest = new LatestValues();
  const say = (source: string, time: number, value: number): void => {
    latest.hear({ of: "tank", source, time, name: "Fuel 0", percent: value });
    latest.hear({ of: "log", source, time, miles: value });
  };
  for (const time of [0, 60_000, 120_000]) {
    say("1", time, 80);
    say("2", time + 30_000, 30);
    expect(latest.conditions(time + 30_000)).toEqual({ log: 80, tanks: { "Fuel 0": 80 } });
  }
  say("2", 250_000, 30);
  expect(latest.conditions(250_000)).toEqual({ log: 30, tanks: { "Fuel 0": 30 } });
});

test("the waypoint is that of the plotter of the lowest address, as in the course of hub-link", () => {
  const latest = new LatestValues();
  for (const [time, source, id] of [
    [0, "61", 7],
    [1, "60", 8],
    [2, "61", 7],
  ] as const)
    latest.hear({ of: "waypoint", source, time, id, hasArrived: false });
  expect(latest.waypoint(2)).toMatchObject({ id: 8 });
});

test("messages that arrive late and together are no clock that is set", () => {
  const observations = [...sailing([{ seconds: 3000, knots: 5 }])];
  const late = observations
    .filter(({ time }) => time < STARTS + 1_000_000 || time > STARTS + 1_500_000)
    .map((each) => [each, each.time < STARTS + 600_000 ? each.time : Math.max(each.time, STARTS + 2_000_000)] as const);
  expect(keptAsArrived(late)).toEqual(keptOf(late.map(([each]) => each)));
});

test("the keeper goes on from its lines after any kill, with the same entries and nearly the same distance", () => {
  // Which of two devices with one instance is heard is decided anew at a start.
  const observations = [...sailing(plan)]
    .filter((each) => !(each.of === "engine" && each.source === "2"))
    .filter(({ time }) => time < STARTS + 3_000_000 || time > STARTS + 56_000_000 || time % 10_000 === 0);
  const whole = keptOf(observations);
  const miles = figuresOf(voyagesIn(whole)[0]!).groundMiles;
  const kinds = (lines: readonly KeptLine[]) =>
    voyagesIn(lines).map(({ entries }) => entries.map(({ kind }) => kind).sort());
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 700, max: observations.length - 1 }), { minLength: 1, maxLength: 3 }),
      (cuts) => {
        const kept: KeptLine[] = [];
        let from = 0;
        for (const cut of [...cuts.sort((one, other) => one - other), observations.length]) {
          const keeper = new VoyageKeeper(HOUR);
          for (const line of kept) keeper.recall(lineIn(JSON.stringify(line))!);
          // What a killed program has not returned is lost.
          for (const observation of observations.slice(from, cut))
            for (const line of keeper.hear(observation)) kept.push(line);
          from = cut;
        }
        const found = voyagesIn(kept);
        expect(found).toHaveLength(1);
        expect(kinds(kept)).toEqual(kinds(whole));
        expect(Math.abs(figuresOf(found[0]!).groundMiles - miles)).toBeLessThan(0.3);
      },
    ),
    { numRuns: 10 },
  );
});

test("the time until an engine is heard again counts as that of the engine, or of the sails once its silence tells it", () => {
  for (const [engine, name] of [
    [true, "engineSeconds"],
    [false, "sailSeconds"],
  ] as const) {
    const observations = [...sailing([{ seconds: 600, knots: 6, engine }])];
    const secondOf = ({ time }: Observation): number => (time - STARTS) / 1000;
    const lines = [...keptOf(observations.filter((each) => secondOf(each) < 400))];
    const keeper = new VoyageKeeper(HOUR);
    for (const line of lines) keeper.recall(line);
    lines.push(
      ...keptOf(
        observations.filter((each) => secondOf(each) > 430),
        keeper,
      ),
    );
    const { sailSeconds, engineSeconds, underwaySeconds } = figuresOf(voyagesIn(lines)[0]!);
    const found = name === "sailSeconds" ? sailSeconds : engineSeconds["0"];
    expect(found, name).toBe(underwaySeconds);
  }
});

test("an entry by hand and corrections are kept beside what stood before", () => {
  const keeper = new VoyageKeeper(HOUR);
  const lines = [...keptOf(sailing([{ seconds: 600, knots: 5 }]), keeper)];
  lines.push(...keeper.write("note", "Whales", "Ada"));
  const note = lines.at(-1)!;
  lines.push({ line: "edit", entry: (note as { entry: number }).entry, time: STARTS + 700_000, text: "Porpoises" });
  const entry = voyageOf(lines)!.entries.at(-1)!;
  expect(entry).toMatchObject({ kind: "note", text: "Whales", author: "Ada", edits: [{ text: "Porpoises" }] });
});

test.each([
  "",
  "{",
  "null",
  "[]",
  '{"time":1}',
  '{"line":"entry","entry":1,"time":null,"kind":"x"}',
  '{"line":"track","time":1,"points":[[1]]}',
])("%j is no line", (text) => {
  expect(lineIn(text)).toBeUndefined();
});

test("a receiver that jumps before the voyage is known to have begun adds nothing to its distance", () => {
  const sailed = [...sailing([{ seconds: 600, knots: 6 }])];
  const isAway = (time: number): boolean => time >= STARTS + 20_000 && time < STARTS + 50_000;
  const jumping = sailed.map((each): Observation => {
    if (each.of !== "navigation" || !isAway(each.time)) return each;
    return { ...each, values: { ...each.values, latitude: each.values.latitude! + 0.05 } };
  });
  const [expected, figures] = [sailed, jumping].map((each) => figuresOf(voyagesIn(keptOf(each))[0]!));
  // Less the ten seconds of doubt about each jump.
  expect(figures!.groundMiles).toBeLessThan(expected!.groundMiles);
  expect(figures!.groundMiles).toBeGreaterThan(expected!.groundMiles - 0.15);
});
