import { expect, test } from "vitest";
import { merged } from "../../../src/web/display/boat/merge.ts";

test.each([
  ["nothing was changed", { a: 1, b: 2 }, { a: 1 }, { a: 1 }, { a: 1, b: 2 }],
  ["another member was changed meanwhile", { a: 1, b: 3 }, { a: 1, b: 2 }, { a: 4, b: 2 }, { a: 4, b: 3 }],
  ["the same member: the later change stays", { a: 5 }, { a: 1 }, { a: 4 }, { a: 4 }],
  ["a member is removed", { a: 1, b: 2 }, { a: 1, b: 2 }, { b: 2 }, { b: 2 }],
  ["a member of a group", { g: { x: 1, y: 9 } }, { g: { x: 1, y: 2 } }, { g: { x: 3, y: 2 } }, { g: { x: 3, y: 9 } }],
  ["a group that is new", {}, {}, { g: { x: 3 } }, { g: { x: 3 } }],
  ["a group that is gone meanwhile", {}, { g: { x: 1 } }, { g: { x: 3 } }, { g: { x: 3 } }],
  ["a list", { l: [1, 2] }, { l: [1, 2] }, { l: [3, 1] }, { l: [3, 1] }],
  ["a list that was changed meanwhile", { l: [1, 2, 5] }, { l: [1, 2] }, { l: [2, 3] }, { l: [2, 5, 3] }],
  ["rows that two have added", { l: [{ a: 1 }] }, { l: [] }, { l: [{ a: 1 }, { a: 2 }] }, { l: [{ a: 1 }, { a: 2 }] }],
  ["rows that two have added to no list", { l: [1] }, {}, { l: [2] }, { l: [1, 2] }],
  ["a group that two have made", { g: { x: 1 } }, {}, { g: { y: 2 } }, { g: { x: 1, y: 2 } }],
  ["all rows are removed, and one was added meanwhile", { l: [1, 2] }, { l: [1] }, {}, { l: [2] }],
  ["all rows are removed", { l: [1] }, { l: [1] }, {}, {}],
  ["the other has removed all rows", {}, { l: [1] }, { l: [1, 2] }, { l: [2] }],
  [
    "members of one row that two have changed",
    { l: [{ id: "a", x: 3, y: 1 }] },
    { l: [{ id: "a", x: 1, y: 1 }] },
    { l: [{ id: "a", x: 1, y: 2 }] },
    { l: [{ id: "a", x: 3, y: 2 }] },
  ],
  [
    "a row that is removed while the other changes it, and one that is changed while the other removes it",
    { l: [{ id: "a", x: 2 }, { id: "c" }] },
    { l: [{ id: "a", x: 1 }, { id: "b" }, { id: "c" }] },
    { l: [{ id: "b", x: 3 }, { id: "c" }] },
    { l: [{ id: "c" }, { id: "b", x: 3 }] },
  ],
  [
    "rows that two have added under one id",
    { l: [{ id: "a", x: 1 }] },
    {},
    { l: [{ id: "a", x: 2 }, { id: "a-2" }] },
    { l: [{ id: "a", x: 1 }, { id: "a-3", x: 2 }, { id: "a-2" }] },
  ],
  [
    "one row that has got another id",
    { l: [{ id: "a-2", x: 1 }] },
    {},
    { l: [{ id: "a", x: 1 }] },
    { l: [{ id: "a-2", x: 1 }] },
  ],
])("merged: %s", (_, now, before, after, result) => {
  expect(merged(now, before, after)).toEqual(result);
});
