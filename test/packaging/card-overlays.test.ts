/** The overlays of a card: compiled by dtc, and applied by fdtoverlay as the firmware of a Raspberry Pi does. */
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { clockSource, clocks, overlayOf, overlaySource, overlays } from "../../packaging/card/overlays.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("overlays");
afterAll(() => rmSync(folder, { recursive: true }));

const hasCompiler = spawnSync("fdtoverlay", ["--version"]).status === 0;

function run(command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
  return stdout;
}

/** Of a Raspberry Pi, by the labels of Debian's kernel, what the overlays speak of. */
const board = `/dts-v1/;
/ {
	compatible = "raspberrypi,4-model-b", "brcm,bcm2711";
	#address-cells = <1>;
	#size-cells = <1>;
	gpio: gpio@7e200000 {
		gpio-controller;
		#gpio-cells = <2>;
		interrupt-controller;
		#interrupt-cells = <2>;
		spi0_gpio7: spi0-gpio7 { };
		i2c1_gpio2: i2c1-gpio2 { };
	};
	spi: spi@7e204000 { status = "disabled"; };
	i2c1: i2c@7e804000 { status = "disabled"; };
};
`;

const all = [
  ...overlays.map((each) => [overlayOf(each), overlaySource(each)] as const),
  ...clocks.map((each) => [`clock-${each}`, clockSource(each)] as const),
];

test.skipIf(!hasCompiler)("every overlay applies to a board, with its chip, oscillator and interrupt", () => {
  writeFileSync(join(folder, "board.dts"), board);
  run("dtc", "-@", "-q", "-o", "board.dtb", "board.dts");
  for (const [name, source] of all) {
    writeFileSync(join(folder, "one.dts"), source);
    run("dtc", "-@", "-q", "-o", "one.dtbo", "one.dts");
    run("fdtoverlay", "-i", "board.dtb", "-o", "result.dtb", "one.dtbo");
    const [, chip, megahertz, interrupt] = /^(mcp\w+)-(\d+)-(\d+)$/.exec(name) ?? [];
    const result = run("dtc", "-q", "-s", "-O", "dts", "result.dtb");
    /** The property of a node, which stands before its children. */
    const get = (node: string, property: string): string => {
      const found = new RegExp(`\\t${node} \\{\\n(?:[^{}]*;\\n)?\\t*${property} = (.*);$`, "m").exec(result);
      if (found === null) throw new Error(`${name}: ${node} has no ${property} in ${result}`);
      return found[1]!;
    };
    const cells = (...numbers: readonly number[]): string =>
      `<${numbers.map((each) => `0x${each.toString(16).padStart(2, "0")}`).join(" ")}>`;
    if (chip === undefined) {
      expect(get("i2c@7e804000", "status"), name).toBe('"okay"');
      expect(get("i2c@7e804000", "pinctrl-0"), name).toBe(get("i2c1-gpio2", "phandle"));
      continue;
    }
    expect(get("can@0", "compatible")).toBe(`"microchip,${chip}"`);
    expect(get("hub-can-clock", "clock-frequency")).toBe(cells(Number(megahertz) * 1_000_000));
    expect(get("can@0", "interrupts")).toBe(cells(Number(interrupt), 8));
    expect(get("spi@7e204000", "status")).toBe('"okay"');
    // References of the overlay lead to the nodes of the board and its own.
    expect(get("can@0", "interrupt-parent")).toBe(get("gpio@7e200000", "phandle"));
    expect(get("can@0", "clocks")).toBe(get("hub-can-clock", "phandle"));
    expect(get("can@0", "pinctrl-0")).toBe(get("hub-can-interrupt", "phandle"));
    expect(get("spi@7e204000", "pinctrl-0")).toBe(get("spi0-gpio7", "phandle"));
  }
});
