/** The overlays of a card on the device tree of every board of Debian's kernel for which there is a card. */
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { clockSource, clocks, overlayOf, overlaySource, overlays } from "../../packaging/card/overlays.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { kernelRoot } from "./roots.ts";

const folder = temporaryFolder("boards");
afterAll(() => rmSync(folder, { recursive: true }));

function run(command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${error?.message ?? stderr}`);
  return stdout;
}

const isRoot = process.getuid?.() === 0;

test.skipIf(!isRoot)(
  "every overlay applies to every board, and its chip is on the bus of the header",
  async () => {
    const modules = join(await kernelRoot(), "usr/lib");
    const [image] = readdirSync(modules).filter((name) => name.startsWith("linux-image-"));
    const trees = join(modules, image!, "broadcom");
    const boards = readdirSync(trees).filter((name) => /^bcm2(711|837)-rpi-.*\.dtb$/.test(name));
    // Pi 4, 400, Compute Module 4; 3 A+, 3 B, 3 B+, Compute Module 3, Zero 2 W.
    expect(boards.length).toBeGreaterThanOrEqual(8);
    for (const [name, source] of [
      ...overlays.map((each) => [overlayOf(each), overlaySource(each)] as const),
      ...clocks.map((each) => [`clock-${each}`, clockSource(each)] as const),
    ]) {
      writeFileSync(join(folder, "one.dts"), source);
      run("dtc", "-@", "-q", "-o", "one.dtbo", "one.dts");
      const [bus, chip] = name.startsWith("clock-") ? ["i2c@7e804000", "rtc"] : ["spi@7e204000", "can@0"];
      for (const board of boards) {
        run("fdtoverlay", "-i", join(trees, board), "-o", "result.dtb", "one.dtbo");
        expect(run("fdtget", "result.dtb", `/soc/${bus}`, "status"), `${board} ${name}`).toBe("okay\n");
        expect(run("fdtget", "-l", "result.dtb", `/soc/${bus}`), `${board} ${name}`).toMatch(
          new RegExp(`^${chip}`, "m"),
        );
      }
    }
  },
  1_800_000,
);
