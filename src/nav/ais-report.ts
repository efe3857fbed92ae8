/**
 * The AIS report as JSON text: own ship, and every target with its distance, direction and closest approach.
 *
 * The same targets and the same own ship give the same bytes. Members stand in one fixed order; degrees true, knots, metres,
 * nautical miles for range and cpa, minutes for tcpa, degrees a minute for rot, as AIS speaks.
 */
import { type AsciiBuffer, Copy, type Piece, pieceOf } from "../n2k/ascii-buffer.ts";
import { isoTime } from "../n2k/date.ts";
import { onceEach } from "../n2k/once-each.ts";
import type { AisTarget, Dimensions } from "./ais-targets.ts";
import { type Decimals, POWERS, roundedBearing } from "./angles.ts";
import { closestApproach, type Vector, velocityOf } from "./closest-approach.ts";
import { type Place, type Position, placeOf, Sight } from "./great-circle.ts";

/** Where own ship is and where it goes, as the navigation report has it: degrees true and knots, null when not known. */
export interface OwnShip extends Position {
  readonly cog?: number | null | undefined;
  readonly sog?: number | null | undefined;
}

/**
 * Decimals of each number. Coordinates, dimensions and draught as on the wire; angles and knots as in the navigation report;
 * `rot` and `cpa` a little finer than the wire (0.1° per minute) and than the fix of a good receiver (20 m).
 */
