/** The application of `hub-history --voyages` over a store in memory, and Signal K's track requests of hub-link over it. */
import { expect, test } from "vitest";
import type { KeptLine } from "../../../src/core/voyages/lines.ts";
import { authorOf, type Voyage } from "../../../src/core/voyages/voyage.ts";
import { Polars } from "../../../src/services/history/polars.ts";
import { pictureLimits, Voyages } from "../../../src/services/history/voyages.ts";
import { voyagesApp } from "../../../src/services/history/voyages-app.ts";
import { SignalKOutlet } from "../../../src/services/link/signalk-outlet.ts";
import { memoryClock } from "../../support/memory/clock.ts";
import { memoryLog } from "../../support/memory/log.ts";
import { memoryVoyageStore } from "../../support/memory/voyage-store.ts";
import { simulatedBoat } from "./simulated-boat.ts";

const T = Date.UTC(2026, 5, 1, 6);
const MINUTE = 60_000;
const NAME = "2026-06-01T060000Z";
const NOW = T + 3_600_000;
const conditions = { latitude: 54.3, longitude: -10.2 };
const sailed = { windSpeed: 12, windAngle: 45, stw: 6, turned: 3, seconds: 60 };
const lines: readonly KeptLine[] = [
  { line: "entry", entry: 0, kind: "begin", time: T, conditions },
  ...Array.from({ length: 20 }, (_, at): KeptLine => {
    const time = T + (at + 1) * MINUTE;
    return { ...{ line: "track", time, points: [[time, 54.3 + at / 100, -10.2]] }, ...sailed };
  }),
  {
    line: "track",
    time: T + 30 * MINUTE,
    points: [
      [T + 25 * MINUTE, 54.6, -10.2, 1],
      [T + 30 * MINUTE, 54.7, -10.2],
    ],
  },
  { line: "entry", entry: 1, kind: "end", time: T + 30 * MINUTE, conditions: { latitude: 54.7, longitude: -10.2 } },
];
const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, ...new Array<number>(1000).fill(7)]);

async function setUp() {
  const store = memoryVoyageStore();
  await store.append(
    NAME,
    lines.map((line) => JSON.stringify(line)),
  );
  const voyages = await Voyages.open({ prefix: "can/can0", store, entryEveryMs: 3_600_000, monotonic: () => 0 });
  const options = { voyages, log: memoryLog(), now: () => NOW, hostname: () => "boat", rest: async () => {} };
  const app = voyagesApp(options);
  const ask = async (path: string, init?: RequestInit) => app.request(`http://localhost/voyages${path}`, init);
  const post = (path: string, body: string | Uint8Array<ArrayBuffer>, type = "application/json") =>
    ask(path, { method: "POST", headers: { "Content-Type": type }, body });
  const kept = async () => (await (await ask(`/${NAME}.json`)).json()) as Voyage;
  return { store, voyages, ask, post, kept };
}

test("a picture is kept with its author, shown again, and the room that is left is said", async () => {
  const { ask, post, kept } = await setUp();
  const answer = await post(`/${NAME}/entries/1/pictures?author=Ada`, jpeg, "image/jpeg");
  const left = { count: pictureLimits.count - 1, bytes: pictureLimits.bytes - jpeg.length };
  expect([answer.status, await answer.json()]).toEqual([201, { picturesLeft: left }]);
  const { entries } = await kept();
  expect(entries.map(({ pictures }) => pictures)).toEqual([
    [],
    [{ line: "picture", entry: 1, picture: 1, time: NOW, author: "Ada" }],
  ]);
  const picture = await ask(`/${NAME}/pictures/1`);
  expect(picture.headers.get("content-type")).toBe("image/jpeg");
  expect(new Uint8Array(await picture.arrayBuffer())).toEqual(jpeg);
  expect(await (await ask("")).json()).toMatchObject({ picturesLeft: left });
});

test("a new picture does not take the number of one whose file was removed to make room", async () => {
  const { post, store, kept } = await setUp();
  const add = (entry: number) => post(`/${NAME}/entries/${entry}/pictures`, jpeg, "image/jpeg");
  await add(0);
  store.pictureFiles.delete(`${NAME} 1`);
  await add(1);
  expect((await kept()).entries.map(({ pictures }) => pictures.map(({ picture }) => picture))).toEqual([[1], [2]]);
});

