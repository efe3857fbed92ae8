import fc from "fast-check";
import { expect, test } from "vitest";
import { Draft, type Project } from "../../../src/core/project/document.ts";
import { ExactNumber, type Json, type JsonObject, parse, print } from "../../../src/core/project/json.ts";
import { runStep } from "../../../src/services/api/transaction.ts";
import { newApp } from "./harness.ts";

const { services } = newApp();

/** Endpoints make new values; the project that they were given is shared with other requests. */
function freeze(value: Json): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const item of Object.values(value)) freeze(item);
}

/** Sends one request to the routes of the sections, as a step of a transaction does. */
async function run(draft: Draft, method: string, path: string, body?: Json): Promise<Json> {
  freeze(draft.project);
  const response = await runStep(services, draft, `/project/x${path}`, method, body);
  const content = await response.text();
  if (!response.ok) throw new Error(content);
  return parse(content);
}

const modeOf = (draft: Draft): Json =>
  ((draft.project.device as JsonObject[])[0]!.parameters as JsonObject[]).find(({ name }) => name === "out.1.mode") ??
  null;

const rule = (value: Json, deviceId = 130): JsonObject => ({
  config: [{ deviceId, parameters: [{ name: "out.1.mode", value }] }],
});

test("rules over one parameter come and go, and the last leaves no trace", async () => {
  const draft = new Draft({});
  await run(draft, "PUT", "/device/130", { parameters: [{ name: "out.1.mode", value: "momentary", unit: "-" }] });
  await run(draft, "PUT", "/muxing/a", rule("toggle"));
  expect(modeOf(draft)).toEqual({ name: "out.1.mode", value: "toggle", unit: "-", base: "momentary", muxing: "a" });
  await run(draft, "PUT", "/muxing/b", rule("off"));
  await run(draft, "DELETE", "/muxing/a");
  expect(modeOf(draft)).toEqual({ name: "out.1.mode", value: "off", unit: "-", base: "momentary", muxing: "b" });
  await run(draft, "DELETE", "/muxing/b");
  expect(print(modeOf(draft))).toBe(print({ name: "out.1.mode", value: "momentary", unit: "-" }));
});

test("a replaced rule keeps its place, so the later one still wins", async () => {
  const draft = new Draft({});
  await run(draft, "PUT", "/device/130");
  await run(draft, "PUT", "/muxing/a", rule("toggle"));
  await run(draft, "PUT", "/muxing/b", rule("off"));
  await run(draft, "PUT", "/muxing/a", rule("momentary"));
  expect(modeOf(draft)).toEqual({ name: "out.1.mode", value: "off", muxing: "b" });
});

test("a value put under a rule becomes its base and the answer shows the rule", async () => {
  const draft = new Draft({});
  await run(draft, "PUT", "/device/130");
  await run(draft, "PUT", "/muxing/a", rule("toggle"));
  expect(await run(draft, "PUT", "/device/130/parameter/out.1.mode", { value: "momentary" })).toEqual({
    name: "out.1.mode",
    value: "toggle",
    base: "momentary",
    muxing: "a",
  });
  await run(draft, "DELETE", "/device/130/parameter/out.1.mode");
  expect(modeOf(draft)).toEqual({ name: "out.1.mode", value: "toggle", muxing: "a" });
  await run(draft, "DELETE", "/muxing/a");
  expect(modeOf(draft)).toBeNull();
});

test("what was read under a rule and is sent back changes nothing; another value is a new base", async () => {
  const draft = new Draft({});
  await run(draft, "PUT", "/device/130", {
    parameters: [
      { name: "out.1.mode", value: "momentary" },
      { name: "b", value: 1 },
    ],
  });
  await run(draft, "PUT", "/muxing/a", {
    config: [
      {
        deviceId: 130,
        parameters: [
          { name: "out.1.mode", value: "toggle" },
          { name: "made", value: 2 },
        ],
      },
    ],
  });
  const before = print(draft.project);
  const read = (await run(draft, "GET", "/device/130")) as JsonObject;
  await run(draft, "PUT", "/device/130", read);
  expect(print(draft.project)).toBe(before);
  await run(draft, "PUT", "/device/130/parameters", read.parameters!);
  expect(print(draft.project)).toBe(before);
  // An application may show what is set without what it covers.
  const { base: _, ...shown } = modeOf(draft) as JsonObject;
  await run(draft, "PUT", "/device/130/parameter/out.1.mode", shown);
  expect(modeOf(draft)).toEqual({ name: "out.1.mode", value: "toggle", base: "momentary", muxing: "a" });
  await run(draft, "PUT", "/device/130/parameter/out.1.mode", { ...(modeOf(draft) as JsonObject), value: "off" });
  await run(draft, "DELETE", "/muxing/a");
  expect(modeOf(draft)).toEqual({ name: "out.1.mode", value: "off" });
});

test("a parameter with a base of the application's own is whole again, also if what was set is sent back", async () => {
  const draft = new Draft({});
  const own = { name: "out.1.mode", value: "momentary", base: "of the application" };
  await run(draft, "PUT", "/device/130", { parameters: [own] });
  await run(draft, "PUT", "/muxing/a", rule("toggle"));
  await run(draft, "PUT", "/device/130/parameter/out.1.mode", { value: "toggle", muxing: "a" });
  expect(modeOf(draft)).toEqual({ name: "out.1.mode", value: "toggle", muxing: "a", covered: own });
  await run(draft, "DELETE", "/muxing/a");
  expect(modeOf(draft)).toEqual(own);
});

