/** The polar in force on the boat; undefined without one, or without a configuration service. */
import { signal } from "@preact/signals";
import type { Polar } from "../../../core/nav/polar.ts";

export const polar = signal<Polar>();
