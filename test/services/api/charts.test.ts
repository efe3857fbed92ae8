/** The boat's own charts: parts that arrive one after the other, in a folder as on a boat. */
import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nodeChartStore } from "../../../src/adapters/node/files/chart-store.ts";
import type { Json } from "../../../src/core/project/json.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { onePixel, pmtiles } from "../../web/display/pmtiles.ts";
import { type App, newApp } from "./harness.ts";

const picture = { zoom: 3, x: 4, y: 2, png: onePixel(1, 2, 3) };
const chart = pmtiles([picture], { attribution: "Harbour office" });

interface Charts {
  readonly app: App;
  readonly folder: string;
  put(from: number, part: Uint8Array, options?: { name?: string; size?: number }): Promise<[number, Json]>;
  list(): Promise<Json>;
}

function newCharts(room = 1e9): Charts {
  const folder = temporaryFolder("charts");
  const app = newApp({ charts: { ...nodeChartStore(folder), room: async () => room } });
  return {
    app,
    folder,
    put: (from, part, { name = "sound.pmtiles", size = chart.length } = {}) =>
      app.json("PUT", `/charts/${name}/${size}/${from}`, part),
    list: async () => (await app.json("GET", "/charts"))[1],
  };
}

test("a chart is there when its last part has come, also after a part that was sent twice", async () => {
  const { put, list, folder, app } = newCharts();
  expect(await put(0, chart.subarray(0, 150))).toEqual([201, { name: "sound.pmtiles", bytes: 150 }]);
  expect(await list()).toMatchObject({ charts: [], room: 1e9 });
  for (let time = 0; time < 2; time++) expect((await put(150, chart.subarray(150, 160)))[0]).toBe(201);
  expect(await put(170, chart.subarray(170))).toEqual([409, { error: "the chart has 160 bytes" }]);
  expect(await put(160, chart.subarray(160))).toEqual([201, { name: "sound.pmtiles", bytes: chart.length }]);
  expect(await list()).toMatchObject({ charts: [{ name: "sound.pmtiles", bytes: chart.length }] });
  expect(readFileSync(join(folder, "sound.pmtiles"))).toEqual(Buffer.from(chart));
  expect(readdirSync(folder)).toEqual(["sound.pmtiles"]);
  expect((await app.json("DELETE", "/charts/sound.pmtiles"))[0]).toBe(200);
  expect((await app.json("DELETE", "/charts/sound.pmtiles"))[0]).toBe(404);
  expect(readdirSync(folder)).toEqual([]);
});

test("a project does not wait for a chart that the medium takes slowly", async () => {
  const add = async (): Promise<number> => {
    expect((await app.json("PUT", "/project/boat", {}))[0]).toBe(201);
    return chart.length;
  };
  const app: App = newApp({ charts: { ...nodeChartStore(temporaryFolder("charts")), room: async () => 1e9, add } });
  expect((await app.json("PUT", `/charts/sound.pmtiles/${chart.length}/0`, chart))[0]).toBe(201);
});

test("the former chart stays until the whole new one is there", async () => {
  const { put, folder } = newCharts();
  await put(0, chart);
  const later = pmtiles([picture], { attribution: "Another office" });
  await put(0, later.subarray(0, 200), { size: later.length });
  expect(readFileSync(join(folder, "sound.pmtiles"))).toEqual(Buffer.from(chart));
  await put(200, later.subarray(200), { size: later.length });
  expect(readFileSync(join(folder, "sound.pmtiles"))).toEqual(Buffer.from(later));
});

test("two files of one name that are sent at once do not mix", async () => {
  const { put, folder, app } = newCharts();
  const other = pmtiles([picture], { attribution: "The office of another harbour" });
  const send = (file: Uint8Array, from: number, to?: number) =>
    put(from, file.subarray(from, to), { size: file.length });
  await send(chart, 0, 150);
  await send(other, 0, 150);
  await send(chart, 150, 160);
  expect((await send(other, 150, 160))[0]).toBe(201);
  expect((await send(chart, 160))[0]).toBe(201);
  expect(readFileSync(join(folder, "sound.pmtiles"))).toEqual(Buffer.from(chart));
  // The answer to the last part was lost.
  for (let time = 0; time < 2; time++) expect((await send(other, 160))[0]).toBe(201);
  expect(readFileSync(join(folder, "sound.pmtiles"))).toEqual(Buffer.from(other));
  await send(chart, 0, 150);
  expect((await app.json("DELETE", "/charts/sound.pmtiles"))[0]).toBe(200);
  expect(readdirSync(folder)).toEqual([]);
});

