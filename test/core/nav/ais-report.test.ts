import { describe, expect, test } from "vitest";
import { writeAisData } from "../../../src/core/nav/ais-report-writer.ts";
import type { AisTarget } from "../../../src/core/nav/ais-targets.ts";
import type { OwnShip } from "../../../src/core/nav/own-ship.ts";
import { ReusableText, textOf } from "../../../src/core/text/ascii-buffer.ts";

const own: OwnShip = { latitude: 52.1234567, longitude: 4.2345678, cog: 10, sog: 6 };
const lastSeen = "2026-11-21T08:14:20.001Z";

const noordzee: AisTarget = {
  // The members are not in the order of the report.
  destination: "ROTTERDAM",
  mmsi: 244660000,
  class: "A",
  name: "NOORDZEE",
  callsign: "PABC",
  imo: 9123456,
  position: { latitude: 52.2, longitude: 4.3 },
  cog: 87.502,
  sog: 11.2,
  heading: 88.0003,
  rot: 0.43,
  navStatus: "Under way using engine",
  type: 70,
  typeName: "Cargo ship",
  dimensions: { toStarboard: 5.7, toBow: 20, beam: 11.4, length: 110 },
  draft: 3.2,
  lastSeen,
};

const dataText = textOf(writeAisData);
const writable = (target: AisTarget) => ({ target: { ...target, heardAt: 0 }, text: new ReusableText() });
const aisData = (targets: readonly AisTarget[], ship: OwnShip | undefined): string =>
  dataText(targets.map(writable), ship, 0);
const dataOf = (targets: readonly AisTarget[], ship: OwnShip | undefined) => JSON.parse(aisData(targets, ship));

describe("aisData", () => {
  test("writes members with their names, order, units and decimals", () => {
    const still = { ...own, cog: 0, sog: 0 };
    expect(aisData([{ ...noordzee, cog: 207.6 }], still)).toBe(
      '{"ownShip":{"position":{"latitude":52.1234567,"longitude":4.2345678}},"targets":[' +
        '{"mmsi":244660000,"class":"A","name":"NOORDZEE","callsign":"PABC","imo":9123456,' +
        '"position":{"latitude":52.2,"longitude":4.3},"cog":207.6,"sog":11.2,"heading":88,"rot":0.4,' +
        '"navStatus":"Under way using engine","type":70,"typeName":"Cargo ship",' +
        '"dimensions":{"length":110,"beam":11.4,"toBow":20,"toStarboard":5.7},"draft":3.2,"destination":"ROTTERDAM",' +
        '"lastSeen":"2026-11-21T08:14:20.001Z","range":5.19,"bearing":27.6,"cpa":0,"tcpa":27.8}]}',
    );
  });

  test("writes a target from its text of the last report, the same bytes", () => {
    const slow = { ...noordzee, mmsi: 244660001, sog: 3 };
    const targets = [noordzee, slow].map(writable);
    const first = dataText(targets, own, 0);
    expect(targets.every(({ text }) => text.length > 0)).toBe(true);
    expect(dataText(targets, own, 0)).toBe(first);
    expect(dataText([targets[1]!], undefined, 0)).toBe(aisData([slow], undefined));
  });

  test.each<[string, OwnShip | undefined, Partial<AisTarget>, readonly string[]]>([
    ["own position", undefined, {}, []],
    ["own course", { ...own, cog: undefined }, {}, ["range", "bearing"]],
    ["own speed", { ...own, sog: undefined }, {}, ["range", "bearing"]],
    ["its going away", { ...own, cog: 210 }, { cog: 30 }, ["range", "bearing"]],
    ["nothing", own, {}, ["range", "bearing", "cpa", "tcpa"]],
  ])("without %s", (_, ship, members, expected) => {
    const [target] = dataOf([{ ...noordzee, cog: 210, ...members }], ship).targets;
    expect(["range", "bearing", "cpa", "tcpa"].filter((name) => name in target)).toEqual(expected);
  });

  test.each<[keyof AisTarget, readonly string[]]>([
    ["position", []],
    ["cog", ["range", "bearing"]],
    ["sog", ["range", "bearing"]],
  ])("without the target's %s", (member, expected) => {
    const { [member]: _, ...rest } = { ...noordzee, cog: 210 };
    const [target] = dataOf([rest as AisTarget], own).targets;
    expect(["range", "bearing", "cpa", "tcpa"].filter((name) => name in target)).toEqual(expected);
  });

  test("a target whose position is older than three of its intervals has no closest approach", () => {
    const lostAfter = (members: Partial<AisTarget>, placedAt: number) => {
      const { target, text } = writable({ ...noordzee, cog: 210, ...members });
      return JSON.parse(dataText([{ target: { ...target, placedAt }, text }], own, 0)).targets[0];
    };
    expect(lostAfter({}, -30_000)).toHaveProperty("tcpa");
    const lost = lostAfter({}, -30_001);
    expect(lost).toHaveProperty("range");
    expect(lost).not.toHaveProperty("cpa");
    expect(lost).not.toHaveProperty("tcpa");
    expect(lostAfter({ class: "B" }, -90_000)).toHaveProperty("tcpa");
    expect(lostAfter({ sog: 0, navStatus: "At anchor" }, -540_000)).toHaveProperty("tcpa");
  });

  test("is ASCII for any name of a station", () => {
    const text = aisData([{ ...noordzee, name: 'ÅSE "1"\\' }], undefined);
    expect(text).toMatch(/^[\x20-\x7e]*$/);
    expect(JSON.parse(text).targets[0].name).toBe('ÅSE "1"\\');
  });
});
