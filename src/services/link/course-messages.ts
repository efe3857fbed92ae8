/**
 * The course that hub-link holds as messages of the bus, so that all outlets serve it as that of a plotter: the
 * sentences RMB, APB, BWC and XTE, and the paths of Signal K. The messages of a plotter are left out meanwhile.
 */
import { arrivalOf } from "../../core/n2k/arrival.ts";
import { crossTrackError, navigationData } from "../../core/n2k/pgns/route.ts";
import { routeWaypointInformation } from "../../core/n2k/pgns/routes.ts";
import { METRES_PER_MILE, type Position, positionIn } from "../../core/nav/great-circle.ts";
import { type LegValues, legValues } from "../../core/nav/leg.ts";
import type { DataOf, Metadata } from "../../core/topics/read-message.ts";
import { coursePgns } from "../../formats/nmea0183/encoder.ts";
import { HUB_ADDRESS } from "../../formats/signalk/sources.ts";
import type { Heard, PgnHeard } from "./outlet.ts";
import type { Course } from "./signalk-v2/course.ts";
import type { CoursePoint } from "./signalk-v2/shapes.ts";

/** Time after which the position of the boat no longer counts; a report comes every second. */
const POSITION_AGE_MS = 10_000;

/** The numbers of the points in the messages. */
const [PREVIOUS, NEXT, FOLLOWING] = [1, 2, 3];

type Navigation = DataOf<"navigation">;
type History = DataOf<"alarmHistory">;

/** The way to the destination, by the latest report. */
export interface CourseValues extends LegValues {
  /** Degrees, east positive. */
  readonly variation: number | undefined;
}

/** Position, course and speed of the boat, of the last navigation report that is not too old. */
export class OwnMotion {
  #report: Navigation | undefined;
  #heardMs = Number.NEGATIVE_INFINITY;
  readonly #monotonic: () => number;

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  hear(report: Navigation, heardMs: number): void {
    this.#report = report;
    this.#heardMs = heardMs;
  }

  forget(): void {
    this.#report = undefined;
  }

  get position(): Position | undefined {
    const { position = {} } = this.#fresh ?? {};
    return position.hasFix === false ? undefined : positionIn(position);
  }

  get motion(): Navigation["speed_course"] {
    return this.#fresh?.speed_course;
  }

  get #fresh(): Navigation | undefined {
    return this.#monotonic() - this.#heardMs > POSITION_AGE_MS ? undefined : this.#report;
  }
}

export class CourseMessages {
  readonly course: Course;
  readonly #own: OwnMotion;

  constructor(course: Course, own: OwnMotion) {
    this.course = course;
    this.#own = own;
  }

  /** Where the boat is; undefined while that is unknown. */
  get position(): Position | undefined {
    return this.#own.position;
  }

  /** The way to the destination now; undefined without one, or without a position of the boat. */
  get values(): CourseValues | undefined {
    const { nextPoint, previousPoint } = this.course.info;
    const { position, motion } = this.#own;
    if (nextPoint === null || position === undefined) return undefined;
    const { cog, sog, variation } = motion ?? {};
    const values = legValues({ from: previousPoint?.position, to: nextPoint.position, position, cog, sog });
    return { ...values, variation: variation ?? undefined };
  }

  /**
   * The messages that the outlets get for one that was heard: a navigation report is followed by the course that hub-link
   * holds, and the messages of a plotter about its own course are left out.
   */
  pass(heard: Heard): readonly Heard[] {
    if (heard.topic === "pgn") return this.course.isHeld && coursePgns.includes(heard.pgn) ? [] : [heard];
    if (heard.topic === "alarmHistory") {
      this.#hearHistory(heard.message.data as History);
      return [];
    }
    if (heard.topic !== "navigation" || heard.isRetained) return [heard];
    const { message, receivedMs } = heard;
    this.#own.hear(message.data as Navigation, receivedMs);
    return [heard, ...this.#messages(message.metadata, receivedMs)];
  }

  /** hub-cand is offline. */
  forget(): void {
    this.#own.forget();
  }

  /**
   * A person of the button whose alarm has ended is back on board, perhaps while hub-link was off. A beacon, which has no
   * press, may have fallen silent.
   */
  #hearHistory({ alarms }: History): void {
    const released = alarms.filter(({ until }) => until !== undefined).map(({ press }) => press);
    // A course that cannot be stored stays as it was, and the log says so.
    if (released.length > 0) this.course.endFor((press) => released.includes(press)).catch(() => {});
  }

  #messages(metadata: Metadata, receivedMs: number): readonly PgnHeard[] {
    const { values } = this;
    const { nextPoint, previousPoint, activeRoute, arrivalCircle } = this.course.info;
    if (values === undefined || nextPoint === null) return [];
    const { distance, bearing, crossTrack, isPassed, velocityMadeGood } = values;
    const metres = distance * METRES_PER_MILE;
    const points = [
      [PREVIOUS, previousPoint],
      [NEXT, nextPoint],
      [FOLLOWING, this.course.followingPoint],
    ] as const;
    const heard = (pgn: number, data: object): PgnHeard => ({
      topic: "pgn",
      addr: HUB_ADDRESS,
      pgn,
      message: { data, metadata },
      receivedMs,
      isRetained: false,
    });
    // The sentences of the last one read the others.
    return [
      heard(routeWaypointInformation.pgn, {
        ...(activeRoute !== null && { routeName: activeRoute.name }),
        waypoints: points.flatMap(([id, point]) => (point ? [waypoint(id!, point)] : [])),
      }),
      // Without a distance the one of the course before is taken back.
      heard(crossTrackError.pgn, crossTrack === undefined ? {} : { xte: rounded(crossTrack * METRES_PER_MILE) }),
      heard(navigationData.pgn, {
        distanceToWaypoint: rounded(metres),
        bearingToWaypoint: bearing,
        bearingReference: "True",
        ...(velocityMadeGood !== undefined && { waypointClosing: velocityMadeGood > 0 }),
        arrivalStatus: arrivalOf({ isInCircle: metres <= arrivalCircle, isPassed }),
        destinationLatitude: nextPoint.position.latitude,
        destinationLongitude: nextPoint.position.longitude,
        waypointId: NEXT,
      }),
    ];
  }
}

/** Centimetres, as on the bus. */
const rounded = (metres: number): number => Math.round(metres * 100) / 100;

const waypoint = (waypointId: number, { name, position: { latitude, longitude } }: CoursePoint) => ({
  waypointId,
  ...(name !== undefined && name !== "" && { name }),
  latitude,
  longitude,
});
