/** The crew's own screens, kept in this browser. */

import { settings } from "../data/settings.ts";
import { screenAddress } from "../mine/screens.ts";
import { lazyView } from "../parts/lazy.tsx";
import type { Page } from "./page.ts";

export const mine: Page = {
  name: "mine",
  title: "Mine",
  icon: "M4 5H10V11H4ZM14 5H20V11H14ZM4 15H10V21H4ZM14 15H20V21H14Z",
  addresses: () => settings.value.mine.map((_, at) => screenAddress(at)),
  View: lazyView(() => import("../mine/mine-view.tsx").then(({ MineView }) => MineView)),
};