test("parts of one file that two pages send at the same moment leave no gap", async () => {
  const { put, folder } = newCharts();
  for (let round = 0; round < 50; round++) {
    await put(0, chart.subarray(0, 150));
    await put(150, chart.subarray(150, 160));
    await Promise.all([put(0, chart.subarray(0, 150)), put(160, chart.subarray(160))]);
    const stored = readdirSync(folder).includes("sound.pmtiles") && readFileSync(join(folder, "sound.pmtiles"));
    if (stored) expect(stored).toEqual(Buffer.from(chart));
  }
});

const changed = (at: number, ...bytes: readonly number[]): Uint8Array => {
  const copy = Uint8Array.from(chart);
  copy.set(bytes, at);
  return copy;
};

test.each<[string, Uint8Array, number, RegExp]>([
  ["another file", new TextEncoder().encode("SQLite format 3".padEnd(200)), 200, /no PMTiles file of version 3/],
  ["another version", changed(7, 2), chart.length, /no PMTiles file of version 3/],
  ["a start that is too short", chart.subarray(0, 100), chart.length, /no PMTiles file of version 3/],
  ["vector tiles", pmtiles([picture], {}, 1), chart.length, /its tiles are no pictures/],
  ["a file that is cut off", chart.subarray(0, 140), 140, /it is damaged/],
  ["a directory far away", changed(8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff), chart.length, /it is damaged/],
  ["a compression that browsers lack", changed(97, 4), chart.length, /it is damaged/],
  ["more than the room left", chart, 2e9, /no room for 2000000000 bytes/],
  ["more bytes than the size", chart, 130, /malformed part/],
])("%s is refused, and nothing of it is kept", async (_, start, size, reason) => {
  const { put, folder } = newCharts();
  const [status, body] = await put(0, start, { size });
  expect([400, 409]).toContain(status);
  expect(JSON.stringify(body)).toMatch(reason);
  expect(readdirSync(folder)).toEqual([]);
});

test.each(["..%2fsound.pmtiles", ".sound.pmtiles", "sound.html", "a%00.pmtiles", `${"a".repeat(64)}.pmtiles`])(
  "no chart is named %s",
  async (name) => {
    const { put, folder } = newCharts();
    expect((await put(0, chart, { name }))[0]).toBe(400);
    expect(readdirSync(folder)).toEqual([]);
  },
);

test("a part is at most 4 MiB, and there are at most 64 charts", async () => {
  const { put } = newCharts();
  const long = new Uint8Array((4 << 20) + 1);
  long.set(chart);
  expect((await put(0, long, { size: 8 << 20 }))[0]).toBe(400);
  for (let number = 0; number < 64; number++) await put(0, chart, { name: `c${number}.pmtiles` });
  expect((await put(0, chart, { name: "c64.pmtiles" }))[0]).toBe(409);
  expect((await put(0, chart, { name: "c63.pmtiles" }))[0]).toBe(201);
});

test("an upload whose sender has gone makes room for another one", async () => {
  const { put, folder } = newCharts();
  for (const name of ["gone.pmtiles", "slow.pmtiles"]) await put(0, chart.subarray(0, 150), { name });
  const longAgo = Date.now() / 1000 - 3600;
  const uploads = [".former.pmtiles.upload", `.gone.pmtiles.${chart.length}.upload`];
  writeFileSync(join(folder, uploads[0]!), "of version 1.2");
  for (const upload of uploads) utimesSync(join(folder, upload), longAgo, longAgo);
  await put(0, chart);
  expect(readdirSync(folder).sort()).toEqual([`.slow.pmtiles.${chart.length}.upload`, "sound.pmtiles"]);
});

test("without a folder there are no charts", async () => {
  const folder = join(tmpdir(), "hub-charts-that-are-not-there");
  for (const app of [newApp(), newApp({ charts: nodeChartStore(folder) })]) {
    expect((await app.json("GET", "/charts"))[0]).toBe(404);
    expect((await app.json("PUT", `/charts/a.pmtiles/${chart.length}/0`, chart))[0]).toBe(404);
  }
});
