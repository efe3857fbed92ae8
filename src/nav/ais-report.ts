/**
 * The AIS report as JSON text: own ship, and every target with its distance, direction and closest approach.
 *
 * The same targets and the same own ship give the same bytes. Members stand in one fixed order; degrees true, knots, metres,
 * nautical miles for range and cpa, minutes for tcpa, degrees a minute for rot, as AIS speaks.
 */
import { type AsciiBuffer, type Piece, pieceOf } from "../n2k/ascii-buffer.ts";
import { quote } from "../n2k/ascii-json.ts";
import type { AisTarget, Dimensions } from "./ais-targets.ts";
import { POWERS, roundedBearing } from "./angles.ts";
import { closestApproach, type Vector, velocityOf } from "./closest-approach.ts";
import { type Place, type Position, placeOf, sight } from "./great-circle.ts";

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

const keyOf = (name: string): Piece => pieceOf(`,"${name}":`);
const keys = Object.fromEntries(Object.keys(aisDecimals).map((name) => [name, keyOf(name)])) as Record<
  NumberName,
  Piece
>;

/** `,"sog":11.2`, nothing without a value. */
function number(out: AsciiBuffer, name: NumberName, value: number | undefined): void {
  if (value === undefined) return;
  const decimals = aisDecimals[name];
  out.put(keys[name]);
  out.fixed(Math.round(value * POWERS[decimals]), decimals);
}

const direction = (out: AsciiBuffer, name: "cog" | "heading" | "bearing", value: number | undefined): void =>
  number(out, name, value === undefined ? undefined : roundedBearing(value));

const integer = (out: AsciiBuffer, name: string, value: number | undefined): void => {
  if (value !== undefined) out.ascii(`,"${name}":${value}`);
};

const text = (out: AsciiBuffer, name: string, value: string | undefined): void => {
  if (value !== undefined) out.ascii(`,"${name}":${quote(value)}`);
};

const CLOSE = pieceOf("}");
const COMMA = pieceOf(",");

/** Puts members, which begin with a comma, between brackets; the first bracket takes the place of the first comma. */
function object(out: AsciiBuffer, writeMembers: () => void): void {
  const begin = out.at;
  writeMembers();
  if (out.at === begin) out.ascii("{");
  else out.bytes[begin] = 0x7b;
  out.put(CLOSE);
}

function position(out: AsciiBuffer, value: Position | undefined): void {
  if (value === undefined) return;
  out.ascii(',"position":');
  object(out, () => {
    number(out, "latitude", value.latitude);
    number(out, "longitude", value.longitude);
  });
}

function dimensions(out: AsciiBuffer, value: Dimensions | undefined): void {
  if (value === undefined) return;
  out.ascii(',"dimensions":');
  object(out, () => {
    number(out, "length", value.length);
    number(out, "beam", value.beam);
    number(out, "toBow", value.toBow);
    number(out, "toStarboard", value.toStarboard);
  });
}

/** Where a ship is and how it moves, made ready for all the sights of a report. */
interface Track {
  readonly place: Place | undefined;
  readonly velocity: Vector | undefined;
}

const trackOf = (
  position: Position | undefined,
  cog: number | null | undefined,
  sog: number | null | undefined,
): Track => ({
  place: position && placeOf(position),
  velocity: cog == null || sog == null ? undefined : velocityOf({ cog, sog }),
});

/** What depends on own ship: range and bearing need both positions, the closest approach both courses and speeds too. */
function sightOf(out: AsciiBuffer, target: Track, own: Track): void {
  if (own.place === undefined || target.place === undefined) return;
  const line = sight(own.place, target.place);
  number(out, "range", line.range);
  direction(out, "bearing", line.bearing);
  if (own.velocity === undefined || target.velocity === undefined) return;
  const closest = closestApproach(line, own.velocity, target.velocity);
  if (closest === undefined) return;
  number(out, "cpa", closest.cpa);
  number(out, "tcpa", closest.tcpa);
}

/** What a target says about itself. */
function ownText(out: AsciiBuffer, target: AisTarget): void {
  out.ascii(`{"mmsi":${target.mmsi},"class":"${target.class}"`);
  text(out, "name", target.name);
  text(out, "callsign", target.callsign);
  integer(out, "imo", target.imo);
  position(out, target.position);
  direction(out, "cog", target.cog);
  number(out, "sog", target.sog);
  direction(out, "heading", target.heading);
  number(out, "rot", target.rot);
  text(out, "navStatus", target.navStatus);
  integer(out, "type", target.type);
  text(out, "typeName", target.typeName);
  dimensions(out, target.dimensions);
  number(out, "draft", target.draft);
  text(out, "destination", target.destination);
  out.ascii(`,"lastSeen":"${new Date(target.lastSeen).toISOString()}"`);
}

/** What follows from a target alone, good for a revision: most targets say nothing new between two reports. */
interface Kept extends Track {
  readonly revision: number;
  readonly text: Piece;
}
const keptOf = new WeakMap<AisTarget, Kept>();

function keep(out: AsciiBuffer, target: AisTarget, former: Kept | undefined): Kept {
  const begin = out.at;
  ownText(out, target);
  const text = out.piece(begin, former?.text);
  out.at = begin;
  const kept = { revision: target.revision, text, ...trackOf(target.position, target.cog, target.sog) };
  keptOf.set(target, kept);
  return kept;
}

/** Writes `data` of the report for these targets, which are in their order already. */
export function writeAisData(out: AsciiBuffer, targets: readonly AisTarget[], own: OwnShip | undefined): void {
  out.ascii('{"ownShip":');
  object(out, () => position(out, own));
  out.ascii(',"targets":[');
  const ownTrack = trackOf(own, own?.cog, own?.sog);
  for (let index = 0; index < targets.length; index++) {
    const target = targets[index]!;
    if (index > 0) out.put(COMMA);
    let kept = keptOf.get(target);
    if (kept?.revision !== target.revision) kept = keep(out, target, kept);
    out.put(kept.text);
    sightOf(out, kept, ownTrack);
    out.put(CLOSE);
  }
  out.ascii("]}");
}

/** Seconds after which a report is stale. */
export const AIS_EXPIRES_AFTER_SECONDS = 60;

/** Writes what stands behind `data` in the message, stamped with the wall clock, milliseconds since 1970. */
export function writeAisMetadata(out: AsciiBuffer, wall: number): void {
  const rxDate = new Date(wall).toISOString();
  const rxTimestamp = Math.floor(wall / 1000);
  out.ascii(
    `,"metadata":{"rxDate":"${rxDate}","rxTimestamp":${rxTimestamp},"expireAfterSec":${AIS_EXPIRES_AFTER_SECONDS}}}`,
  );
}
