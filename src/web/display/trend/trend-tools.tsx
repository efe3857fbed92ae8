/** The buttons and texts below a trend: its range, least and greatest value, and whether the history is away. */

import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { spanText } from "../../../core/text/quantity.ts";
import { secondTick } from "../data/frame-tick.ts";
import { settings } from "../data/settings.ts";
import { inDays, numberText } from "../languages/formats.ts";
import { say } from "../languages/say.ts";
import { Button } from "../parts/button.tsx";
import { pastState } from "./boat-history.ts";
import { type RangeName, rangeNames, ranges, secondsOf } from "./ranges.ts";
import { linePoints, type TrendLine } from "./trend-line.ts";
import { extentOf } from "./trend-points.ts";

const chosen = signal<RangeName>("minutes");

/** All ranges if the boat has a history of the value, or else those that this page keeps itself. */
const rangesOf = ({ past, day }: TrendLine): readonly RangeName[] =>
  past !== undefined && pastState.value !== "none"
    ? rangeNames
    : rangeNames.filter((name) => name === "minutes" || (name === "day" && day !== undefined));

/** The chosen range, if the value has it. */
export const rangeOf = (line: TrendLine): RangeName =>
  rangesOf(line).includes(chosen.value) ? chosen.value : "minutes";

/** Least and greatest value with the time that they cover, as text; angles of a whole turn have none. */
function Extremes({ line }: { readonly line: TrendLine }) {
  void secondTick.value;
  const { units } = settings.value;
  // The points are already in the chosen unit.
  const range = rangeOf(line);
  const extent = extentOf(linePoints(line, range, units), secondsOf(ranges[range].span));
  if (line.format.isWholeTurn === true || extent === undefined) return null;
  const text = (value: number): string => line.format.ofAxis(value, units);
  return (
    <span class="extremes" data-id="extremes">
      {numberText(text(extent.low))} – {numberText(text(extent.high))} {line.format.unit(units)}
      <small> {say("in {duration}", { duration: inDays(spanText(extent.seconds)) })}</small>
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
      <Button says="Back" onClick={() => history.back()} />
      {rangesOf(line).map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === shown}
          onClick={() => {
            chosen.value = name;
          }}
        >
          {inDays(ranges[name].label)}
        </button>
      ))}
      {children}
      {pastState.value === "away" && (
        <span class="past-away" role="status">
          {say("history away")}
        </span>
      )}
      <Extremes line={line} />
    </p>
  );
}
