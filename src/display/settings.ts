/** The settings, stored in this browser. */
import { effect, signal } from "@preact/signals";
import type { DepthUnit, WindUnit } from "./units.ts";

export interface Settings {
  readonly prefix: string;
  /** URL of the broker's WebSocket; empty: `/mqtt` of the host that the page comes from. */
  readonly broker: string;
  readonly light: "day" | "night";
  /** Percent of full brightness by night. */
  readonly lamp: number;
  readonly depthUnit: DepthUnit;
  readonly windUnit: WindUnit;
  /** Limits of a dangerous approach: nautical miles and minutes. */
  readonly cpa: number;
  readonly tcpa: number;
  /** Index into the ranges of the plot, its orientation, and the length of vectors in minutes. */
  readonly range: number;
  readonly headUp: boolean;
  readonly ahead: number;
}

const defaults: Settings = {
  prefix: "can/can0",
  broker: "",
  light: "day",
  lamp: 100,
  depthUnit: "m",
  windUnit: "kn",
  cpa: 0.5,
  tcpa: 20,
  range: 3,
  headUp: false,
  ahead: 6,
};

const STORAGE_KEY = "hub-display";

/** The stored settings. Members that are absent or of the wrong type get their default. */
function storedSettings(): Settings {
  try {
    const stored = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}") as Record<string, unknown>;
    const usable = Object.entries(defaults).filter(([name, value]) => typeof stored[name] === typeof value);
    return { ...defaults, ...Object.fromEntries(usable.map(([name]) => [name, stored[name]])) };
  } catch {
    // Storage may be forbidden or its content broken; the defaults apply then.
    return defaults;
  }
}

export const settings = signal<Settings>(storedSettings());

export const changeSettings = (change: Partial<Settings>): void => {
  settings.value = { ...settings.peek(), ...change };
};

effect(() => {
  const text = JSON.stringify(settings.value);
  try {
    localStorage.setItem(STORAGE_KEY, text);
  } catch {
    // Storage may be forbidden or full; settings then last until the page is closed.
  }
});

/** URL of the broker: the query parameter `broker`, else the setting, else `/mqtt` of this host. */
export function brokerUrl(): string {
  const override = new URLSearchParams(location.search).get("broker");
  return (
    override || settings.value.broker || `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/mqtt`
  );
}
