/** The track of a voyage over the land, with its entries. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { TrackPoint } from "../../../core/voyages/lines.ts";
import { emptied } from "../chart/canvas.ts";
import { Coast } from "../chart/coast.tsx";
import { followHands } from "../chart/gestures.ts";
import { placeOf, pointOf, type View } from "../chart/view.ts";
import { settings } from "../data/settings.ts";
import { type Extent, extentOf } from "../fleet/extent.ts";
import { say } from "../languages/say.ts";
import { useSize } from "../parts/use-size.ts";
import { type Coordinates, offsetFrom } from "../trend/own-track.ts";

const FILLED = 0.85;
const [SMALLEST_SCALE, LARGEST_SCALE] = [0.01, 4000];

const within = (scale: number): number => Math.min(LARGEST_SCALE, Math.max(SMALLEST_SCALE, scale));

/** All places of a track on a map of that size. */
function extentOfTrack(
  places: readonly Coordinates[],
  size: { readonly width: number; readonly height: number },
): Extent {
  const { center } = extentOf(places, size);
  let [east, north] = [0.01, 0.01];
  for (const place of places) {
    const offset = offsetFrom(center, place);
    east = Math.max(east, Math.abs(offset.east));
    north = Math.max(north, Math.abs(offset.north));
  }
  return { center, scale: within((FILLED / 2) * Math.min(size.width / east, size.height / north)) };
}

function draw(
  canvas: HTMLCanvasElement,
  view: View,
  points: readonly TrackPoint[],
  marks: readonly Coordinates[],
): void {
  const { context, toScreen } = emptied(canvas, view);
  context.setTransform(toScreen);
  const { color, stroke } = getComputedStyle(canvas);
  context.strokeStyle = stroke;
  context.lineWidth = 2.5;
  context.beginPath();
  for (const [index, [, latitude, longitude, gap]] of points.entries()) {
    const { x, y } = pointOf(view, { latitude, longitude });
    if (index === 0 || gap === 1) context.moveTo(x, y);
    else context.lineTo(x, y);
  }
  context.stroke();
  context.fillStyle = color;
  for (const mark of marks) {
    const { x, y } = pointOf(view, mark);
    context.beginPath();
    context.arc(x, y, 3.5, 0, 2 * Math.PI);
    context.fill();
  }
}

interface VoyageMapProps {
  readonly points: readonly TrackPoint[];
  /** Places of entries. */
  readonly marks: readonly Coordinates[];
}

export function VoyageMap({ points, marks }: VoyageMapProps) {
  const [box, size] = useSize();
  const [moved, setMoved] = useState<Extent>();
  const canvas = useRef<HTMLCanvasElement>(null);
  const places = points.map(([, latitude, longitude]) => ({ latitude, longitude }));
  const extent = moved ?? extentOfTrack([...places, ...marks], size);
  const view: View = { ...extent, turn: 0, ...size };
  const now = useRef(view);
  now.current = view;
  useEffect(() => draw(canvas.current!, view, points, marks));
  useEffect(() => {
    let scale = 0;
    return followHands(box.current!, {
      drag: (by) => setMoved({ center: placeOf(now.current, { x: -by.x, y: -by.y }), scale: now.current.scale }),
      stretch: (factor) => {
        scale ||= now.current.scale;
        setMoved({ center: now.current.center, scale: within(scale * factor) });
      },
      rest: () => {
        scale = 0;
      },
    });
  }, []);
  const zoom = (factor: number): void => setMoved({ center: view.center, scale: within(view.scale * factor) });
  const { light, lamp } = settings.value;
  return (
    <section class="voyage-map" aria-label={say("Map")}>
      <div class="plot-box" ref={box} onWheel={(event) => zoom(event.deltaY < 0 ? 1.5 : 1 / 1.5)}>
        <Coast view={view} light={`${light} ${lamp}`} />
        <canvas class="voyage-track" ref={canvas} data-points={points.length} />
      </div>
      <div class="map-tools">
        <button type="button" aria-label={say("Zoom in")} onClick={() => zoom(2)}>
          +
        </button>
        <button type="button" aria-label={say("Zoom out")} onClick={() => zoom(0.5)}>
          −
        </button>
        {moved !== undefined && (
          <button type="button" onClick={() => setMoved(undefined)}>
            {say("Whole track")}
          </button>
        )}
      </div>
    </section>
  );
}
