/**
 * The targets of AIS: one per MMSI, with the data of all receivers and messages.
 *
 * The latest value of each member wins; a message without a member leaves it as it is, but for the status of a position
 * report, whose code 15 is none. Times are monotonic milliseconds and never run back; only `lastSeen` is of the wall
 * clock.
 */
import type * as z from "zod";
import { AisSpecialManeuver } from "../n2k/lookups.ts";
import { ReusableText } from "../text/ascii-buffer.ts";
import { isoTime, timestampOf } from "../text/date.ts";
import {
  type AisClass,
  type AisMessage,
  type DistressState,
  distressAfter,
  HIGHEST_MMSI,
  hasStatus,
  isLongRange,
  isOwnMessage,
  MAX_TARGETS,
  senderOf,
} from "./ais-messages.ts";
import type { approachMembers, targetMembers } from "./ais-report.ts";
import { positionIn } from "./great-circle.ts";
import { OwnStations } from "./own-stations.ts";

/** A target as it is published, without the members that depend on own ship. */
export type AisTarget = Readonly<z.infer<z.ZodObject<typeof targetMembers>>>;

type ApproachMembers = z.infer<z.ZodObject<typeof approachMembers>>;

/** A target, and how it was seen from own ship when the report was last written. */
export type Approach = { -readonly [Member in keyof AisTarget]: AisTarget[Member] } & {
  [Member in keyof ApproachMembers]: ApproachMembers[Member] | undefined;
} & {
  /** For the alarms, not published: monotonic time of the last message, that of the position, and the distress state. */
  heardAt: number;
  placedAt?: number | undefined;
  distress?: DistressState | undefined;
};

type Dimensions = NonNullable<AisTarget["dimensions"]>;

/** Times of a message: milliseconds of the monotonic clock and of the wall clock since 1970; and its receiver. */
export interface Heard {
  /** Address of the receiver or transponder on the bus. */
  readonly source?: number;
  readonly arrived: number;
  readonly received: number;
}

export interface AisCounters {
  /** Messages without the number of a station: 0, all ones or above nine digits. */
  readonly withoutMmsi: number;
  /** Targets removed to make room for others. */
  readonly evicted: number;
}

const MINUTE_MS = 60_000;
/** Time within which an active beacon sends again (ITU-R M.1371, AIS-SART). */
const BEACON_PERIOD_MS = MINUTE_MS;

/** Members that are removed when no message has had them for `MAX_MEMBER_AGE_MS`: place and motion. */
const agingMembers = ["position", "cog", "sog", "heading", "rot"] as const;
const MAX_MEMBER_AGE_MS = 6 * MINUTE_MS;

/** Time without a message after which a target is removed. Aids to navigation may send only every few minutes. */
const maxAgeOf = (aisClass: AisClass): number => (aisClass === "AtoN" ? 30 : 10) * MINUTE_MS;

/**
 * A target and its bookkeeping. It is updated in place: a new object and a new text for each message would be garbage
 * of the old generation, which costs 11 MB in a replay of a million frames.
 */
export interface Track {
  readonly target: Approach;
  /** JSON text of the target, set by the writer of the report; empty when it has to be written anew. */
  readonly text: ReusableText;
  /** Whether the class comes from more than static data. */
  isClassCertain: boolean;
  /** Monotonic time of the last position that was not one for receivers far away. */
  exactAt: number;
  /** Monotonic time of the last message whose status was that of an active beacon. */
  activeAt: number;
  /** Monotonic time of the last message that had the member; `NEVER` while the target has none. */
  readonly updatedAt: Record<(typeof agingMembers)[number], number>;
}

export class AisTargets {
  /** Targets by MMSI. */
  readonly #tracks = new Map<number, Track>();
  /** The tracks in the order of their MMSIs; undefined after one has been added or removed. */
  #sorted: readonly Track[] | undefined;
  readonly #own = new OwnStations();
  #withoutMmsi = 0;
  #evicted = 0;

