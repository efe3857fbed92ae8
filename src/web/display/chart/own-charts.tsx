/** The boat's own charts below a plot, on a canvas of their own. */
import { useEffect, useRef, useState } from "preact/hooks";
import { emptied } from "./canvas.ts";
import { arrived, type Chart, openChart, parentWithPicture, pictureOf } from "./chart-files.ts";
import { placementOf, type Tile, tilesInSight } from "./tiles.ts";
import { isMoved, type View } from "./view.ts";

/** CSS pixels by which tiles overlap, because their edges are smoothed. */
const OVERLAP = 0.4;

function drawTile(context: CanvasRenderingContext2D, view: View, tile: Tile, picture: ImageBitmap): void {
  const [a, b, c, d, x, y] = placementOf(view, tile);
  const [across, down] = [Math.hypot(a, b), Math.hypot(c, d)];
  context.save();
  context.transform(a / across, b / across, c / down, d / down, x, y);
  context.drawImage(picture, 0, 0, across + OVERLAP, down + OVERLAP);
  context.restore();
}

/** Draws the tiles of a chart, above the larger ones that stand in for those that are missing. */
function drawChart(context: CanvasRenderingContext2D, view: View, chart: Chart): void {
  const above: (readonly [Tile, ImageBitmap])[] = [];
  const standIns = new Map<ImageBitmap, Tile>();
  for (const tile of tilesInSight(view, chart.coverage, devicePixelRatio)) {
    const picture = pictureOf(chart, tile);
    const parent = picture === undefined ? parentWithPicture(chart, tile) : undefined;
    if (picture !== undefined) above.push([tile, picture]);
    else if (parent !== undefined) standIns.set(parent.picture, parent.tile);
  }
  for (const [picture, tile] of standIns) drawTile(context, view, tile, picture);
  for (const [tile, picture] of above) drawTile(context, view, tile, picture);
}

function draw(canvas: HTMLCanvasElement, view: View, charts: readonly Chart[]): void {
  const { context, toScreen } = emptied(canvas, view);
  context.setTransform(toScreen);
  for (const chart of charts) drawChart(context, view, chart);
}

/** The matrix that turns white into dark red: a bright chart would end the night vision of a watch. */
const NIGHT_COLOURS = ".106 .358 .036 0 0 .02 .068 .007 0 0 .008 .027 .003 0 0 0 0 0 1 0";

interface OwnChartsProps {
  readonly names: readonly string[];
  readonly view: View;
}

export function OwnCharts({ names, view }: OwnChartsProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = useRef<{ readonly view: View; readonly arrived: number; readonly charts: number }>(undefined);
  const [opened, setOpened] = useState<readonly Chart[]>([]);
  // The charts of before stay until the new ones are open, but for removed ones.
  const charts = opened.filter(({ name }) => names.includes(name));
  useEffect(() => {
    void Promise.all(names.map(openChart)).then((all) => setOpened(all.filter((chart) => chart !== undefined)));
  }, [names]);
  const count = arrived.value;
  useEffect(() => {
    const last = drawn.current;
    if (last?.arrived === count && last.charts === charts.length && !isMoved(last.view, view)) return;
    drawn.current = { view, arrived: count, charts: charts.length };
    draw(canvas.current!, view, charts);
  });
  const sources = [...new Set(charts.map(({ attribution }) => attribution))].filter((text) => text !== "");
  return (
    <>
      <svg class="no-picture" aria-hidden="true">
        <filter id="night-chart" color-interpolation-filters="sRGB">
          <feColorMatrix values={NIGHT_COLOURS} />
        </filter>
      </svg>
      <canvas class="own-charts" ref={canvas} data-tiles={count} />
      {sources.length > 0 && <small class="chart-sources">{sources.join(" · ")}</small>}
    </>
  );
}
