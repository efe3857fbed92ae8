/** The page that commissions a boat: devices, settings, projects and apps, and changes that are not in force yet. */

import { appTopics, topics } from "../../../core/topics/topics.ts";
import { boatPgns } from "../boat/pgns.ts";
import { lazyView } from "../parts/lazy.tsx";
import { type Page, pgnFilters } from "./page.ts";

export const boat: Page = {
  name: "boat",
  title: "Boat",
  icon: "M3 14H21L18 19H6ZM6 14V9H14L18 14M10 9V5",
  isAboard: true,
  filters: (prefix) => [
    ...pgnFilters(prefix, boatPgns),
    topics.knownDevices.name({ prefix }),
    topics.layouts.name({ prefix }),
    appTopics.linkAccess,
  ],
  View: lazyView(() => import("../boat/boat-view.tsx").then(({ BoatView }) => BoatView)),
};
