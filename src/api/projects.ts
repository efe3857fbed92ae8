/** Projects as whole files: the list, creating, restoring, copying, moving, deleting. */
import * as z from "zod";
import type { Answer } from "../ports/exchange.ts";
import { blankProject, complaintAbout, entriesOf, newDraft, type Project } from "../project/document.ts";
import { commission, commissioningAnswers } from "../project/families/commissioning.ts";
import { type JsonObject, own, without } from "../project/json.ts";
import { authorise, isHash, passwordName, secretOf } from "../project/password.ts";
import { Refusal } from "../project/refusal.ts";
import { jsonAnswer } from "./answers.ts";
import { type Context, type Endpoint, endpoint } from "./endpoint.ts";
import { orRefuse } from "./errors.ts";
import { examine, openProject, openToChange, readOnly, saveProject } from "./open-project.ts";
import { projectSummary, summaryOf } from "./project-summary.ts";

const anyObject = z.looseObject({}) as unknown as z.ZodType<JsonObject>;

const saved = (id: string, project: Project): Answer =>
  jsonAnswer(201, summaryOf(id, false, { kind: "project", project, secret: secretOf(project) }));

/** Writes a document over whatever has that id, if the caller may; a broken file is kept aside. */
async function replaceProject(
  context: Context,
  id: string,
  authorization: string | undefined,
  make: () => Project,
): Promise<Answer> {
  const { projects } = context;
  const stored = await orRefuse("cannot read project", projects.read(id));
  const examined = stored && examine(stored.bytes);
  await authorise(examined?.secret, authorization);
  const project = make();
  const isProject = stored !== undefined && !stored.template;
  if (isProject && examined?.kind === "invalid") await orRefuse("cannot save project", projects.setAside(id));
  await saveProject(context, id, project, isProject ? stored.bytes : undefined);
  return saved(id, project);
}

/** Refuses what would lock or break the project it is restored to; odd keys and unknown sections are welcome. */
function restorable(body: JsonObject): JsonObject {
  const complaint = complaintAbout(body);
  if (complaint !== undefined) throw new Refusal(400, `invalid ${complaint}`);
  const isLocked = entriesOf(body, "settings").some(
    (entry) => own(entry, "name") === passwordName && !isHash(own(entry, "hash")),
  );
  if (isLocked) throw new Refusal(400, "invalid settings.password: expected a hash of 64 lower-case hex digits");
  return body;
}

export const projects = (context: Context): readonly Endpoint[] => [
  endpoint({
    method: "GET",
    path: "/project",
    summary: "List projects and templates",
    success: 200,
    answer: z.array(projectSummary),
    async handle() {
      const names = await orRefuse("cannot read project", context.projects.list());
      const summaries: JsonObject[] = [];
      for (const { id, template } of names) {
        try {
          const stored = await context.projects.read(id);
          if (stored !== undefined) summaries.push(summaryOf(id, stored.template, examine(stored.bytes)));
        } catch {
          // It is there and cannot be read; which is what the list can say about it.
          summaries.push(summaryOf(id, template, { kind: "invalid", secret: undefined }));
        }
      }
      return jsonAnswer(200, summaries);
    },
  }),
  endpoint({
    method: "PUT",
    path: "/project/{id}",
    summary: "Create a blank project, or replace one by a blank one",
    success: 201,
    body: { schema: z.looseObject({ name: z.string().optional() }), optional: true },
    answer: projectSummary,
    handle: ({ params: { id }, body, header }) =>
      context.turns(() =>
        replaceProject(context, id, header("authorization"), () =>
          blankProject(crypto.randomUUID(), body()?.name ?? id),
        ),
      ),
  }),
  endpoint({
    method: "DELETE",
    path: "/project/{id}",
    summary: "Delete a project; the bytes of a broken one are kept aside",
    success: 200,
    answer: z.object({}),
    refusals: [404],
    handle: ({ params: { id }, header }) =>
      context.turns(async () => {
        const { projects } = context;
        const stored = await orRefuse("cannot read project", projects.read(id));
        if (stored === undefined) throw new Refusal(404, "no such project");
        if (stored.template) throw readOnly();
        const { kind, secret } = examine(stored.bytes);
        await authorise(secret, header("authorization"));
        await orRefuse("cannot delete project", kind === "invalid" ? projects.setAside(id) : projects.remove(id));
        return jsonAnswer(200, {});
      }),
  }),
];

export const restore = (context: Context): Endpoint =>
  endpoint({
    feature: "backup",
    method: "PUT",
    path: "/project/{id}/restore",
    summary: "Write the body as the project",
    success: 201,
    body: { schema: anyObject },
    answer: projectSummary,
    handle: ({ params: { id }, body, header }) =>
      context.turns(() =>
        replaceProject(context, id, header("authorization"), () => {
          const document = restorable(body());
          return {
            ...(own(document, "uid") === undefined && { uid: crypto.randomUUID() }),
            ...(own(document, "name") === undefined && { name: id }),
            ...document,
          };
        }),
      ),
  });

export const duplicate = (context: Context): Endpoint =>
  endpoint({
    feature: "duplicate",
    method: "PUT",
    path: "/project/{id}/duplicate/{newId}",
    summary: "Copy a project; answers to commissioning questions are applied to the copy",
    success: 201,
    body: {
      schema: z.looseObject({ name: z.string().optional(), commissioning: commissioningAnswers.optional() }),
      optional: true,
    },
    answer: projectSummary,
    refusals: [409],
    handle: ({ params: { id, newId }, body, header }) =>
      context.turns(async () => {
        const { project: source } = await openProject(context, id, header("authorization"));
        const { name = own(source, "name") ?? newId, commissioning = {} } = body() ?? {};
        const draft = newDraft({
          uid: crypto.randomUUID(),
          name,
          duplicateFrom: own(source, "uid") ?? id,
          ...without(source, "uid", "name", "duplicateFrom"),
        });
        commission(draft, commissioning);
        await refuseTaken(context, newId);
        for (const note of draft.notes) context.log.debug(note);
        await saveProject(context, newId, draft.project, undefined);
        return saved(newId, draft.project);
      }),
  });

export const rename = (context: Context): Endpoint =>
  endpoint({
    feature: "rename",
    method: "PUT",
    path: "/project/{id}/rename/{newId}",
    summary: "Move a project to another id; its content stays as it is",
    success: 201,
    body: { schema: z.unknown() as z.ZodType<unknown>, optional: true },
    answer: projectSummary,
    refusals: [409],
    handle: ({ params: { id, newId }, header }) =>
      context.turns(async () => {
        const { project } = await openToChange(context, id, header("authorization"));
        await refuseTaken(context, newId);
        await orRefuse("cannot save project", context.projects.rename(id, newId));
        return saved(newId, project);
      }),
  });

async function refuseTaken({ projects }: Context, id: string): Promise<void> {
  const stored = await orRefuse("cannot read project", projects.read(id));
  if (stored !== undefined) throw new Refusal(409, "project already exists");
}
