/** The names that the crew gave to things, in the tree, in deltas and in their `meta`. */
import { expect, test } from "vitest";
import type { Leaf } from "../../../src/formats/signalk/model.ts";
import { treeText } from "../../../src/formats/signalk/text.ts";
import { boatOf, START } from "./boats.ts";
import { specification } from "./specification.ts";

const DEVICE = "13830568260498030592";

const setUp = () => {
  const told: Leaf[] = [];
  const boat = boatOf((leaf) => told.push(leaf));
  let now = START;
  boat.sources.hearDevices({ peers: [{ addr: 4, name: DEVICE }] });
  return {
    boat,
    told,
    name: (...names: readonly object[]): void =>
      boat.sources.hearInformation({ addr: 4, name: DEVICE, manufacturer: "Maretron", names } as never),
    say: (data: { readonly pgn: number; readonly [member: string]: unknown }): void => {
      now += 100;
      const metadata = { rxDate: new Date(now).toISOString(), expireAfterSec: 60 };
      boat.hearPgn(4, data.pgn, { data, metadata }, now);
    },
    read: (path: string) => {
      const text = treeText(boat, ["vessels", "self", ...path.split(".")]);
      return text === undefined ? undefined : JSON.parse(text);
    },
  };
};

test("a tank, a battery, an engine and a switch have their names where Signal K has a place for them", () => {
  const { boat, name, say, read } = setUp();
  name(
    { pgn: 127505, key: { instance: 2, fluidType: "Fuel" }, name: "Day tank" },
    { pgn: 127508, key: { instance: 0 }, name: "House" },
    { pgn: 127488, key: { engineInstance: 1 }, name: "Main, starboard" },
    { pgn: 127501, key: { instance: 0, switch: 2 }, name: "Anchor light" },
  );
  say({ pgn: 127505, instance: 2, fluidType: "Fuel", levelPercent: 50 });
  say({ pgn: 127505, instance: 3, fluidType: "Fuel", levelPercent: 50 });
  say({ pgn: 127508, instance: 0, voltageV: 12.5 });
  say({ pgn: 127506, instance: 0, dcType: "Battery", stateOfChargePercent: 80 });
  say({ pgn: 127488, engineInstance: 1, engineSpeedRpm: 1500 });
  say({ pgn: 127501, instance: 0, switches: [1, 2].map((number) => ({ switch: number, status: "On" })) });
  expect(read("tanks.fuel.2.name")).toBe("Day tank");
  expect(read("tanks.fuel.2.currentLevel").meta.displayName).toBe("Day tank: level");
  expect(read("tanks.fuel.3.name")).toBeUndefined();
  expect(read("tanks.fuel.3.currentLevel").meta).not.toHaveProperty("displayName");
  expect(read("electrical.batteries.0.name")).toBe("House");
  expect(read("electrical.batteries.0.capacity.stateOfCharge").meta.displayName).toBe("House: state of charge");
  expect(read("propulsion.starboard.label")).toBe("Main, starboard");
  expect(read("electrical.switches.bank.0.2.state").meta.displayName).toBe("Anchor light");
  expect(read("electrical.switches.bank.0.1.state").meta).not.toHaveProperty("displayName");
  const { switches: _, ...electrical } = read("electrical");
  const { vessels, version, self, sources } = JSON.parse(treeText(boat, [])!);
  const [[id, vessel]] = Object.entries<object>(vessels) as [[string, object]];
  const faults = specification.faultsOfTree({ version, self, sources, vessels: { [id]: { ...vessel, electrical } } });
  // Required members concern contexts that a boat alone does not have.
  expect(faults.filter((fault) => !fault.startsWith(": Missing required property"))).toEqual([]);
});

test("a name that changes is news at once, and one that is removed ends", () => {
  const { told, name, say, read } = setUp();
  const tank = { pgn: 127505, instance: 2, fluidType: "Fuel", levelPercent: 50 };
  say(tank);
  const news = (): readonly (readonly [string, unknown, unknown])[] =>
    told.splice(0).map(({ path, value, meta }) => [path, value, meta.displayName]);
  news();
  name({ pgn: 127505, key: { instance: 2, fluidType: "Fuel" }, name: "Day tank" });
  say(tank);
  expect(news()).toEqual([
    ["tanks.fuel.2.currentLevel", 0.5, "Day tank: level"],
    ["tanks.fuel.2.name", "Day tank", undefined],
  ]);
  say(tank);
  expect(news()).toEqual([]);
  name();
  say(tank);
  expect(news()).toEqual([
    ["tanks.fuel.2.currentLevel", 0.5, undefined],
    ["tanks.fuel.2.name", null, undefined],
  ]);
  expect(read("tanks.fuel.2.name")).toBeUndefined();
});

test("a name belongs to its device, whichever address that has, and to no other", () => {
  const { boat, name } = setUp();
  name({ pgn: 127508, key: { instance: 0 }, name: "House" });
  expect(boat.sources.namesAt(4)).toMatchObject([{ name: "House" }]);
  boat.sources.hearDevices({
    peers: [
      { addr: 4, name: "13830568260498030593" },
      { addr: 9, name: DEVICE },
    ],
  });
  expect(boat.sources.namesAt(4)).toBeUndefined();
  expect(boat.sources.namesAt(9)).toMatchObject([{ name: "House" }]);
});
