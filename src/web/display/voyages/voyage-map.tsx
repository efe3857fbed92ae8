/** The track of a voyage over the land, with its entries. */
import type { Position } from "../../../core/nav/great-circle.ts";
import type { TrackPoint } from "../../../core/voyages/lines.ts";
import { extentOf } from "../chart/extent.ts";
import { FreeMap, scaleWithin } from "../chart/free-map.tsx";
import { type Extent, pointOf, type View } from "../chart/view.ts";
import { say } from "../languages/say.ts";
import type { Size } from "../parts/use-size.ts";
import { offsetFrom } from "../trend/own-track.ts";

const FILLED = 0.85;

function extentOfTrack(places: readonly Position[], size: Size): Extent {
  const { center } = extentOf(places, size);
  let [east, north] = [0.01, 0.01];
  for (const place of places) {
    const offset = offsetFrom(center, place);
    east = Math.max(east, Math.abs(offset.east));
    north = Math.max(north, Math.abs(offset.north));
  }
  return { center, scale: scaleWithin((FILLED / 2) * Math.min(size.width / east, size.height / north)) };
}

function draw(
  context: CanvasRenderingContext2D,
  view: View,
  points: readonly TrackPoint[],
  marks: readonly Position[],
): void {
  const { color, stroke } = getComputedStyle(context.canvas);
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
  readonly marks: readonly Position[];
}

export function VoyageMap({ points, marks }: VoyageMapProps) {
  const places = points.map(([, latitude, longitude]) => ({ latitude, longitude }));
  return (
    <FreeMap
      kind="voyage-map"
      whole={(size) => extentOfTrack([...places, ...marks], size)}
      wholeTitle={say("Whole track")}
      draw={(context, view) => draw(context, view, points, marks)}
      drawn="voyage-track"
    />
  );
}
