import { expect, test } from "vitest";
import { differences } from "../../src/display/boat/difference.ts";

const nameOf = (name: string): string => (name === "13830568260498030592" ? "Masthead" : name);
const navigation = (members: object) => ({ settings: [{ name: "navigation", ...members }] });

test.each([
  ["the same", { settings: [] }, { settings: [] }, []],
  ["uid and origin of a copy are no difference", { uid: "a" }, { uid: "b", duplicateFrom: "a" }, []],
  [
    "a value",
    navigation({ windDamping: 2 }),
    navigation({ windDamping: 3 }),
    ["settings navigation windDamping: 2 → 3"],
  ],
  ["a new entry", { settings: [] }, navigation({ windDamping: 3 }), ["settings navigation windDamping: 3, new"]],
  ["an entry that is gone", navigation({ ownMmsi: 7 }), {}, ["settings navigation ownMmsi: removed, was 7"]],
  [
    "a device by its name",
    navigation({}),
    navigation({ friendlyNames: { "13830568260498030592": "Bow" } }),
    ["settings navigation friendlyNames Masthead: Bow, new"],
  ],
  [
    "the order of sources",
    navigation({ priority: { wind: ["Bow", "13830568260498030592"] } }),
    navigation({ priority: { wind: ["13830568260498030592", "Bow"] } }),
    ["settings navigation priority wind: Bow, Masthead → Masthead, Bow"],
  ],
  [
    "an entry of another section",
    { sensor: [] },
    { sensor: [{ name: "bilge", pin: 3 }] },
    ["sensor bilge pin: 3, new"],
  ],
  [
    "a password, not its hash, which opens the project",
    { password: { hash: "5e88" } },
    { password: { hash: "9f86" } },
    ["password hash: (not shown) → (not shown)"],
  ],
  ["the name of the project", { name: "A" }, { name: "B" }, ["name: A → B"]],
])("differences tells %s", (_, before, after, sentences) => {
  expect(differences(before, after, nameOf)).toEqual(sentences);
});
