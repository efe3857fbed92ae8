/** One instrument alone, with its trend: `#/value/depth`. */

import { instrumentOf, instrumentOfHash } from "../instruments/instruments.ts";
import { said } from "../languages/say.ts";
import { lazyView } from "../parts/lazy.tsx";
import type { Page } from "./page.ts";

export const value: Page = {
  name: "value",
  title: (address) => said(instrumentOf(instrumentOfHash(address)).name),
  View: lazyView(() => import("./value-view.tsx").then(({ Value }) => Value)),
};
