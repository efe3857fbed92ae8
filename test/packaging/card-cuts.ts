/**
 * Power cuts of the image of a card that is written to: QEMU logs what reaches the third partition and when that is
 * flushed, so that one run is a cut at any moment, also with a medium that loses what it has not flushed.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { type Card, openCard } from "./card-container.ts";
import { must } from "./container.ts";
import { partsAfterCuts } from "./disk-log.ts";

const SIZE = 256 << 20;
const PROJECT = "/etc/hub/configuration/cuts.json";
const WRITERS = 4;

/** Each writer waits for the answer to a write before its next one; prints the number of each that was acknowledged. */
const writer = `
const url = "http://127.0.0.1/api/config/project/cuts";
const put = async (path, body) => {
  const { status } = await fetch(url + path, { method: "PUT", body: JSON.stringify(body) });
  if (status !== 201) throw new Error(path + ": " + status);
};
await put("", { name: "Cuts" });
const end = Date.now() + Number(process.argv[1]);
await Promise.all(Array.from({ length: ${WRITERS} }, async (_, writer) => {
  for (let number = 1; Date.now() < end; number++) {
    await put("/sensor/s" + writer, { number, text: "x".repeat((number * 37) % 500) });
    console.log(writer, number);
  }
}));
`;

/** A write that was answered, when the log had this size. */
interface Acknowledged {
  readonly writer: number;
  readonly number: number;
  readonly size: number;
}

export interface CutOptions {
  readonly image: string;
  /** The third partition as the image has it. */
  readonly data: string;
  readonly folder: string;
  /** How long is written. */
  readonly ms: number;
  readonly cuts: number;
  /** Of so many cuts one is followed by a whole start; after the others the files are read. */
  readonly every: number;
  readonly random: () => number;
}

/** Cuts the power; returns how many times the card was started again. Throws if anything acknowledged is lost. */
export async function cutPower(options: CutOptions): Promise<{ starts: number; acknowledged: number }> {
  const { image, data, folder, ms, cuts, every, random } = options;
  const [part, before, log, exported, target] = ["part", "before", "log", "exported", "target"].map((name) =>
    join(folder, name),
  ) as [string, string, string, string, string];
  copyFileSync(data, part);
  truncateSync(part, SIZE);
  must("resize2fs", part);
  copyFileSync(part, before);
  for (const path of [log, exported]) writeFileSync(path, "");
  const node = "driver=file,node-name";
  const storage = spawn(
    "qemu-storage-daemon",
    [
      ...["--blockdev", `${node}=part,filename=${part}`, "--blockdev", `${node}=log,filename=${log}`],
      ...["--blockdev", "driver=blklogwrites,node-name=logged,file=part,log=log"],
      ...["--export", `type=fuse,id=disk,node-name=logged,mountpoint=${exported},writable=on`],
    ],
    { stdio: "inherit" },
  );
  while (statSync(exported).size === 0) {
    if (storage.exitCode !== null) throw new Error("qemu-storage-daemon ends");
    await delay(50);
  }
  const acknowledged: Acknowledged[] = [];
  const running = openCard(image, exported);
  try {
    await start(running);
    const writing = running.spawnOutside(process.execPath, "--input-type=module", "-e", writer, String(ms));
    const ended = once(writing, "close");
    for await (const line of createInterface(writing.stdout!)) {
      const [from, number] = line.split(" ").map(Number) as [number, number];
      acknowledged.push({ writer: from, number, size: statSync(log).size });
    }
    if ((await ended)[0] !== 0) throw new Error("the writers fail");
  } finally {
    await running.close();
    storage.kill();
    await once(storage, "close");
  }

  const [first, last] = [acknowledged[0]!.size, acknowledged.at(-1)!.size];
  const at = Array.from({ length: cuts }, () => Math.floor(first + random() * (last - first))).sort((a, b) => a - b);
  let cut = 0;
  let starts = 0;
  for (const _ of partsAfterCuts({ part: before, start: 0, log, at, random, target })) {
    const size = at[cut]!;
    const card = openCard(image, target);
    try {
      const lost = lostOf(
        card,
        acknowledged.filter((each) => each.size <= size),
      );
      if (lost !== undefined) throw new Error(`cut ${cut} at ${size}: ${lost}`);
      if (cut % every === 0) {
        await start(card);
        starts++;
        await card.until("curl -sSf http://127.0.0.1/api/config/project/cuts");
        await card.until("curl -sSf http://127.0.0.1/display/");
      }
    } finally {
      await card.close();
    }
    cut++;
  }
  return { starts, acknowledged: acknowledged.length };
}

async function start(card: Card): Promise<void> {
  writeFileSync(join(card.drive, "hub.txt"), "name = Ella\nbus = simulated\n");
  await card.boot();
  await card.until("curl -sSf http://127.0.0.1/api/config/health");
}

/** What of the acknowledged writes a card does not have. */
function lostOf(card: Card, acknowledged: readonly Acknowledged[]): string | undefined {
  const { sensor } = JSON.parse(readFileSync(card.file(PROJECT), "utf8")) as {
    sensor: { name: string; number: number }[];
  };
  for (let writer = 0; writer < WRITERS; writer++) {
    const wanted = Math.max(0, ...acknowledged.filter((each) => each.writer === writer).map(({ number }) => number));
    const is = sensor.find(({ name }) => name === `s${writer}`)?.number ?? 0;
    if (is < wanted) return `writer ${writer} has ${is}, acknowledged is ${wanted}`;
  }
  return undefined;
}
