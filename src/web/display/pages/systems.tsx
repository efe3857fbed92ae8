/** Engines, batteries, tanks, switches and temperatures. */
import { topics } from "../../../core/topics/topics.ts";
import { lazyView } from "../parts/lazy.tsx";
import type { Page } from "./page.ts";
import { systemFilters } from "./system-filters.ts";

export const systems: Page = {
  name: "systems",
  title: "Systems",
  icon: "M3 8H21V19H3ZM6 8V5H9V8M15 8V5H18V8M6 13H10M14 13H18M16 11V15",
  filters: (prefix) => [
    ...systemFilters(prefix),
    // When a device that is lost was heard last.
    topics.traffic.name({ prefix }),
    topics.knownDevices.name({ prefix }),
  ],
  View: lazyView(() => import("../systems/systems-view.tsx").then(({ Systems }) => Systems)),
};
