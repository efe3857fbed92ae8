/** A chart of the last ten minutes, drawn by uPlot. */
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { secondTick } from "./frame-tick.ts";
import type { History } from "./history.ts";
import { settings } from "./settings.ts";

export interface TrendProps {
  readonly id: string;
  readonly label: string;
  /** The first line is drawn strongest. */
  readonly lines: readonly History[];
  /** Converts a stored value to the displayed unit. */
  readonly convert?: (value: number) => number;
  /** Values increase downwards. */
  readonly isDepth?: boolean;
  /** An unwrapped direction; the axis labels are within 0 to 359. */
  readonly isDirection?: boolean;
}

const color = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Limits of the value axis. It has a minimum span, so that small changes look small. */
function scaleRange(low: number, high: number, { isDepth, isDirection }: Partial<TrendProps>): [number, number] {
  if (isDepth) return [0, Math.max(5, high * 1.15)];
  const minimumSpan = isDirection ? 40 : 6;
  const middle = (low + high) / 2;
  const half = Math.max(minimumSpan, (high - low) * 1.2) / 2;
  return isDirection
    ? [middle - half, middle + half]
    : [Math.max(0, middle - half), Math.max(minimumSpan, middle + half)];
}

export function Trend(props: TrendProps) {
  const { id, label, lines, convert = (value) => value, isDepth = false, isDirection = false } = props;
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const { light, lamp } = settings.value;

  useEffect(() => {
    const element = box.current!;
    const ink = color("--quiet-ink");
    const axis = {
      stroke: ink,
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
        padding: [6, 16, 0, 0],
        scales: {
          x: { time: false },
          y: {
            dir: isDepth ? -1 : 1,
            range: (_plot, low, high) => (low == null ? [0, 10] : scaleRange(low, high, props)),
          },
        },
        axes: [
          {
            ...axis,
            size: 20,
            space: 60,
            values: (_plot, values) => values.map((value) => (value === 0 ? "now" : `${Math.round(value / 60)} min`)),
            splits: () => [-600, -300, 0],
          },
          {
            ...axis,
            size: 38,
            space: 26,
            values: (_plot, values) =>
              values.map((value) =>
                isDirection ? String(((Math.round(value) % 360) + 360) % 360) : String(Math.round(value * 10) / 10),
              ),
          },
        ],
        series: [
          {},
          ...lines.map((_, index) => ({
            stroke: color(index === 0 ? "--line-strong" : "--line-second"),
            width: index === 0 ? 2.5 : 1.5,
            ...(isDepth && { fill: color("--water"), fillTo: 0 }),
            points: { show: false },
          })),
        ],
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
  }, [light, lamp]);

  function data(): uPlot.AlignedData {
    const seconds = performance.now() / 1000;
    const [times] = lines[0]!.points(seconds);
    const values = lines.map((line) =>
      line.points(seconds)[1].map((value) => (value === null ? null : convert(value))),
    );
    return [[...times], ...values] as uPlot.AlignedData;
  }

  const now = secondTick.value;
  useEffect(() => {
    if (now > 0) plot.current?.setData(data());
  });
  return <div class="trend" data-id={id} role="img" aria-label={label} ref={box} />;
}
