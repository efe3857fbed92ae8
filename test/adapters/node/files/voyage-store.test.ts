import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { voyageStore } from "../../../../src/adapters/node/files/voyage-store.ts";
import { type KeptLine, lineIn } from "../../../../src/core/voyages/lines.ts";
import { linesIn } from "../../../../src/services/history/voyages.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { randomOf } from "../../../world/random.ts";
import { Disk } from "../../../world/service/disk.ts";

const root = temporaryFolder("voyages");

const NAME = "2026-11-21T080001Z";
const line = (entry: number): KeptLine => ({
  line: "entry",
  entry,
  kind: "note",
  time: 1000 * entry,
  text: "x".repeat(entry % 40),
});
const textIn = (each: KeptLine): string => JSON.stringify(each);
const textOf = (entry: number): string => textIn(line(entry));

test("what is kept is whole lines, for the owner alone, in the order of their times", async () => {
  const store = await voyageStore(join(root, "one"));
  for (const name of [`${NAME}-10`, NAME, `${NAME}-2`, "2026-01-01T000000Z"])
    await store.append(name, [textOf(1), textOf(2)]);
  expect(await store.names()).toEqual(["2026-01-01T000000Z", NAME, `${NAME}-2`, `${NAME}-10`]);
  expect(linesIn((await store.read(NAME))!)).toEqual({ lines: [line(1), line(2)], damaged: 0 });
  expect(statSync(join(root, "one", `${NAME}.jsonl`)).mode & 0o777).toBe(0o600);
  expect(await store.read("2000-01-01T000000Z")).toBeUndefined();
  expect(await store.piece("2000-01-01T000000Z", 0, 10)).toHaveLength(0);
});

test.each(["../x", "", "2026", ".."])("%j is no name of a voyage", async (name) => {
  const store = await voyageStore(join(root, "names"));
  expect(await store.read(name)).toBeUndefined();
  await expect(store.append(name, ["{}"])).rejects.toThrow(TypeError);
});

test("a line that was cut at any byte is counted as damaged, and the next ones are whole", async () => {
  const whole = `${textOf(1)}\n${textOf(2)}`;
  for (let length = textOf(1).length + 2; length < whole.length; length++) {
    const folder = join(root, `cut-${length}`);
    const store = await voyageStore(folder);
    writeFileSync(join(folder, `${NAME}.jsonl`), whole.slice(0, length));
    await store.append(NAME, [textOf(3)]);
    expect(linesIn((await store.read(NAME))!)).toEqual({ lines: [line(1), line(3)], damaged: 1 });
  }
});

test("lines that were written twice, because their sync failed, count once", async () => {
  const store = await voyageStore(join(root, "twice"));
  await store.append(NAME, [textOf(1)]);
  appendFileSync(join(root, "twice", `${NAME}.jsonl`), `${textOf(2)}\n`);
  await store.append(NAME, [textOf(2), textOf(3)]);
  expect(linesIn((await store.read(NAME))!).lines).toEqual([line(1), line(2), line(3)]);
});

test.each([0, 1, 2, 3])("lines that are refused are not there, whichever call fails, %i", async (seed) => {
  for (let at = 1, isRefused = true; isRefused; at++) {
    const folder = join(root, `refused-${seed}-${at}`);
    const disk = new Disk(randomOf(seed));
    const store = await voyageStore(folder, disk.files);
    // The first line of a voyage too, whose name is new.
    for (const [name, kept] of [[NAME, [line(1)]] as const, [`${NAME}-2`, []] as const]) {
      if (kept.length > 0) await store.append(name, kept.map(textIn));
      disk.expect({ is: "one call fails", at });
      isRefused = await store.append(name, [textOf(2)]).then(
        () => false,
        () => true,
      );
      disk.expect(undefined);
      await (await voyageStore(folder)).append(name, [textOf(3)]);
      const expected = [...kept, ...(isRefused ? [] : [line(2)]), line(3)];
      expect(linesIn(await store.read(name)), `call ${at} of ${name}`).toEqual({ lines: expected, damaged: 0 });
    }
  }
});

test.each([0, 1])("voyages are made all or none, whichever call fails, %i", async (seed) => {
  const made = new Map([1, 2, 3].map((number) => [`${NAME}-${number + 1}`, [textOf(number)]]));
  for (let at = 1, isRefused = true; isRefused; at++) {
    const folder = join(root, `made-${seed}-${at}`);
    const disk = new Disk(randomOf(seed));
    const store = await voyageStore(folder, disk.files);
    disk.expect({ is: "one call fails", at });
    isRefused = await store.create(made).then(
      () => false,
      () => true,
    );
    expect(await store.names(), `call ${at}`).toEqual(isRefused ? [] : [...made.keys()]);
  }
});

