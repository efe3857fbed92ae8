/**
 * The stations that AIS has told of: one target per MMSI, whatever receiver and message its data came by.
 *
 * Of each member the latest value wins; a message that says nothing about a member leaves it as it is. Times are monotonic
 * milliseconds and never run back; only `lastSeen` is of the wall clock. The limits of
 * age and number are constants below.
 */
import { type AisClass, type AisMessage, isOwnMessage, senderOf } from "./ais-messages.ts";
import type { Position } from "./great-circle.ts";

/** Metres; the distances are those of the antenna from the edges. */
export interface Dimensions {
  readonly length?: number;
  readonly beam?: number;
  readonly toBow?: number;
  readonly toStarboard?: number;
}

/** What is known of a station. Degrees true, knots, degrees per minute, metres. */
export interface AisTarget {
  readonly mmsi: number;
  readonly class: AisClass;
  readonly name?: string | undefined;
  readonly callsign?: string | undefined;
  readonly imo?: number | undefined;
  readonly position?: Position | undefined;
  readonly cog?: number | undefined;
  readonly sog?: number | undefined;
  readonly heading?: number | undefined;
  /** Positive to starboard. */
  readonly rot?: number | undefined;
  readonly navStatus?: string | undefined;
  /** Code of the ship type. The types of aids to navigation are other codes; of them only the name is told. */
  readonly type?: number | undefined;
  readonly typeName?: string | undefined;
  readonly dimensions?: Dimensions | undefined;
  readonly draft?: number | undefined;
  readonly destination?: string | undefined;
  /** Wall clock of the last message, milliseconds since 1970. */
  readonly lastSeen: number;
  /** Grows whenever a member changes, so that what was made of them can be kept until then. */
  readonly revision: number;
}

/** When a message was heard: milliseconds of the monotonic clock and of the wall clock since 1970. */
export interface Heard {
  readonly arrived: number;
  readonly received: number;
}

export interface AisCounters {
  /** Messages without the number of a station: 0, all ones or above nine digits. */
  readonly withoutMmsi: number;
  /** Targets that had to go because there were too many. */
  readonly crowdedOut: number;
}

const MINUTE = 60_000;

/** Members that tell where a station is and where it goes. Each leaves so long after a message last told it. */
const dynamicMembers = ["position", "cog", "sog", "heading", "rot"] as const;
export const DYNAMIC_LIMIT = 6 * MINUTE;

/** How long a target is kept without a message. Aids to navigation may speak every few minutes only. */
export const limitOf = (aisClass: AisClass): number => (aisClass === "AtoN" ? 30 : 10) * MINUTE;

export const MOST_TARGETS = 1000;

export const HIGHEST_MMSI = 999_999_999;

/** All members are there from the start, as undefined: objects that keep their shape are read and written faster. */
class Track implements AisTarget {
  readonly mmsi: number;
  class: AisClass;
  name: string | undefined;
  callsign: string | undefined;
  imo: number | undefined;
  position: { latitude: number; longitude: number } | undefined;
  cog: number | undefined;
  sog: number | undefined;
  heading: number | undefined;
  rot: number | undefined;
  navStatus: string | undefined;
  type: number | undefined;
  typeName: string | undefined;
  dimensions: Dimensions | undefined;
  draft: number | undefined;
  destination: string | undefined;
  lastSeen = 0;
  revision = 0;
  /** Monotonic time of the last message. */
  heardAt = 0;
  /** Whether `class` was told by more than static data. */
  certain = false;
  /** Monotonic time before which nothing of it is too old. */
  keptUntil = Number.NEGATIVE_INFINITY;
  /** Monotonic time at which a message last told the member. */
  readonly toldAt = { position: 0, cog: 0, sog: 0, heading: 0, rot: 0 };

  constructor(mmsi: number, aisClass: AisClass) {
    this.mmsi = mmsi;
    this.class = aisClass;
  }
}

