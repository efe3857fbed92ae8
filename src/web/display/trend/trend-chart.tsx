/** A chart of past values, drawn by uPlot: a line, and the extremes around it if a point stands for a longer time. */

import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { fixed } from "../../../core/text/quantity.ts";
import { secondTick } from "../data/frame-tick.ts";
import { settings } from "../data/settings.ts";
import type { UnitChoice } from "../instruments/units.ts";
import { inDays, numberText } from "../languages/formats.ts";
import { say } from "../languages/say.ts";
import { type RangeName, ranges, secondsOf } from "./ranges.ts";
import { linePoints, type TrendLine } from "./trend-line.ts";

export interface TrendProps {
  readonly id: string;
  readonly label: string;
  /** Lines in the unit of the first, which is drawn strongest and has its extremes. */
  readonly lines: readonly [TrendLine, ...TrendLine[]];
  readonly range?: RangeName;
  readonly area?: string;
}

/** Lines of the true wind have the colour that its needle has in the rose, all others that of the apparent wind. */
const toneOf = ({ isTrueWind = false }: TrendLine): string => (isTrueWind ? "--line-second" : "--line-strong");

/** Title, unit and colours above the plot, for a glance. */
function Caption({ lines, units }: { readonly lines: TrendProps["lines"]; readonly units: UnitChoice }) {
  return (
    <p class="trend-caption" aria-hidden="true">
      {lines.map((line, at) => (
        <span key={line.id}>
          <span class={`trend-key ${at > 0 ? "thin" : ""}`} style={{ background: `var(${toneOf(line)})` }} />
          {line.title}
        </span>
      ))}{" "}
      <small>{lines[0].format.unit(units)}</small>
    </p>
  );
}

/** The colours of canvases; everything else is coloured by the style sheet. */
const color = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Limits of the value axis. It has a minimum span, so that small changes look small. */
function scaleRange(low: number, high: number, { format, isDepth }: TrendLine): [number, number] {
  if (isDepth) return [Math.min(0, low), Math.max(5, high * 1.15)];
  const minimumSpan = format.isDirection ? 40 : (format.minimumSpan ?? 6);
  const middle = (low + high) / 2;
  const half = Math.max(minimumSpan, (high - low) * 1.2) / 2;
  const bottom = middle - half;
  return low >= 0 && bottom < 0 && !format.isDirection
    ? [0, Math.max(minimumSpan, middle + half)]
    : [bottom, middle + half];
}

const axisText = (value: number, { format }: TrendLine): string =>
  format.isDirection
    ? String(((Math.round(value) % 360) + 360) % 360)
    : numberText(fixed(value, Number.isInteger(Math.round(value * 10) / 10) ? 0 : 1));

function timeText(seconds: number, range: RangeName): string {
  const [unit, name] = ranges[range].axis;
  return seconds === 0
    ? say("now")
    : inDays(`${fixed(seconds / unit, Number.isInteger(seconds / unit) ? 0 : 1)} ${name}`);
}

export function TrendChart({ id, label, lines, range = "minutes", area }: TrendProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const { light, lamp, units } = settings.value;
  const [first] = lines;
  const { isDepth = false } = first;
  const seconds = secondsOf(ranges[range].span);

  useEffect(() => {
    const element = box.current!;
    const axis = {
      stroke: color("--quiet-ink"),
      font: "12px system-ui, sans-serif",
      grid: { stroke: color("--line"), width: 1 },
      ticks: { show: false },
    };
    const chart = new uPlot(
      {
        width: element.clientWidth || 200,
        height: element.clientHeight || 80,
        legend: { show: false },
        cursor: { show: false },
        padding: [6, 20, 0, 0],
        scales: {
          x: { time: false, range: [-seconds, 0] },
          y: {
            dir: isDepth ? -1 : 1,
            range: (_plot, low, high) => (low == null ? [0, 10] : scaleRange(low, high, first)),
          },
        },
        axes: [
          {
            ...axis,
            size: 20,
            values: (_plot, values) => values.map((value) => timeText(value, range)),
            splits: () => [-seconds, -seconds / 2, 0],
          },
          {
            ...axis,
            size: 44,
            space: 26,
            values: (_plot, values) => values.map((value) => axisText(value, first)),
          },
        ],
        series: [
          {},
          ...lines.map((line, index) => ({
            stroke: color(toneOf(line)),
            width: index === 0 ? 2.5 : 1.5,
            ...(isDepth && { fill: color("--water"), fillTo: 0 }),
            points: { show: false },
          })),
          { points: { show: false } },
          { points: { show: false } },
        ],
        // The extremes of the first line, which come last.
        bands: [{ series: [lines.length + 2, lines.length + 1], fill: color("--envelope") }],
      },
      data(),
      element,
    );
    plot.current = chart;
    const observer = new ResizeObserver(() => {
      if (element.clientWidth > 0) chart.setSize({ width: element.clientWidth, height: element.clientHeight });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [light, lamp, units, range, first.id]);

  function data(): uPlot.AlignedData {
    const points = lines.map((line) => linePoints(line, range, units));
    const column = (index: number, of: "low" | "value" | "high") => points[index]!.map((point) => point[of]);
    const tables = points.map(
      (line, index) =>
        [line.map(({ at }) => at), column(index, "value")] as (readonly (number | null)[])[] as uPlot.AlignedData,
    );
    const extremes = [points[0]!.map(({ at }) => at), column(0, "low"), column(0, "high")];
    return uPlot.join([...tables, extremes as uPlot.AlignedData]);
  }

  const now = secondTick.value;
  useEffect(() => {
    if (now > 0) plot.current?.setData(data());
  });
  const style = area === undefined ? undefined : { gridArea: area };
  return (
    <div class="trend" style={style} data-id={id} role="img" aria-label={label}>
      <Caption lines={lines} units={units} />
      <div class="trend-plot" ref={box} />
    </div>
  );
}
