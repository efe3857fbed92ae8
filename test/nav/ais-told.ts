/** What an AIS reporter says, as a string. */
import { AsciiBuffer, textOf } from "../../src/n2k/ascii-buffer.ts";
import type { OwnShip } from "../../src/nav/ais-report.ts";
import type { AisReporter } from "../../src/nav/ais-reporter.ts";

/** The report that is due; undefined when none is. */
export function advance(
  reporter: AisReporter,
  now: number,
  wall: number,
  own: OwnShip | undefined,
): string | undefined {
  const out = new AsciiBuffer();
  return reporter.advance(now, wall, own, out) ? out.text() : undefined;
}

/** The report, due or not. */
export const reportOf = textOf((out, reporter: AisReporter, now: number, wall: number, own: OwnShip | undefined) =>
  reporter.report(now, wall, own, out),
);
