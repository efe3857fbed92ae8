/**
 * The tables of docs/signalk-server.md: every path that signalk-server makes of the PGNs of hub's document, and where
 * hub has the value. The messages are a fixture of each PGN and the simulated voyage. Values of the fixtures are the same.
 */
import { expect, test } from "vitest";
import { ReassembledSource } from "../../../src/adapters/node/can/reassembled-source.ts";
import { canboatParser } from "../../core/n2k/canboatjs.ts";
import { FIXTURE_SOURCE, fixtures } from "../../core/n2k/fixtures.ts";
import { memoryBridge } from "../../support/memory-bridge.ts";
import { packetsOf } from "../../support/packets.ts";
import { boatOf, hear, START, voyageOf } from "./boats.ts";
import { N2kMapper } from "./n2k-mapper.ts";

/** Paths of its that hub does not have. */
const absent: readonly (readonly [theirs: RegExp, reason: string])[] = [
  [/^environment\.outside\.humidity$/, "`relativeHumidity`, the name of the schema"],
  [/^environment\.inside\.\{instance\}\.relativeHumidity$/, "`environment.inside.relativeHumidity`"],
  [/^environment\.wind\.directionMagnetic$/, "`directionTrue`"],
  [/^navigation\.speedThroughWaterReferenceType$/, "not published"],
  [/^notifications\.propulsion\./, "alarms of engines, below `notifications`, with one text and one state each"],
  [/^electrical\.batteries\.\{instance\}\.capacity\.timeRemaining$/, "the same, of a message about a battery"],
  [/^electrical\.batteries\.\{instance\}\.batteryType$/, "`chemistry`"],
  [/^electrical\.batteries\.\{instance\}\.nominalVoltage$/, "part of `capacity.nominal`, joules"],
  [/^electrical\.batteries\./, "set-up of the battery, without a path in the schema; in the topic of the PGN"],
  [/^electrical\.(?:chargers|inverters)\.\{instance\}\.operatingState$/, "`chargingMode`, `inverterMode`"],
  [/^electrical\.chargers\.\{instance\}\.chargeMode$/, "`chargerRole`"],
  [/^electrical\.(?:chargers|inverters)\.\{instance\}\.(?:enabled|equalization\w+)$/, "in the topic of the PGN"],
  [/^electrical\.switches\..*\.order$/, "the number of the switch is in the path"],
  [/^propulsion\.\{instance\}\.trip\./, "`fuel.used`, `fuel.averageRate`, `fuel.economyRate`"],
  [/^electrical\.ac\.\{instance\}\.A\./, "`electrical.ac.{instance}.phase.A`"],
  [/^electrical\.inverters\.\{instance\}\.A\./, "`electrical.inverters.{instance}.ac`"],
  [/^electrical\.(?:ac|converter|dc)\.\{instance\}\.\{instance\}\./, "no path in the schema; in the topic of the PGN"],
  [/^filter\./, "no path in the schema; in the topic of the PGN"],
  [/^navigation\.destination\.eta$/, "the same, of ships"],
];

const head = [
  "# Paths of signalk-server",
  "",
  "Every path that signalk-server makes of the PGNs of [hub's document](pgns.html), by its converter n2k-signalk 4.6, and",
  "where hub has the value. [Paths of Signal K](signalk-paths.html) has all paths of hub, with those that signalk-server",
  "does not have. The messages are one of each PGN and those of the simulated voyage; a test makes these tables and fails",
  "for a path that is neither the same nor explained. Further names in a row stand in place of the last one of its path.",
];

/** Rows of a table: a row for all paths below one place that have the PGNs and the reason in common. */
const rowsOf = (paths: readonly { path: string; pgns: string; reason: string }[]): readonly string[] => {
  const names = new Map<string, string[]>();
  for (const { path, pgns, reason } of paths) {
    const end = path.lastIndexOf(".") + 1;
    const row = [`\`${path.slice(0, end)}`, pgns, reason].join("|");
    names.set(row, [...(names.get(row) ?? []), path.slice(end)]);
  }
  return [...names].map(([row, [first, ...others]]) => {
    const [place, pgns, reason] = row.split("|");
    const cells = [[`${place}${first}\``, ...others.map((name) => `\`${name}\``)].join(", "), pgns];
    return `| ${[...cells, ...(reason === "" ? [] : [reason])].join(" | ")} |`;
  });
};

/** A path without numbers and names of one boat. */
const templateOf = (path: string): string =>
  path.replaceAll(/\.(?:\d+|default|port|starboard)(?=\.|$)/g, ".{instance}");

