/** The boat's voyages, `#/voyages`, and one of them by name, `#/voyages/2026-11-29T081426Z`. */
import { lazyView } from "../parts/lazy.tsx";
import type { Page } from "./page.ts";

export const voyages: Page = {
  name: "voyages",
  title: "Voyages",
  icon: "M3 20C8 20 6 12 12 12S16 4 21 4M3 20V16M21 4V8",
  about: "where the boat was, the log book, tracks for other programs",
  isAboard: true,
  View: lazyView(() => import("../voyages/voyages-view.tsx").then(({ VoyagesView }) => VoyagesView)),
};
