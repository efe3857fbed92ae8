/** One instrument alone, with its trend: `#/value/depth`. */

import { type InstrumentName, instrumentOf, isInstrument } from "../instruments/instruments.ts";
import { said } from "../languages/say.ts";
import { lazyView } from "../parts/lazy.tsx";
import type { Page } from "./page.ts";

/** The instrument of the address. */
export const instrumentOfHash = (address: string): InstrumentName => {
  const [, , name = ""] = address.split("/");
  return isInstrument(name) ? name : "depth";
};

export const value: Page = {
  name: "value",
  title: (address) => said(instrumentOf(instrumentOfHash(address)).name),
  View: lazyView(() => import("./value-view.tsx").then(({ Value }) => Value)),
};
