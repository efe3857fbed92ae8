/** The whole project: as clients show it, without media and view bodies, and as it is stored. */
import { OpenAPIHono, z } from "@hono/zod-openapi";
import { entriesOf, type Project } from "../../../core/project/document.ts";
import { type Json, own } from "../../../core/project/json.ts";
import { withoutBody } from "../../../core/project/views.ts";
import { withoutData } from "./media.ts";
import { type SectionApp, sectionEndpoint } from "./section.ts";

const document = z.looseObject({ uid: z.string(), name: z.string(), duplicateFrom: z.string().optional() });

const strip = (project: Project): Json => {
  const media = own(project, "media") && { media: entriesOf(project, "media").map(withoutData) };
  const view = own(project, "view") && { view: entriesOf(project, "view").map(withoutBody) };
  return { ...project, ...media, ...view };
};

export const wholeProject: SectionApp = new OpenAPIHono();

sectionEndpoint(
  wholeProject,
  {
    family: "project",
    method: "get",
    path: "/",
    summary: "Read a project without media and view bodies",
    response: document,
  },
  (c) => () => strip(c.get("draft").project),
);

sectionEndpoint(
  wholeProject,
  {
    family: "backup",
    method: "get",
    path: "/backup",
    summary: "Read the whole project, to be restored later",
    response: document,
  },
  (c) => () => c.get("draft").project,
);
