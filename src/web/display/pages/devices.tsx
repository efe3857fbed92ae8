/** The devices on the bus. */
import { topics } from "../../../core/topics/topics.ts";
import { lazyView } from "../parts/lazy.tsx";
import type { Page } from "./page.ts";

export const devices: Page = {
  name: "devices",
  title: "Devices",
  icon: "M3 12H21M7 12V6M12 12V18M17 12V6M5 3H9V6H5ZM15 3H19V6H15ZM10 18H14V21H10Z",
  about: "who is on the bus and what they send",
  filters: (prefix) => [topics.traffic.name({ prefix }), topics.knownDevices.name({ prefix })],
  View: lazyView(() => import("./devices-view.tsx").then(({ Devices }) => Devices)),
};