  /** Returns whether the message belongs to a target: it is not from own ship, and has the number of a station. */
  hear(message: AisMessage, heard: Heard): boolean {
    const { mmsi } = message;
    if (mmsi === undefined || mmsi < 1 || mmsi > HIGHEST_MMSI) {
      this.#withoutMmsi++;
      return false;
    }
    if (isOwnMessage(message)) this.#own.mark(heard.source, mmsi);
    if (this.#own.has(mmsi)) {
      this.#remove(mmsi);
      return false;
    }
    updateTrack(this.#tracks.get(mmsi) ?? this.#add(mmsi), message, heard);
    return true;
  }

  /** Own ship is not a target, and is removed if it was one: else the boat would report a collision with itself. */
  setOwnMmsi(mmsi: number | undefined): void {
    this.#own.give(mmsi);
    if (mmsi !== undefined) this.#remove(mmsi);
  }

  /** Removes targets that are too old at `now`, and returns the others by MMSI. */
  current(now: number): readonly Track[] {
    for (const track of this.#tracks.values()) {
      if (now - track.target.heardAt >= maxAgeOf(track.target.class)) this.#remove(track.target.mmsi);
      else removeStale(track, now);
    }
    this.#sorted ??= [...this.#tracks.values()].sort((a, b) => a.target.mmsi - b.target.mmsi);
    return this.#sorted;
  }

  counters(): AisCounters {
    return { withoutMmsi: this.#withoutMmsi, evicted: this.#evicted };
  }

  #add(mmsi: number): Track {
    if (this.#tracks.size >= MAX_TARGETS) {
      this.#remove(this.#leastNeeded());
      this.#evicted++;
    }
    const track = createTrack(mmsi);
    this.#tracks.set(mmsi, track);
    this.#sorted = undefined;
    return track;
  }

  #remove(mmsi: number): void {
    if (this.#tracks.delete(mmsi)) this.#sorted = undefined;
  }

  /**
   * The target that matters least: one without a position, else the farthest, of equal ones the longest silent. It is
   * searched only when there are too many; an order by range would cost time at each message.
   */
  #leastNeeded(): number {
    let least: Approach | undefined;
    for (const { target } of this.#tracks.values()) {
      const farther = least === undefined ? 1 : farnessOf(target) - farnessOf(least);
      if (farther > 0 || (!(farther < 0) && target.heardAt < least!.heardAt)) least = target;
    }
    return least!.mmsi;
  }

  /** MMSIs of own ship; empty while they are unknown. */
  get ownMmsis(): readonly number[] {
    return this.#own.numbers;
  }
}

/** Nautical miles; a place whose range is not computed yet is near. */
const farnessOf = ({ position, range }: Approach): number => (position === undefined ? Number.MAX_VALUE : (range ?? 0));

/** Update time of a member that a target does not have: it is never too old. */
const NEVER = Number.POSITIVE_INFINITY;

const createTrack = (mmsi: number): Track => ({
  target: createTarget(mmsi),
  text: new ReusableText(),
  isClassCertain: false,
  exactAt: Number.NEGATIVE_INFINITY,
  activeAt: Number.NEGATIVE_INFINITY,
  updatedAt: { position: NEVER, cog: NEVER, sog: NEVER, heading: NEVER, rot: NEVER },
});

/**
 * A target with all members from the start: targets that get them in different orders would have different shapes in
 * V8.
 */
const createTarget = (mmsi: number): Approach => ({
  mmsi,
  class: "B",
  name: undefined,
  callsign: undefined,
  imo: undefined,
  position: undefined,
  cog: undefined,
  sog: undefined,
  heading: undefined,
  rot: undefined,
  navStatus: undefined,
  type: undefined,
  typeName: undefined,
  dimensions: undefined,
  draft: undefined,
  destination: undefined,
  eta: undefined,
  blueSign: undefined,
  virtual: undefined,
  offPosition: undefined,
  lastSeen: "",
  positionSeen: undefined,
  range: undefined,
  bearing: undefined,
  cpa: undefined,
  tcpa: undefined,
  heardAt: 0,
  placedAt: undefined,
  distress: undefined,
});

