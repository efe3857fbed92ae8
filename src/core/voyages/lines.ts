/**
 * The lines of a voyage as they are kept: each is a JSON object, appended and never changed. Times are milliseconds
 * since 1970. A correction is a line of its own, so that the text before it stays.
 */
import { isRecord } from "../util/is-record.ts";
import { jsonIn } from "../util/json-in.ts";
import type { Conditions } from "./observation.ts";

export interface EntryLine {
  readonly line: "entry";
  /** Number of the entry in its voyage. */
  readonly entry: number;
  readonly kind: string;
  readonly time: number;
  readonly details?: Readonly<Record<string, string | number>>;
  readonly conditions?: Conditions | undefined;
  readonly text?: string;
  readonly author?: string | undefined;
}

/** A correction of the text of an entry. */
export interface EditLine {
  readonly line: "edit";
  readonly entry: number;
  readonly time: number;
  readonly text: string;
  readonly author?: string | undefined;
}

/** A picture of an entry; its bytes are in a file beside that of the voyage. */
export interface PictureLine {
  readonly line: "picture";
  readonly entry: number;
  /** Number of the picture in its voyage. */
  readonly picture: number;
  readonly time: number;
  readonly author?: string | undefined;
}

/** A position: time, latitude, longitude; 1 as a fourth member begins a new segment after a time without fixes. */
export type TrackPoint = readonly [time: number, latitude: number, longitude: number, gap?: 1];

/** Sums of some minutes; one that is absent is nought. */
export interface Sums {
  /** Seconds with fixes, those of them at rest, and those under sail: moving without an engine. */
  readonly seconds?: number;
  readonly restSeconds?: number;
  readonly sailSeconds?: number;
  /** Through the water, nautical miles. */
  readonly waterMiles?: number;
  /** Seconds by instance of the engine, and litres of all. */
  readonly engineSeconds?: Readonly<Record<string, number>>;
  readonly fuelLitres?: number;
  readonly maxSog?: number;
  readonly maxStw?: number;
  readonly maxWind?: number;
}

/** Means of the time of a line: knots, degrees. */
export interface Means {
  readonly windSpeed?: number;
  readonly windDirection?: number;
  readonly windAngle?: number;
  readonly stw?: number;
  /** Degrees between the extremes of the heading. */
  readonly turned?: number;
}

export interface TrackLine extends Sums, Means {
  readonly line: "track";
  /** End of its time. */
  readonly time: number;
  readonly points: readonly TrackPoint[];
}

export type KeptLine = EntryLine | EditLine | PictureLine | TrackLine;

const isPoint = (value: unknown): boolean =>
  Array.isArray(value) && value.length >= 3 && value.every((each) => Number.isFinite(each));

/** The line of a text; undefined if it is none, such as one that a power cut has truncated. */
export function lineIn(text: string): KeptLine | undefined {
  const value = jsonIn(text);
  if (!isRecord(value) || !Number.isFinite(value.time)) return undefined;
  const isKnown =
    value.line === "track"
      ? Array.isArray(value.points) && value.points.every(isPoint)
      : Number.isInteger(value.entry) &&
        (value.line === "entry"
          ? typeof value.kind === "string"
          : value.line === "edit"
            ? typeof value.text === "string"
            : value.line === "picture" && Number.isInteger(value.picture));
  return isKnown ? (value as unknown as KeptLine) : undefined;
}
