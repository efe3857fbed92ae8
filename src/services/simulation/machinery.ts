/**
 * Engine, batteries, tanks and switches as a pure function of the seconds since the start. The engine runs on the leg
 * against the wind (`voyage.ts`) and charges the batteries for the rest of the round, so that all but the tanks repeats
 * every round.
 */
import { ROUND_SECONDS } from "./voyage.ts";
import { smoothStep, waves, wrap } from "./waves.ts";

/** Seconds by which the engine starts before the first leg and stops after it. */
const LEAD_SECONDS = 60;
const RUNNING_SECONDS = 390;

const IDLE = 850;
const CRUISE = 1900;
const hunting = waves([14, 5], [9, 12, 0.3]);

/** Degrees Celsius. */
const ENGINE_ROOM = 24;
const THERMOSTAT = 82;
const WARMING_SECONDS = 110;
const COOLING_SECONDS = 900;

/**
 * Temperature above the engine room at the start of the engine, as a share of that at work: the value from which
 * warming and cooling lead back to itself after a round.
 */
const SHARE_AT_START = (() => {
  const warmed = Math.exp(-RUNNING_SECONDS / WARMING_SECONDS);
  const cooled = Math.exp(-(ROUND_SECONDS - RUNNING_SECONDS) / COOLING_SECONDS);
  return ((1 - warmed) * cooled) / (1 - warmed * cooled);
})();

function warmth(since: number): number {
  if (since < RUNNING_SECONDS) return 1 - (1 - SHARE_AT_START) * Math.exp(-since / WARMING_SECONDS);
  const atStop = 1 - (1 - SHARE_AT_START) * Math.exp(-RUNNING_SECONDS / WARMING_SECONDS);
  return atStop * Math.exp(-(since - RUNNING_SECONDS) / COOLING_SECONDS);
}

const hoursBefore = 1240;

function engineSpeed(since: number, seconds: number): number {
  // The engine cranks for a second, and takes a second to stop.
  const turning = smoothStep(0, 1.5, since) * (1 - smoothStep(RUNNING_SECONDS - 1, RUNNING_SECONDS, since));
  const throttle = smoothStep(18, 30, since) * (1 - smoothStep(RUNNING_SECONDS - 30, RUNNING_SECONDS - 20, since));
  return since >= RUNNING_SECONDS ? 0 : turning * (IDLE + (CRUISE - IDLE) * throttle + hunting(seconds));
}

/** Pressures in kilopascal, temperatures in degrees Celsius, fuel in litres an hour, load in percent of full load. */
export function engineAt(seconds: number) {
  const since = wrap(seconds + LEAD_SECONDS, ROUND_SECONDS);
  const rounds = Math.floor((seconds + LEAD_SECONDS) / ROUND_SECONDS);
  const rpm = engineSpeed(since, seconds);
  const share = rpm / CRUISE;
  const excess = (THERMOSTAT - ENGINE_ROOM) * warmth(since);
  return {
    rpm,
    gear: since > 14 && since < RUNNING_SECONDS - 18 ? ("Forward" as const) : ("Neutral" as const),
    oilPressure: 420 * Math.sqrt(share),
    boostPressure: 100 + 45 * share ** 2,
    coolantPressure: 100 + 60 * share,
    fuelPressure: 300 * Math.sqrt(share),
    oilTemperature: ENGINE_ROOM + 1.12 * excess,
    coolantTemperature: ENGINE_ROOM + excess,
    exhaustTemperature: ENGINE_ROOM + excess * (0.5 + 4 * share),
    fuelRate: 3.4 * share ** 2.5,
    load: 62 * share ** 2,
    hours: hoursBefore + (rounds * RUNNING_SECONDS + Math.min(since, RUNNING_SECONDS)) / 3600,
  };
}

export interface Battery {
  readonly voltage: number;
  /** Positive when charging, amperes. */
  readonly current: number;
  readonly temperature: number;
  /** Percent. */
  readonly charge: number;
}

export const BATTERY_CAPACITY = 280;
const HOUSE_LOAD = 7.5;
/** The charging current that restores the charge of a round ago. */
const CHARGE_CURRENT = (HOUSE_LOAD * (ROUND_SECONDS - RUNNING_SECONDS)) / RUNNING_SECONDS;
const houseLoads = waves([0.9, 30], [0.5, 8, 0.4]);

export function houseBatteryAt(seconds: number): Battery {
  const since = wrap(seconds + LEAD_SECONDS, ROUND_SECONDS);
  const charging = since < RUNNING_SECONDS;
  const ampereSeconds = charging
    ? CHARGE_CURRENT * since
    : CHARGE_CURRENT * RUNNING_SECONDS - HOUSE_LOAD * (since - RUNNING_SECONDS);
  const mean = charging ? CHARGE_CURRENT : -HOUSE_LOAD;
  const current = mean - houseLoads(seconds);
  return {
    voltage: (charging ? 13.95 : 12.72) + 0.008 * current,
    current,
    temperature:
      21 +
      (charging
        ? 1.5 * smoothStep(0, RUNNING_SECONDS, since)
        : 1.5 - 1.5 * smoothStep(RUNNING_SECONDS, ROUND_SECONDS, since)),
    charge: 81 + (100 * ampereSeconds) / 3600 / BATTERY_CAPACITY,
  };
}

export function starterBatteryAt(seconds: number): Battery {
  const since = wrap(seconds + LEAD_SECONDS, ROUND_SECONDS);
  const starting = since < 1.5;
  const charging = !starting && since < RUNNING_SECONDS;
  return {
    voltage: starting ? 10.9 : charging ? 14.1 : 12.75,
    current: starting ? -180 : charging ? 1.2 : -0.1,
    temperature: 22,
    charge: 98,
  };
}

/** The charger from the alternator to the house battery. */
export function chargerStateAt(seconds: number): "Bulk" | "Absorption" | "Not charging" {
  const since = wrap(seconds + LEAD_SECONDS, ROUND_SECONDS);
  return since >= RUNNING_SECONDS ? "Not charging" : since < 240 ? "Bulk" : "Absorption";
}

/** Goes from one level to the other in `days` and then jumps back: filled up, or pumped out. */
const drawn = (seconds: number, from: number, to: number, days: number): number =>
  from + ((to - from) * wrap(seconds, days * 86_400)) / (days * 86_400);

/** Sloshing in a tank by heel and sea. */
const slosh = waves([0.8, 6], [0.4, 9, 0.5]);

/** Capacities in litres, levels in percent. */
export function tanksAt(seconds: number) {
  const moving = slosh(seconds);
  return [
    { type: "Fuel", instance: 0, capacity: 240, level: drawn(seconds, 74, 22, 5) + moving },
    { type: "Water", instance: 0, capacity: 300, level: drawn(seconds, 88, 15, 4) + moving },
    { type: "Water", instance: 1, capacity: 180, level: drawn(seconds, 97, 60, 4) - moving },
    { type: "Black water", instance: 0, capacity: 60, level: drawn(seconds, 12, 85, 4) + moving },
  ] as const;
}

/** Navigation lights, anchor light, bilge pump, water pump, saloon lights, instruments, a blown fuse, autopilot. */
export function switchesAt(seconds: number) {
  const on = (period: number, from: number, to: number): "On" | "Off" => {
    const into = wrap(seconds, period);
    return into >= from && into < to ? "On" : "Off";
  };
  const states = ["On", "Off", on(300, 45, 57), on(140, 20, 34), on(240, 100, 240), "On", "Error", "On"] as const;
  return states.map((status, index) => ({ switch: index + 1, status }));
}
