/** The polar that is in force on the boat; undefined where none is, or no configuration service is reached. */
import { signal } from "@preact/signals";
import type { Polar } from "../../nav/polar.ts";

export const polar = signal<Polar>();
