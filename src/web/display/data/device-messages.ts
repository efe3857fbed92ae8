/** Messages of a PGN by key and address, and which of them are still shown. */
import type { Definition, Message } from "../../../core/n2k/definition.ts";
import { EXPIRE_AFTER_SECONDS } from "../../../core/report/timing.ts";
import { ageOf, DEAD_SHOWN_SECONDS, isExpired } from "./freshness.ts";
import { keyOf } from "./message-keys.ts";
import { type DeviceMessage, isFilling, type StoredMessage, store } from "./store.ts";

/** For what stays as it is while it is not sent: the set-up of a device, the hours of an engine that is off. */
export const ANY_AGE = Number.POSITIVE_INFINITY;

/** Messages of a definition by key and address, including expired ones that are still shown. */
export const messagesOf = <Of extends Definition>(
  definition: Of,
  oldest?: number,
): readonly DeviceMessage<Message<Of>>[] =>
  messagesOfPgn(definition.pgn, oldest) as readonly DeviceMessage<unknown>[] as readonly DeviceMessage<Message<Of>>[];

/** The same for a PGN without a definition here. */
export function messagesOfPgn(pgn: number, oldest = DEAD_SHOWN_SECONDS): readonly DeviceMessage[] {
  const now = performance.now();
  const isPlaceShown = isFilling(now) && oldest !== ANY_AGE;
  return [...store.messages.values()]
    .filter(
      ({ data, stamp, isPlace = false }) => data.pgn === pgn && (isPlace ? isPlaceShown : ageOf(stamp, now) <= oldest),
    )
    .sort((a, b) => keyOf(a.data).localeCompare(keyOf(b.data), "en", { numeric: true }) || a.address - b.address);
}

/** Period below which a slow link gets a PGN in samples. */
const FAST_SECONDS = 0.6;

/** The PGNs that any device sends fast. */
export const fastPgns = (): readonly number[] => [
  ...new Set(
    [...store.messages.values()]
      .filter(({ period: { shortest = FAST_SECONDS } }) => shortest < FAST_SECONDS)
      .map(({ data }) => data.pgn),
  ),
];

export const isDead = ({ stamp }: StoredMessage<unknown>, now: number): boolean => isExpired(stamp, now);

/** Whether a message is dead, or of an earlier visit and older than its sender's messages become. */
export const isUnheard = (message: DeviceMessage<unknown>, now: number): boolean => {
  const { askedAgainAt, stamp, period } = message;
  const isOfEarlier = askedAgainAt !== undefined && ageOf(stamp, now) > period.lifeSeconds(EXPIRE_AFTER_SECONDS);
  return isOfEarlier || isDead(message, now);
};

/** Whether to compute with a message; while the page fills, what an old one gives keeps the place. */
export const isCounted = (message: DeviceMessage<unknown>, now: number): boolean =>
  isFilling(now) || !isUnheard(message, now);
