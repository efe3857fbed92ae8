/** The buttons and texts below a trend: its range, least and greatest value, and whether the history is away. */

import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { tenths } from "../../../core/text/quantity.ts";
import { secondTick } from "../data/frame-tick.ts";
import { settings } from "../data/settings.ts";
import { pastState } from "./boat-history.ts";
import { type RangeName, rangeNames, ranges } from "./ranges.ts";
import { linePoints, type TrendLine } from "./trend-line.ts";

const chosen = signal<RangeName>("minutes");

/** All ranges if the boat has a history of the value, or else those that this page keeps itself. */
const rangesOf = ({ past, day }: TrendLine): readonly RangeName[] =>
  past !== undefined && pastState.value !== "none"
    ? rangeNames
    : rangeNames.filter((name) => name === "minutes" || (name === "day" && day !== undefined));

/** The chosen range, if the value has it. */
export const rangeOf = (line: TrendLine): RangeName =>
  rangesOf(line).includes(chosen.value) ? chosen.value : "minutes";

/** Least and greatest value of the range, as text; angles of a whole turn have none. */
function Extremes({ line }: { readonly line: TrendLine }) {
  void secondTick.value;
  const { units } = settings.value;
  const points = linePoints(line, rangeOf(line), units);
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { low, high } of points) {
    if (low === null || high === null) continue;
    least = Math.min(least, low);
    greatest = Math.max(greatest, high);
  }
  if (line.format.isWholeTurn === true || least > greatest) return null;
  // The points are already in the chosen unit.
  return (
    <span class="extremes" data-id="extremes">
      {tenths(least)} – {tenths(greatest)} {line.format.unit(units)}
    </span>
  );
}

interface TrendToolsProps {
  readonly line: TrendLine;
  /** Other elements that belong to the value. */
  readonly children?: ComponentChildren;
}

export function TrendTools({ line, children }: TrendToolsProps) {
  const shown = rangeOf(line);
  return (
    <p class="alone-tools">
      <button type="button" onClick={() => history.back()}>
        Back
      </button>
      {rangesOf(line).map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === shown}
          onClick={() => {
            chosen.value = name;
          }}
        >
          {ranges[name].label}
        </button>
      ))}
      {children}
      {pastState.value === "away" && (
        <span class="past-away" role="status">
          history away
        </span>
      )}
      <Extremes line={line} />
    </p>
  );
}
