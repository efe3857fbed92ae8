import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../../src/core/project/json.ts";
import { plainSections } from "./contract-sections.ts";
import { newApp } from "./harness.ts";

type Boat = Readonly<Record<string, Map<string, JsonObject>>>;

const body = fc.dictionary(
  fc.constantFrom("a", "b", "name", "__proto__"),
  fc.oneof(fc.integer(), fc.string()) as fc.Arbitrary<Json>,
);
const action = fc.record({
  id: fc.constantFrom("one", "two"),
  section: fc.constantFrom(...plainSections, "synapse"),
  name: fc.constantFrom("x", "y", "z", "constructor"),
  kind: fc.constantFrom("put", "put", "delete", "get", "list", "batch"),
  body,
});

const newBoat = (): Boat =>
  Object.fromEntries([...plainSections, "synapse"].map((section) => [section, new Map<string, JsonObject>()]));

test("a thousand random operations leave what a simple model says", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 100, maxLength: 100, size: "max" }), async (actions) => {
      const app = newApp();
      const boats: Record<string, Boat> = { one: newBoat(), two: newBoat() };
      for (const id of Object.keys(boats)) await app.json("PUT", `/project/${id}`);

      for (const { id, section, name, kind, body } of actions) {
        const map = boats[id]![section]!;
        const path = `/project/${id}/${section}`;
        const { name: _, ...rest } = body;
        const entry: JsonObject = section === "synapse" ? body : { ...{ name }, ...rest };
        const missing = [404, { error: `no such ${section} entry` }];
        if (kind === "put") {
          expect(await app.json("PUT", `${path}/${name}`, body)).toEqual([201, entry]);
          map.set(name, entry);
        } else if (kind === "batch") {
          // Either both steps come through or none does.
          const steps: Json = [
            { url: `${path}/${name}`, method: "PUT", data: body },
            { url: `${path}/y`, method: "DELETE" },
          ];
          const [status] = await app.json("POST", `/project/${id}/transaction`, steps);
          const isPossible = map.has("y") || name === "y";
          expect(status).toBe(isPossible ? 200 : 500);
          if (isPossible) map.set(name, entry);
          if (isPossible) map.delete("y");
        } else if (kind === "delete") {
          expect(await app.json("DELETE", `${path}/${name}`)).toEqual(map.delete(name) ? [200, {}] : missing);
        } else if (kind === "get") {
          expect(await app.json("GET", `${path}/${name}`)).toEqual(map.has(name) ? [200, map.get(name)] : missing);
        } else {
          const expected = section === "synapse" ? Object.fromEntries(map) : [...map.values()];
          expect(await app.json("GET", path)).toEqual([200, expected]);
        }
      }

      for (const [id, boat] of Object.entries(boats)) {
        const stored = JSON.parse(app.file(id)!) as Record<string, Json>;
        for (const section of plainSections) expect(stored[section]).toEqual([...boat[section]!.values()]);
        expect(stored.synapse).toEqual(Object.fromEntries(boat.synapse!));
      }
    }),
    { numRuns: 10 },
  );
});

test("parallel changes of one project all come through, and every reader sees a whole project", async () => {
  const app = newApp();
  await app.json("PUT", "/project/a");
  const writes = Array.from({ length: 200 }, (_, n) => app.json("PUT", `/project/a/sensor/s${n}`, { n }));
  const reads = Array.from({ length: 50 }, () => app.json("GET", "/project/a"));
  for (const [status] of await Promise.all([...writes, ...reads])) expect([200, 201]).toContain(status);
  expect((await app.json("GET", "/project/a/sensor"))[1]).toHaveLength(200);
});
