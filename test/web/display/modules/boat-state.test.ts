/** The requests of the page Boat to the configuration service, without a browser. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  answer,
  attempt,
  decline,
  done,
  failure,
  questions,
  undoable,
} from "../../../../src/web/display/boat/actions.ts";
import { ApiError, passwordHash, projectText, renameProject } from "../../../../src/web/display/boat/api.ts";
import {
  change,
  choose,
  chosen,
  deploy,
  discard,
  entryOf,
  isDiscardable,
  isUnread,
  load,
  makeProject,
  notUnderstood,
  pending,
  restoreBackup,
  saveEntry,
  saveForm,
  setChosen,
  unread,
  watch,
} from "../../../../src/web/display/boat/state.ts";
// Loaded by the page when something is to be told, which may be after the end of the tests.
import "../../../../src/web/display/boat/stored-text.ts";

const NAME = "2026-11-21_08-14-26";
const before = JSON.stringify({ uid: "1", name: "Boat", settings: [] });

/** Requests that change something, each when it begins and when it is answered. */
let changes: string[] = [];
let restored = (): Response => new Response("{}");
/** The project, and what another display does once it was read. */
let project = before;
/** What is deployed, with its digest. */
let deployedNow: readonly [text: string, etag: string] = [before, "1"];
let isRead = (): void => {};
/** Ids and uids of the projects. */
let list: readonly (readonly [id: string, uid: string])[] = [];
/** What answers for the project wait for. */
let slowness = Promise.resolve();

/** The password of each project that has one. */
let passwords: Readonly<Record<string, string>> = {};

