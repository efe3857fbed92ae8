/**
 * The sections of a project as the tests see them. A new section is added to `contractSections`; the rows of the
 * contract, the random operations and the tests of plain sections then have it too.
 */
import { sectionNames } from "../../../src/core/project/document.ts";

/** The sections of the document, in the order of a blank project. */
export const contractSections = [
  ...["settings", "device", "sensor", "synapse", "energy", "muxing", "button-mapping", "media", "view"],
  "commissioning",
];

const special: readonly string[] = ["settings", "device", "synapse", "muxing", "media", "view", "commissioning"];

/** Sections of named entries of any shape, without endpoints of their own. */
export const plainSections: readonly string[] = sectionNames.filter((name) => !special.includes(name));

/** The features of the document, in its order, and those that came later. */
export const features: readonly string[] = [
  ...["deploy", "backup", "transaction", "duplicate", "rename"],
  ...sectionNames.flatMap((name) => (name === "device" ? ["device", "device-legend"] : [name])),
  "apps",
  "deploy-backup",
  "charts",
  "update",
];
