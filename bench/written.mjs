/**
 * Writes of the kernel to the files of an ext4 file system, by its trace events: bytes by path, those of the journal,
 * and the changed inodes, bitmaps and folders that follow from the journal to their places.
 */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, rmdirSync, statSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** Debian mounts it at the start; a container does not. */
const TRACING = "/sys/kernel/tracing";
const PAGE_BYTES = 4096;
/** Time between two looks for new files: a file that is renamed or removed sooner has no name. */
const LOOK_MS = 5000;
const EVENTS = ["ext4/ext4_writepages_result", "jbd2/jbd2_run_stats"];

/** The path on the boat, without the parts of names that differ from file to file: counters, dates and identifiers. */
const kindOf = (path) =>
  path
    .replace(/^.*\/upper(?=\/)/, "")
    .replace(/[0-9A-F]{8,}|\d+/g, "*")
    .replace(/(\*[-_.~]?)+/g, "*");

/**
 * Watches a file system. It looks at all folders once, so that their access times are of today; `begin` counts from
 * then on, and `close` returns bytes by the kind of path.
 */
export function watchWrites(mount) {
  const { dev } = statSync(mount);
  const device = `dev ${(dev >> 8) & 0xfff},${(dev & 0xff) | ((dev >> 12) & 0xfff00)} `;
  const instances = `${TRACING}/instances`;
  if (!existsSync(instances)) execFileSync("mount", ["-t", "tracefs", "tracefs", TRACING]);
  const tracing = `${instances}/hub-${process.pid}-${dev}`;
  mkdirSync(tracing);
  for (const event of EVENTS) writeFileSync(`${tracing}/events/${event}/enable`, "1");
  const [bytes, names] = [new Map(), new Map()];
  const reader = spawn("cat", [`${tracing}/trace_pipe`], { stdio: ["ignore", "pipe", "ignore"] });
  const add = (key, pages) => bytes.set(key, (bytes.get(key) ?? 0) + pages * PAGE_BYTES);
  createInterface({ input: reader.stdout }).on("line", (line) => {
    if (!line.includes(device)) return;
    const [, inode, pages] = / ino (\d+) .* pages_written (\d+)/.exec(line) ?? [];
    if (inode !== undefined) return add(inode, Number(pages));
    const [, logged] = / blocks_logged (\d+)/.exec(line) ?? [];
    if (logged !== undefined) add("the journal", Number(logged));
  });
  const look = () => {
    const found = execFileSync("find", [mount, "-xdev", "-type", "f", "-cmin", "-1", "-printf", "%i %P\n"]);
    for (const [, inode, path] of found.toString().matchAll(/^(\d+) (.*)$/gm)) names.set(inode, path);
  };
  look();
  const timer = setInterval(look, LOOK_MS);
  return {
    begin: () => bytes.clear(),
    close() {
      clearInterval(timer);
      look();
      for (const event of EVENTS) writeFileSync(`${tracing}/events/${event}/enable`, "0");
      reader.kill();
      reader.on("close", () => rmdirSync(tracing));
      const kinds = new Map();
      for (const [key, count] of bytes) {
        const kind = /^\d+$/.test(key) ? kindOf(names.get(key) ?? "files that were soon removed") : key;
        kinds.set(kind, (kinds.get(kind) ?? 0) + count);
      }
      return [...kinds].toSorted(([, one], [, other]) => other - one);
    },
  };
}
