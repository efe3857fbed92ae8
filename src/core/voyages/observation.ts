/** Observations: values of the boat with the time at which they were received. */
import { type Position, positionIn } from "../nav/great-circle.ts";

/** Values that an entry has of the boat; absent: not known. Knots, degrees true, metres, pascals, °C, nautical miles. */
export interface Conditions {
  readonly latitude?: number;
  readonly longitude?: number;
  readonly cog?: number;
  readonly sog?: number;
  readonly heading?: number;
  readonly stw?: number;
  readonly windSpeed?: number;
  /** From which the wind blows. */
  readonly windDirection?: number;
  /** Of the true wind off the bow, starboard positive. */
  readonly windAngle?: number;
  /** Below the transducer, and the metres from there to the surface, or below zero to the keel. */
  readonly depth?: number;
  readonly depthOffset?: number;
  readonly pressure?: number;
  readonly airTemperature?: number;
  readonly waterTemperature?: number;
  readonly log?: number;
  /** Percent by name of the tank. */
  readonly tanks?: Readonly<Record<string, number>>;
  /** Hours by instance of the engine. */
  readonly engineHours?: Readonly<Record<string, number>>;
}

export interface HeardAlarm {
  readonly id: string;
  readonly title: string;
  /** The subject of the alarm: the name of a ship, device or thing; else an instance; else a sentence in English. */
  readonly name?: string;
  readonly engine?: number;
  readonly battery?: number;
  readonly about?: string;
  readonly severity: string;
  /** When it was raised; of a call of distress its first report. */
  readonly since: string;
  readonly isAcknowledged: boolean;
  /** Number of a person whom the button has marked. */
  readonly person?: number;
  /** Where the boat was at the first report of a call of distress, or the screen on which its button was pressed. */
  readonly boatAt?: Position;
}

/** An alarm in the history that hub-cand keeps, also over its starts. Milliseconds since 1970. */
export interface PastAlarm {
  readonly id: string;
  /** As that of the heard alarm. */
  readonly since: number;
  /** Its end, or the start of hub-cand since which it has not rung again; without both it lasts. */
  readonly until: number | undefined;
  readonly endedBefore: number | undefined;
  readonly acknowledged: number | undefined;
}

/** How the boat lies by the report of the alarms. */
export type Mooring = "berth" | "anchor";

interface Timed {
  /** Milliseconds since 1970. */
  readonly time: number;
}

interface Sourced extends Timed {
  /** The device, so that one of several that have the same value is heard. */
  readonly source: string;
}

export type Observation =
  | ({ readonly of: "navigation"; readonly values: Conditions } & Timed)
  | ({
      readonly of: "engine";
      readonly instance: string;
      readonly rpm?: number;
      readonly hours?: number;
      /** Litres an hour. */
      readonly fuelRate?: number;
    } & Sourced)
  | ({ readonly of: "tank"; readonly name: string; readonly percent: number } & Sourced)
  | ({ readonly of: "log"; readonly miles: number } & Sourced)
  | ({ readonly of: "waypoint"; readonly id: number; readonly hasArrived: boolean } & Sourced)
  | ({
      readonly of: "alarms";
      readonly alarms: readonly HeardAlarm[];
      readonly mooring: Mooring | undefined;
      readonly isAnchorWatched: boolean;
      /** Alarms of before a start of hub-cand may not be raised again yet. */
      readonly isStarting: boolean;
    } & Timed)
  | ({ readonly of: "pastAlarms"; readonly past: readonly PastAlarm[] } & Timed);

export const positionOf: (conditions: Conditions) => Position | undefined = positionIn;