/** Paths that have other values there. */
const otherwise: readonly (readonly [path: RegExp, reason: string])[] = [
  [/trimState$/, "percent there, a ratio in the specification"],
  [/(coolantPressure|fuel\.pressure)$/, "it takes the pascals of canboatjs for kilopascals"],
  [/capacity\.nominal$/, "joules in the specification, coulombs there"],
  [/velocityMadeGood$/, "computed by hub"],
  [/^environment\.current$/, "magnetic, which it calls true"],
  [/satellitesInView$/, "hub has the number alone"],
];

/** Numbers within half of the last digit of hub's messages; angles that differ by a turn are one. */
const isClose = (ours: unknown, theirs: unknown): boolean =>
  typeof ours === "number" && typeof theirs === "number"
    ? Math.abs(ours - theirs) < Math.max(0.0501, Math.abs(theirs) * 1e-4)
    : typeof ours === "object" && typeof theirs === "object" && ours !== null && theirs !== null
      ? Object.entries(ours).every(([name, value]) => isClose(value, theirs[name as never]))
      : ours === theirs;

const linesOf = (pgn: number, source: number, payload: Uint8Array, at: number): string => {
  const hex = Buffer.from(payload).toString("hex").match(/../g) ?? [];
  return [new Date(at).toISOString(), 3, pgn, source, 255, hex.length, ...hex].join(",");
};

test("every path of signalk-server is one of hub's, or has its reason", async () => {
  const mapper = new N2kMapper();
  const parser = canboatParser();
  const theirs = new Map<string, Set<number>>();
  /** The latest values, by path; those of the voyage change between a message and a report. */
  const [theirValues, ourValues] = [new Map<string, unknown>(), new Map<string, unknown>()];
  const told = (pgn: number, line: string): void => {
    const message = parser.parseString(line);
    if (message === undefined || message === null) return;
    for (const { values } of mapper.toDelta(message)?.updates ?? [])
      for (const { path, value } of values) {
        if (!path) continue;
        theirValues.set(path, value);
        const template = templateOf(path);
        theirs.set(template, (theirs.get(template) ?? new Set()).add(pgn));
      }
  };
  const ours = new Set<string>();
  const boat = boatOf(({ path, value }) => {
    ours.add(templateOf(path));
    ourValues.set(path, value);
  });
  const { bridge, publisher } = memoryBridge({ prefix: "b" });
  const passOn = () => {
    for (const { topic, payload } of publisher.messages)
      if (payload !== null) hear(boat, { topic: topic.replace(/^b\//, ""), payload: String(payload) });
    publisher.clear();
  };
  const source = new ReassembledSource({ name: "replay", batches: voyageOf(60_000) });
  for await (const batch of source.packets(bridge.fastPacketTable)) {
    for (const { received, pgn, source: address, bytes, at, end } of packetsOf(batch))
      told(pgn, linesOf(pgn, address, bytes.subarray(at, end), received));
    bridge.take(batch);
    passOn();
  }
  const metadata = { rxDate: new Date(START).toISOString(), expireAfterSec: 60 };
  const differing: string[] = [];
  for (const { pgn, payload, json } of fixtures) {
    theirValues.clear();
    ourValues.clear();
    told(pgn, linesOf(pgn, FIXTURE_SOURCE, payload, START));
    boat.hearPgn(FIXTURE_SOURCE, pgn, { data: JSON.parse(json), metadata }, START);
    for (const [path, value] of theirValues)
      if (ourValues.has(path) && !isClose(ourValues.get(path), value) && !otherwise.some(([of]) => of.test(path)))
        differing.push(`${pgn} ${path}: ${JSON.stringify([ourValues.get(path), value])}`);
  }
  expect(differing).toEqual([]);
  const paths = [...theirs]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, pgns]) => {
      const [, reason = "unexplained"] = absent.find(([pattern]) => pattern.test(path)) ?? [];
      return { path, pgns: [...pgns].sort().join(", "), reason: ours.has(path) ? "" : reason };
    });
  const elsewhere = paths.filter(({ reason }) => reason !== "");
  expect(elsewhere.filter(({ reason }) => reason === "unexplained")).toEqual([]);
  expect(paths.length).toBeGreaterThan(120);
  const page = [
    ...head,
    ...["", "## Elsewhere", "", "| path | PGN | hub |", "| --- | --- | --- |", ...rowsOf(elsewhere)],
    ...[
      "",
      "## The same",
      "",
      "| path | PGN |",
      "| --- | --- |",
      ...rowsOf(paths.filter((each) => !elsewhere.includes(each))),
    ],
  ];
  await expect([...page, ""].join("\n")).toMatchFileSnapshot("../../../docs/signalk-server.md");
});
