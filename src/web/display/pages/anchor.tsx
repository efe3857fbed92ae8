/** The anchor watch as a picture. */
import { appTopics, topics } from "../../../core/topics/topics.ts";
import { lazyView } from "../parts/lazy.tsx";
import type { Page } from "./page.ts";

export const anchor: Page = {
  name: "anchor",
  title: "Anchor",
  filters: (prefix) => [topics.ais.name({ prefix }), appTopics.linkCourse],
  View: lazyView(() => import("./anchor-view.tsx").then(({ Anchor }) => Anchor)),
};
