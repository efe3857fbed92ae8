/** Projects as whole files: list, create, restore, deploy, duplicate, rename, delete. */
import { OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ProjectStore } from "../../core/ports/project-store.ts";
import { SystemError } from "../../core/ports/system-error.ts";
import { applyAnswers } from "../../core/project/commissioning.ts";
import { sha256Hex } from "../../core/project/digest.ts";
import {
  blankProject,
  complaintAbout,
  Draft,
  entriesOf,
  isProjectLike,
  type Project,
} from "../../core/project/document.ts";
import { isUnchanged } from "../../core/project/entries.ts";
import { isObject, type JsonObject, own, without } from "../../core/project/json.ts";
import { isHash, passwordEntry, passwordName, secretOf } from "../../core/project/password.ts";
import { Refusal } from "../../core/project/refusal.ts";
import { bytesEqual, joined } from "../../core/util/bytes.ts";
import { TooMuchWork } from "../../core/util/work.ts";
import { endpoint } from "./http/endpoint.ts";
import type { ApiEnv } from "./http/env.ts";
import { orRefuse } from "./http/or-refuse.ts";
import type { RequestWork } from "./http/request-work.ts";
import { json } from "./http/responses.ts";
import type { Services } from "./http/services.ts";
import type { ProjectEnv, ReplaceEnv } from "./project-env.ts";
import { exclusive, existing, project } from "./project-middleware.ts";
import { projectSummary, summaryOf } from "./project-summary.ts";
import { type ExaminedProject, examine, readOnlyTemplate, saveProject } from "./stored-project.ts";

/** A looseObject would copy the document. */
const anyObject = z
  .custom<JsonObject>(isObject, "body must be an object")
  .openapi({ type: "object", properties: {}, additionalProperties: {} });
const ignoredBody = { schema: z.unknown(), optional: true } as const;
const nothing = z.object({});
const prefix = "/project";

const saved = (id: string, project: Project): Response =>
  json(summaryOf(id, false, { kind: "project", project, secret: secretOf(project) }), 201);

/** Replaces the file of that id by a document; a broken one has another name too before it loses its own. */
async function replaceProject(c: Context<ReplaceEnv>, id: string, project: Project): Promise<Response> {
  const services = c.get("services");
  const before = c.get("existing");
  const isProject = before !== undefined && !before.template;
  if (isProject && before.kind === "invalid") await orRefuse("cannot save project", services.projects.keepAside(id));
  await saveProject(services, id, project, isProject ? before.bytes : undefined);
  return saved(id, project);
}

async function refuseTaken({ projects }: Services, id: string): Promise<void> {
  const size = await orRefuse("cannot read project", projects.size({ id }));
  if (size !== undefined) throw new Refusal(409, "project already exists");
}

export const projects = new OpenAPIHono<ApiEnv>();

endpoint(
  projects,
  {
    prefix,
    family: "project",
    method: "get",
    path: "/",
    summary: "List projects and templates",
    response: z.array(projectSummary),
  },
  async (c) => {
    const { projects } = c.get("services");
    const work = c.get("work");
    work.admit(await orRefuse("cannot read project", projects.size("all")));
    const names = await orRefuse("cannot read project", projects.list());
    const summaries: JsonObject[] = [];
    for (const { id, template } of names) {
      try {
        const stored = await projects.read(id);
        if (stored !== undefined) summaries.push(summaryOf(id, stored.template, examine(stored, work)));
      } catch (error) {
        if (error instanceof TooMuchWork) throw error;
        // A file that cannot be read is listed as invalid.
        summaries.push(summaryOf(id, template, { kind: "invalid", secret: undefined }));
      }
    }
    return json(summaries);
  },
);

const replacing = new OpenAPIHono<ReplaceEnv>();

endpoint(
  replacing,
  {
    prefix,
    family: "project",
    method: "put",
    path: "/{id}",
    summary: "Create a blank project, or replace one by a blank one",
    body: { schema: z.looseObject({ name: z.string().nullish() }), optional: true },
    response: projectSummary,
    errors: [500],
    middleware: [exclusive, existing],
  },
  (c) => {
    const { id } = c.req.valid("param");
    return replaceProject(c, id, blankProject(crypto.randomUUID(), c.req.valid("json")?.name ?? id));
  },
);

endpoint(
  replacing,
  {
    prefix,
    family: "project",
    method: "delete",
    path: "/{id}",
    summary: "Delete a project; the bytes of a broken one are kept aside",
    response: nothing,
    errors: [404, 500],
    middleware: [exclusive, existing],
  },
  async (c) => {
    const { projects } = c.get("services");
    const { id } = c.req.valid("param");
    const before = c.get("existing");
    if (before === undefined) throw new Refusal(404, "no such project");
    if (before.template) throw readOnlyTemplate();
    const isBroken = before.kind === "invalid";
    await orRefuse("cannot delete project", isBroken ? projects.setAside(id) : projects.remove(id));
    return json({});
  },
);

projects.route("/", replacing);

