/** The table of paths against the schemas of the specification. */
import { expect, test } from "vitest";
import { pathReference } from "../../../src/formats/signalk/describe.ts";
import { navigationPaths } from "../../../src/formats/signalk/navigation-paths.ts";
import { anchorPaths } from "../../../src/formats/signalk/notification-paths.ts";
import { pgnPaths, segmentOf, thingNamePaths } from "../../../src/formats/signalk/pgn-paths.ts";
import type { Row } from "../../../src/formats/signalk/row.ts";
import { stations } from "../../../src/formats/signalk/target-paths.ts";
import { withoutForm } from "../../support/without-form.ts";
import { specification } from "./specification.ts";

type AnyRow = Pick<Row, "path" | "meta" | "beyondSchema">;

const fluids = ["Fuel", "Water", "Gray water", "Live well", "Oil", "Black water"];

/** The paths that a row makes. */
function pathsOf({ path }: AnyRow): readonly string[] {
  const filled = path.replaceAll(/\{(?!fluidType)(\w+)\}/g, (_match, name: string) => segmentOf(name, 0)!);
  return filled.includes("{fluidType}")
    ? fluids.map((fluid) => filled.replace("{fluidType}", segmentOf("fluidType", fluid)!))
    : [filled];
}

const rows: readonly (readonly [string, AnyRow])[] = [
  ...pgnPaths.flatMap(({ rows }) => rows.map((row) => ["vessels", row] as const)),
  ...thingNamePaths.map(({ row }) => ["vessels", row] as const),
  ...Object.values(navigationPaths).flatMap((group) => group.map((row: AnyRow) => ["vessels", row] as const)),
  ...anchorPaths.map((row) => ["vessels", row] as const),
  ...Object.values(stations).flatMap((station) =>
    (station?.rows ?? []).map((row) => [station!.root === "atons" ? "aton" : station!.root, row] as const),
  ),
];

const cases = rows.flatMap(([root, row]) => pathsOf(row).map((path) => ({ name: `${root} ${path}`, root, path, row })));

test("the table has the quantities of a boat", () => {
  expect(cases.length).toBeGreaterThan(120);
});

test.each(cases)("$name is in the specification, with its unit", ({ root, path, row }) => {
  const found = specification.pathOf(root, path);
  const advice =
    found === undefined
      ? "not in the specification: mark it with beyondSchema"
      : "in the specification: drop beyondSchema";
  expect(row.beyondSchema === true, `${path} is ${advice}`).toBe(found === undefined);
  if (found !== undefined && !row.meta.description.endsWith("metres") && !path.endsWith("geoidalSeparation"))
    expect(row.meta.units).toBe(found.units);
});

test.each([
  ["navigation.attitude", "Roll, pitch and yaw, radians"],
  ["environment.current", "Set from true north, radians, and drift, metres a second"],
  ["navigation.courseGreatCircle.nextPoint.position", "Position of the waypoint"],
])("the description of %s is that of all its members", (path, description) => {
  expect(cases.find((one) => one.path === path)?.row.meta.description).toBe(description);
});

test("a path has one row for each kind of message", () => {
  const members = pgnPaths.flatMap(({ definition, when, rows }) =>
    rows.map(({ path }) => `${definition.pgn} ${path} ${JSON.stringify(when)}`),
  );
  expect(new Set(members).size).toBe(members.length);
});

test("every field that a row names is published by its PGN", () => {
  for (const { definition, rows, each } of pgnPaths) {
    const groups = Object.values(definition.fields).flatMap((field) =>
      field.kind === "pick" ? Object.keys(field.group) : [],
    );
    for (const { member } of rows)
      expect([...Object.keys(definition.fields), ...groups, `${each}[].status`], definition.title).toContain(member);
  }
});

test("the reference", async () => {
  await expect(withoutForm(pathReference())).toMatchFileSnapshot("../../snapshots/signalk-paths.txt");
});