const aisDecimals = {
  imo: 0,
  latitude: 7,
  longitude: 7,
  cog: 1,
  sog: 2,
  heading: 1,
  rot: 1,
  type: 0,
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

type FigureName = keyof typeof aisDecimals;

/** A number of the report: its key and how it is rounded. */
interface Figure {
  readonly key: Piece;
  readonly decimals: Decimals;
}

const keyOf = (name: string): Piece => pieceOf(`,"${name}":`);

const figures = Object.fromEntries(
  Object.entries(aisDecimals).map(([name, decimals]) => [name, { key: keyOf(name), decimals }]),
) as Record<FigureName, Figure>;

/** `,"sog":11.2`, nothing without a value. */
function number(out: AsciiBuffer, { key, decimals }: Figure, value: number | undefined): void {
  if (value !== undefined) out.member(key, Math.round(value * POWERS[decimals]), decimals);
}

const direction = (out: AsciiBuffer, figure: Figure, value: number | undefined): void =>
  number(out, figure, value === undefined ? undefined : roundedBearing(value));

function text(out: AsciiBuffer, key: Piece, value: string | undefined): void {
  if (value === undefined) return;
  out.put(key);
  out.quoted(value);
}

const MMSI = pieceOf('{"mmsi":');
const CLOSE = pieceOf("}");
const COMMA = pieceOf(",");
/** Of the members that are no figures. */
const keys = {
  class: keyOf("class"),
  name: keyOf("name"),
  callsign: keyOf("callsign"),
  position: keyOf("position"),
  navStatus: keyOf("navStatus"),
  typeName: keyOf("typeName"),
  dimensions: keyOf("dimensions"),
  destination: keyOf("destination"),
  lastSeen: keyOf("lastSeen"),
};

function position(out: AsciiBuffer, value: Position | undefined): void {
  if (value === undefined) return;
  out.put(keys.position);
  const begin = out.at;
  number(out, figures.latitude, value.latitude);
  number(out, figures.longitude, value.longitude);
  out.closeObject(begin);
}

function dimensions(out: AsciiBuffer, value: Dimensions | undefined): void {
  if (value === undefined) return;
  out.put(keys.dimensions);
  const begin = out.at;
  number(out, figures.length, value.length);
  number(out, figures.beam, value.beam);
  number(out, figures.toBow, value.toBow);
  number(out, figures.toStarboard, value.toStarboard);
  out.closeObject(begin);
}

/**
 * Where a ship is and how it moves, made ready for all the sights of a report; NaN where that is not known. In one stretch of
 * memory, since each number that is a member of an object lies somewhere by itself: a report reads hundreds of them that have
 * not been read for a second.
 */
class Movement implements Place, Vector {
  readonly #numbers = new Float64Array(6).fill(Number.NaN);

  get latitude(): number {
    return this.#numbers[0]!;
  }
  get longitude(): number {
    return this.#numbers[1]!;
  }
  get sine(): number {
    return this.#numbers[2]!;
  }
  get cosine(): number {
    return this.#numbers[3]!;
  }
  get east(): number {
    return this.#numbers[4]!;
  }
  get north(): number {
    return this.#numbers[5]!;
  }

  set(position: Position | undefined, cog: number | null | undefined, sog: number | null | undefined): void {
    const { latitude, longitude, sine, cosine } = position === undefined ? NOWHERE : placeOf(position);
    const { east, north } = cog == null || sog == null ? UNKNOWN : velocityOf({ cog, sog });
    this.#numbers.set([latitude, longitude, sine, cosine, east, north]);
  }

  get isPlaced(): boolean {
    return !Number.isNaN(this.latitude);
  }

  get isVelocityKnown(): boolean {
    return !Number.isNaN(this.east);
  }
}
const NOWHERE: Place = { latitude: Number.NaN, longitude: Number.NaN, sine: Number.NaN, cosine: Number.NaN };
const UNKNOWN: Vector = { east: Number.NaN, north: Number.NaN };

/** One for all: a new one for each target and second would only be collected. */
const line = new Sight();

/** What depends on own ship: range and bearing need both positions, the closest approach both courses and speeds too. */
function sightOf(out: AsciiBuffer, target: Movement, own: Movement): void {
  if (!own.isPlaced || !target.isPlaced) return;
  line.set(own, target);
  number(out, figures.range, line.range);
  direction(out, figures.bearing, line.bearing);
  if (!own.isVelocityKnown || !target.isVelocityKnown) return;
  const closest = closestApproach(line, own, target);
  if (closest === undefined) return;
  number(out, figures.cpa, closest.cpa);
  number(out, figures.tcpa, closest.tcpa);
}

/** What a target says about itself. */
function ownText(out: AsciiBuffer, target: AisTarget): void {
  out.put(MMSI);
  out.fixed(target.mmsi, 0);
  text(out, keys.class, target.class);
  text(out, keys.name, target.name);
  text(out, keys.callsign, target.callsign);
  number(out, figures.imo, target.imo);
  position(out, target.position);
  direction(out, figures.cog, target.cog);
  number(out, figures.sog, target.sog);
  direction(out, figures.heading, target.heading);
  number(out, figures.rot, target.rot);
  text(out, keys.navStatus, target.navStatus);
  number(out, figures.type, target.type);
  text(out, keys.typeName, target.typeName);
  dimensions(out, target.dimensions);
  number(out, figures.draft, target.draft);
  text(out, keys.destination, target.destination);
  text(out, keys.lastSeen, isoTime(target.lastSeen));
}

/** What follows from a target alone, good for a revision: most targets say nothing new between two reports. */
class Portrait extends Movement {
  revision = -1;
  readonly text = new Copy();

  update(out: AsciiBuffer, target: AisTarget): void {
    const begin = out.at;
    ownText(out, target);
    this.text.take(out, begin);
    out.at = begin;
    this.set(target.position, target.cog, target.sog);
    this.revision = target.revision;
  }
}
const portraitOf = onceEach((_target: AisTarget) => new Portrait());
/** While none has come or gone they are at hand together. */
const portraitsOf = onceEach((targets: readonly AisTarget[]) => targets.map(portraitOf));

const ownMovement = new Movement();

/** Writes `data` of the report for these targets, which are in their order already. */
export function writeAisData(out: AsciiBuffer, targets: readonly AisTarget[], own: OwnShip | undefined): void {
  out.ascii('{"ownShip":');
  const begin = out.at;
  position(out, own);
  out.closeObject(begin);
  out.ascii(',"targets":[');
  ownMovement.set(own, own?.cog, own?.sog);
  const all = portraitsOf(targets);
  for (let index = 0; index < targets.length; index++) {
    const target = targets[index]!;
    if (index > 0) out.put(COMMA);
    const portrait = all[index]!;
    if (portrait.revision !== target.revision) portrait.update(out, target);
    out.paste(portrait.text);
    sightOf(out, portrait, ownMovement);
    out.put(CLOSE);
  }
  out.ascii("]}");
}

/** Seconds after which a report is stale. */
export const AIS_EXPIRES_AFTER_SECONDS = 60;

/** Writes what stands behind `data` in the message, stamped with the wall clock, milliseconds since 1970. */
export function writeAisMetadata(out: AsciiBuffer, wall: number): void {
  const rxDate = isoTime(wall);
  const rxTimestamp = Math.floor(wall / 1000);
  out.ascii(
    `,"metadata":{"rxDate":"${rxDate}","rxTimestamp":${rxTimestamp},"expireAfterSec":${AIS_EXPIRES_AFTER_SECONDS}}}`,
  );
}
