/** The settings of this browser. */
import { topics } from "../../../core/topics/topics.ts";
import { lazyView } from "../parts/lazy.tsx";
import type { Page } from "./page.ts";

export const setup: Page = {
  name: "settings",
  title: "Setup",
  icon: "M4 7H13M17 7H20M15 5A2 2 0 1 1 14.9 5ZM4 17H7M11 17H20M9 15A2 2 0 1 1 8.9 15Z",
  about: "language, light, units and the broker",
  // The interfaces of all prefixes of two levels, the usual form.
  filters: () => [topics.interface.filter({ prefix: "+/+" })],
  View: lazyView(() => import("./settings-view.tsx").then(({ SettingsPage }) => SettingsPage)),
};
