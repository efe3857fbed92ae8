/** What hub-link holds for apps, on the disk. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { memoryLog } from "../../src/adapters/memory/log.ts";
import { heldFiles } from "../../src/daemons/resource-files.ts";
import { kinds } from "../../src/services/link/signalk-v2/shapes.ts";
import { waypoint } from "../services/link/signalk-v2/held.ts";
import { folderOf } from "./started.ts";

const ID = "ac3a3b2d-07e8-4f25-92bc-98e7c92f7f1a";
const course = {
  startTime: "2026-11-24T12:00:00.000Z",
  targetArrivalTime: null,
  arrivalCircle: 10,
  activeRoute: null,
  nextPoint: { type: "Location", position: { latitude: 52, longitude: 5 } },
  previousPoint: null,
};
const note = { title: "Shoal", position: { latitude: 52, longitude: 4 }, timestamp: "x", $source: "hub" };

async function opened(state: string) {
  const log = memoryLog();
  return { ...(await heldFiles(state, log, () => Date.parse("2026-11-24T12:00:00Z"))), log };
}

test("everything is read back, and a resource is GeoJSON on the disk", async () => {
  const state = folderOf();
  const first = await opened(state);
  expect(first).toMatchObject({ course: undefined, stored: [] });
  await first.saveCourse(course);
  const resource = { ...waypoint(4, 52, "Buoy"), timestamp: "x", $source: "hub" };
  await first.files.save("waypoints", ID, resource);
  await first.files.save("notes", ID, note);
  await first.files.save("routes", ID, resource);
  await first.files.remove("routes", ID);
  const next = await opened(state);
  expect(next.course).toEqual(course);
  expect(next.stored).toEqual([
    { kind: "waypoints", id: ID, resource },
    { kind: "notes", id: ID, resource: note },
  ]);
  const geojson = (kind: string) => JSON.parse(readFileSync(join(state, "resources", kind, `${ID}.json`), "utf8"));
  expect(geojson("waypoints")).toMatchObject({ type: "Feature", geometry: { coordinates: [4, 52] } });
  expect(geojson("notes")).toMatchObject({ type: "Feature", geometry: { type: "Point", coordinates: [4, 52] } });
});

test("damaged files are set aside with a message, the others are served, and strange ones stay", async () => {
  const state = folderOf();
  const first = await opened(state);
  await first.files.save("waypoints", ID, waypoint(4, 52));
  const folder = join(state, "resources", "waypoints");
  const half = ID.replace("ac3a3b2d", "00000000");
  writeFileSync(join(folder, `${half}.json`), '{"type":"Feat');
  writeFileSync(join(folder, "notes.txt"), "mine");
  writeFileSync(join(state, "course.json"), JSON.stringify({ ...course, arrivalCircle: "far" }));
  const { stored, course: read, log } = await opened(state);
  expect(read).toBeUndefined();
  expect(stored.map(({ id }) => id)).toEqual([ID]);
  expect(log.lines.map(({ fields }) => fields.code)).toEqual(["FILE_SET_ASIDE", "FILE_SET_ASIDE"]);
  const aside = "damaged-2026-11-24T120000.000Z";
  expect(readdirSync(folder).toSorted()).toEqual([`${half}.json.${aside}`, `${ID}.json`, "notes.txt"].toSorted());
  expect(readFileSync(join(folder, `${half}.json.${aside}`), "utf8")).toBe('{"type":"Feat');
  expect(readFileSync(join(state, `course.json.${aside}`), "utf8")).toContain("far");
  // They are said once.
  expect((await opened(state)).log.lines).toEqual([]);
});

test("the folder has one of each kind", async () => {
  const state = folderOf();
  await opened(state);
  expect(readdirSync(join(state, "resources")).toSorted()).toEqual([...kinds].toSorted());
});
