/** The polar of what was sailed as CSV: a row for each angle and force, and for each reason why time is left out. */
import type { Polar } from "../../core/voyages/polar.ts";
import { csvText } from "./csv.ts";

const hours = (seconds: number): string => (seconds / 3600).toFixed(2);

export const polarCsv = ({ cells, leftOut }: Polar): string =>
  csvText([
    ["true wind angle deg", "force Bft", "hours", "mean speed through water kn", "greatest kn", "left out"],
    ...cells.map(({ angle, force, seconds, knots, greatest }) => [angle, force, hours(seconds), knots, greatest, ""]),
    ...leftOut.map(({ reason, seconds }) => ["", "", hours(seconds), "", "", reason]),
  ]);
