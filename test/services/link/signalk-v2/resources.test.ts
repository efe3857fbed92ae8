/** The resources of Signal K version 2, by the schemas of signalk-server. */
import { describe, expect, test } from "vitest";
import { MAX_RESOURCES, Resources, type StoredResource } from "../../../../src/services/link/signalk-v2/resources.ts";
import { faultOfSchema, withoutServer } from "../../../formats/signalk/server-openapi.ts";
import { RESOURCES, route, setUp, track, waypoint } from "./held.ts";

const ID = "ac3a3b2d-07e8-4f25-92bc-98e7c92f7f1a";
const note = { title: "Shoal", description: "Less water\nthan charted", position: { latitude: 52, longitude: 4 } };
const home = track([
  [
    [4, 52],
    [4.1, 52.1],
  ],
]);
const examples = {
  waypoints: ["WaypointSchema", waypoint(4, 52, "Buoy")],
  routes: ["RouteSchema", route("To the island", [4, 52], [4.1, 52.1])],
  notes: ["NoteSchema", note],
  tracks: [undefined, home],
} as const;

describe.each(Object.entries(examples))("%s", (kind, [schema, example]) => {
  test.skipIf(withoutServer !== undefined)(
    "are stored, listed, replaced and removed as by signalk-server",
    async () => {
      const boat = setUp();
      const made = await boat.ask("POST", `${RESOURCES}/${kind}`, example);
      expect(made.status).toBe(201);
      expect(faultOfSchema("ResourceActionCreatedResponseSchema", made.body)).toBeUndefined();
      const { id } = made.body;
      expect(boat.disk.resources.get(`${kind}/${id}`)!.resource).toMatchObject(example);

      const one = await boat.ask("GET", `${RESOURCES}/${kind}/${id}`, undefined, { token: "" });
      expect(one.body).toEqual({ ...example, timestamp: "2026-11-24T12:00:00.000Z", $source: "hub" });
      expect(faultOfSchema("BaseResponseModelSchema", one.body)).toBeUndefined();
      if (schema !== undefined) expect(faultOfSchema(schema, one.body)).toBeUndefined();

      const put = await boat.ask("PUT", `${RESOURCES}/${kind}/${ID.toUpperCase()}`, example);
      expect(faultOfSchema("ResourceActionOkResponseSchema", put.body)).toBeUndefined();
      expect((await boat.ask("GET", `${RESOURCES}/${kind}`)).body).toEqual({ [id]: one.body, [ID]: one.body });

      const gone = await boat.ask("DELETE", `${RESOURCES}/${kind}/${id}`);
      expect(faultOfSchema("ResourceActionOkResponseSchema", gone.body)).toBeUndefined();
      for (const method of ["GET", "DELETE"])
        expect((await boat.ask(method, `${RESOURCES}/${kind}/${id}`)).status).toBe(404);
      expect([...boat.disk.resources.keys()]).toEqual([`${kind}/${ID}`]);
    },
  );
});

test("the kinds and the provider are listed, and the API among the features", async () => {
  const boat = setUp();
  expect(Object.keys((await boat.ask("GET", RESOURCES)).body)).toEqual(["waypoints", "routes", "notes", "tracks"]);
  expect((await boat.ask("GET", `${RESOURCES}/routes/_providers`)).body).toEqual(["hub"]);
  expect((await boat.ask("GET", "v2/features")).body.apis).toContain("resources");
  expect((await boat.ask("GET", `${RESOURCES}/charts`)).status).toBe(404);
});

test("a disk that becomes full within a file leaves all resources as they were, and tells no change", async () => {
  const stored = (name: string, id: string): StoredResource => ({
    kind: "notes",
    id,
    resource: { ...note, title: name },
  });
  const [first, second, third] = [ID, ID.replace("a", "b"), ID.replace("a", "c")] as const;
  let isFull = true;
  const resources = new Resources({
    stored: [stored("before", first)],
    files: {
      save: async () => {
        if (isFull) throw new Error("ENOSPC");
      },
      remove: async () => {},
    },
    wall: () => 0,
  });
  const told: string[] = [];
  resources.listen((_kind, id) => told.push(id));
  const all = [first, second, third].map((id) => stored("after", id));
  await expect(resources.putAll(all)).rejects.toThrow();
  expect(resources.of("notes").map(([id, resource]) => [id, (resource as typeof note).title])).toEqual([
    [first, "before"],
  ]);
  expect(told).toEqual([]);
  isFull = false;
  await resources.putAll(all);
  expect(told).toEqual([first, second, third]);
});

