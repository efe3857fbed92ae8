/** The destination that hub-link holds: RMB, APB and the course of Signal K lead to it. */
import { greatCircle, METRES_PER_MILE } from "../../../core/nav/great-circle.ts";
import type { Destination } from "../../../core/nav/link-course.ts";
import { appTopics } from "../../../core/topics/topics.ts";
import { publish } from "../data/connection.ts";
import { store } from "../data/store.ts";
import type { PlacedCall } from "./calls.ts";

/** Metres within which a destination is the place of a call: coordinates are rounded on the way. */
const SAME_METRES = 5;

const command = (destination: Destination | null): void =>
  publish(appTopics.linkCourseSet, JSON.stringify(destination));

export const goTo = ({ position: { latitude, longitude }, isPerson }: PlacedCall): void =>
  command({ latitude, longitude, name: isPerson ? "MOB" : "Distress" });

export const endCourse = (): void => command(null);

/** Whether hub-link holds a destination at the place of a call. */
export function isGoingTo({ position }: PlacedCall): boolean {
  const destination = store.course?.destination;
  return destination !== undefined && greatCircle(destination, position).range * METRES_PER_MILE <= SAME_METRES;
}
