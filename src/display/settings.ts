/** What the crew has chosen, kept in this browser. */
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
  /** Limits of a dangerous meeting: nautical miles and minutes. */
  readonly cpa: number;
  readonly tcpa: number;
  /** Index into the ranges of the plot, its orientation, and the minutes that vectors look ahead. */
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

const KEY = "hub-display";

/** What was kept, member by member: one of another kind is as good as none. */
function kept(): Settings {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, unknown>;
    const good = Object.entries(defaults).filter(([name, value]) => typeof found[name] === typeof value);
    return { ...defaults, ...Object.fromEntries(good.map(([name]) => [name, found[name]])) };
  } catch {
    // Storage may be forbidden or broken; the display works without.
    return defaults;
  }
}

export const settings = signal<Settings>(kept());

export const choose = (change: Partial<Settings>): void => {
  settings.value = { ...settings.peek(), ...change };
};

effect(() => {
  const text = JSON.stringify(settings.value);
  try {
    localStorage.setItem(KEY, text);
  } catch {
    // As above.
  }
});

/** The broker's URL: that of the address bar, else the chosen one, else `/mqtt` of this host. */
export function brokerUrl(): string {
  const asked = new URLSearchParams(location.search).get("broker");
  return asked || settings.value.broker || `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/mqtt`;
}
