/** The destination that hub-link holds: RMB, APB and the course of Signal K lead to it. */
import { greatCircle, METRES_PER_MILE } from "../../../core/nav/great-circle.ts";
import type { Destination } from "../../../core/nav/link-course.ts";
import { appTopics } from "../../../core/topics/topics.ts";
import { publish } from "../data/connection.ts";
import { store } from "../data/store.ts";
import { coordinateText } from "../instruments/units.ts";
import { say } from "../languages/say.ts";
import { type PlacedCall, placedCalls } from "./calls.ts";

/** Metres within which a destination is the place of a call: coordinates are rounded on the way. */
const SAME_METRES = 5;

/** Time within which hub-link reports a command. */
const ANSWER_MS = 3000;

/** When hub-link was commanded last, and its report then; it answers each command with one. */
let asked: { readonly at: number; readonly report: typeof store.course } | undefined;

function command(destination: Destination | null): void {
  asked = { at: performance.now(), report: store.course };
  publish(appTopics.linkCourseSet, JSON.stringify(destination));
}

/** That hub-link has not answered the last command; undefined: it has. */
export const unansweredText = (now: number): string | undefined =>
  asked !== undefined && asked.report === store.course && now - asked.at > ANSWER_MS
    ? say("{program} does not answer", { program: "hub-link" })
    : undefined;

const nameOf = ({ isPerson, person }: PlacedCall): string =>
  isPerson ? ["MOB", person].filter(Boolean).join(" ") : "Distress";

export function goTo(call: PlacedCall): void {
  const { latitude, longitude } = call.position;
  command({ latitude, longitude, name: nameOf(call), ...(call.press !== undefined && { press: call.press }) });
}

export const endCourse = (): void => command(null);

/** The name of a destination, or else its latitude and its longitude. A person has the number that she has now. */
export function destinationTexts({ name, latitude, longitude, press }: Destination, now: number): readonly string[] {
  if (name === undefined) return [coordinateText(latitude, "latitude"), coordinateText(longitude, "longitude")];
  const call = press && placedCalls(now).find((each) => each.press === press);
  return [call ? nameOf(call) : name];
}

export const destinationText = (destination: Destination, now: number): string =>
  destinationTexts(destination, now).join(" ");

/**
 * Whether hub-link holds the destination of a call, at the place where it is now: a beacon drifts. Persons of a boat at
 * rest have one place, and their presses tell them apart; an app that names a destination gives it none.
 */
export function isGoingTo({ position, press }: PlacedCall): boolean {
  const destination = store.course?.destination;
  if (destination === undefined) return false;
  if (destination.press !== undefined && destination.press !== press) return false;
  return greatCircle(destination, position).range * METRES_PER_MILE <= SAME_METRES;
}
