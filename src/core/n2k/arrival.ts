/** The arrival at a waypoint (PGN 129284): two flags, which hub publishes as one text. */
import { ArrivalStatus } from "./lookups.ts";

type Code = keyof typeof ArrivalStatus;

/** Bits of the code. */
const [PASSED, IN_CIRCLE] = [1, 4];

export interface Arrival {
  readonly isInCircle: boolean;
  /** The boat has crossed the perpendicular at the waypoint. */
  readonly isPassed: boolean;
}

export const arrivalOf = ({ isInCircle, isPassed }: Arrival) =>
  ArrivalStatus[((isInCircle ? IN_CIRCLE : 0) + (isPassed ? PASSED : 0)) as Code];

/** The flags of a published text; undefined: it is none. */
export function arrivalIn(text: unknown): Arrival | undefined {
  const found = Object.entries(ArrivalStatus).find((each) => each[1] === text);
  const code = Number(found?.[0]);
  return found && { isInCircle: (code & IN_CIRCLE) > 0, isPassed: (code & PASSED) > 0 };
}
