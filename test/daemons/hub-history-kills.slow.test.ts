/** hub-history --voyages that is killed while it writes: what it has acknowledged is kept, and lines are whole. */
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { linesIn } from "../../src/services/history/voyages.ts";
import { freePort } from "../support/ports.ts";
import { atNight } from "../support/size.ts";
import { randomOf } from "../world/random.ts";
import { folderOf, start } from "./started.ts";

const NAME = "2026-11-21T080001Z";
const KILLS = atNight(5, 200);
const WRITERS = 4;

test(`${KILLS} kills lose no entry and no picture that was acknowledged`, { timeout: KILLS * 20_000 }, async () => {
  const folder = folderOf();
  const file = join(folder, `${NAME}.jsonl`);
  writeFileSync(file, `${JSON.stringify({ line: "entry", entry: 0, kind: "begin", time: 1 })}\n`);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/voyages/${NAME}`;
  const random = randomOf(1);
  const acknowledged: string[] = [];
  const picture = new Uint8Array(5000).fill(7);
  picture.set([0xff, 0xd8, 0xff]);
  let pictures = 0;
  const post = async (path: string, type: string, body: string | Uint8Array<ArrayBuffer>): Promise<boolean> => {
    const headers = { "Content-Type": type };
    const response = await fetch(url + path, { method: "POST", headers, body }).catch(() => undefined);
    return response?.status === 201;
  };
  for (let kill = 0; kill < KILLS; kill++) {
    const options = ["--broker", "mqtt://127.0.0.1:1", "--url", "none", "--voyages", folder];
    const { child } = start("hub-history", ...options, "--voyages-port", String(port));
    const ended = once(child, "exit");
    const isThere = () =>
      fetch(`${url}.json`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await isThere())) await setTimeout(20);
    let isRunning = true;
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      for (let count = 0; isRunning; count++) {
        const text = `${kill} ${writer} ${count}`;
        if (writer === 0 && count % 4 === 0)
          pictures += Number(await post("/entries/0/pictures", "image/jpeg", picture));
        else if (await post("/entries", "application/json", JSON.stringify({ kind: "note", text })))
          acknowledged.push(text);
      }
    });
    const before = acknowledged.length;
    while (acknowledged.length === before) await setTimeout(5);
    await setTimeout(random.integer(0, 200));
    child.kill("SIGKILL");
    isRunning = false;
    await Promise.all([ended, ...writers]);
  }
  const { lines } = linesIn(readFileSync(file, "utf8"));
  const texts = new Set(lines.flatMap((line) => (line.line === "entry" ? [line.text] : [])));
  expect(acknowledged.filter((text) => !texts.has(text))).toEqual([]);
  expect(acknowledged.length).toBeGreaterThanOrEqual(KILLS);
  const named = lines.flatMap((line) => (line.line === "picture" ? [line.picture] : []));
  expect(named.length).toBeGreaterThanOrEqual(pictures);
  for (const number of named) expect(readFileSync(join(folder, `${NAME}.${number}.jpg`))).toHaveLength(picture.length);
});
