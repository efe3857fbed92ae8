/** Reports of an AIS reporter as text. */

import type { AisReporter } from "../../../src/core/nav/ais-reporter.ts";
import type { OwnShip } from "../../../src/core/nav/own-ship.ts";
import { AsciiBuffer, textOf } from "../../../src/core/text/ascii-buffer.ts";

/** The report that is due; undefined when none is. */
export function advance(
  reporter: AisReporter,
  now: number,
  wall: number,
  own: OwnShip | undefined,
): string | undefined {
  const out = new AsciiBuffer();
  return reporter.advance(now, wall, () => own, out) ? out.text() : undefined;
}

/** The report, due or not. */
export const reportOf = textOf((out, reporter: AisReporter, now: number, wall: number, own: OwnShip | undefined) =>
  reporter.report(now, wall, own, out),
);
