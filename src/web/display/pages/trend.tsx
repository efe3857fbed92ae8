/** One value of an engine, a battery or a tank, with its trend: `#/trend/battery/20/0/voltageV`. */

import { lazyView } from "../parts/lazy.tsx";
import { systemName, valueOfHash } from "../systems/system-values.ts";
import type { Page } from "./page.ts";
import { systemFilters } from "./system-filters.ts";

function trendTitle(ofHash: string): string {
  const value = valueOfHash(ofHash);
  return value === undefined ? "Trend" : systemName(value);
}

export const trend: Page = {
  name: "trend",
  title: trendTitle,
  filters: systemFilters,
  View: lazyView(() => import("./trend-view.tsx").then(({ TrendPage }) => TrendPage)),
};