test("a base that is sent is the new one; a value that a client has rounded is the same", async () => {
  const draft = new Draft({});
  const value = parse("12345678901234567890");
  await run(draft, "PUT", "/device/130", { parameters: [{ name: "out.1.mode", value: "momentary" }] });
  await run(draft, "PUT", "/muxing/a", rule(value));
  await run(draft, "PUT", "/device/130/parameter/out.1.mode", { value: 12345678901234567000, muxing: "a" });
  expect(modeOf(draft)).toEqual({ name: "out.1.mode", value, base: "momentary", muxing: "a" });
  await run(draft, "PUT", "/device/130/parameter/out.1.mode", { value, base: "off", muxing: "a" });
  await run(draft, "DELETE", "/muxing/a");
  expect(modeOf(draft)).toEqual({ name: "out.1.mode", value: "off" });
});

test("parameters of rules alone stand in the order of the rules; one whose base is deleted keeps its place", async () => {
  const draft = new Draft({});
  const ruleOf = (name: string, value: Json): JsonObject => ({
    config: [{ deviceId: 130, parameters: [{ name, value }] }],
  });
  const namesOf = (): unknown =>
    ((draft.project.device as JsonObject[])[0]!.parameters as Json[]).map((each) => (each as JsonObject).name);
  await run(draft, "PUT", "/muxing/a", ruleOf("first", 1));
  await run(draft, "PUT", "/muxing/b", ruleOf("second", 2));
  await run(draft, "PUT", "/muxing/a", ruleOf("first", 3));
  await run(draft, "PUT", "/device/130");
  expect(namesOf()).toEqual(["first", "second"]);
  await run(draft, "PUT", "/device/130/parameter/first", { value: 4 });
  await run(draft, "DELETE", "/device/130/parameter/first");
  expect(namesOf()).toEqual(["first", "second"]);
  await run(draft, "DELETE", "/device/130");
  const values = ["first", "second"].map((name) => ({ name, value: 5 }));
  await run(draft, "PUT", "/muxing/a", { config: [{ deviceId: 130, parameters: values }] });
  await run(draft, "PUT", "/device/130");
  expect(namesOf()).toEqual(["first", "second"]);
});

test("a label without a zone that others wrote is taken back beside one that changes, and only once", async () => {
  const stored = { text: "x" };
  const draft = new Draft({ device: [{ deviceId: 130, parameters: [], legend: [stored, { zone: 16, text: "a" }] }] });
  const sent = [stored, { zone: 16, text: "b" }, stored];
  await run(draft, "PUT", "/device/130", { legend: sent });
  expect((draft.project.device as JsonObject[])[0]!.legend).toEqual([stored, { zone: 16, text: "b" }]);
  await run(draft, "PUT", "/device/130/legends", sent);
  expect((draft.project.device as JsonObject[])[0]!.legend).toEqual([stored, { zone: 16, text: "b" }]);
  await expect(run(draft, "PUT", "/device/130/legends", [{ text: "y" }])).rejects.toThrow("malformed zone");
});

test("a rule waits for a device that is not there, says so, and makes none", async () => {
  const draft = new Draft({});
  await run(draft, "PUT", "/muxing/a", rule("toggle", 7));
  expect(draft.project.device).toBeUndefined();
  expect(draft.notes).toEqual(["muxing: a waits for device 7"]);
  expect(((await run(draft, "PUT", "/device/7")) as JsonObject).parameters).toEqual([
    { name: "out.1.mode", value: "toggle", muxing: "a" },
  ]);
});

test("a parameter written by others without a value comes back without one", async () => {
  const bare = { device: [{ deviceId: 130, parameters: [{ name: "out.1.mode", unit: "-" }] }] };
  const draft = new Draft(bare);
  await run(draft, "PUT", "/muxing/a", rule("toggle"));
  expect(modeOf(draft)).toMatchObject({ value: "toggle" });
  await run(draft, "DELETE", "/muxing/a");
  expect(draft.project.device).toEqual(bare.device);
});

const deviceIds = fc.constantFrom(1, 2);
const parameters = fc.constantFrom("p", "q");
const values = fc.oneof(
  fc.integer(),
  fc.constantFrom<Json>(null, "on", new ExactNumber("9223372036854775808"), { a: [1] }),
);
const settings = fc.array(fc.record({ deviceId: deviceIds, name: parameters, value: values }), { maxLength: 4 });

test("rules over a project give it back to the byte when they are deleted", async () => {
  const device = fc.record({
    deviceId: fc.constant(1),
    parameters: fc.uniqueArray(
      fc.record(
        { name: fc.constantFrom("p", "q", "r"), unit: fc.string(), value: values },
        { requiredKeys: ["name", "value"] },
      ),
      { selector: ({ name }) => name },
    ),
  });
  await fc.assert(
    fc.asyncProperty(device, fc.array(fc.tuple(fc.constantFrom("a", "b"), settings)), async (only, puts) => {
      const draft = new Draft({ uid: "u", device: [only as Json], muxing: [] } as Project);
      const before = print(draft.project);
      for (const [name, lines] of puts) {
        const config = lines.map(({ deviceId, name, value }) => ({ deviceId, parameters: [{ name, value }] }));
        await run(draft, "PUT", `/muxing/${name}`, { config });
      }
      for (const name of new Set(puts.map(([name]) => name))) await run(draft, "DELETE", `/muxing/${name}`);
      expect(print(draft.project)).toBe(before);
    }),
    { numRuns: 300 },
  );
});