describe("a request for some", () => {
  const places = { A: [4, 52], B: [5, 52], C: [179.9, 10], D: [-179.9, 10], E: [26.4, 80.5] } as const;
  async function named(query: string, { at = undefined as readonly [number, number] | undefined } = {}) {
    const boat = setUp();
    if (at !== undefined) boat.sail(...at);
    for (const [name, [x, y]] of Object.entries(places))
      await boat.ask("POST", `${RESOURCES}/waypoints`, waypoint(x, y, name));
    await boat.ask("POST", `${RESOURCES}/routes`, route("across", [3, 51], [6, 53]));
    await boat.ask("POST", `${RESOURCES}/routes`, route("over 180°", [179.5, 0], [-179.5, 1]));
    const kind = query.startsWith("routes") ? "" : "waypoints?";
    const { status, body } = await boat.ask("GET", `${RESOURCES}/${kind}${query}`);
    return status === 200 ? Object.values<{ name: string }>(body).map(({ name }) => name) : status;
  }

  test.each([
    ["bbox=[3.5,51.5,4.5,52.5]", ["A"]],
    ["bbox=3.5,52.5,4.5,51.5", ["A"]],
    ["bbox=179,9,-179,11", ["C", "D"]],
    ["bbox=-180,-90,180,90&limit=2", ["A", "B"]],
    ["position=4.01,52&distance=1000", ["A"]],
    ["position=[180,10]&distance=20000", ["C", "D"]],
    ["position=0,89.9&distance=2000000", ["E"]],
    // The circle is widest north of its middle.
    ["position=0,80&distance=500000", ["E"]],
    ["position=0,80&distance=480000", []],
    ["position=4,52&distance=99", 400],
    ["distance=1000", 400],
    ["bbox=1,2,3", 400],
    ["bbox=1,2,3,x", 400],
    ["bbox=1,2,3,400", 400],
    ["limit=0", 400],
    // No point of the route is in the area.
    ["routes?bbox=4,51.5,5,52.5", ["across"]],
    ["routes?bbox=4,53.5,5,54", []],
    ["routes?bbox=179.9,0,-179.9,1", ["over 180°"]],
    ["routes?position=180,0.5&distance=1000", ["over 180°"]],
    ["routes?bbox=-180,0,-179.9,1", ["over 180°"]],
    ["routes?bbox=-1,0,1,1", []],
    ["routes?bbox=-180,-90,180,90", ["across", "over 180°"]],
  ])("%s: %j", async (query, expected) => expect(await named(query)).toEqual(expected));

  test("is around the boat, without a position of its own", async () =>
    expect(await named("distance=1000", { at: [52, 5] })).toEqual(["B"]));
});

test("notes are found by the resource that they are about", async () => {
  const boat = setUp();
  const href = `/resources/waypoints/${ID}`;
  await boat.ask("POST", `${RESOURCES}/notes`, { title: "of the buoy", href });
  await boat.ask("POST", `${RESOURCES}/notes`, note);
  const { body } = await boat.ask("GET", `${RESOURCES}/notes?href=${encodeURIComponent(href)}`);
  expect(Object.values(body)).toMatchObject([{ title: "of the buoy" }]);
});