test.each([
  ["no picture", `/${NAME}/entries/1/pictures`, new TextEncoder().encode("<svg/>"), "image/png", 415],
  ["a type of a form", `/${NAME}/entries/1/pictures`, jpeg, "text/plain", 415],
  ["no such entry", `/${NAME}/entries/7/pictures`, jpeg, "image/jpeg", 404],
  ["no such voyage", "/2020-01-01T000000Z/entries/0/pictures", jpeg, "image/jpeg", 404],
  ["a large one", `/${NAME}/entries/1/pictures`, new Uint8Array(3 << 20).fill(0xff), "image/jpeg", 413],
])("a picture is refused: %s", async (_, path, bytes, type, status) => {
  const { post, store } = await setUp();
  expect((await post(path, bytes, type)).status).toBe(status);
  expect((await store.pictures()).count).toBe(0);
});

test("without room a picture is refused, and nothing is written; pictures at once take their room one after the other", async () => {
  const { post, store, kept } = await setUp();
  const large = new Uint8Array(2 << 20).fill(7);
  large.set(jpeg.subarray(0, 3));
  for (let count = 0; count < 127; count++) await store.addPicture("2020-01-01T000000Z", "jpg", large, 0);
  const answers = await Promise.all([1, 2].map(() => post(`/${NAME}/entries/1/pictures`, large, "image/jpeg")));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 507]);
  expect((await kept()).entries[1]!.pictures).toHaveLength(1);
});

test("the crew of a voyage that has ended counts from its begin, and its correction too", async () => {
  const { post, kept, ask } = await setUp();
  expect((await post(`/${NAME}/entries`, JSON.stringify({ kind: "crew", text: "Ada, Bob" }))).status).toBe(201);
  expect((await post(`/${NAME}/entries`, JSON.stringify({ kind: "note", text: "Fog", author: "Bob" }))).status).toBe(
    201,
  );
  expect((await kept()).entries.map(({ kind, time, crew }) => [kind, time - T, crew])).toEqual([
    ["begin", 0, "Ada, Bob"],
    ["crew", 0, "Ada, Bob"],
    ["end", 30 * MINUTE, "Ada, Bob"],
    ["note", 30 * MINUTE, "Ada, Bob"],
  ]);
  await post(`/${NAME}/entries/2/edits`, JSON.stringify({ text: "Ada, Eve" }));
  expect((await kept()).entries[0]!.crew).toBe("Ada, Eve");
  expect(await (await ask(`/${NAME}.csv`)).text()).toMatch(/,Fog,"Ada, Eve",Bob,/);
});

test("of two corrections that have seen the same text the second one is refused, until its author has seen the first", async () => {
  const { post, kept } = await setUp();
  const correct = async (text: string, seen?: number) =>
    (await post(`/${NAME}/entries/0/edits`, JSON.stringify({ text, ...(seen !== undefined && { seen }) }))).status;
  const answers = await Promise.all([correct("Kiel", 0), correct("Laboe", 0)]);
  expect(answers.sort()).toEqual([201, 409]);
  expect((await kept()).entries[0]!.edits).toHaveLength(1);
  expect([await correct("Laboe", 1), await correct("without a number")]).toEqual([201, 201]);
  expect(await correct("x", -1)).toBe(400);
});

test("the first line of the text at its begin is the name of a voyage, and a text has its own author alone", async () => {
  const { post, kept, ask } = await setUp();
  await post(`/${NAME}/entries/0/edits`, JSON.stringify({ text: "To Kiel\nin fog", author: "Ada" }));
  expect(await (await ask("")).json()).toMatchObject({ voyages: [{ title: "To Kiel" }] });
  expect(await (await ask(`/${NAME}.gpx`)).text()).toContain("<trk><name>To Kiel</name>");
  await post(`/${NAME}/entries/0/edits`, JSON.stringify({ text: "To Laboe" }));
  expect(authorOf((await kept()).entries[0]!)).toBeUndefined();
});

test("a track that is there already is no second voyage: a file twice, and what was made of it", async () => {
  const { ask, post } = await setUp();
  const own = await (await ask(`/${NAME}.gpx`)).text();
  const other = own.replaceAll("2026-", "2019-").replaceAll(".000Z", ".250Z");
  const add = async (text: string) => (await post("", text, "application/gpx+xml")).json();
  expect(await add(other)).toEqual({ names: ["2019-06-01T060100Z"], known: 0, leftOut: 0 });
  expect(await add(other)).toEqual({ names: [], known: 1, leftOut: 0 });
  const made = await (await ask("/2019-06-01T060100Z.gpx")).text();
  expect(await add(made)).toEqual({ names: [], known: 1, leftOut: 0 });
  // Other programs keep no parts of a second, and fewer decimals.
  expect(await add(made.replaceAll(/\.\d{3}Z/g, "Z"))).toEqual({ names: [], known: 1, leftOut: 0 });
  // Another track that begins in the same second is another voyage.
  expect(await add(other.replaceAll('lat="54.', 'lat="55.'))).toMatchObject({ names: ["2019-06-01T060100Z-2"] });
});

