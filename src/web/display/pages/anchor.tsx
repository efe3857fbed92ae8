/** The anchor watch as a picture. */
import { topics } from "../../../core/topics/topics.ts";
import { lazyView } from "../parts/lazy.tsx";
import type { Page } from "./page.ts";

export const anchor: Page = {
  name: "anchor",
  title: "Anchor",
  icon: "M12 3A2 2 0 1 1 11.9 3ZM12 7V21M8 10H16M4 14Q5 20 12 21Q19 20 20 14",
  about: "circle, swing, and the watch that rings",
  filters: (prefix) => [topics.ais.name({ prefix })],
  View: lazyView(() => import("./anchor-view.tsx").then(({ Anchor }) => Anchor)),
};
