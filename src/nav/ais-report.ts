/**
 * The AIS report as JSON text: own ship, and every target with its distance, direction and closest approach.
 *
 * The same targets and the same own ship give the same bytes. Members stand in one fixed order; degrees true, knots, metres,
 * nautical miles for range and cpa, minutes for tcpa, degrees a minute for rot, as AIS speaks.
 */
import { quote } from "../n2k/ascii-json.ts";
import { fixed } from "../n2k/fixed.ts";
import type { AisTarget, Dimensions } from "./ais-targets.ts";
import { POWERS, roundedBearing } from "./angles.ts";
import { closestApproach } from "./closest-approach.ts";
import { greatCircle, type Position } from "./great-circle.ts";

/** Where own ship is and where it goes, as the navigation report has it: degrees true and knots, null when not known. */
export interface OwnShip extends Position {
  readonly cog?: number | null | undefined;
  readonly sog?: number | null | undefined;
}

/**
 * Decimals of each number. Coordinates, dimensions and draught as on the wire; angles and knots as in the navigation report;
 * `rot` and `cpa` a little finer than the wire (0.1° per minute) and than the fix of a good receiver (20 m).
 */
export const aisDecimals = {
  latitude: 7,
  longitude: 7,
  cog: 1,
  sog: 2,
  heading: 1,
  rot: 1,
  length: 1,
  beam: 1,
  toBow: 1,
  toStarboard: 1,
  draft: 2,
  range: 2,
  bearing: 1,
  cpa: 2,
  tcpa: 1,
} as const;

type NumberName = keyof typeof aisDecimals;

const numberText = (name: NumberName, value: number): string => {
  const decimals = aisDecimals[name];
  return fixed[decimals]!(Math.round(value * POWERS[decimals]));
};

/** `,"sog":11.2`, nothing without a value. */
const number = (name: NumberName, value: number | undefined): string =>
  value === undefined ? "" : `,"${name}":${numberText(name, value)}`;

const direction = (name: "cog" | "heading" | "bearing", value: number | undefined): string =>
  value === undefined ? "" : number(name, roundedBearing(value));

const integer = (name: string, value: number | undefined): string => (value === undefined ? "" : `,"${name}":${value}`);

const text = (name: string, value: string | undefined): string =>
  value === undefined ? "" : `,"${name}":${quote(value)}`;

const position = (value: Position | undefined): string =>
  value === undefined
    ? ""
    : `,"position":{"latitude":${numberText("latitude", value.latitude)},"longitude":${numberText("longitude", value.longitude)}}`;

const dimensions = (value: Dimensions | undefined): string => {
  if (value === undefined) return "";
  const { length, beam, toBow, toStarboard } = value;
  const members =
    number("length", length) + number("beam", beam) + number("toBow", toBow) + number("toStarboard", toStarboard);
  return `,"dimensions":{${members.slice(1)}}`;
};

/** What depends on own ship: range and bearing need both positions, the closest approach both courses and speeds too. */
function sight(target: AisTarget, own: OwnShip | undefined): string {
  if (own === undefined || target.position === undefined) return "";
  const line = greatCircle(own, target.position);
  const seen = number("range", line.range) + direction("bearing", line.bearing);
  const { cog, sog } = target;
  if (own.cog == null || own.sog == null || cog === undefined || sog === undefined) return seen;
  const closest = closestApproach(line, { cog: own.cog, sog: own.sog }, { cog, sog });
  return closest === undefined ? seen : seen + number("cpa", closest.cpa) + number("tcpa", closest.tcpa);
}

/** What a target says about itself; joined, because what is kept should not be a rope of pieces. */
const ownText = (target: AisTarget): string =>
  [
    `{"mmsi":${target.mmsi},"class":"${target.class}"`,
    text("name", target.name),
    text("callsign", target.callsign),
    integer("imo", target.imo),
    position(target.position),
    direction("cog", target.cog),
    number("sog", target.sog),
    direction("heading", target.heading),
    number("rot", target.rot),
    text("navStatus", target.navStatus),
    integer("type", target.type),
    text("typeName", target.typeName),
    dimensions(target.dimensions),
    number("draft", target.draft),
    text("destination", target.destination),
    `,"lastSeen":"${new Date(target.lastSeen).toISOString()}"`,
  ].join("");

/** Text by target, good for a revision: most targets say nothing new between two reports. */
const ownTexts = new WeakMap<AisTarget, { readonly revision: number; readonly text: string }>();

function targetText(target: AisTarget, own: OwnShip | undefined): string {
  let kept = ownTexts.get(target);
  if (kept?.revision !== target.revision) {
    kept = { revision: target.revision, text: ownText(target) };
    ownTexts.set(target, kept);
  }
  return `${kept.text}${sight(target, own)}}`;
}

/** `data` of the report for these targets, which are in their order already; ASCII. */
export const aisData = (targets: readonly AisTarget[], own: OwnShip | undefined): string =>
  `{"ownShip":{${position(own).slice(1)}},"targets":[${targets.map((target) => targetText(target, own)).join(",")}]}`;

/** Seconds after which a report is stale. */
export const AIS_EXPIRES_AFTER_SECONDS = 60;

/** The message: `data` in the common envelope, stamped with the wall clock, milliseconds since 1970. */
export function aisMessage(data: string, wall: number): string {
  const rxDate = new Date(wall).toISOString();
  const rxTimestamp = Math.floor(wall / 1000);
  return `{"data":${data},"metadata":{"rxDate":"${rxDate}","rxTimestamp":${rxTimestamp},"expireAfterSec":${AIS_EXPIRES_AFTER_SECONDS}}}`;
}