describe("is refused, with nothing stored:", () => {
  const good = waypoint(4, 52);
  test.each([
    ["no token", "POST", "waypoints", good, { token: "" }, 401],
    ["a token that is none", "POST", "waypoints", good, { token: "guessed" }, 401],
    ["a page of the Internet", "POST", "waypoints", good, { headers: { origin: "https://evil.example" } }, 403],
    ["a place that is none", "POST", "waypoints", waypoint(181, 52), {}, 400],
    ["a route of one point", "POST", "routes", route("short", [4, 52]), {}, 400],
    ["a point in place of a route", "POST", "routes", good, {}, 400],
    ["a long name", "POST", "waypoints", waypoint(4, 52, "x".repeat(101)), {}, 400],
    ["a name with a control character", "POST", "waypoints", waypoint(4, 52, "a\u0007b"), {}, 400],
    ["a link that is a script", "POST", "notes", { ...note, url: "javascript:alert(1)" }, {}, 400],
    ["no JSON", "POST", "waypoints", "{", {}, 400],
    ["nothing", "POST", "waypoints", undefined, {}, 400],
    ["deep JSON", "POST", "waypoints", `{"a":${"[".repeat(5000)}${"]".repeat(5000)}}`, {}, 400],
    ["a long body", "POST", "notes", { ...note, x: "x".repeat(1 << 20) }, {}, 400],
    ["an id that is a path", "PUT", "waypoints/..%2F..%2Ftokens", good, {}, 400],
    ["an id of dots", "PUT", "waypoints/%2e%2e", good, {}, 404],
    ["an id that is no UUID", "PUT", "waypoints/constructor", good, {}, 400],
    ["a UUID of version 1", "PUT", "waypoints/ac3a3b2d-07e8-1f25-92bc-98e7c92f7f1a", good, {}, 400],
    ["a kind that is none", "POST", "regions", good, {}, 404],
  ])("%s", async (_what, method, path, body, how, status) => {
    const boat = setUp();
    expect((await boat.ask(method, `${RESOURCES}/${path}`, body, how)).status).toBe(status);
    expect(boat.disk.resources.size).toBe(0);
  });

  test("more than there is room for", async () => {
    const resource = { ...waypoint(4, 52), timestamp: "2026-11-24T12:00:00.000Z", $source: "hub" };
    const stored = Array.from({ length: MAX_RESOURCES }, (_, at) => ({
      kind: "waypoints" as const,
      id: `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`,
      resource,
    }));
    const boat = setUp({ stored });
    expect((await boat.ask("POST", `${RESOURCES}/waypoints`, waypoint(1, 1))).status).toBe(400);
    const { id } = stored[0]!;
    // In the words of signalk-server.
    expect(await boat.ask("PUT", `${RESOURCES}/waypoints/${id}`, waypoint(1, 1))).toEqual({
      status: 200,
      body: { state: "COMPLETED", statusCode: 200, message: id, id },
    });
    expect((await boat.ask("POST", `${RESOURCES}/routes`, route("other", [1, 1], [2, 2]))).status).toBe(201);
    await boat.ask("DELETE", `${RESOURCES}/waypoints/${stored[0]!.id}`);
    expect((await boat.ask("POST", `${RESOURCES}/waypoints`, waypoint(1, 1))).status).toBe(201);
  });

  test("more text than there is room for in all", async () => {
    const boat = setUp();
    const long = { ...note, more: "x".repeat(1_000_000) };
    const statuses = [];
    for (let at = 0; at < 17; at++) {
      statuses.push((await boat.ask("POST", `${RESOURCES}/notes`, long)).status);
      // The host's budget grows again.
      boat.clock.advance(60_000);
    }
    expect(statuses).toEqual([...Array.from({ length: 16 }, () => 201), 400]);
    const [{ id }] = [...boat.disk.resources.values()] as unknown as [{ id: string }];
    boat.clock.advance(60_000);
    expect((await boat.ask("DELETE", `${RESOURCES}/notes/${id}`)).status).toBe(200);
    expect((await boat.ask("POST", `${RESOURCES}/notes`, long)).status).toBe(201);
  });

  test("what a full disk does not take", async () => {
    const boat = setUp();
    const { body } = await boat.ask("POST", `${RESOURCES}/waypoints`, waypoint(1, 1));
    boat.disk.isFull = true;
    for (const [method, path] of [
      ["POST", "waypoints"],
      ["DELETE", `waypoints/${body.id}`],
    ] as const)
      expect((await boat.ask(method, `${RESOURCES}/${path}`, waypoint(2, 2))).status).toBe(503);
    expect(Object.keys((await boat.ask("GET", `${RESOURCES}/waypoints`)).body)).toEqual([body.id]);
  });
});

test("a change is in the stream once, as signalk-server sends it, and not in the tree", async () => {
  const boat = setUp();
  const { values } = boat.connect();
  const { id } = (await boat.ask("POST", `${RESOURCES}/waypoints`, waypoint(4, 52, "Buoy"))).body;
  boat.clock.advance(5000);
  await boat.ask("DELETE", `${RESOURCES}/waypoints/${id}`);
  boat.clock.advance(5000);
  expect(values.filter(([path]) => path.startsWith("resources"))).toEqual([
    [`resources.waypoints.${id}`, expect.objectContaining({ name: "Buoy" })],
    [`resources.waypoints.${id}`, null],
  ]);
  expect(JSON.stringify((await boat.ask("GET", "v1/api/")).body)).not.toContain("resources");
});
