/** The findings about the bus, its load by device, and the state of interface and bridge. */
import { topics } from "../../../core/topics/topics.ts";
import { lazyView } from "../parts/lazy.tsx";
import type { Page } from "./page.ts";

export const bus: Page = {
  name: "bus",
  title: "Bus",
  icon: "M2 13H6L9 5L14 19L17 11L18 13H22",
  about: "what is wrong with it, load, losses and the state of hub-cand",
  filters: (prefix) => [topics.findings.name({ prefix }), topics.traffic.name({ prefix })],
  View: lazyView(() => import("../bus/bus-view.tsx").then(({ BusView }) => BusView)),
};
