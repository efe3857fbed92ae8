/** A chart of past values. Its library is a sixth of the display, and is loaded after the first page. */
import { lazy } from "../parts/lazy.tsx";
import type { TrendProps } from "./trend-chart.tsx";

export const Trend = lazy<TrendProps>(
  () => import("./trend-chart.tsx").then(({ TrendChart }) => TrendChart),
  ({ id, label, area }) => (
    <div class="trend" style={area && { gridArea: area }} data-id={id} role="img" aria-label={label} />
  ),
);
