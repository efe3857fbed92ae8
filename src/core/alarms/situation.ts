/** The state of the boat that the alarms evaluate, and where she seems to be. */
import type { Approach } from "../nav/ais-targets.ts";
import type { Device } from "../nav/devices.ts";
import type { Position } from "../nav/great-circle.ts";
import type { NavigationData } from "../nav/navigation-report.ts";
import type { DepthState } from "./depth-watch.ts";
import type { Call } from "./distress.ts";
import type { LatestMessages } from "./latest-messages.ts";
import type { Notices } from "./notices.ts";
import type { PilotStop } from "./pilot-watch.ts";
import type { Reading } from "./reading.ts";
import type { Jump } from "./receiver-watch.ts";
import { HARBOUR_SHIPS } from "./rest.ts";
import type { Run } from "./standstill.ts";
import type { Surroundings } from "./surroundings.ts";
import type { WindState } from "./wind-watch.ts";

/** An anchor watch: where the anchor is, and how far from it the boat may swing, metres. */
export interface AnchorWatch extends Position {
  readonly radius: number;
}

/** Data without which alarms cannot watch. */
export type NeededData = "depth" | "course" | "ships" | "wind";

export interface OwnBoatState {
  readonly navigation: NavigationData;
  /** Position of the boat; undefined without a fix. */
  readonly position: Position | undefined;
  /** The boat has had a position since hub-cand began. */
  readonly hadPosition: boolean;
  /** An anchor watch has lasted over the start: position and network are due, also if nothing has been heard of them. */
  readonly isDue: boolean;
  /**
   * Depth from the reference of the settings; `wasLow`: it was below the limit of `depthLost` when it was last known.
   */
  readonly depth: DepthState & { readonly wasLow: boolean };
  /** The true wind, else the apparent wind. */
  readonly wind: WindState;
  /** Degrees by which the wind has turned; undefined while unknown. */
  readonly windShift: number | undefined;
  /** See `Barometer` and `Standstill`. */
  readonly pressureFall: number | undefined;
  readonly run: Run | undefined;
  /** Jumps of the receivers within the last minute. */
  readonly jumps: readonly Jump[];
  /** Whether watched data was there and is missing now, by kind of data. */
  readonly lost: ReadonlyMap<NeededData, boolean>;
  readonly anchorWatch: AnchorWatch | undefined;
  /** Metres to the anchor; absent without a watch or a position. */
  readonly anchorDistance: number | undefined;
  /** The boat is at a berth that the crew has given. */
  readonly isAtBerth: boolean;
  /** See `Waking`. */
  readonly wakesAtBerth: boolean;
  /** The boat has stayed within 30 m for ten minutes, or is at her berth. */
  readonly liesStill: boolean;
  /** Ships near by that lie. */
  readonly lyingNear: number;
  /** The boat lies still at an anchor that is watched; false under way with a watch that was forgotten. */
  readonly isAtAnchor: boolean;
}

export interface Situation
  extends OwnBoatState,
    Pick<Surroundings, "targets" | "ownMmsis" | "receivers" | "isHeard" | "nameOfDevice" | "clockAheadSec">,
    Pick<Surroundings, "disk" | "faultyParts" | "rival" | "newDevices"> {
  /** The last messages of an input by instance: what devices measure, and the faults that they report. */
  readonly latest: LatestMessages["of"];
  readonly reported: LatestMessages["reported"];
  /** Whether a device still reports by an input. */
  readonly isReporting: LatestMessages["isReporting"];
  readonly notices: Notices["of"];
  /** Monotonic clock, milliseconds. */
  readonly now: number;
  /** See `SetClock`. */
  readonly clock: number;
  /** Limit of the alarm `depth`. */
  readonly depthLimit: number;
  readonly pilotStops: readonly PilotStop[];
  /** Readings of the crew's own limits. */
  readonly ownLimits: readonly Reading[];
  /** Whether no device is heard; undefined before the first, unless it is due. */
  readonly isSilent: boolean | undefined;
  /** Nominal voltage of a battery by its instance and the address of its monitor. */
  readonly nominalVolts: (instance: number, device: Device) => number;
  /** Calls of distress, and whether a call is over because it has been silent for long. */
  readonly calls: readonly Call[];
  readonly isOver: (call: Call) => boolean;
}

