/** SVG paths of lines on a plot. Pure. */
import type { Point } from "../chart/view.ts";

/** Points that are nearer to the one before, in pixels, are left out. */
const FINEST = 1.5;

export function pathOf(points: readonly Point[]): string {
  let drawn = points[0]!;
  const kept = points.filter((point, index) => {
    const isEnd = index === 0 || index === points.length - 1;
    if (!isEnd && Math.hypot(point.x - drawn.x, point.y - drawn.y) < FINEST) return false;
    drawn = point;
    return true;
  });
  return `M${kept.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
}
