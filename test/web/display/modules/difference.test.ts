import { expect, test } from "vitest";
import { differences } from "../../../../src/web/display/boat/difference.ts";

const nameOf = (name: string): string => (name === "13830568260498030592" ? "Masthead" : name);
const limit = (id: string, below: number) => ({ id, below, text: "Oil" });
const tank = (name: string) => ({
  device: "13830568260498030592",
  pgn: 127505,
  key: { instance: 2, fluidType: "Fuel" },
  name,
});
const entry = (name: string, members: object) => ({ settings: [{ name, ...members }] });
const navigation = (members: object) => entry("navigation", members);

test.each([
  ["the same", { settings: [] }, { settings: [] }, []],
  ["an empty section is no difference", { settings: [] }, { name: "Boat", settings: [], device: [], synapse: {} }, []],
  ["uid and origin of a copy are no difference", { uid: "a" }, { uid: "b", duplicateFrom: "a" }, []],
  ["a value", navigation({ windDamping: 2 }), navigation({ windDamping: 3 }), ["Navigation, wind damping: 2 → 3"]],
  ["a new entry", { settings: [] }, navigation({ windDamping: 3 }), ["Navigation, wind damping: 3, new"]],
  [
    "a polar by its size",
    {},
    entry("polar", { curves: [{ windSpeed: 6, angles: [45, 90], speeds: [5, 6] }] }),
    ["Polar: of 1 wind speed, new"],
  ],
  [
    "a row of maintenance by its work",
    {},
    entry("maintenance", { rows: [{ engine: 1, what: "Oil", everyHours: 200, doneAtHours: 40 }] }),
    ["Maintenance: Oil, Engine, starboard: every 200 h · done at 40 h, new"],
  ],
  ["an entry that is gone", navigation({ ownMmsi: 7 }), {}, ["MMSI of this boat: removed, was 7"]],
  [
    "a device by its name",
    navigation({}),
    navigation({ friendlyNames: { "13830568260498030592": "Bow" } }),
    ["Name of Masthead: Bow, new"],
  ],
  [
    "the order of sources",
    navigation({ priority: { wind: ["Bow", "13830568260498030592"] } }),
    navigation({ priority: { wind: ["13830568260498030592", "Bow"] } }),
    ["Sources of wind: Bow, Masthead → Masthead, Bow"],
  ],
  [
    "an entry of another section",
    { sensor: [] },
    { sensor: [{ name: "bilge", pin: 3 }] },
    ["Sensor, bilge, pin: 3, new"],
  ],
  [
    "a password, not its hash, which opens the project",
    { password: { hash: "5e88" } },
    { password: { hash: "9f86" } },
    ["Password, hash: (not shown) → (not shown)"],
  ],
  [
    "a limit of an alarm",
    entry("alarms", { depth: { limit: 2 } }),
    entry("alarms", { depth: { limit: 3, enabled: false }, newer: 7 }),
    ['Alarm "Depth", limit: 2 → 3', 'Alarm "Depth", enabled: no, new', 'Alarm "newer": 7, new'],
  ],
  [
    "names of things",
    entry("names", { things: [tank("Old"), { ...tank("Gone"), key: { instance: 3, fluidType: "Fuel" } }] }),
    entry("names", {
      things: [{ ...tank("Anchor light"), pgn: 127501, key: { instance: 0, switch: 3 } }, tank("Day tank")],
    }),
    [
      "Name of Fuel 2, Masthead: Old → Day tank",
      "Name of Fuel 3, Masthead: removed, was Gone",
      "Name of Switch 3 of bank 0, Masthead: Anchor light, new",
    ],
  ],
  ["a list of things that is none", entry("names", { things: [7] }), {}, ["Name of things: removed, was [7]"]],
  [
    "networks one by one",
    entry("networks", { also: ["can1", "gpsd://localhost"] }),
    entry("networks", { also: ["gpsd://localhost", "mqtt:"] }),
    ["Networks: removed, was can1", "Networks: mqtt:, new"],
  ],
  [
    "limits of the crew's own one by one, in words",
    entry("alarms", { limits: { rows: [limit("a", 1), limit("b", 2)] } }),
    entry("alarms", { limits: { rows: [limit("a", 3), limit("c", 10)] } }),
    [
      "Limits of your own: Oil below 1 → Oil below 3",
      "Limits of your own: removed, was Oil below 2",
      "Limits of your own: Oil below 10, new",
    ],
  ],
  [
    "a row of sensors in the words of its form",
    entry("sensors", { rows: [] }),
    entry("sensors", {
      rows: [
        { name: "Ruuvi", quantity: "humidity", topic: "home/OMG", pointer: "/hum" },
        { name: "Ruuvi", quantity: "fluidLevel", topic: "a", instance: 2, periodSec: 600, full: 40 },
      ],
    }),
    [
      "Sensors: Ruuvi, Humidity: home/OMG/hum, new",
      "Sensors: Ruuvi, Tank level: a · no. 2 · counts for 600\u202fs · value when the tank is full 40, new",
    ],
  ],
  ["the name of the project", { name: "A" }, { name: "B" }, ["Name: A → B"]],
])("differences tells %s", (_, before, after, sentences) => {
  expect(differences(before, after, nameOf, undefined, ({ text, below }) => `${text} below ${below}`)).toEqual(
    sentences,
  );
});