test("files are read one after the other, because the points of many would fill memory", async () => {
  const { ask } = await setUp();
  const begun: number[] = [];
  let arrive = (): void => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const send = async (number: number): Promise<number> => {
    const pull = async (controller: ReadableStreamDefaultController) => {
      begun.push(number);
      await arrived;
      controller.enqueue(new TextEncoder().encode("<gpx/>"));
      controller.close();
    };
    const body = new ReadableStream({ pull }, { highWaterMark: 0 });
    const request = { method: "POST", headers: { "Content-Type": "application/gpx+xml" }, body, duplex: "half" };
    return (await ask("", request as RequestInit)).status;
  };
  const answers = Promise.all([send(1), send(2)]);
  await expect.poll(() => begun.length).toBeGreaterThan(0);
  expect((await ask("")).status).toBe(200);
  const atOnce = begun.length;
  arrive();
  expect([await answers, atOnce]).toEqual([[201, 201], 1]);
});

test("of a track that a plotter has continued since, only what is new becomes a voyage", async () => {
  const { ask, post } = await setUp();
  const add = async (hours: number, from = 0) => {
    const points = Array.from({ length: hours + 1 - from }, (_, at) => {
      const hour = from + at;
      const time = `<time>2020-06-01T${String(hour).padStart(2, "0")}:00:00Z</time>`;
      return `<trkpt lat="54.${hour}" lon="10">${time}</trkpt>`;
    });
    const text = `<gpx version="1.1"><trk><name>To Kiel</name><trkseg>${points.join("")}</trkseg></trk></gpx>`;
    return ((await (await post("", text, "application/gpx+xml")).json()) as { names: string[] }).names;
  };
  expect(await add(3)).toEqual(["2020-06-01T000000Z"]);
  expect(await add(5)).toEqual(["2020-06-01T030000Z"]);
  expect(await add(8)).toEqual(["2020-06-01T050000Z"]);
  for (const hours of [8, 5, 3]) expect(await add(hours)).toEqual([]);
  // The plotter has dropped the oldest points.
  for (const from of [1, 4, 6]) expect(await add(8, from)).toEqual([]);
  expect(await add(10, 2)).toEqual(["2020-06-01T080000Z"]);
  const { voyages } = (await (await ask("")).json()) as { voyages: { title: string; from: number; until: number }[] };
  const listed = voyages.filter(({ title }) => title === "To Kiel");
  expect(listed.map(({ from, until }) => (until - from) / 3_600_000)).toEqual([2, 3, 2, 3]);
});

test("a new list of the crew counts from its time on", async () => {
  const { store, kept } = await setUp();
  const at = (entry: number, minutes: number, text: string): string =>
    JSON.stringify({ line: "entry", entry, kind: "crew", time: T + minutes * MINUTE, text });
  await store.append(NAME, [at(2, 5, "Ada"), at(3, 20, "Ada, Bob")]);
  expect((await kept()).entries.map(({ kind, crew }) => [kind, crew])).toEqual([
    ["begin", "Ada"],
    ["crew", "Ada"],
    ["crew", "Ada, Bob"],
    ["end", "Ada, Bob"],
  ]);
});

test("the polar goes on where it was read, whatever the pieces, and counts a line once that was written twice", async () => {
  const { store, ask } = await setUp();
  const cell = { angle: 50, force: 4, seconds: 1200, knots: 6, greatest: 6 };
  const left = [{ reason: "no true wind", seconds: 0 }];
  const expected = { cells: [cell], leftOut: left.filter(({ seconds }) => seconds > 0) };
  expect(await (await ask("/polar.json")).json()).toEqual(expected);
  expect(await (await ask("/polar.csv")).text()).toContain("\r\n50,4,0.33,6,6,\r\n");
  for (const most of [1, 7, 100, 5000]) {
    const polars = new Polars({ piece: (name, from, length) => store.piece(name, from, Math.min(most, length)) });
    // A piece that is short is the end for now; the next request goes on.
    for (let count = 0; count < 20_000 / most; count++) await polars.polar([NAME]);
  }
  const more = JSON.stringify({ ...{ line: "track", time: T + 40 * MINUTE, points: [] }, ...sailed });
  await store.append(
    NAME,
    [lines[20]!].map((line) => JSON.stringify(line)),
  );
  await store.append(NAME, [more, more]);
  expect(await (await ask("/polar.json")).json()).toMatchObject({ cells: [{ ...cell, seconds: 1260 }] });
});