/** Refuses a document that is none, or would lock or break the project; unknown members and sections are kept. */
function checkRestorable(body: JsonObject, before: ExaminedProject | undefined): void {
  if (!isProjectLike(body)) throw new Refusal(400, "no project: it has no name, no uid and no section");
  const complaint = complaintAbout(body);
  if (complaint !== undefined) throw new Refusal(400, `invalid ${complaint}`);
  const stored = before?.kind === "project" ? passwordEntry(before.project) : undefined;
  const isLocked = entriesOf(body, "settings").some(
    (entry) => own(entry, "name") === passwordName && !isHash(own(entry, "hash")) && !isUnchanged(entry, stored),
  );
  if (isLocked) throw new Refusal(400, "invalid settings.password: expected a hash of 64 lower-case hex digits");
}

export const restore = new OpenAPIHono<ReplaceEnv>();

endpoint(
  restore,
  {
    prefix,
    family: "backup",
    method: "put",
    path: "/{id}/restore",
    summary: "Write the body as the project",
    body: { schema: anyObject },
    response: projectSummary,
    errors: [500],
    middleware: [exclusive, existing],
  },
  (c) => {
    const { id } = c.req.valid("param");
    const document = c.req.valid("json");
    checkRestorable(document, c.get("existing"));
    return replaceProject(c, id, {
      ...(own(document, "uid") === undefined && { uid: crypto.randomUUID() }),
      ...(own(document, "name") === undefined && { name: id }),
      ...document,
    });
  },
);

/** A failed copy is only logged: otherwise a boat without a folder of copies could not be configured. */
async function keepBackup({ projects, log }: Services): Promise<void> {
  await projects
    .keepBackup()
    .catch(({ message }: Error) =>
      log.warn("cannot copy the deployed configuration", { code: "BACKUP_FAILED", reason: message }),
    );
}

/** Whether these bytes are deployed already, which saves a write; a file that cannot be read is replaced. */
async function isDeployed(projects: ProjectStore, bytes: Uint8Array, work: RequestWork): Promise<boolean> {
  try {
    const size = await projects.size("deployed");
    work.admit(size);
    if (size !== bytes.length) return false;
    const deployed = await projects.deployed();
    return deployed !== undefined && bytesEqual(deployed, bytes);
  } catch (error) {
    if (error instanceof SystemError) return false;
    throw error;
  }
}

export const deploy = new OpenAPIHono<ProjectEnv>();

endpoint(
  deploy,
  {
    prefix,
    family: "deploy",
    method: "put",
    path: "/{id}/deploy",
    summary: "Make a project or template the deployed configuration",
    body: ignoredBody,
    response: z.object({ id: z.string(), etag: z.string() }),
    errors: [404, 500],
    middleware: [exclusive, project()],
  },
  async (c) => {
    const services = c.get("services");
    const { projects } = services;
    const bytes = joined(c.get("bytes"));
    if (!(await isDeployed(projects, bytes, c.get("work")))) {
      // Another program, or an editor, may have written the file that was deployed until now.
      await keepBackup(services);
      await orRefuse("cannot deploy project", projects.deploy(bytes));
      await keepBackup(services);
    }
    return json({ id: c.req.valid("param").id, etag: await sha256Hex(bytes) }, 201);
  },
);

export const duplicate = new OpenAPIHono<ProjectEnv>();

endpoint(
  duplicate,
  {
    prefix,
    family: "duplicate",
    method: "put",
    path: "/{id}/duplicate/{newId}",
    summary: "Copy a project; answers to commissioning questions are applied to the copy",
    body: {
      schema: z.looseObject({ name: z.string().nullish(), commissioning: z.record(z.string(), z.string()).nullish() }),
      optional: true,
    },
    response: projectSummary,
    errors: [404, 409, 500],
    middleware: [exclusive, project()],
  },
  async (c) => {
    const services = c.get("services");
    const { id, newId } = c.req.valid("param");
    const source = c.get("project");
    const body = c.req.valid("json");
    const draft = new Draft({
      uid: crypto.randomUUID(),
      name: body?.name ?? own(source, "name") ?? newId,
      duplicateFrom: own(source, "uid") ?? id,
      ...without(source, "uid", "name", "duplicateFrom"),
    });
    applyAnswers(draft, body?.commissioning ?? {});
    await refuseTaken(services, newId);
    for (const note of draft.notes) services.log.debug(note);
    await saveProject(services, newId, draft.project);
    return saved(newId, draft.project);
  },
);

export const rename = new OpenAPIHono<ProjectEnv>();

endpoint(
  rename,
  {
    prefix,
    family: "rename",
    method: "put",
    path: "/{id}/rename/{newId}",
    summary: "Move a project to another id; its content stays as it is",
    body: ignoredBody,
    response: projectSummary,
    errors: [404, 409, 500],
    middleware: [exclusive, project({ toChange: true })],
  },
  async (c) => {
    const services = c.get("services");
    const { id, newId } = c.req.valid("param");
    await refuseTaken(services, newId);
    await orRefuse("cannot save project", services.projects.rename(id, newId));
    return saved(newId, c.get("project"));
  },
);
