/**
 * The polar of a boat: its speed through water by speed and angle of the true wind, knots and degrees off the bow.
 * Derived from it are target angles and the headings of the laylines, both relative to the water.
 */
import { bearing, radians } from "./angles.ts";

/** The speeds at one speed of the wind; angles ascend from 0 to 180. */
export interface PolarCurve {
  readonly windSpeed: number;
  readonly angles: readonly number[];
  readonly speeds: readonly number[];
}

/** Curves with ascending speeds of the wind. */
export type Polar = readonly PolarCurve[];

const MOST_CURVES = 60;
const MOST_POINTS = 360;
const MOST_KNOTS = 100;

const isSpeed = (value: unknown): value is number => typeof value === "number" && value > 0 && value <= MOST_KNOTS;
const ascends = (list: readonly number[]): boolean => list.every((value, at) => at === 0 || value > list[at - 1]!);
const isNumbers = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.length <= MOST_POINTS && value.every((one) => typeof one === "number");

function isCurve(value: unknown): value is PolarCurve {
  if (typeof value !== "object" || value === null) return false;
  const { windSpeed, angles, speeds } = value as Readonly<Record<keyof PolarCurve, unknown>>;
  if (!isSpeed(windSpeed) || !isNumbers(angles) || !isNumbers(speeds)) return false;
  const areAngles = ascends(angles) && angles.every((angle) => angle >= 0 && angle <= 180);
  return areAngles && angles.length >= 2 && angles.length === speeds.length && speeds.every(isSpeed);
}

/** A polar as settings have it; undefined for anything else. */
export function polarOf(value: unknown): Polar | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_CURVES || !value.every(isCurve))
    return undefined;
  return ascends(value.map(({ windSpeed }) => windSpeed)) ? value : undefined;
}

type Point = readonly [windSpeed: number, angle: number, speed: number];

/** Points of a table: the first row has the speeds of the wind, each other one an angle and the speeds of the boat. */
function tablePoints([head, ...rows]: readonly (readonly string[])[]): readonly Point[] {
  const winds = head!.slice(1).map(Number);
  return rows.flatMap(([angle, ...speeds]) =>
    speeds.map((speed, at): Point => [winds[at] ?? Number.NaN, Number(angle), Number(speed)]),
  );
}

/** Points of rows that begin with a speed of the wind, followed by angles and speeds in turn. */
const rowPoints = (rows: readonly (readonly string[])[]): readonly Point[] =>
  rows.flatMap(([wind, ...pairs]) =>
    pairs.flatMap((angle, at) => (at % 2 === 0 ? [[Number(wind), Number(angle), Number(pairs[at + 1])] as const] : [])),
  );

/**
 * Reads a file: the table of the ORC's certificates and of OpenCPN (`twa/tws;6;8;10`, fields between `;`, `,` or tabs;
 * with `;` the decimal sign may be a comma), or the rows of Expedition (`6 40 4.8 52 5.6`). A speed of 0 means no
 * value. Returns a reason if the file has no polar.
 */
export function readPolar(text: string): Polar | string {
  const rows = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^[!#]/.test(line))
    .map((line) => (line.includes(";") ? line.replaceAll(",", ".").split(";") : line.split(/[,\s]+/)))
    .map((fields) => fields.map((field) => field.trim()));
  const [head] = rows;
  if (head === undefined) return "it is empty";
  const isTable = Number.isNaN(Number(head[0])) || head[0] === "0" || head[0] === "";
  const points = (isTable ? tablePoints(rows) : rowPoints(rows)).filter(([, , speed]) => speed !== 0);
  const wrong = points.find((point) => point.some((value) => Number.isNaN(value) || value < 0));
  if (wrong !== undefined) return `a value of wind ${wrong[0]}, angle ${wrong[1]} is no number`;
  const winds = [...new Set(points.map(([wind]) => wind))].sort((a, b) => a - b);
  const curves = winds.map((windSpeed): PolarCurve => {
    const byAngle = new Map(points.filter(([wind]) => wind === windSpeed).map(([, angle, speed]) => [angle, speed]));
    const angles = [...byAngle.keys()].sort((a, b) => a - b);
    return { windSpeed, angles, speeds: angles.map((angle) => byAngle.get(angle)!) };
  });
  return polarOf(curves.filter(({ windSpeed }) => windSpeed > 0)) ?? "it has no speeds by wind speed and angle";
}

/**
 * The place of a value among ascending numbers: the index below it, and the fraction towards the next; limited to the
 * ends.
 */
function placeIn(list: readonly number[], value: number): readonly [at: number, part: number] {
  const above = list.findIndex((one) => one >= value);
  if (above === -1) return [list.length - 1, 0];
  if (above === 0) return [0, 0];
  return [above - 1, (value - list[above - 1]!) / (list[above]! - list[above - 1]!)];
}

const between = (a: number, b: number, part: number): number => a + (b - a) * part;

function speedOn({ angles, speeds }: PolarCurve, angle: number): number {
  const [at, part] = placeIn(angles, angle);
  return between(speeds[at]!, speeds[at + 1] ?? speeds[at]!, part);
}

/**
 * Speed of the boat, linear between the angles and winds of the polar. In less wind than in the polar the speed falls
 * in proportion; in more wind, and at angles beyond those of the polar, the nearest value counts.
 */
export function polarSpeed(polar: Polar, windSpeed: number, windAngle: number): number {
  const angle = Math.abs(windAngle);
  const lowest = polar[0]!;
  if (windSpeed < lowest.windSpeed) return (speedOn(lowest, angle) * windSpeed) / lowest.windSpeed;
  const [at, part] = placeIn(
    polar.map((curve) => curve.windSpeed),
    windSpeed,
  );
  const slower = polar[at]!;
  return between(speedOn(slower, angle), speedOn(polar[at + 1] ?? slower, angle), part);
}

export interface Target {
  /** Degrees off the bow, without a side. */
  readonly angle: number;
  readonly speed: number;
}

/** Degrees between the angles that are tried. */
const STEP = 0.5;

/** The angle of the best speed made good to windward or to leeward, among the angles of the polar. */
export function targetOf(polar: Polar, windSpeed: number, way: "upwind" | "downwind"): Target {
  const all = polar.flatMap(({ angles }) => angles);
  // biome-ignore lint/plugin: the angles of a polar
  const [least, most] = way === "upwind" ? [Math.min(...all), 90] : [90, Math.max(...all)];
  const toWind = way === "upwind" ? 1 : -1;
  let best: Target & { readonly madeGood: number } = { angle: least, speed: 0, madeGood: Number.NEGATIVE_INFINITY };
  for (let angle = least; angle <= most; angle += STEP) {
    const speed = polarSpeed(polar, windSpeed, angle);
    const madeGood = toWind * speed * Math.cos(radians(angle));
    if (madeGood > best.madeGood) best = { angle, speed, madeGood };
  }
  return { angle: best.angle, speed: best.speed };
}

/** The headings from true north, through the water, at an angle of the wind from port and from starboard. */
export const laylines = (
  windDirection: number,
  angle: number,
): { readonly port: number; readonly starboard: number } => ({
  port: bearing(windDirection + angle),
  starboard: bearing(windDirection - angle),
});