function updateTrack(track: Track, message: AisMessage, { arrived, received }: Heard): void {
  const { target } = track;
  const sender = senderOf(message, target.mmsi);
  if (sender.certain || !track.isClassCertain) target.class = sender.class;
  track.isClassCertain ||= sender.certain;
  target.heardAt = arrived;
  track.text.length = 0;
  if (target.position !== undefined) target.positionSeen ??= target.lastSeen;
  target.lastSeen = isoTime(received);

  const isCoarse = isLongRange(message);
  // A station sends it beside its other reports, which say the same and more.
  if (isCoarse && arrived - track.exactAt < MAX_MEMBER_AGE_MS) return;
  const { navStatus, draftM = 0, shipType, atonType } = message;
  const motion = {
    position: positionIn(message),
    cog: message.cogDeg,
    sog: speedOverGround(message),
    heading: message.headingDeg,
    rot: rateOfTurn(message),
  };
  target.position = motion.position ?? target.position;
  if (motion.position !== undefined) {
    target.placedAt = arrived;
    target.positionSeen = undefined;
    if (!isCoarse) track.exactAt = arrived;
  }
  target.cog = motion.cog ?? target.cog;
  target.sog = motion.sog ?? target.sog;
  target.heading = motion.heading ?? target.heading;
  target.rot = motion.rot ?? target.rot;
  for (const member of agingMembers) if (motion[member] !== undefined) track.updatedAt[member] = arrived;

  target.name = trimmed(message.name) ?? target.name;
  target.callsign = trimmed(message.callsign) ?? target.callsign;
  target.destination = trimmed(message.destination) ?? target.destination;
  target.eta = etaOf(message) ?? target.eta;
  target.blueSign = blueSigns.get(message.specialManeuver) ?? target.blueSign;
  target.imo = message.imoNumber ?? target.imo;
  target.virtual = message.virtual ?? target.virtual;
  target.offPosition = message.offPosition ?? target.offPosition;
  target.dimensions = dimensionsOf(message) ?? target.dimensions;
  if (hasStatus(message) || (isCoarse && navStatus !== undefined))
    target.navStatus = typeof navStatus === "string" ? navStatus : undefined;
  const distress = distressAfter(message, target.mmsi, target.distress);
  if (distress === "active" && navStatus !== undefined) track.activeAt = arrived;
  // Another receiver, which loses the status, does not make a test or a ship like others of a beacon that is active.
  target.distress = arrived - track.activeAt < BEACON_PERIOD_MS ? "active" : distress;
  // A draught of 0 stands for not available (ITU-R M.1371, message 5).
  if (draftM > 0) target.draft = draftM;
  if (shipType !== undefined) {
    target.type = shipType;
    target.typeName = message.shipTypeName;
  } else if (typeof atonType === "string") {
    // The types of aids to navigation have other codes than those of ships; only their name is published.
    target.type = undefined;
    target.typeName = atonType;
  }
}

/** Removes the members that are too old at `now`. */
function removeStale({ target, text, updatedAt }: Track, now: number): void {
  const { position, cog, sog, heading, rot } = updatedAt;
  const oldest = Math.min(position, cog, sog, heading, rot);
  if (now - oldest < MAX_MEMBER_AGE_MS) return;
  for (const member of agingMembers) {
    if (now - updatedAt[member] < MAX_MEMBER_AGE_MS) continue;
    target[member] = undefined;
    updatedAt[member] = NEVER;
  }
  if (target.position === undefined) target.positionSeen = undefined;
  text.length = 0;
}

/**
 * ITU-R M.1371 has two codes in addition to the rates: no information, and turning without an indicator that measures
 * it. Receivers convert them like rates, to 1187 and 1178 steps of 3.125e-5 rad/s.
 */
const TENTHS_WITHOUT_RATE: readonly number[] = [1275, 1266];

const rateOfTurn = ({ rateOfTurnDegPerMin: rate }: AisMessage): number | undefined =>
  rate === undefined || TENTHS_WITHOUT_RATE.includes(Math.round(Math.abs(rate) * 10)) ? undefined : rate;

/** Its code of a speed that is not available: 102.3 knots of a ship, 1023 of an aircraft. Receivers convert it too. */
const NO_SPEED = 1023;

const isNoSpeed = (units: number): boolean => Math.round(units) === NO_SPEED;

const speedOverGround = ({ sogKnots: knots }: AisMessage): number | undefined =>
  knots !== undefined && (isNoSpeed(knots * 10) || isNoSpeed(knots)) ? undefined : knots;

const etaOf = ({ etaDate, etaTime }: AisMessage): string | undefined =>
  etaDate === undefined || etaTime === undefined ? undefined : isoTime(timestampOf(etaDate, etaTime));

const { 1: WITHOUT_BLUE_SIGN, 2: WITH_BLUE_SIGN } = AisSpecialManeuver;
const blueSigns: ReadonlyMap<AisMessage["specialManeuver"], boolean> = new Map([
  [WITHOUT_BLUE_SIGN, false],
  [WITH_BLUE_SIGN, true],
]);

/** Radio fills names up with `@`, which gateways pass on. */
const trimmed = (text: string | undefined): string | undefined => text?.replace(/[\s@]+$/, "") || undefined;

/**
 * Dimensions belong together, so those of a message replace all earlier ones. ITU-R M.1371 (dimension of ship and
 * reference for position) has two codes in them: all zeros when nothing is known, and zeros to bow and to port when
 * length and beam are known but not the place of the antenna on board.
 */
function dimensionsOf({ lengthM, beamM, toBowM, toNorthM, toStarboardM }: AisMessage): Dimensions | undefined {
  const toBow = toBowM ?? toNorthM;
  const length = lengthM || undefined;
  const beam = beamM || undefined;
  const isPlaced = toBow !== 0 || (toStarboardM !== undefined && toStarboardM !== 0 && toStarboardM !== beam);
  if (length === undefined && beam === undefined) return undefined;
  return isPlaced ? { length, beam, toBow, toStarboard: toStarboardM } : { length, beam };
}