/** Speed over ground below which a boat or ship may lie still: a receiver at rest reports some tenths. */
const STILL_KNOTS = 1;
/** Time below that speed after which the boat lies still, and above it after which it is under way. */
const STILL_AFTER_MS = 120_000;
const UNDER_WAY_AFTER_MS = 10_000;

/** Whether the boat lies still, by her speed over ground. A boat that is slow when it is first heard lies still. */
export class Stillness {
  #isStill: boolean | undefined;
  /** Time since which the speed says the opposite. */
  #oppositeSince: number | undefined;
  /** Speed through water of a boat that lies still: the current that passes her log. */
  #current = 0;
  /** The speed now, over ground or else by the log; undefined without one. */
  #knots: number | undefined;

  /** Whether a speed says now that the boat is under way. */
  get makesWay(): boolean {
    return this.#isStill === false && this.#knots !== undefined && this.#knots >= STILL_KNOTS;
  }

  /** Without a speed the last state stays; a boat that lies still may be under way by her log alone. */
  observe(sog: number | null | undefined, throughWater: number | undefined, now: number): boolean {
    if (sog != null && sog < STILL_KNOTS) this.#current = throughWater ?? this.#current;
    this.#knots = sog ?? (throughWater === undefined ? undefined : throughWater - this.#current);
    const knots = this.#isStill ? this.#knots : (sog ?? undefined);
    if (knots === undefined) return this.#isStill ?? false;
    const isSlow = knots < STILL_KNOTS;
    this.#isStill ??= isSlow;
    if (isSlow === this.#isStill) this.#oppositeSince = undefined;
    else {
      this.#oppositeSince ??= now;
      const wait = isSlow ? STILL_AFTER_MS : UNDER_WAY_AFTER_MS;
      if (now - this.#oppositeSince >= wait) {
        this.#isStill = isSlow;
        this.#oppositeSince = undefined;
      }
    }
    return this.#isStill;
  }
}

/** Speed below which a ship is not under way. */
export const WITHOUT_WAY_KNOTS = 0.5;
/** Moored ships within this distance distinguish a harbour from a calm at sea. */
export const HARBOUR_MILES = 0.25;

/**
 * Whether a ship makes no way. A ship that reports to be at anchor is an obstacle everywhere; a beacon is not a ship.
 */
export const isWithoutWay = ({ class: kind, navStatus, sog }: Approach): boolean =>
  kind !== "SART" && navStatus !== "At anchor" && (sog ?? 0) < WITHOUT_WAY_KNOTS;

/** Whether a ship lies as it reports. Crews forget to change the status when they leave. */
const lies = ({ navStatus, sog }: Approach, status: string): boolean =>
  navStatus === status && (sog ?? 0) < STILL_KNOTS;

export const isAnchoredShip = (ship: Approach): boolean => lies(ship, "At anchor");

/** Whether a ship lies at a quay or makes no way. */
export const isMooredShip = (ship: Approach): boolean => isWithoutWay(ship) || reportsMoored(ship);

export const isShip = ({ class: kind }: Approach): boolean => kind === "A" || kind === "B";

export const reportsMoored = (ship: Approach): boolean => lies(ship, "Moored");

export const isMooredNear = (ship: Approach): boolean =>
  isShip(ship) && (ship.range ?? Number.POSITIVE_INFINITY) <= HARBOUR_MILES && isMooredShip(ship);

type Rest = Pick<Situation, "isAtBerth" | "isAtAnchor" | "liesStill" | "lyingNear">;

/** `rest` of the report: by the word of the crew, else inferred. A boat that lies still among ships that lie is in harbour. */
export const restIn = ({ isAtBerth, isAtAnchor, liesStill, lyingNear }: Rest) => {
  if (isAtBerth) return "berth";
  if (isAtAnchor) return "anchor";
  if (!liesStill) return undefined;
  return lyingNear >= HARBOUR_SHIPS ? "harbour" : "still";
};
