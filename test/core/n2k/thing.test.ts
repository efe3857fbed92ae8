import { expect, test } from "vitest";
import { definitions } from "../../../src/core/n2k/pgns/index.ts";
import { nameOfThing, thingId, thingKeyNames, thingOf } from "../../../src/core/n2k/thing.ts";

test("messages about the same engine, battery or sensor are about one thing", () => {
  for (const pgn of [127488, 127489, 127493, 127497, 127498])
    expect(thingOf(pgn, { pgn, engineInstance: 1, oilTempC: 80 })).toEqual({ pgn: 127488, key: { engineInstance: 1 } });
  for (const data of [
    { pgn: 127508, instance: 2, voltageV: 12.6 },
    { pgn: 127506, instance: 2, dcType: "Battery" },
    { pgn: 127513, instance: 2 },
  ])
    expect(thingOf(data.pgn, data)).toEqual({ pgn: 127508, key: { instance: 2 } });
  const sensor = { instance: 0, source: "Refrigeration Temperature" };
  expect(thingOf(130316, { pgn: 130316, ...sensor })).toEqual({ pgn: 130312, key: sensor });
});

test("an alternator in the message about batteries is no battery", () => {
  expect(thingOf(127506, { instance: 2, dcType: "Alternator" })).toEqual({
    pgn: 127506,
    key: { instance: 2, dcType: "Alternator" },
  });
});

test("a switch is a thing of its own beside its bank", () => {
  expect(thingOf(127501, { instance: 0, switches: [] })).toEqual({ pgn: 127501, key: { instance: 0 } });
  expect(thingOf(127501, { instance: 0, switch: 3 })).toEqual({ pgn: 127501, key: { instance: 0, switch: 3 } });
  expect(thingKeyNames(127501)).toEqual(["instance", "switch"]);
});

test("a name is found by the message, whatever the order of the members of its key", () => {
  const names = [
    { pgn: 127505, key: { fluidType: "Fuel", instance: 2 }, name: "Day tank" },
    { pgn: 127505, key: { fluidType: "Water", instance: 2 }, name: "Bow" },
    { pgn: 127501, key: { instance: 0, switch: 3 }, name: "Nav lights" },
  ];
  expect(nameOfThing(names, 127505, { pgn: 127505, instance: 2, fluidType: "Fuel", levelPercent: 5 })).toBe("Day tank");
  expect(nameOfThing(names, 127505, { instance: 2, fluidType: "Water" })).toBe("Bow");
  expect(nameOfThing(names, 127505, { instance: 3, fluidType: "Fuel" })).toBeUndefined();
  expect(nameOfThing(names, 127501, { instance: 0, switch: 3 })).toBe("Nav lights");
  expect(nameOfThing(names, 127501, { instance: 0 })).toBeUndefined();
  expect(nameOfThing(undefined, 127501, { instance: 0 })).toBeUndefined();
  expect(thingOf(65_300, { instance: 0 })).toBeUndefined();
});

test("each definition tells its things apart by what the crew sees", () => {
  for (const { pgn } of definitions) {
    const key = Object.fromEntries(thingKeyNames(pgn)!.map((name) => [name, 1]));
    expect(thingId(thingOf(pgn, key)!)).toMatch(/^\d+(\/1)*$/);
  }
});
