/** Every endpoint inside a project, in the order of the contract. A family added here appears everywhere it should. */
import { entries } from "./entries.ts";
import { commissioning } from "./families/commissioning.ts";
import { device } from "./families/device.ts";
import { deviceLegend } from "./families/device-legend.ts";
import { media } from "./families/media.ts";
import { muxing } from "./families/muxing.ts";
import { settings } from "./families/settings.ts";
import { synapse } from "./families/synapse.ts";
import { view } from "./families/view.ts";
import { backup, readProject } from "./families/whole.ts";
import type { Description, Operation } from "./operation.ts";

export const sections: readonly Operation[] = [
  ...settings,
  ...device,
  ...deviceLegend,
  ...entries("sensor"),
  ...synapse,
  ...entries("energy"),
  ...muxing,
  ...entries("button-mapping"),
  ...media,
  ...view,
  ...commissioning,
];

/** What a transaction step may name: everything that needs the one project and no other file. */
export const operations: readonly Operation[] = [readProject, backup, ...sections];

/** The features of a list of endpoints: one entry per family, in the order of the list. */
export const featuresOf = (endpoints: readonly Description[]): readonly string[] => [
  ...new Set(endpoints.flatMap(({ feature }) => feature ?? [])),
];
