/** The order of sources on the page Boat, without a browser: what is off keeps its place. */
import { expect, test } from "vitest";
import { withName } from "../../../../src/web/display/boat/named-things.ts";
import { moved, sourceOrder } from "../../../../src/web/display/boat/sources.ts";
import { namesOf } from "../../../../src/web/display/data/device-names.ts";
import { store } from "../../../../src/web/display/data/store.ts";

const friendlyNames = { 11: "Masthead" };

test("preferred devices are first, heard or not, by NAME or by friendly name; the others follow", () => {
  expect(sourceOrder(["11", "12", "13"], ["13", "Old", "Masthead", "11"], friendlyNames)).toEqual([
    "13",
    "Old",
    "11",
    "12",
  ]);
  expect(sourceOrder(["11", "12"], [], friendlyNames)).toEqual(["11", "12"]);
});

test("a device keeps its place by each NAME that settings may have for it, and by the friendly name of each", () => {
  store.infos.set(4, { data: { name: "12", otherNames: ["21", "22"] } } as never);
  expect(sourceOrder(["11", "12"], ["22"], {})).toEqual(["12", "11"]);
  expect(sourceOrder(["11", "12"], ["Spare", "21"], { 21: "Spare" })).toEqual(["12", "11"]);
  const thing = { pgn: 127_505, key: { instance: 1, fluidType: "Fuel" } } as const;
  const entry = withName({ things: [{ device: "21", ...thing, name: "Old" }] }, namesOf("12"), thing, "New");
  expect(entry.things).toEqual([{ device: "12", ...thing, name: "New" }]);
  expect(withName(entry, namesOf("22"), thing, "").things).toEqual([]);
});

test("a device that is preferred is first, and one that is dragged is before another; the rest stay", () => {
  const order = ["Old", "11", "12", "13"];
  expect(moved(order, "13")).toEqual(["13", "Old", "11", "12"]);
  expect(moved(order, "13", "11")).toEqual(["Old", "13", "11", "12"]);
  expect(moved(order, "Old", "13")).toEqual(["11", "12", "Old", "13"]);
  expect(moved(order, "13", "gone meanwhile")).toEqual(["13", "Old", "11", "12"]);
});
