/**
 * Overlays for CAN HATs of a Raspberry Pi with the device trees of Debian's kernel, which has none of its own: those of
 * Raspberry Pi's kernel name the bus `spi0`, which is `spi` here.
 */

export interface Overlay {
  readonly chip: "mcp2515" | "mcp251xfd";
  readonly megahertz: number;
  /** The GPIO of the chip's interrupt. */
  readonly interrupt: number;
}

const INTERRUPTS = [23, 24, 25];
const chips = { mcp2515: [8, 12, 16, 20], mcp251xfd: [20, 40] } as const;

/** Every chip with the oscillators and interrupts that HATs have. */
export const overlays: readonly Overlay[] = Object.entries(chips).flatMap(([chip, oscillators]) =>
  oscillators.flatMap((megahertz) =>
    INTERRUPTS.map((interrupt) => ({ chip: chip as Overlay["chip"], megahertz, interrupt })),
  ),
);

/** The name of an overlay, as the firmware and hub.txt have it. */
export const overlayOf = ({ chip, megahertz, interrupt }: Overlay): string => `${chip}-${megahertz}-${interrupt}`;

/** Level low, in the flags of an interrupt; the chips hold their line until they have been read. */
const LEVEL_LOW = 8;

/** The source of an overlay, for dtc. The chip is at the first chip select of the header's SPI. */
export const overlaySource = ({ chip, megahertz, interrupt }: Overlay): string => `/dts-v1/;
/plugin/;
/ {
	compatible = "brcm,bcm2835";
	fragment@0 {
		target-path = "/";
		__overlay__ {
			hub_can_clock: hub-can-clock {
				compatible = "fixed-clock";
				#clock-cells = <0>;
				clock-frequency = <${megahertz}000000>;
			};
		};
	};
	fragment@1 {
		target = <&gpio>;
		__overlay__ {
			hub_can_interrupt: hub-can-interrupt {
				brcm,pins = <${interrupt}>;
				brcm,function = <0>;
			};
		};
	};
	fragment@2 {
		target = <&spi>;
		__overlay__ {
			#address-cells = <1>;
			#size-cells = <0>;
			pinctrl-names = "default";
			pinctrl-0 = <&spi0_gpio7>;
			status = "okay";
			can@0 {
				compatible = "microchip,${chip}";
				reg = <0>;
				pinctrl-names = "default";
				pinctrl-0 = <&hub_can_interrupt>;
				spi-max-frequency = <${chip === "mcp2515" ? 10 : 20}000000>;
				interrupt-parent = <&gpio>;
				interrupts = <${interrupt} ${LEVEL_LOW}>;
				clocks = <&hub_can_clock>;
			};
		};
	};
};
`;

/** Addresses and bindings of clocks with a battery, at the header's I2C. */
const clockChips = {
  ds3231: { address: 0x68, compatible: "maxim,ds3231" },
  pcf8523: { address: 0x68, compatible: "nxp,pcf8523" },
  pcf85063: { address: 0x51, compatible: "nxp,pcf85063a" },
} as const;

export type Clock = keyof typeof clockChips;

/** Clocks with an overlay; its name is `clock-` and the chip. */
export const clocks = Object.keys(clockChips) as readonly Clock[];

/** The source of the overlay of a clock. */
export function clockSource(clock: Clock): string {
  const { address, compatible } = clockChips[clock];
  return `/dts-v1/;
/plugin/;
/ {
	compatible = "brcm,bcm2835";
	fragment@0 {
		target = <&i2c1>;
		__overlay__ {
			#address-cells = <1>;
			#size-cells = <0>;
			pinctrl-names = "default";
			pinctrl-0 = <&i2c1_gpio2>;
			status = "okay";
			rtc@${address.toString(16)} {
				compatible = "${compatible}";
				reg = <0x${address.toString(16)}>;
			};
		};
	};
};
`;
}
