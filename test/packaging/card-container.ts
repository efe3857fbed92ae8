/**
 * The image of a card, booted in a container as its initramfs leaves it to systemd: the root of its second partition, and
 * layers on the third one. All of it but kernel and hardware is the card's own, at the speed of this machine.
 */
import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, readSync, rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { type Container, containerOf, must } from "./container.ts";
import { PATH } from "./roots.ts";

export interface Part {
  /** Bytes from the start of the disk. */
  readonly start: number;
  readonly size: number;
}

/** The partitions of an image, in their order. */
export function partsOf(image: string): readonly [boot: Part, root: Part, data: Part] {
  const table = Buffer.alloc(512);
  const file = openSync(image, "r");
  readSync(file, table);
  closeSync(file);
  const part = (number: number): Part => ({
    start: table.readUInt32LE(446 + 16 * number + 8) * 512,
    size: table.readUInt32LE(446 + 16 * number + 12) * 512,
  });
  return [part(0), part(1), part(2)];
}

export interface Card extends Container {
  /** The drive HUB, in memory. */
  readonly drive: string;
  /** What `e2fsck` returned for the third partition. */
  readonly checked: number;
}

/** `data` is a file of the third partition. */
export function openCard(image: string, data: string): Card {
  const folder = temporaryFolder("card-boat");
  const [root, layers, drive] = ["root", "layers", "drive"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [root, layers, drive]) mkdirSync(path);
  const check = (...flags: string[]): number => spawnSync("e2fsck", [...flags, data], { env: { PATH } }).status ?? 8;
  let checked = check("-p");
  if (checked >= 4) checked = check("-fy");
  const [, { start, size }] = partsOf(image);
  must("mount", "-t", "squashfs", "-o", `ro,loop,offset=${start},sizelimit=${size}`, image, root);
  must("mount", "-t", "ext4", "-o", "loop,noatime,nodev", data, layers);
  must("mount", "-t", "tmpfs", "-o", "size=1m", "none", drive);
  for (const name of ["etc", "var", "usr"]) {
    const [upper, work] = ["upper", "work"].map((each) => join(layers, name, each)) as [string, string];
    for (const path of [upper, work]) mkdirSync(path, { recursive: true });
    const options = `${name === "usr" ? "ro" : "rw"},lowerdir=${join(root, name)},upperdir=${upper},workdir=${work}`;
    must("mount", "-t", "overlay", `hub-${name}`, "-o", options, join(root, name));
  }
  const container = containerOf(root, () => {
    for (const name of ["etc", "var", "usr"]) must("umount", join(root, name));
    for (const path of [drive, layers, root]) must("umount", path);
    rmSync(folder, { recursive: true });
  });
  return {
    ...container,
    drive,
    checked,
    boot: (...options) => container.boot(`--bind=${drive}:/boot/firmware`, ...options),
  };
}
