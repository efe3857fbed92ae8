/** The third partition of a card, as the script of its initramfs mounts it: sound, damaged, or no file system any more. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Namespace, openNamespace, withoutNamespace } from "../support/namespace.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { PATH } from "./roots.ts";

const script = resolve("packaging/card/root/etc/initramfs-tools/scripts/local-bottom/hub-card");

describe.skipIf(withoutNamespace)("the third partition of a card", () => {
  let folder: string;
  let partition: string;
  let boat: Namespace;

  const must = (command: string, ...args: readonly string[]): void => {
    const { status, stderr } = spawnSync(command, args, { env: { PATH }, encoding: "utf8" });
    if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
  };

  beforeEach(async () => {
    folder = temporaryFolder("layers");
    partition = join(folder, "disk3");
    for (const name of ["etc", "var", "usr"]) mkdirSync(join(folder, "content", name), { recursive: true });
    writeFileSync(partition, "");
    truncateSync(partition, 8 << 20);
    must("mke2fs", "-q", "-t", "ext4", "-d", join(folder, "content"), partition);
    boat = await openNamespace();
    // The script finds the partition by the name of the one before it.
    const commands = `mount -t tmpfs none /run && mkdir /run/root && mount -t tmpfs ${folder}/disk2 /run/root && mkdir /run/root/etc /run/root/var /run/root/usr && mount -o remount,ro /run/root`;
    boat.run("sh", "-euc", commands);
  });

  afterEach(async () => {
    await boat.close();
    rmSync(folder, { recursive: true });
  });

  const start = (): void => boat.run("env", "rootmnt=/run/root", "sh", script);
  const isForgotten = (): boolean => existsSync(boat.file("/run/hub-card/damaged"));
  const write = (path: string): void => writeFileSync(boat.file(`/run/root/${path}`), "x");

  test("holds what is written to /etc and /var; /usr is not written", () => {
    start();
    for (const path of ["etc/x", "var/x"]) write(path);
    expect(() => write("usr/x")).toThrow("EROFS");
    expect(readFileSync(boat.file("/run/hub-card/data/etc/upper/x"), "utf8")).toBe("x");
    expect(isForgotten()).toBe(false);
  });

  test.each(["etc", "var", "usr"])(
    "is repaired where its folder %s is damaged, although it was left in order",
    (name) => {
      must("debugfs", "-w", "-R", `clri /${name}`, partition);
      start();
      for (const path of ["etc/x", "var/x"]) write(path);
      expect(isForgotten()).toBe(false);
    },
  );

  test("without a file system the boat starts, and says that it forgets", () => {
    writeFileSync(partition, Buffer.alloc(8 << 20, 1));
    start();
    for (const path of ["etc/x", "var/x"]) write(path);
    expect(isForgotten()).toBe(true);
  });
});
