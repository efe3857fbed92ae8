/** Observations of a boat that follows a plan. */
import type { HeardAlarm, Mooring, Observation, PastAlarm } from "../../../src/core/voyages/observation.ts";

export interface Stage {
  readonly seconds: number;
  readonly knots: number;
  readonly course?: number;
  readonly engine?: boolean | "silent";
  readonly mooring?: Mooring;
  readonly wind?: number;
  readonly pressure?: number;
  readonly alarms?: readonly HeardAlarm[];
  readonly past?: readonly PastAlarm[];
  readonly arrived?: number;
  /** The bus is silent, and hub-cand goes on. */
  readonly isUnheard?: boolean;
  /** hub-cand has just started. */
  readonly isStarting?: boolean;
}

export const STARTS = Date.UTC(2026, 5, 1, 6, 30);
const METRES_PER_DEGREE = 111_195;

/** The observations of a plan, once a second. */
export function* sailing(stages: readonly Stage[], start = STARTS): Generator<Observation> {
  let [latitude, longitude, time] = [54.3, 10.2, start];
  for (const { seconds, knots, course = 0, engine = false, ...stage } of stages) {
    for (let second = 0; second < seconds; second++, time += 1000) {
      const metres = (knots * 1852) / 3600;
      const radians = (course * Math.PI) / 180;
      latitude += (metres * Math.cos(radians)) / METRES_PER_DEGREE;
      longitude += (metres * Math.sin(radians)) / METRES_PER_DEGREE / Math.cos((latitude * Math.PI) / 180);
      const { mooring, alarms = [], isStarting = false, arrived, wind = 10, pressure = 101_500 } = stage;
      if (stage.isUnheard) {
        yield { of: "navigation", time, values: second < 30 ? { pressure } : {} };
        continue;
      }
      if (second % 5 === 0) {
        if (stage.past !== undefined) yield { of: "pastAlarms", time, past: stage.past };
        yield { of: "alarms", time, alarms, mooring, isAnchorWatched: mooring === "anchor", isStarting };
        if (engine !== "silent") {
          yield { of: "engine", time, source: "1", instance: "0", rpm: engine ? 1800 : 0, hours: 100, fuelRate: 3 };
          // Another engine of the same instance, on another device, is not heard beside the first.
          yield { of: "engine", time, source: "2", instance: "0", rpm: engine ? 0 : 900 };
        }
      }
      if (arrived !== undefined)
        yield { of: "waypoint", time, source: "3", id: arrived, hasArrived: second >= seconds / 2 };
      const values = { latitude, longitude, cog: course, sog: knots, stw: knots, windSpeed: wind, windDirection: 270 };
      yield { of: "navigation", time, values: { ...values, windAngle: 40, pressure } };
    }
  }
}
