/** AIS targets around own ship. */
import { topics } from "../../../core/topics/topics.ts";
import { lazyView } from "../parts/lazy.tsx";
import type { Page } from "./page.ts";

export const ships: Page = {
  name: "ships",
  title: "Ships",
  icon: "M12 3A9 9 0 1 1 11.9 3ZM12 7A5 5 0 1 1 11.9 7ZM12 12L18 5",
  filters: (prefix) => [topics.ais.name({ prefix })],
  View: lazyView(() => import("../ships/ships-view.tsx").then(({ Ships }) => Ships)),
};
