/** A chart of past values of instruments, drawn by uPlot. */
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { secondTick } from "./frame-tick.ts";
import { histories, type Span, secondsOf } from "./histories.ts";
import { type InstrumentName, instrumentOf } from "./instruments.ts";
import { settings } from "./settings.ts";
import { fixed } from "./units.ts";

export interface TrendProps {
  readonly id: string;
  readonly label: string;
  /** In the unit of the first, which is drawn strongest. */
  readonly names: readonly [InstrumentName, ...InstrumentName[]];
  readonly span?: Span;
  readonly area?: string;
}

/** The colours of canvases; everything else is coloured by the style sheet. */
const color = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Limits of the value axis. It has a minimum span, so that small changes look small. */
function scaleRange(low: number, high: number, name: InstrumentName): [number, number] {
  if (name === "depth") return [Math.min(0, low), Math.max(5, high * 1.15)];
  const minimumSpan = instrumentOf(name).format.isDirection ? 40 : 6;
  const middle = (low + high) / 2;
  const half = Math.max(minimumSpan, (high - low) * 1.2) / 2;
  const bottom = middle - half;
  return low >= 0 && bottom < 0 && !instrumentOf(name).format.isDirection
    ? [0, Math.max(minimumSpan, middle + half)]
    : [bottom, middle + half];
}

const axisText = (value: number, name: InstrumentName): string =>
  instrumentOf(name).format.isDirection
    ? String(((Math.round(value) % 360) + 360) % 360)
    : fixed(value, Number.isInteger(Math.round(value * 10) / 10) ? 0 : 1);

const timeText = (seconds: number, span: Span): string =>
  seconds === 0 ? "now" : span === "day" ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 60)} min`;

/** Values of an instrument over time in the chosen units. */
export function pointsOf(name: InstrumentName, span: Span): readonly [readonly number[], readonly (number | null)[]] {
  const [times, values] = histories[name][span].points(performance.now() / 1000);
  const { format } = instrumentOf(name);
  const { units } = settings.peek();
  return [times, values.map((value) => (value === null ? null : format.convert(value, units)))];
}

export function Trend({ id, label, names, span = "minutes", area }: TrendProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const { light, lamp, units } = settings.value;
  const [first] = names;
  const isDepth = first === "depth";

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
          x: { time: false },
          y: {
            dir: isDepth ? -1 : 1,
            range: (_plot, low, high) => (low == null ? [0, 10] : scaleRange(low, high, first)),
          },
        },
        axes: [
          {
            ...axis,
            size: 20,
            values: (_plot, values) => values.map((value) => timeText(value, span)),
            splits: () => [-secondsOf(span), -secondsOf(span) / 2, 0],
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
          ...names.map((_, index) => ({
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
  }, [light, lamp, units, span, first]);

  function data(): uPlot.AlignedData {
    const lines = names.map((name) => pointsOf(name, span));
    return [[...lines[0]![0]], ...lines.map(([, values]) => [...values])] as uPlot.AlignedData;
  }

  const now = secondTick.value;
  useEffect(() => {
    if (now > 0) plot.current?.setData(data());
  });
  const style = area === undefined ? undefined : { gridArea: area };
  return <div class="trend" style={style} data-id={id} role="img" aria-label={label} ref={box} />;
}
