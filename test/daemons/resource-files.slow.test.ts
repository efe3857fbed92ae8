/** What hub-link holds for apps, on the disk. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Files, nodeFiles } from "../../src/adapters/node/files/durable-files.ts";
import { type HeldFiles, heldFiles } from "../../src/daemons/resource-files.ts";
import type { StoredResource } from "../../src/services/link/signalk-v2/resources.ts";
import { kinds } from "../../src/services/link/signalk-v2/shapes.ts";
import { waypoint } from "../services/link/signalk-v2/held.ts";
import { memoryLog } from "../support/memory/log.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

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
  const state = temporaryFolder();
  const first = await opened(state);
  expect(first).toMatchObject({ course: undefined, stored: [] });
  await first.saveCourse(course);
  const resource = { ...waypoint(4, 52, "Buoy"), timestamp: "x", $source: "hub" };
  await first.files.save([{ kind: "waypoints", id: ID, resource: resource }]);
  await first.files.save([{ kind: "notes", id: ID, resource: note }]);
  await first.files.save([{ kind: "routes", id: ID, resource: resource }]);
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

test("the folder is made, with those above it", async () => {
  const state = join(temporaryFolder(), "a/b");
  await (await opened(state)).saveCourse(course);
  expect((await opened(state)).course).toEqual(course);
});

test("damaged files are set aside with a message, the others are served, and strange ones stay", async () => {
  const state = temporaryFolder();
  const first = await opened(state);
  await first.files.save([{ kind: "waypoints", id: ID, resource: waypoint(4, 52) }]);
  const folder = join(state, "resources", "waypoints");
  const half = ID.replace("ac3a3b2d", "00000000");
  writeFileSync(join(folder, `${half}.json`), '{"type":"Feat');
  const other = join(state, "resources", "notes", `${ID}.json`);
  writeFileSync(other, JSON.stringify({ type: "Feature", resource: { ...note, title: 7 } }));
  writeFileSync(join(folder, "notes.txt"), "mine");
  writeFileSync(join(state, "course.json"), JSON.stringify({ ...course, arrivalCircle: "far" }));
  const { stored, course: read, log } = await opened(state);
  expect(read).toBeUndefined();
  expect(stored.map(({ id }) => id)).toEqual([ID]);
  expect(log.lines.map(({ fields }) => fields.code)).toEqual(Array(3).fill("FILE_SET_ASIDE"));
  expect(log.lines.find(({ fields }) => fields.path === other)?.fields.reason).toMatch(/^title: [^{]+$/);
  const aside = "damaged-2026-11-24T120000.000Z";
  expect(readdirSync(folder).toSorted()).toEqual([`${half}.json.${aside}`, `${ID}.json`, "notes.txt"].toSorted());
  expect(readFileSync(join(folder, `${half}.json.${aside}`), "utf8")).toBe('{"type":"Feat');
  expect(readFileSync(join(state, `course.json.${aside}`), "utf8")).toContain("far");
  // They are said once.
  expect((await opened(state)).log.lines).toEqual([]);
});

test("the folder has one of each kind", async () => {
  const state = temporaryFolder();
  await opened(state);
  expect(readdirSync(join(state, "resources")).toSorted()).toEqual([...kinds].toSorted());
});

const idOf = (at: number): string => ID.replace("ac3a3b2d", String(at).padStart(8, "0"));
const many = Array.from({ length: 20 }, (_, at) => ({
  kind: "waypoints" as const,
  id: idOf(at),
  resource: { ...waypoint(at, at), timestamp: "x", $source: "hub" },
}));

/** Files of which the call of that number fails, or each from it on; EIO comes after the work is done. */
function failing(nth: number, lasts: boolean): Files & { readonly calls: () => number } {
  let calls = 0;
  const counted = <Call extends (...all: never[]) => unknown>(call: Call) =>
    ((...all: never[]) => {
      calls += 1;
      const result = call(...all);
      if (calls !== nth && !(lasts && calls > nth)) return result;
      const error = Object.assign(new Error("EIO"), { code: "EIO" });
      if (!(result instanceof Promise)) throw error;
      return result.then(() => Promise.reject(error));
    }) as Call;
  const { close, ...others } = nodeFiles;
  const calling = Object.fromEntries(Object.entries(others).map(([name, call]) => [name, counted(call as never)]));
  return { ...(calling as unknown as Files), close, calls: () => calls };
}

const changes = {
  "an import": (files: HeldFiles) => files.files.save(many),
  "a new resource": (files: HeldFiles) => files.files.save([{ kind: "notes", id: ID, resource: note }]),
  "a changed resource": (files: HeldFiles) =>
    files.files.save([{ kind: "notes", id: idOf(99), resource: { ...note, title: "Rock" } }]),
  "a removal": (files: HeldFiles) => files.files.remove("notes", idOf(99)),
  "a course": (files: HeldFiles) => files.saveCourse({ ...course, arrivalCircle: 99 }),
};

describe.each(Object.entries(changes))("%s", (name, change) => {
  test.each([false, true])("that an I/O error refuses is not there after a restart (lasting: %s)", async (lasts) => {
    const calls = name === "an import" ? 60 : 12;
    for (let nth = 1; nth <= calls; nth++) {
      const state = temporaryFolder();
      const first = await opened(state);
      await first.files.save([{ kind: "notes", id: idOf(99), resource: note }]);
      await first.saveCourse(course);
      const shown = ({ course, stored }: HeldFiles) => JSON.stringify([course, stored.toSorted(byId)]);
      const before = shown(await opened(state));
      const files = failing(nth, lasts);
      const broken = await heldFiles(state, memoryLog(), () => 0, files).catch(() => undefined);
      if (broken === undefined || shown(broken) !== before) continue;
      const isStored = await change(broken).then(
        () => true,
        () => false,
      );
      const after = shown(await opened(state));
      // A disk that fails for good lets nothing be undone: the change is whole or not there.
      const whole = isStored || (lasts && after !== before);
      if (name === "an import") expect(JSON.parse(after)[1], `call ${nth}`).toHaveLength(whole ? 21 : 1);
      else if (!whole) expect(after, `call ${nth}`).toBe(before);
      if (whole) expect(after, `call ${nth}`).not.toBe(before);
    }
  });
});

const byId = (one: StoredResource, other: StoredResource) => one.id.localeCompare(other.id);

test("an import of hundreds waits for a few syncs, and its resources get files of their own", async () => {
  const state = temporaryFolder();
  let syncs = 0;
  const files = {
    ...nodeFiles,
    sync: (descriptor: number) => {
      syncs += 1;
      return nodeFiles.sync(descriptor);
    },
  };
  const { files: resources } = await heldFiles(state, memoryLog(), () => 0, files);
  syncs = 0;
  const all = Array.from({ length: 400 }, (_, at) => ({ ...many[0]!, id: idOf(at) }));
  await resources.save(all);
  expect(syncs).toBeLessThan(4);
  // A change of one of them comes after its file.
  await resources.remove("waypoints", idOf(399));
  expect(readdirSync(join(state, "resources", "waypoints"))).toHaveLength(399);
  expect(readdirSync(join(state, "resources"))).not.toContain("import.json");
  expect((await opened(state)).stored).toHaveLength(399);
});
