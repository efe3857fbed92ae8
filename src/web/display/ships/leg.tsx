/** The destination, the leg to it, and the corridor within which the boat watches the distance from the leg. */

import { arrivalIn } from "../../../core/n2k/arrival.ts";
import type { Definition, Message } from "../../../core/n2k/definition.ts";
import { crossTrackError, navigationData } from "../../../core/n2k/pgns/route.ts";
import { greatCircle, METRES_PER_MILE, type Position, positionIn } from "../../../core/nav/great-circle.ts";
import { watchedMiles } from "../alarms/watched-distances.ts";
import { type Point, pointOf, type View } from "../chart/view.ts";
import { isExpired } from "../data/freshness.ts";
import { store } from "../data/store.ts";
import { messageWith } from "../instruments/instrument.ts";
import { pointOnDial } from "../parts/angles.ts";
import type { Mark } from "../parts/labels.ts";

interface Leg {
  readonly waypoint: Position;
  /** Degrees true; undefined while the distance from the leg is not known. */
  readonly course: number | undefined;
  /** Nautical miles from own ship. */
  readonly range: number;
}

/**
 * The course of a leg from the bearing and range of its end and the boat's distance from it, positive where she has to
 * steer to port; `isBeyond`: she has passed the end. Pure.
 */
export function courseOfLeg(bearing: number, range: number, off: number, isBeyond: boolean): number | undefined {
  if (Math.abs(off) >= range) return undefined;
  const aside = (Math.asin(off / range) * 180) / Math.PI;
  return isBeyond ? bearing + 180 - aside : bearing + aside;
}

/** The message of the plotter that has the course, unless it has expired. */
function messageOfCourse<Of extends Definition>(definition: Of, field: keyof Message<Of> & string, now: number) {
  const message = messageWith(definition, field, now);
  return message === undefined || isExpired(message.stamp, now) ? undefined : (message.data as Message<Of>);
}

/** The destination that hub-link holds, of whichever app, comes before that of the plotter and has no leg. */
function legNow(here: Position, now: number): Leg | undefined {
  const held = store.course?.destination;
  if (held !== undefined) return { waypoint: held, range: greatCircle(here, held).range, course: undefined };
  // A plotter without a course says so.
  const course = messageOfCourse(navigationData, "destinationLatitude", now);
  const waypoint = positionIn({ latitude: course?.destinationLatitude, longitude: course?.destinationLongitude });
  if (waypoint === undefined) return undefined;
  const { range, bearing } = greatCircle(here, waypoint);
  const isBeyond = arrivalIn(course?.arrivalStatus)?.isPassed ?? false;
  const off = messageOfCourse(crossTrackError, "xte", now)?.xte;
  return {
    waypoint,
    range,
    course: off === undefined ? undefined : courseOfLeg(bearing, range, off / METRES_PER_MILE, isBeyond),
  };
}

interface LegProps {
  readonly view: View;
  readonly here: Position;
  readonly now: number;
}

/** The mark of the destination, which labels do not cover. */
export function waypointMark(view: View, here: Position, now: number): Mark | undefined {
  const leg = legNow(here, now);
  return leg && pointOf(view, leg.waypoint);
}

export function LegMarks({ view, here, now }: LegProps) {
  const leg = legNow(here, now);
  if (leg === undefined) return null;
  const end = pointOf(view, leg.waypoint);
  const { course, range } = leg;
  const corridor = watchedMiles("crossTrack", now);
  const behind = Math.hypot(view.width, view.height);
  /** A line beside the leg, from the waypoint to behind the boat. */
  const line = (direction: number, aside: number): string => {
    const side = pointOnDial(direction + 90, aside * view.scale);
    const back = pointOnDial(direction + 180, range * view.scale + behind);
    const from: Point = { x: end.x + side.x, y: end.y + side.y };
    return `M${from.x} ${from.y}l${back.x} ${back.y}`;
  };
  const up = course === undefined ? undefined : course + view.turn;
  return (
    <g class="leg">
      {up !== undefined && <path data-id="leg" d={line(up, 0)} />}
      {up !== undefined && corridor !== undefined && (
        <path class="corridor" data-id="corridor" d={line(up, corridor) + line(up, -corridor)} />
      )}
      <path
        class="waypoint"
        data-id="waypoint"
        transform={`translate(${end.x} ${end.y})`}
        d="M-7 -7H7V7H-7ZM0 -2V2M-2 0H2"
      />
    </g>
  );
}
