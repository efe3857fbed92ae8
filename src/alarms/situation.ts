/** The state of the boat that the alarms evaluate, and the rules that suppress them at anchor and in harbour. */
import type { Definition, Message } from "../n2k/field.ts";
import type { batteryStatus, dcDetailedStatus } from "../n2k/pgns/electrical.ts";
import type { engineParametersDynamic, engineParametersRapid } from "../n2k/pgns/propulsion.ts";
import type { Approach } from "../nav/ais-targets.ts";
import type { Position } from "../nav/great-circle.ts";
import type { NavigationData } from "../nav/navigation-report.ts";

/** An anchor watch: where the anchor is, and how far from it the boat may swing, metres. */
export interface AnchorWatch extends Position {
  readonly radius: number;
}

/** A message, and its time on the monotonic clock, milliseconds. */
export interface Arrived<Kind extends Definition> {
  readonly message: Message<Kind>;
  readonly arrived: number;
}

/** The last messages of an engine; absent: none, or it is stale. */
export type Engine = {
  rapid?: Arrived<typeof engineParametersRapid>;
  dynamic?: Arrived<typeof engineParametersDynamic>;
};

/** The last messages of a battery; absent: none, or it is stale. */
export type Battery = {
  status?: Arrived<typeof batteryStatus>;
  detailed?: Arrived<typeof dcDetailedStatus>;
};

export interface Situation {
  readonly navigation: NavigationData;
  readonly targets: readonly Approach[];
  /** By instance. */
  readonly engines: ReadonlyMap<number, Readonly<Engine>>;
  readonly batteries: ReadonlyMap<number, Readonly<Battery>>;
  /** Of a battery by its instance. */
  readonly nominalVolts: (instance: number) => number;
  readonly anchorWatch: AnchorWatch | undefined;
  /** Metres to the anchor; absent without a watch or a position. */
  readonly anchorDistance: number | undefined;
  /** The boat has had a position since hub-cand began. */
  readonly hadPosition: boolean;
  /** The boat lies still, and not at an anchor that is watched. */
  readonly isMoored: boolean;
  /** The boat lies still at an anchor that is watched; under way with a watch that was forgotten she does not. */
  readonly isAtAnchor: boolean;
}

/** Speed over ground at which a boat that lies still is still not under way; a receiver at rest reports some tenths. */
const STILL_KNOTS = 1;
/** Time below that speed after which the boat lies still, and above it after which it is under way. */
const STILL_AFTER_MS = 120_000;
const UNDER_WAY_AFTER_MS = 10_000;

/** Whether the boat lies still, by its speed over ground. A boat that is slow when it is first heard lies still. */
export class Stillness {
  #isStill: boolean | undefined;
  /** Since when the speed says the opposite. */
  #oppositeSince: number | undefined;

  /** Without a speed the last state stays. */
  observe(sog: number | null | undefined, now: number): boolean {
    if (sog == null) return this.#isStill ?? false;
    const isSlow = sog < STILL_KNOTS;
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
const MOORED_KNOTS = 0.5;
/** A moored ship so near tells a harbour from a calm at sea. */
const HARBOUR_MILES = 0.25;

/** Whether a ship lies at a quay or aground. One that says it is at anchor is an obstacle, and counts as under way. */
export const isMooredShip = ({ navStatus, sog }: Approach): boolean =>
  navStatus === "Moored" || navStatus === "Aground" || (navStatus !== "At anchor" && (sog ?? 0) < MOORED_KNOTS);

/** Whether the boat lies still among moored ships: slowness alone may be a calm in a shipping lane. */
export const isInHarbour = ({ isMoored, targets }: Situation): boolean =>
  isMoored && targets.some((ship) => (ship.range ?? Number.POSITIVE_INFINITY) <= HARBOUR_MILES && isMooredShip(ship));
