import { beforeEach, expect, test } from "vitest";
import { Routes } from "../../../src/core/nav/routes.ts";

let routes: Routes;
beforeEach(() => {
  routes = new Routes();
});

const part = (startRps: number, ...names: string[]) => ({
  startRps,
  databaseId: 1,
  routeId: 2,
  routeName: "Home",
  waypoints: names.map((name) => ({ name })),
});

/** The names of the joined waypoints; undefined for those that have not been heard. */
const namesOf = (data: object, { sender = "9", now = 0 } = {}): unknown =>
  (routes.join(sender, data as Record<string, unknown>, now).waypoints as { name?: string }[]).map(({ name }) => name);

test("the parts of a route are joined in its order, whatever theirs is, without their own places", () => {
  expect(namesOf(part(2, "C", "D"))).toEqual(["C", "D"]);
  const joined = routes.join("9", part(0, "A", "B"), 0);
  expect(joined).toEqual({ ...part(0, "A", "B", "C", "D"), startRps: undefined });
  expect(namesOf(part(2, "X", "Y"))).toEqual(["A", "B", "X", "Y"]);
});

test("waypoints on both sides of a part that was not heard are no neighbours", () => {
  namesOf(part(0, "A", "B"));
  expect(namesOf(part(4, "E"))).toEqual(["A", "B", undefined, "E"]);
});

test("a part replaces those that have a place of its own", () => {
  namesOf(part(0, "A", "B"));
  namesOf(part(2, "C", "D"));
  namesOf(part(4, "E"));
  expect(namesOf(part(1, "b", "c"))).toEqual(["b", "c", undefined, "E"]);
});

test("another route begins anew, and so does one that was cleared", () => {
  namesOf(part(0, "A"));
  expect(namesOf({ ...part(1, "B"), routeId: 3 })).toEqual(["B"]);
  expect(namesOf({ ...part(0, "A"), databaseId: 2, routeId: 3 })).toEqual(["A"]);
  routes.clear();
  expect(namesOf({ ...part(1, "B"), databaseId: 2, routeId: 3 })).toEqual(["B"]);
});

test("each sender has its route", () => {
  namesOf(part(0, "A"));
  namesOf({ ...part(0, "Z"), routeId: 3 }, { sender: "10" });
  expect(namesOf(part(1, "B"))).toEqual(["A", "B"]);
});

test("a part that is not repeated within ten minutes goes", () => {
  namesOf(part(0, "A"));
  expect(namesOf(part(1, "B"), { now: 600_000 })).toEqual(["A", "B"]);
  expect(namesOf(part(2, "C"), { now: 600_001 })).toEqual(["B", "C"]);
});

test("a message without waypoints or without a place is a part too", () => {
  expect(namesOf({ databaseId: 1, routeId: 2 })).toEqual([]);
  expect(namesOf({ ...part(0, "A"), startRps: undefined })).toEqual(["A"]);
});

test("parts and senders without an end do not fill the memory", () => {
  expect(namesOf(part(0, ...Array(100_000).fill("A")), { sender: "long" })).toHaveLength(500);
  routes.clear();
  for (let start = 0; start < 32; start++) namesOf(part(start, "A"));
  expect(namesOf(part(32, "B"))).toEqual(["B"]);
  for (let sender = 0; sender < 7; sender++) namesOf(part(0, "Z"), { sender: `${sender}` });
  expect(namesOf(part(33, "C"))).toEqual(["B", "C"]);
  namesOf(part(0, "Z"), { sender: "8" });
  expect(namesOf(part(34, "D"))).toEqual(["D"]);
});
