/**
 * Every section of a project: the routes of HTTP below `/project/{id}`, and those of the steps of a transaction. A
 * section without an entry in `special` has the endpoints of `section`.
 */
import { type SectionName, sectionNames } from "../../../core/project/document.ts";
import { commissioning } from "./commissioning.ts";
import { device } from "./device.ts";
import { media } from "./media.ts";
import { muxing } from "./muxing.ts";
import { type SectionApp, section } from "./section.ts";
import { settings } from "./settings.ts";
import { synapse } from "./synapse.ts";
import { view } from "./view.ts";

const special = { settings, device, synapse, muxing, media, view, commissioning };

const isSpecial = (name: SectionName): name is keyof typeof special => Object.hasOwn(special, name);

export const sections: readonly SectionApp[] = sectionNames.map((name) =>
  isSpecial(name) ? special[name] : section(name),
);