/** Keeps what AIS has told, at most `MOST_TARGETS` targets of it. */
export class AisTargets {
  /** By MMSI. */
  readonly #tracks = new Map<number, Track>();
  #inOrder: readonly AisTarget[] | undefined;
  /** Monotonic time before which nothing of any is too old. */
  #keptUntil = Number.NEGATIVE_INFINITY;
  /** Own ship's number as the settings have it. */
  #ownMmsi: number | undefined;
  /** The same as the boat's transponder last gave it. */
  #markedMmsi: number | undefined;
  #withoutMmsi = 0;
  #crowdedOut = 0;

  /** Takes what a message says. Returns whether it is of a target: not of own ship, and with the number of a station. */
  hear(message: AisMessage, { arrived, received }: Heard): boolean {
    const { mmsi } = message;
    if (mmsi === undefined || mmsi < 1 || mmsi > HIGHEST_MMSI) {
      this.#withoutMmsi++;
      return false;
    }
    if (isOwnMessage(message)) this.#mark(mmsi);
    if (this.#isOwn(mmsi)) return false;
    const sender = senderOf(message, mmsi);
    const track = this.#track(mmsi, sender.class);
    if (sender.certain || !track.certain) track.class = sender.class;
    track.certain ||= sender.certain;
    track.heardAt = arrived;
    track.lastSeen = received;
    tellStatic(track, message);
    tellDynamic(track, message, arrived);
    track.revision++;
    return true;
  }

  /**
   * Own ship is no target, and is none from now on if it was one. Without a number from the settings own ship is the one
   * whose messages the transponder marks as its own: a boat that follows itself would forever be about to be rammed.
   * A number from the settings puts a transponder right that marks others too.
   */
  setOwnMmsi(mmsi: number | undefined): void {
    this.#ownMmsi = mmsi;
    if (mmsi !== undefined) this.#delete(mmsi);
  }

  /** Forgets what is too old at `now`. */
  forget(now: number): void {
    if (now < this.#keptUntil) return;
    this.#keptUntil = Number.POSITIVE_INFINITY;
    for (const track of this.#tracks.values()) {
      if (now >= track.keptUntil) this.#forgetOf(track, now);
      this.#keptUntil = Math.min(this.#keptUntil, track.keptUntil);
    }
  }

  /** Messages only put off what is due, but for members that they tell anew: those have all of `DYNAMIC_LIMIT` before them. */
  #forgetOf(track: Track, now: number): void {
    if (now - track.heardAt >= limitOf(track.class)) this.#delete(track.mmsi);
    track.keptUntil = now + DYNAMIC_LIMIT;
    for (const member of dynamicMembers) {
      if (track[member] === undefined) continue;
      if (now - track.toldAt[member] < DYNAMIC_LIMIT) {
        track.keptUntil = Math.min(track.keptUntil, track.toldAt[member] + DYNAMIC_LIMIT);
        continue;
      }
      track[member] = undefined;
      track.revision++;
    }
    track.keptUntil = Math.min(track.keptUntil, track.heardAt + limitOf(track.class));
  }

  /** All targets by MMSI. Sorted anew only after one has come or gone, since sorting costs more than going through them. */
  inOrder(): readonly AisTarget[] {
    this.#inOrder ??= [...this.#tracks.values()].sort((a, b) => a.mmsi - b.mmsi);
    return this.#inOrder;
  }

  counters(): AisCounters {
    return { withoutMmsi: this.#withoutMmsi, crowdedOut: this.#crowdedOut };
  }

  #track(mmsi: number, aisClass: AisClass): Track {
    const known = this.#tracks.get(mmsi);
    if (known !== undefined) return known;
    if (this.#tracks.size >= MOST_TARGETS) {
      this.#tracks.delete(this.#longestSilent());
      this.#crowdedOut++;
    }
    const track = new Track(mmsi, aisClass);
    this.#tracks.set(mmsi, track);
    this.#keptUntil = Number.NEGATIVE_INFINITY;
    this.#inOrder = undefined;
    return track;
  }

  /** Looked for only when there are too many: to keep them in that order costs at each message. */
  #longestSilent(): number {
    let longest: Track | undefined;
    for (const track of this.#tracks.values()) {
      if (longest === undefined || track.heardAt < longest.heardAt) longest = track;
    }
    return longest!.mmsi;
  }

