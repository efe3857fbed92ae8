/**
 * Which of several plotters has the course, for all readers: that of the lowest address, also for one that begins later.
 */
import type { Message } from "../n2k/definition.ts";
import type { navigationData } from "../n2k/pgns/route.ts";

/** Whether a message has a course; a plotter without one sends it empty. */
export const hasWaypoint = ({
  distanceToWaypoint,
  bearingToWaypoint,
  destinationLatitude,
}: Message<typeof navigationData>): boolean =>
  [distanceToWaypoint, bearingToWaypoint, destinationLatitude].some((value) => value !== undefined);

/**
 * Whose message of the course counts: the one of the plotter that leads, or else of a device without a waypoint of its
 * own, such as an autopilot.
 *
 * @param waypoints - the addresses that send a waypoint, the lowest first
 * @param senders - those that send the message, the lowest first
 */
export function courseSender(waypoints: readonly number[], senders: readonly number[]): number | undefined {
  const [lead] = waypoints;
  return senders.find((address) => address === lead) ?? senders.find((address) => !waypoints.includes(address));
}
