/** The boat herself as the alarms see her: where she is, whether she rests, depth, wind, and what data is missing. */
import { greatCircle, METRES_PER_MILE, type Position, positionIn } from "../nav/great-circle.ts";
import { Barometer } from "./barometer.ts";
import { DepthWatch } from "./depth-watch.ts";
import { plausibleReport } from "./plausible.ts";
import { ReceiverWatch } from "./receiver-watch.ts";
import { Berth, Neighbours, Place, Waking } from "./rest.ts";
import type { AlarmSettings } from "./settings.ts";
import {
  type AnchorWatch,
  isMooredNear,
  type NeededData,
  type OwnBoatState,
  reportsMoored,
  Stillness,
  WITHOUT_WAY_KNOTS,
} from "./situation.ts";
import { Standstill } from "./standstill.ts";
import type { Surroundings } from "./surroundings.ts";
import { WindShift } from "./wind-shift.ts";
import { WindWatch } from "./wind-watch.ts";

/** A bus is never silent for so long: its devices send several times a second. */
export const SILENT_AFTER_MS = 3000;
/** Depth below which a sounder may lose the bottom; the nearest shallow ground is minutes away. */
const DEEP_METRES = 30;
/** Time after a start in which instruments that were switched on with this computer come up. */
const COMES_UP_MS = 60_000;
/** Length and step of the track, for a person who fell while the broker was away. */
const TRACK_MS = 600_000;
const TRACK_STEP_MS = 1000;
/** A position is that of a moment so much later. */
const SAME_PLACE_MS = 3000;
/** Age of a position at which a boat whose instruments are off may have been moved. */
const LAST_POSITION_MS = 3_600_000;

export class OwnBoat {
  readonly #stillness = new Stillness();
  readonly #place = new Place();
  readonly #waking = new Waking();
  readonly #neighbours = new Neighbours();
  readonly #depth = new DepthWatch();
  readonly #receivers = new ReceiverWatch();
  readonly #wind = new WindWatch();
  readonly #windShift = new WindShift();
  readonly #barometer = new Barometer();
  readonly #standstill = new Standstill();
  readonly #lost = new Map<NeededData, boolean>();
  #startedAt: number | undefined;
  #last: { readonly position: Position; readonly at: number } | undefined;
  readonly #track: { readonly position: Position; readonly at: number }[] = [];
  readonly berth = new Berth();
  anchorWatch: AnchorWatch | undefined;
  /** Undefined without a fix. */
  position: Position | undefined;

  /** The position now, or the last one of an hour. */
  lastPosition(now: number): Position | undefined {
    return this.#last && now - this.#last.at <= LAST_POSITION_MS ? this.#last.position : undefined;
  }

  /** The position at a monotonic time of the last ten minutes; undefined without a fix then. */
  positionAt(at: number): Position | undefined {
    return this.#track.findLast((each) => each.at <= at && at - each.at < SAME_PLACE_MS)?.position;
  }

  /** Takes what is known now (monotonic milliseconds). */
  observe(surroundings: Surroundings, settings: AlarmSettings, now: number): OwnBoatState {
    this.#startedAt ??= now;
    const { targets, receivers } = surroundings;
    const navigation = plausibleReport(surroundings.navigation);
    const position = navigation.position?.hasFix ? positionIn(navigation.position) : undefined;
    this.position = position;
    if (position !== undefined) this.#keep({ position, at: now });
    const { sog, speedThroughWater } = navigation.speed_course ?? {};
    const isStill = this.#stillness.observe(sog, speedThroughWater, now);
    const depth = this.#depthState(navigation, surroundings, settings, now);
    const wind = navigation.wind_true?.speed ?? navigation.wind_apparent?.speed ?? undefined;
    this.#watchForOthers(navigation, surroundings, wind);
    const pressure = navigation.depth_water?.atmosphericPressure ?? navigation.wind?.atmosphericPressure;
    const isAtBerth = this.berth.observe(position, this.#stillness.makesWay, now);
    const jumps = this.#receivers.observe(receivers, sog, now);
    // One that is over when the boat leaves; another one makes her leave.
    if (isAtBerth && position !== undefined && this.berth.isNear(position)) this.#receivers.forgetJumps();
    // A position that stands still while the speed says otherwise is a fault of the receiver.
    const isAtPlace = this.#place.observe(position, now) && isStill;
    const near = targets.filter(isMooredNear);
    const lies = (place: Position): boolean => (sog == null || isStill) && this.berth.isNear(place);
    const isWaking = this.#waking.observe(position, lies, near.length, now);
    const { anchorWatch } = this;
    return {
      navigation,
      position,
      hadPosition: this.#last !== undefined,
      isDue: anchorWatch !== undefined && now - this.#startedAt > COMES_UP_MS,
      depth,
      wind: this.#wind.observe(wind, surroundings.gust, settings.wind, now),
      windShift: this.#windShift.observe(navigation.wind_true?.direction, now),
      pressureFall: this.#barometer.observe(pressure, now),
      jumps,
      run: this.#standstill.observe(position, { sog, throughWater: speedThroughWater }, now),
      lost: this.#lost,
      anchorWatch,
      anchorDistance: anchorWatch && position && greatCircle(anchorWatch, position).range * METRES_PER_MILE,
      isAtBerth,
      wakesAtBerth: isWaking && this.berth.kept !== undefined,
      liesStill: isAtBerth || isAtPlace,
      lyingNear: this.#neighbours.observe(near, reportsMoored, now),
      isAtAnchor: isStill && anchorWatch !== undefined,
    };
  }

  #keep(place: { readonly position: Position; readonly at: number }): void {
    this.#last = place;
    const before = this.#track.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
    if (place.at - before >= TRACK_STEP_MS) this.#track.push(place);
    while (place.at - this.#track[0]!.at > TRACK_MS) this.#track.shift();
  }

  #depthState(
    navigation: Surroundings["navigation"],
    surroundings: Surroundings,
    { depth: settings, depthLost }: AlarmSettings,
    now: number,
  ): OwnBoatState["depth"] {
    const depth = this.#depth.observe(navigation, surroundings, settings, now);
    const wasLow = depthLost.enabled && depth.last !== undefined && depth.last < depthLost.limit;
    const { sounderHeardAt = Number.NEGATIVE_INFINITY } = surroundings;
    const isSounding = now - sounderHeardAt < SILENT_AFTER_MS;
    const isBottomless = isSounding && (depth.last ?? 0) > DEEP_METRES;
    this.#watchFor("depth", depth.value !== undefined || wasLow || isBottomless);
    return { wasLow, ...depth };
  }

  #watchForOthers(
    navigation: Surroundings["navigation"],
    { aisSources, isHeard }: Surroundings,
    wind: number | undefined,
  ): void {
    const { cog, sog, computed } = navigation.speed_course ?? {};
    // A receiver leaves out the course of a boat that makes no way.
    const hasCourse = sog != null && !computed && (cog != null || sog < WITHOUT_WAY_KNOTS);
    // Without a position the course is lost with it.
    this.#watchFor("course", hasCourse || (this.#lost.has("course") && this.position === undefined));
    this.#watchFor(
      "ships",
      [...aisSources].some((address) => isHeard({ address })),
    );
    this.#watchFor("wind", wind !== undefined);
  }

  /** Data counts as lost only after it has been there once. */
  #watchFor(what: NeededData, isThere: boolean): void {
    if (isThere || this.#lost.has(what)) this.#lost.set(what, !isThere);
  }
}
