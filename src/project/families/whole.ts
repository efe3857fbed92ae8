/** The whole project: as clients show it, without the bytes and bodies, and as it is. */
import * as z from "zod";
import { entriesOf, type Project } from "../document.ts";
import { type Json, own } from "../json.ts";
import { type Operation, operation } from "../operation.ts";
import { withoutData } from "./media.ts";
import { withoutBody } from "./view.ts";

const document = z.looseObject({ uid: z.string(), name: z.string(), duplicateFrom: z.string().optional() });

const strip = (project: Project): Json => {
  const media = own(project, "media") && { media: entriesOf(project, "media").map(withoutData) };
  const view = own(project, "view") && { view: entriesOf(project, "view").map(withoutBody) };
  return { ...project, ...media, ...view };
};

export const readProject: Operation = operation({
  method: "GET",
  path: "/project/{id}",
  summary: "Read a project without media and view bodies",
  success: 200,
  answer: document,
  run: (draft) => ({ json: strip(draft.project) }),
});

export const backup: Operation = operation({
  feature: "backup",
  method: "GET",
  path: "/project/{id}/backup",
  summary: "Read the whole project, to be restored later",
  success: 200,
  answer: document,
  run: (draft) => ({ json: draft.project }),
});