test("a voyage that is removed is in no list, no polar and no file, and its track may be added anew; after one that lasts another begins", async () => {
  const { ask, post, voyages, store } = await setUp();
  const gpx = await (await ask(`/${NAME}.gpx`)).text();
  expect(await (await ask("/polar.json")).json()).not.toMatchObject({ cells: [] });
  expect((await post(`/${NAME}/entries/1/pictures`, jpeg, "image/jpeg")).status).toBe(201);
  expect((await ask(`/${NAME}`, { method: "DELETE" })).status).toBe(200);
  expect(await (await ask("")).json()).toMatchObject({ voyages: [] });
  expect(await (await ask("/polar.json")).json()).toEqual({ cells: [], leftOut: [] });
  expect((await ask(`/${NAME}`, { method: "DELETE" })).status).toBe(404);
  expect((await ask(`/${NAME}/pictures/1`)).status).toBe(404);
  expect((await post(`/${NAME}/entries`, JSON.stringify({ kind: "note", text: "Fog" }))).status).toBe(404);
  expect(store.files.size).toBe(0);
  expect(await (await post("", gpx, "application/gpx+xml")).json()).toMatchObject({ names: ["2026-06-01T060100Z"] });

  const encoder = new TextEncoder();
  const sail = (from: number) => {
    for (const { topic, payload } of simulatedBoat("can/can0", from, from + 90, NOW + 1000 * from))
      voyages.hear(topic, encoder.encode(payload));
  };
  sail(0);
  const lasting = voyages.openName!;
  expect((await ask(`/${lasting}`, { method: "DELETE" })).status).toBe(200);
  expect([voyages.openName, voyages.names]).toEqual([undefined, ["2026-06-01T060100Z"]]);
  sail(90);
  expect(voyages.openName).not.toBe(lasting);
  await voyages.advance();
  expect([...store.files.keys()].sort()).toEqual(["2026-06-01T060100Z", voyages.openName]);
});

function linkOn(track: (path: string) => Promise<Response>) {
  const clock = memoryClock({ monotonic: 0, wall: NOW });
  const outlet = new SignalKOutlet({
    ...{ self: "urn:mrn:imo:mmsi:299000001", prefix: "can/can0", version: "1", clock, log: memoryLog() },
    hostname: () => "boat",
    track: async ({ from, to, resolution }) => {
      const response = await track(`/track.json?from=${from}&to=${to}&resolution=${resolution}`);
      return response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined;
    },
  });
  return async (path: string) => {
    const response = await outlet.app.fetch(new Request(`http://localhost/signalk/v1/api/${path}`));
    return { status: response.status, body: await response.json().catch(() => undefined) };
  };
}

test("Signal K's track requests have the track as GeoJSON, with a gap between its lines", async () => {
  const { ask } = await setUp();
  const link = linkOn(ask);
  const whole = await link("self/track");
  const { type, coordinates } = whole.body as { type: string; coordinates: number[][][] };
  expect([whole.status, type, coordinates.map((line) => line.length)]).toEqual([200, "MultiLineString", [20, 2]]);
  expect(coordinates[0]![0]).toEqual([-10.2, 54.3]);
  for (const path of ["vessels/self/track", "vessels/urn:mrn:imo:mmsi:299000001/track", "tracks/self"])
    expect((await link(path)).body, path).toEqual(whole.body);
  expect((await link("tracks")).body).toEqual({ "vessels.urn:mrn:imo:mmsi:299000001": whole.body });
  const [feature] = ((await link("vessels/self/tracks")).body as { features: { geometry: unknown }[] }).features;
  expect(feature!.geometry).toEqual(whole.body);
  const lengths = async (query: string) =>
    ((await link(`self/track?${query}`)).body as typeof whole.body as { coordinates: number[][][] }).coordinates.map(
      ({ length }) => length,
    );
  expect(await lengths("timespan=2h&resolution=5m")).toEqual([5, 2]);
  // The half hour that ended half an hour ago has all; the last half hour its end alone, which is no line.
  expect(await lengths("timespan=30m&timespanOffset=0.5")).toEqual([20, 2]);
  expect(await lengths("timespan=35m")).toEqual([2]);
  expect(await lengths("timespan=30m")).toEqual([]);
  expect(await lengths("from=2026-06-01T06:00:00Z&to=2026-06-01T06:10:00Z")).toEqual([10]);
  for (const query of ["timespan=x", "timespan=1h&timespanOffset=-1", "resolution=0", "from=yesterday"])
    expect((await link(`self/track?${query}`)).status, query).toBe(400);
  expect((await link("vessels/urn:mrn:imo:mmsi:1/track")).status).toBe(404);
});

test("without voyages there is no track, as where hub-history is away", async () => {
  const link = linkOn(async () => new Response("", { status: 500 }));
  expect((await link("self/track")).status).toBe(404);
});
