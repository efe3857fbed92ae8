/** The messages of the plotter that has the course: another one may have another leg. */
import type { Definition } from "../../../core/n2k/definition.ts";
import { crossTrackError, navigationData } from "../../../core/n2k/pgns/route.ts";
import { courseSender, hasWaypoint } from "../../../core/nav/plotters.ts";
import { messagesOf, messagesOfPgn } from "./device-messages.ts";
import { isExpired } from "./freshness.ts";
import type { DeviceMessage } from "./store.ts";

const coursePgns: readonly number[] = [crossTrackError.pgn, navigationData.pgn];

const addressesOf = (messages: readonly DeviceMessage<unknown>[]): readonly number[] =>
  messages.map(({ address }) => address).sort((a, b) => a - b);

/** Messages of a definition that count; those that have expired too. */
export function messagesThatCount({ pgn }: Definition, has: (data: DeviceMessage["data"]) => boolean, now: number) {
  const heard = messagesOfPgn(pgn).filter(({ data }) => has(data));
  if (!coursePgns.includes(pgn)) return heard;
  const isLiving = ({ stamp }: DeviceMessage<unknown>): boolean => !isExpired(stamp, now);
  const waypoints = messagesOf(navigationData).filter((message) => isLiving(message) && hasWaypoint(message.data));
  const sender = courseSender(addressesOf(waypoints), addressesOf(heard.filter(isLiving)));
  return heard.filter((message) => message.address === sender || !isLiving(message));
}