interface Init {
  readonly method: string;
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The service with two projects; the former state of the first is a copy. */
async function service(url: string, { method, body, headers }: Init): Promise<Response> {
  const path = url.replace("/api/config", "");
  const [, id = "", rest = ""] = /^\/project\/([^/]+)(.*)/.exec(path) ?? [];
  const password = passwords[id];
  if (password !== undefined && headers.Authorization !== `Bearer ${passwordHash(password)}`)
    return Response.json({ error: "Unauthorized." }, { status: 401 });
  if (method === "PUT") {
    changes.push(`${path} is asked for`);
    // As long as large media take.
    await new Promise((resolve) => setTimeout(resolve, path.endsWith("/restore") ? 5000 : 10));
    changes.push(`${path} is answered`);
    if (id === "boat" && rest.startsWith("/settings/"))
      project = JSON.stringify({ uid: "1", settings: [JSON.parse(body!)] });
    if (path === "/project/boat/deploy") {
      deployedNow = [project, `${Number(deployedNow[1]) + 1}`];
      return Response.json({ id, etag: deployedNow[1] });
    }
    if (id === "boat" && rest === "/restore" && body !== undefined) project = body;
    return path.endsWith("/restore") ? restored() : new Response("{}");
  }
  if (path === "/deploy") return new Response(deployedNow[0], { headers: { ETag: `W/"${deployedNow[1]}"` } });
  if (path === "/project") return Response.json(list.map(([id, uid]) => ({ id, name: id, uid, template: false })));
  if (path === "/deploy/backup")
    return Response.json([
      { name: "latest", bytes: 1 },
      { name: NAME, bytes: 1 },
    ]);
  if (path.startsWith("/deploy/backup/")) return new Response(before);
  if (id === "other") return Response.json({ settings: [{ name: "navigation", windDamping: 3 }] });
  if (id !== "boat") return new Response(before);
  const answered = new Response(project);
  await slowness;
  if (rest === "/backup") isRead();
  return answered;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  vi.stubGlobal("fetch", service);
  changes = [];
  restored = () => new Response("{}");
  project = before;
  deployedNow = [before, "1"];
  isRead = () => {};
  passwords = {};
  list = [
    ["boat", "1"],
    ["other", "2"],
  ];
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

/** Saves a member of the entry `navigation` of the project that is shown. */
const save = (member: string, value: number): Promise<boolean> =>
  saveEntry("navigation", (entry) => ({ ...entry, [member]: value }), `${member} is saved.`);

/** The result of what waits for the service. */
async function settled<T>(result: Promise<T>): Promise<T> {
  await vi.advanceTimersByTimeAsync(1000);
  return result;
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
  let reply = (): void => {};
  slowness = new Promise((resolve) => {
    reply = resolve;
  });
  const slow = choose("boat");
  await new Promise(setImmediate);
  const last = choose("other");
  await new Promise(setImmediate);
  reply();
  await Promise.all([slow, last]);
  expect([chosen.peek(), entryOf("navigation").windDamping]).toEqual(["other", 3]);
});

test("of two changes at once none is lost, and a choice meanwhile moves neither to another project", async () => {
  await restore();
  changes = [];
  const edits = [save("windDamping", 0), save("magneticVariation", 1), choose("other")];
  expect(await settled(Promise.all(edits))).toEqual([true, true, true]);
  expect(JSON.parse(project)).toEqual({
    uid: "1",
    settings: [{ name: "navigation", windDamping: 0, magneticVariation: 1 }],
  });
  const path = "/project/boat/settings/navigation";
  expect(changes).toEqual([1, 2].flatMap(() => [`${path} is asked for`, `${path} is answered`]));
});

test("the failure of a change stays beside the success of the one after it, until the next press", async () => {
  await settled(choose("boat"));
  const refused = saveEntry(
    "navigation",
    () => {
      throw new Error("Another device is named Bow.");
    },
    "Named.",
  );
  const saved = save("windDamping", 2);
  expect(await settled(Promise.all([refused, saved]))).toEqual([false, true]);
  expect([failure.peek(), done.peek()]).toEqual(["Another device is named Bow.", "windDamping is saved."]);
  await settled(save("windDamping", 3));
  expect(failure.peek()).toBeUndefined();
});

test("a project whose password is missing is not shown as empty, and all that waits for it is done with it", async () => {
  passwords = { boat: "anchor" };
  await settled(choose("other"));
  await settled(choose("boat"));
  expect([isUnread.peek(), pending.peek(), questions.peek().map((each) => each.project)]).toEqual([true, [], ["boat"]]);
  await settled(Promise.all([save("windDamping", 5), save("magneticVariation", 6)]));
  expect(changes).toEqual([]);
  await settled(answer("ancor"));
  expect(failure.peek()).toBe("The password is wrong.");
  expect(questions.peek()).toHaveLength(3);
  await settled(answer("anchor"));
  expect([questions.peek(), isUnread.peek()]).toEqual([[], false]);
  expect(entryOf("navigation")).toEqual({ name: "navigation", windDamping: 5, magneticVariation: 6 });
});

test("the password that is asked for is that of the project of the request, and none may be given", async () => {
  passwords = { other: "spring" };
  await settled(choose("boat"));
  const text = (): Promise<boolean> => attempt(async () => void (await projectText("other")), "Read.");
  expect(await settled(text())).toBe(false);
  expect(questions.peek().map((each) => each.project)).toEqual(["other"]);
  decline();
  expect(questions.peek()).toEqual([]);
  await settled(text());
  await settled(answer("spring"));
  expect([done.peek(), chosen.peek(), isUnread.peek()]).toEqual(["Read.", "boat", false]);
  // A project that is renamed keeps the password that was typed.
  await settled(renameProject("other", "summer"));
  passwords = { summer: "spring" };
  expect(await projectText("summer")).toBe(before);
});

test("a change that was made is not made again because what is read after it lacks a password", async () => {
  await settled(choose("boat"));
  let times = 0;
  const once = async (): Promise<void> => {
    times++;
    passwords = { boat: "newer" };
  };
  expect(await settled(change(once, "Changed."))).toBe(true);
  expect(done.peek()).toBe("Changed.");
  await settled(answer("newer"));
  expect([times, isUnread.peek()]).toEqual([1, false]);
});

test("what is saved while another project is read goes into the one that was shown", async () => {
  await settled(choose("boat"));
  let reply = (): void => {};
  slowness = new Promise((resolve) => {
    reply = resolve;
  });
  const first = save("windDamping", 7);
  const other = choose("other");
  const second = save("windDamping", 8);
  reply();
  await settled(Promise.all([first, other, second]));
  expect([chosen.peek(), JSON.parse(project).settings]).toEqual(["other", [{ name: "navigation", windDamping: 8 }]]);
  slowness = Promise.resolve();
});

test("a project that could not be read whole is read at the next check", async () => {
  vi.stubGlobal("document", { hidden: false });
  await settled(choose("other"));
  setChosen("boat");
  isRead = () => {
    throw new ApiError(0, "");
  };
  await load();
  expect([isUnread.peek(), unread.peek()]).toEqual([true, "The configuration service does not answer."]);
  isRead = () => {};
  await watch();
  expect([isUnread.peek(), unread.peek()]).toEqual([false, undefined]);
  // What is known stays while the service is away.
  isRead = () => {
    throw new ApiError(0, "");
  };
  await load();
  expect([isUnread.peek(), unread.peek()]).toEqual([false, "The configuration service does not answer."]);
});

test("a project that is gone is no longer shown, and one that is there is not replaced by an empty one", async () => {
  vi.stubGlobal("document", { hidden: false });
  await settled(choose("other"));
  list = [["boat", "1"]];
  vi.stubGlobal("fetch", (url: string, init: Init) =>
    url.includes("/project/other") ? Response.json({ error: "No project." }, { status: 404 }) : service(url, init),
  );
  await watch();
  expect(chosen.peek()).toBe("boat");
  await settled(expect(makeProject("boat", "Boat")).rejects.toThrow("boat is there already."));
  expect(changes).toEqual([]);
});

test("of two projects with one uid, the edited one gets the former configuration", async () => {
  list = [
    ["before-refit", "1"],
    ["boat", "1"],
  ];
  await settled(choose("boat"));
  await restore();
  expect([chosen.peek(), changes[0]]).toEqual(["boat", "/project/boat/restore is asked for"]);
});

test("what hub-cand would not understand is told before it is deployed", async () => {
  const row = { id: "row-1", pgn: 130316, member: "actualTempC", above: -10, text: "Freezer" };
  project = JSON.stringify({
    uid: "1",
    settings: [{ name: "alarms", limits: { rows: [row, { ...row, above: -5 }] } }],
  });
  await settled(load());
  await vi.waitFor(() =>
    expect(notUnderstood.value).toEqual(["Alarms: Freezer: not usable (has the id of a row above)"]),
  );
  project = before;
  await settled(load());
  expect(notUnderstood.value).toEqual([]);
});

const navigation = (members: object) => JSON.stringify({ uid: "1", settings: [{ name: "navigation", ...members }] });

test("what another screen has saved of the same field is told before it is replaced", async () => {
  project = navigation({ windDamping: 3 });
  await settled(choose("boat"));
  const form = entryOf("navigation");
  // The other screen, of whose changes this one has heard nothing yet.
  project = navigation({ windDamping: 4, magneticVariation: 2 });
  const mine = { ...form, windDamping: 10 };
  expect(await settled(saveForm(form, mine, "Saved."))).toBe(false);
  expect(failure.peek()).toMatch(/^Another screen has saved .*10.* → 4/);
  expect(entryOf("navigation").windDamping).toBe(4);
  const now = entryOf("navigation");
  expect(await settled(saveForm(now, { ...now, windDamping: 10 }, "Saved."))).toBe(true);
  expect(entryOf("navigation")).toMatchObject({ windDamping: 10, magneticVariation: 2 });
});

test("what both screens have saved alike, or of two fields, is no question", async () => {
  project = navigation({ windDamping: 3 });
  await settled(choose("boat"));
  const form = entryOf("navigation");
  project = navigation({ windDamping: 10, magneticVariation: 2 });
  expect(await settled(saveForm(form, { ...form, windDamping: 10 }, "Saved."))).toBe(true);
});

test("a copy is restored in place of changes that are not in force once these were shown", async () => {
  await restore();
  project = navigation({ windDamping: 9 });
  changes = [];
  const asked: (readonly string[])[] = [];
  const again = async (lost: readonly string[]): Promise<boolean> => {
    const isDone = restoreBackup(NAME, { lost, ask: (losing) => asked.push(losing) });
    await vi.advanceTimersByTimeAsync(60_000);
    return isDone;
  };
  expect(await again([])).toBe(false);
  expect(changes).toEqual([]);
  expect(asked).toEqual([expect.arrayContaining(["Navigation, wind damping: 9\u202fs, new"])]);
  expect(await again(asked[0]!)).toBe(true);
});

test("changes that are not in force are discarded as they were shown", async () => {
  project = navigation({ windDamping: 9 });
  await settled(choose("boat"));
  project = navigation({ windDamping: 8 });
  changes = [];
  expect(await settled(discard())).toBe(false);
  expect(changes).toEqual([]);
  expect(isDiscardable.peek()).toBe(true);
  const discarded = discard();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await discarded).toBe(true);
  expect([pending.peek(), changes.at(-1)]).toEqual([[], "/project/boat/restore is answered"]);
});

test("a deployment is undone while it is what is deployed, and not after one by another screen", async () => {
  await settled(choose("boat"));
  project = navigation({ windDamping: 9 });
  await settled(load());
  expect(await settled(deploy())).toBe(true);
  const last = undoable.peek()!;
  expect(last).toEqual({ copy: NAME, etag: "2" });
  // Another screen deploys.
  deployedNow = [navigation({ windDamping: 7 }), "3"];
  changes = [];
  await settled(restoreBackup(last.copy, { etag: last.etag }));
  expect([changes, undoable.peek()]).toEqual([[], undefined]);
  expect(failure.peek()).toMatch(/^Another screen has deployed/);
});
