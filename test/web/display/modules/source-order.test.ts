/** The order of sources on the page Boat, without a browser: what is off keeps its place. */
import { expect, test } from "vitest";
import { moved, sourceOrder } from "../../../../src/web/display/boat/sources.ts";

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

test("a device that is preferred is first, and one that is dragged is before another; the rest stay", () => {
  const order = ["Old", "11", "12", "13"];
  expect(moved(order, "13")).toEqual(["13", "Old", "11", "12"]);
  expect(moved(order, "13", "11")).toEqual(["Old", "13", "11", "12"]);
  expect(moved(order, "Old", "13")).toEqual(["11", "12", "Old", "13"]);
  expect(moved(order, "13", "gone meanwhile")).toEqual(["13", "Old", "11", "12"]);
});