test("power cuts at any call lose no line that was acknowledged", async () => {
  let cuts = 0;
  for (let seed = 0; seed < 200; seed++) {
    const random = randomOf(seed);
    const folder = join(root, `power-${seed}`);
    mkdirSync(folder);
    const disk = new Disk(random);
    const before = random.integer(0, 3);
    const first = await voyageStore(folder);
    const acknowledged: number[] = [];
    for (let entry = 0; entry < before; entry++) {
      await first.append(NAME, [textOf(entry)]);
      acknowledged.push(entry);
    }
    const name = `${NAME}.jsonl`;
    const files = new Map(before > 0 ? [[name, Uint8Array.from(readFileSync(join(folder, name)))]] : []);
    disk.begin(folder, { folders: [], files, links: new Map() });
    disk.expect({ is: "power cut", at: random.integer(1, 30) });
    try {
      const store = await voyageStore(folder, disk.files);
      for (let entry = before; entry < 12; entry++) {
        await store.append(NAME, [textOf(entry)]);
        acknowledged.push(entry);
      }
    } catch {
      cuts++;
    }
    const after = join(root, `after-${seed}`);
    mkdirSync(after);
    for (const [path, bytes] of disk.afterCut().files) {
      mkdirSync(dirname(join(after, path)), { recursive: true });
      writeFileSync(join(after, path), bytes);
    }
    const store = await voyageStore(after);
    await store.append(NAME, [textOf(99)]);
    const found = linesIn((await store.read(NAME))!).lines.map((each) => (each as { entry: number }).entry);
    expect(found, `seed ${seed}`).toEqual(expect.arrayContaining([...acknowledged, 99]));
    expect(found.every((entry) => lineIn(textOf(entry)) !== undefined)).toBe(true);
  }
  expect(cuts).toBeGreaterThan(50);
});

test.each([0, 1])(
  "a voyage whose removal is refused is as it was, and goes on, whichever call fails, %i",
  async (seed) => {
    for (let at = 1, isRefused = true; isRefused; at++) {
      const folder = join(root, `kept-${seed}-${at}`);
      const disk = new Disk(randomOf(seed));
      const store = await voyageStore(folder, disk.files);
      await store.append(NAME, [textOf(1)]);
      disk.expect({ is: "one call fails", at });
      isRefused = await store.remove(NAME).then(
        () => false,
        () => true,
      );
      disk.expect(undefined);
      await store.append(NAME, [textOf(2)]);
      expect(linesIn(await store.read(NAME)).lines, `call ${at}`).toEqual([...(isRefused ? [line(1)] : []), line(2)]);
    }
  },
);

test("a voyage that was removed is there for its owner alone, also after a power cut", async () => {
  for (let seed = 0; seed < 20; seed++) {
    const folder = join(root, `removed-${seed}`);
    await (await voyageStore(folder)).append(NAME, [textOf(1)]);
    const files = new Map([[`${NAME}.jsonl`, Uint8Array.from(readFileSync(join(folder, `${NAME}.jsonl`)))]]);
    const disk = new Disk(randomOf(seed));
    disk.begin(folder, { folders: [], files, links: new Map() });
    const store = await voyageStore(folder, disk.files);
    await store.remove(NAME);
    expect([await store.names(), await store.read(NAME)]).toEqual([[], undefined]);
    disk.expect({ is: "power cut", at: 1 });
    await expect(store.append(`${NAME}-2`, [textOf(2)])).rejects.toThrow();
    expect([...disk.afterCut().files.keys()].filter((path) => !path.includes("Z-2"))).toEqual([`${NAME}.removed`]);
  }
});

test("each voyage of a name that is removed keeps its lines, and one that the owner has removed is gone", async () => {
  const folder = join(root, "removed-again");
  const store = await voyageStore(folder);
  for (const entry of [1, 2]) {
    await store.append(NAME, [textOf(entry)]);
    await store.remove(NAME);
  }
  const kept = ["removed", "removed-2"].map((ending) => readFileSync(join(folder, `${NAME}.${ending}`), "utf8"));
  expect(kept).toEqual([`${textOf(1)}\n`, `${textOf(2)}\n`]);
  await expect(store.remove(NAME)).resolves.toBeUndefined();
});
