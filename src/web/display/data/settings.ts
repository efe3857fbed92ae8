/** The settings, stored in this browser. */

import { effect, signal } from "@preact/signals";
import { defaultUnits, measureNames, type UnitChoice, unitsOf } from "../instruments/units.ts";
import { type LanguageName, languageNames } from "../languages/languages.ts";
import { type Screen, storedScreens } from "../mine/screens.ts";
import { brokerUrlOf } from "./broker-address.ts";
import { stored } from "./stored.ts";

/**
 * References of shown depths. `installed` follows the offset of the transducer: to the keel, to the surface, or none.
 */
export const depthReferences = ["installed", "transducer", "keel", "surface"] as const;
export type DepthReference = (typeof depthReferences)[number];

/** Directions that are up on the plot of ships. */
export const ups = ["north", "head", "course"] as const;
export type Up = (typeof ups)[number];

export type Sector = readonly [near: number, far: number];

const isAngle = (value: unknown): value is number => typeof value === "number" && value >= 0 && value <= 180;

function isSector(value: unknown): value is Sector {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [near, far] = value as readonly unknown[];
  return isAngle(near) && isAngle(far) && near < far;
}

export interface Settings {
  readonly prefix: string;
  /** URL of the broker's WebSocket; empty: `/mqtt` of the host that the page comes from. */
  readonly broker: string;
  readonly light: "day" | "night";
  /** The colours follow the sun, `chosenAt` being the time at which others were last chosen by hand, this device's clock. */
  readonly bySun: boolean;
  readonly chosenAt: number;
  /** Percent of full brightness by night. */
  readonly lamp: number;
  readonly units: UnitChoice;
  readonly depthReference: DepthReference;
  readonly timeZone: "UTC" | "local";
  /** `browser`: the first of the browser's languages that the display has. */
  readonly language: LanguageName | "browser";
  /** Index into the ranges of the plot, the direction that is up, and the length of vectors in minutes. */
  readonly range: number;
  readonly up: Up;
  readonly ahead: number;
  /** The boat's own charts are shown. */
  readonly charts: boolean;
  /** Alarms sound here, and the screen stays on while the page is shown. */
  readonly sound: boolean;
  readonly awake: boolean;
  /** The sector of the rose in which the boat sails close-hauled, degrees off the bow. */
  readonly sector: Sector;
  /** The screens of the crew's own page. */
  readonly mine: readonly Screen[];
}

const defaults: Settings = {
  prefix: "can/can0",
  broker: "",
  light: "day",
  bySun: true,
  chosenAt: 0,
  lamp: 100,
  units: defaultUnits,
  depthReference: "installed",
  timeZone: "UTC",
  language: "browser",
  range: 3,
  up: "north",
  ahead: 6,
  charts: true,
  sound: true,
  awake: true,
  sector: [22, 60],
  mine: [
    ["depth", "sog", "apparentSpeed", "headingTrue", "waypointDistance", "pressure"],
    ["depth", "sog", "trueAngle"],
  ],
};

/** Members with a fixed set of strings; other values get their default. */
const choices: Readonly<Partial<Record<keyof Settings, readonly string[]>>> = {
  light: ["day", "night"],
  depthReference: depthReferences,
  timeZone: ["UTC", "local"],
  language: ["browser", ...languageNames],
  up: ups,
};

function isUsable(name: keyof Settings, value: unknown): boolean {
  return typeof value === typeof defaults[name] && value !== null && choices[name]?.includes(value as string) !== false;
}

/** The stored settings. Members that are absent or not usable get their default. */
const KEY = "hub-display";
const memory = stored(KEY, (json): Settings => {
  const kept = json as Record<string, unknown>;
  const names = (Object.keys(defaults) as (keyof Settings)[]).filter((name) => isUsable(name, kept[name]));
  const settings: Settings = { ...defaults, ...Object.fromEntries(names.map((name) => [name, kept[name]])) };
  const units = Object.fromEntries(
    measureNames.map((name) => [
      name,
      settings.units[name] in unitsOf(name) ? settings.units[name] : defaultUnits[name],
    ]),
  ) as UnitChoice;
  const sector = isSector(kept.sector) ? kept.sector : defaults.sector;
  // Colours that were chosen before the display knew the sun stay.
  const bySun = typeof kept.bySun === "boolean" ? kept.bySun : !isUsable("light", kept.light);
  return { ...settings, bySun, units, sector, mine: storedScreens(kept.mine) ?? defaults.mine };
});

export const settings = signal<Settings>(memory.read() ?? defaults);

export const changeSettings = (change: Partial<Settings>): void => {
  settings.value = { ...settings.peek(), ...change };
};

/** Changes the colours, also while they follow the sun: then until it rises or sets. */
export const toggleLight = (): void =>
  changeSettings({ light: settings.peek().light === "day" ? "night" : "day", chosenAt: Date.now() });

let kept = settings.peek();
effect(() => {
  if (settings.value !== kept) memory.write(settings.value);
  kept = settings.value;
});

// Another tab has changed them: one that went on with its own would undo that with its next change.
globalThis.addEventListener?.("storage", ({ key }) => {
  if (key !== KEY) return;
  kept = memory.read() ?? kept;
  settings.value = kept;
});

export const brokerUrl = (): string => brokerUrlOf(settings.value.broker);