  #isOwn(mmsi: number): boolean {
    return mmsi === (this.#ownMmsi ?? this.#markedMmsi);
  }

  #mark(mmsi: number): void {
    this.#markedMmsi = mmsi;
    if (this.#isOwn(mmsi)) this.#delete(mmsi);
  }

  #delete(mmsi: number): void {
    if (this.#tracks.delete(mmsi)) this.#inOrder = undefined;
  }
}

/** Radio fills names up with `@`, and gateways hand that on. */
const trimmed = (text: string | undefined): string | undefined => text?.replace(/[\s@]+$/, "") || undefined;

function tellStatic(track: Track, message: AisMessage): void {
  const { navStatus, imoNumber, draftM, shipType, atonType } = message;
  const name = trimmed(message.name);
  const callsign = trimmed(message.callsign);
  const destination = trimmed(message.destination);
  const dimensions = dimensionsOf(message);
  // What is there already stays: texts that come every few minutes anew would be collected late.
  if (name !== undefined && name !== track.name) track.name = name;
  if (callsign !== undefined && callsign !== track.callsign) track.callsign = callsign;
  if (destination !== undefined && destination !== track.destination) track.destination = destination;
  if (typeof navStatus === "string") track.navStatus = navStatus;
  if (imoNumber !== undefined) track.imo = imoNumber;
  // A draught of 0 stands for not available (ITU-R M.1371, message 5).
  if (draftM !== undefined && draftM > 0) track.draft = draftM;
  if (dimensions !== undefined) track.dimensions = dimensions;
  if (shipType !== undefined) {
    track.type = shipType;
    track.typeName = message.shipTypeName;
  } else if (typeof atonType === "string") {
    track.type = undefined;
    track.typeName = atonType;
  }
}

/**
 * Dimensions belong together, so one message's take the place of another's. ITU-R M.1371 (dimension of ship and reference
 * for position) has two codes in them: all zeros when nothing is known, and zeros to bow and to port when the length and beam
 * are known but not where on board the antenna is.
 */
function dimensionsOf({ lengthM, beamM, toBowM, toNorthM, toStarboardM }: AisMessage): Dimensions | undefined {
  const toBow = toBowM ?? toNorthM;
  const length = lengthM || undefined;
  const beam = beamM || undefined;
  const isPlaced = toBow !== 0 || (toStarboardM !== undefined && toStarboardM !== 0 && toStarboardM !== beam);
  if (length === undefined && beam === undefined) return undefined;
  return {
    ...(length !== undefined && { length }),
    ...(beam !== undefined && { beam }),
    ...(isPlaced && toBow !== undefined && { toBow }),
    ...(isPlaced && toStarboardM !== undefined && { toStarboard: toStarboardM }),
  };
}

function tellDynamic(track: Track, message: AisMessage, arrived: number): void {
  const { latitude, longitude, cogDeg, sogKnots, headingDeg, rateOfTurnDegPerMin } = message;
  if (latitude !== undefined && longitude !== undefined) {
    if (track.position === undefined) track.position = { latitude, longitude };
    else {
      track.position.latitude = latitude;
      track.position.longitude = longitude;
    }
    track.toldAt.position = arrived;
  }
  if (cogDeg !== undefined) {
    track.cog = cogDeg;
    track.toldAt.cog = arrived;
  }
  if (sogKnots !== undefined) {
    track.sog = sogKnots;
    track.toldAt.sog = arrived;
  }
  if (headingDeg !== undefined) {
    track.heading = headingDeg;
    track.toldAt.heading = arrived;
  }
  if (rateOfTurnDegPerMin !== undefined) {
    track.rot = rateOfTurnDegPerMin;
    track.toldAt.rot = arrived;
  }
}
