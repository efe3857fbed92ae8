/**
 * `node bench/boat.mjs`, as root: bytes that the packages write to the medium of a boat's computer, and their memory.
 * Two boats at once, installed as documented and with the simulated voyage, one with the history and one without: each
 * is a Debian 13 booted in a container, on a loop device with its own ext4 file system, whose counters the kernel
 * keeps. BENCH_SECONDS is the time of the measurement (3600), after two minutes for starting; BENCH_BOATS selects boats
 * (history,plain). Memory is the sum of PSS, in which pages that several processes share count once.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { exportsOf, printTable } from "./rounds.mjs";
import { watchWrites } from "./written.mjs";

const seconds = Number(process.env.BENCH_SECONDS ?? 3600);
const kinds = (process.env.BENCH_BOATS ?? "history,plain").split(",");
const SETTLING_MS = 120_000;
const SECTOR_BYTES = 512;
const SECONDS_A_DAY = 86_400;
/** A file that has less than this part of the bytes is not listed. */
const SHOWN_PARTS = 100;

const { asWritten, boatRoot, openContainer, packages } = await exportsOf(`
  export { asWritten, openContainer } from "./test/packaging/container.ts";
  export { boatRoot } from "./test/packaging/roots.ts";
  export { packages } from "./test/packaging/packages.ts";`);

const run = (command, ...args) => execFileSync(command, args, { encoding: "utf8" }).trim();

/** A new ext4 file system on a loop device, mounted as Debian does. */
function openMedium() {
  const folder = mkdtempSync(join(tmpdir(), "hub-medium-"));
  const [image, mount] = [join(folder, "image"), join(folder, "mount")];
  mkdirSync(mount);
  run("truncate", "-s", "4G", image);
  run("mkfs.ext4", "-q", "-E", "lazy_itable_init=0,lazy_journal_init=0", image);
  const device = run("losetup", "--find", "--show", image);
  run("mount", device, mount);
  return {
    mount,
    /** Bytes written, and caches flushed, since the device exists. */
    written() {
      run("sync", "--file-system", mount);
      const fields = readFileSync(`/sys/block/${basename(device)}/stat`, "utf8")
        .trim()
        .split(/\s+/)
        .map(Number);
      return { bytes: fields[6] * SECTOR_BYTES, flushes: fields[15] };
    },
    close() {
      run("umount", mount);
      run("losetup", "--detach", device);
      rmSync(folder, { recursive: true });
    },
  };
}

/** A boat as installed by README and the page about the history. */
async function openBoat(place, hasHistory) {
  const lower = join(place, "debian");
  run("cp", "--archive", await boatRoot(), lower);
  const boat = await openContainer(lower, place);
  try {
    await install(boat, hasHistory);
    return boat;
  } catch (error) {
    await boat.close();
    throw error;
  }
}

async function install(boat, hasHistory) {
  const wanted = ["config", "cand", "link", "display", ...(hasHistory ? ["history"] : [])];
  const files = [...(await packages()).current].filter(([name]) => /_(all|amd64)$/.test(name));
  for (const [name, path] of files)
    if (wanted.some((part) => name.startsWith(`hub-${part}_`))) copyFileSync(path, boat.file(`/srv/${basename(path)}`));
  await boat.boot();
  await boat.run("apt-get install -y /srv/*.deb && rm /srv/*.deb");
  for (const example of ["hub.mosquitto.conf", "boat.nginx"])
    await asWritten(boat, `/usr/share/doc/hub-config/examples/${example}`);
  if (hasHistory) await asWritten(boat, "/usr/share/doc/hub-history/examples/victoria-metrics.conf");
  else await boat.run("systemctl disable --now victoria-metrics");
  const options = 'HUB_CAND_OPTIONS="--simulate --lanes 10,60"';
  await boat.run(`echo '${options}' > /etc/default/hub-cand-can0 && systemctl restart hub-cand@can0`);
  await boat.until("mosquitto_sub -t can/can0/every/10/navigation -C 1 -W 20 | grep position");
}

const services = ["hub-cand@can0", "hub-config", "hub-link", "hub-history", "victoria-metrics", "mosquitto", "nginx"];

/** Megabytes of PSS of all processes of a service. */
async function megabytesOf(boat, service) {
  const member = `grep -qs /${service}.service $dir/cgroup`;
  const { stdout } = await boat.attempt(`for dir in /proc/[0-9]*; do ${member} && grep ^Pss: $dir/smaps_rollup; done`);
  const sizes = [...stdout.matchAll(/^Pss:\s+(\d+) kB$/gm)].map(([, size]) => Number(size));
  return sizes.reduce((sum, size) => sum + size, 0) / 1024;
}

async function watch(kind) {
  const medium = openMedium();
  try {
    return { kind, ...(await measured(medium, kind === "history")) };
  } finally {
    medium.close();
  }
}

async function measured(medium, hasHistory) {
  const boat = await openBoat(medium.mount, hasHistory);
  try {
    const watched = watchWrites(medium.mount);
    await delay(SETTLING_MS);
    const before = medium.written();
    watched.begin();
    await delay(1000 * seconds);
    const after = medium.written();
    const files = watched.close();
    const memory = [];
    for (const service of services) memory.push([service, await megabytesOf(boat, service)]);
    return { bytes: after.bytes - before.bytes, flushes: after.flushes - before.flushes, files, memory };
  } finally {
    await boat.close();
  }
}

const seen = await Promise.all(kinds.map(watch));
console.log(`\nWritten to the medium in ${seconds} s`);
printTable(
  seen.map(({ kind, bytes, flushes }) => ({
    "": kind,
    MB: (bytes / 1e6).toFixed(2),
    "GB a day": ((bytes * SECONDS_A_DAY) / seconds / 1e9).toFixed(3),
    "flushes a second": (flushes / seconds).toFixed(2),
  })),
);
for (const { kind, bytes, files } of seen) {
  const shown = files.filter(([, count]) => count > bytes / SHOWN_PARTS);
  const rest = bytes - shown.reduce((sum, [, count]) => sum + count, 0);
  console.log(`\nBy file, ${kind}; the rest are small files, and inodes and folders at their places`);
  printTable([...shown, ["the rest", rest]].map(([path, count]) => ({ MB: (count / 1e6).toFixed(2), file: path })));
}
console.log("\nMemory, MB of PSS");
printTable(
  seen.map(({ kind, memory }) => ({
    "": kind,
    ...Object.fromEntries(memory.map(([service, size]) => [service, size.toFixed(1)])),
    sum: memory.reduce((sum, [, size]) => sum + size, 0).toFixed(1),
  })),
);
