/** The requests of the page Boat to the configuration service, without a browser. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { choose, chosen, entryOf, failure, restoreBackup, saveEntry, watch } from "../../../src/display/boat/state.ts";

const NAME = "2026-11-21_08-14-26";
const before = JSON.stringify({ uid: "1", name: "Boat", settings: [] });

/** Requests that change something, each when it begins and when it is answered. */
let changes: string[] = [];
let restored = (): Response => new Response("{}");
/** The project, and what another display does once it was read. */
let project = before;
let isRead = (): void => {};
/** What answers for the project wait for. */
let slowness = Promise.resolve();

/** The service with one project, whose former state is a copy. */
async function service(
  url: string,
  { method, body }: { readonly method: string; readonly body?: string },
): Promise<Response> {
  const path = url.replace("/api/config", "");
  if (method === "PUT") {
    changes.push(`${path} is asked for`);
    // As long as large media take.
    await new Promise((resolve) => setTimeout(resolve, path.endsWith("/restore") ? 5000 : 10));
    changes.push(`${path} is answered`);
    const [, name] = /^\/project\/boat\/settings\/(.*)/.exec(path) ?? [];
    if (name !== undefined) project = JSON.stringify({ uid: "1", settings: [JSON.parse(body!)] });
    return path.endsWith("/restore") ? restored() : new Response("{}");
  }
  if (path === "/project")
    return Response.json(
      ["boat", "other"].map((id) => ({ id, name: id, uid: id === "boat" ? "1" : "2", template: false })),
    );
  if (path === "/deploy/backup") return Response.json([{ name: NAME, bytes: 1 }]);
  if (path.startsWith("/project/other")) return Response.json({ settings: [{ name: "navigation", windDamping: 3 }] });
  if (!path.startsWith("/project/boat")) return new Response(before);
  const answer = new Response(project);
  await slowness;
  if (path === "/project/boat/backup") isRead();
  return answer;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  vi.stubGlobal("fetch", service);
  changes = [];
  restored = () => new Response("{}");
  project = before;
  isRead = () => {};
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Restores the copy, in the project that it is of. */
async function restore(): Promise<boolean> {
  const isDone = restoreBackup(NAME);
  await vi.advanceTimersByTimeAsync(60_000);
  return isDone;
}

test("a former configuration is deployed once its project has it", async () => {
  expect(await restore()).toBe(true);
  changes = [];
  expect(await restore()).toBe(true);
  expect(changes).toEqual([
    "/project/boat/restore is asked for",
    "/project/boat/restore is answered",
    "/project/boat/deploy is asked for",
    "/project/boat/deploy is answered",
  ]);
});

test("where it is refused, nothing is deployed, and the reason is shown", async () => {
  restored = () => Response.json({ error: "Not a project." }, { status: 400 });
  expect(await restore()).toBe(false);
  expect(changes.filter((each) => each.includes("/deploy "))).toEqual([]);
  expect(failure.peek()).toBe("Not a project.");
});

test("what another display changes while the project is read is seen at the next check", async () => {
  vi.stubGlobal("document", { hidden: false });
  isRead = () => {
    project = JSON.stringify({ uid: "1", settings: [{ name: "navigation", windDamping: 9 }] });
  };
  await restore();
  isRead = () => {};
  expect(entryOf("navigation")).toEqual({ name: "navigation" });
  await watch();
  expect(entryOf("navigation")).toEqual({ name: "navigation", windDamping: 9 });
});

test("the project that was chosen last is the one that is shown, in whichever order the answers come", async () => {
  await restore();
  expect(chosen.peek()).toBe("boat");
  let answer = (): void => {};
  slowness = new Promise((resolve) => {
    answer = resolve;
  });
  const slow = choose("boat");
  await new Promise(setImmediate);
  const last = choose("other");
  await new Promise(setImmediate);
  answer();
  await Promise.all([slow, last]);
  expect([chosen.peek(), entryOf("navigation").windDamping]).toEqual(["other", 3]);
});

test("of two changes at once none is lost, and a choice meanwhile moves neither to another project", async () => {
  await restore();
  changes = [];
  const edits = ["windDamping", "magneticVariation"].map((member, at) =>
    saveEntry("navigation", (entry) => ({ ...entry, [member]: at }), "Saved."),
  );
  const other = choose("other");
  await vi.advanceTimersByTimeAsync(1000);
  expect(await Promise.all([...edits, other])).toEqual([true, true, true]);
  expect(JSON.parse(project)).toEqual({
    uid: "1",
    settings: [{ name: "navigation", windDamping: 0, magneticVariation: 1 }],
  });
  const path = "/project/boat/settings/navigation";
  expect(changes).toEqual([1, 2].flatMap(() => [`${path} is asked for`, `${path} is answered`]));
});
