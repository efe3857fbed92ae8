/** Middleware of everything below `/project/{id}`: one change at a time, read, authenticate, draft, run, save. */
import type { MiddlewareHandler } from "hono";
import { Draft } from "../project/document.ts";
import { authorize } from "../project/password.ts";
import type { ApiEnv, ProjectEnv, ReplaceEnv, SectionEnv } from "./env.ts";
import { orRefuse } from "./errors.ts";
import { examine, openProject, saveProject } from "./stored-project.ts";

/** Waits until no other change runs. Bodies have been read by then. */
export const exclusive: MiddlewareHandler<ApiEnv> = (c, next) => c.get("exclusive")(next);

/** Opens an existing project, or template unless it is to be changed. */
export const project =
  (options: { readonly toChange?: boolean } = {}): MiddlewareHandler<ProjectEnv, "/:id"> =>
  async (c, next) => {
    const opened = await openProject(c.get("services"), c.req.param("id"), c.req.header("authorization"), options);
    c.set("project", opened.project);
    c.set("bytes", opened.bytes);
    await next();
  };

/** For requests that replace or delete a project: examines the file on disk and checks its password. */
export const existing: MiddlewareHandler<ReplaceEnv, "/:id"> = async (c, next) => {
  const { projects } = c.get("services");
  const stored = await orRefuse("cannot read project", projects.read(c.req.param("id")));
  const examined = stored && examine(stored);
  await authorize(examined?.secret, c.req.header("authorization"));
  c.set("existing", examined);
  await next();
};

/** A draft to read from: of the project, or that of the transaction whose step this is. */
export const draftToRead: MiddlewareHandler<SectionEnv, "/:id"> = async (c, next) => {
  const { project } =
    c.env?.step?.draft ?? (await openProject(c.get("services"), c.req.param("id"), c.req.header("authorization")));
  c.set("draft", c.env?.step?.draft ?? new Draft(project));
  await next();
};

/** A draft to change, saved if the handler succeeds. A transaction saves the draft of its steps itself. */
export const draftToChange: MiddlewareHandler<SectionEnv, "/:id"> = async (c, next) => {
  const draft = c.env?.step?.draft;
  if (draft !== undefined) {
    c.set("draft", draft);
    return next();
  }
  await c.get("exclusive")(async () => {
    const { id } = c.req.param();
    const { project, bytes } = await openProject(c.get("services"), id, c.req.header("authorization"), {
      toChange: true,
    });
    const draft = new Draft(project);
    c.set("draft", draft);
    await next();
    if (c.error === undefined && draft.project !== project)
      await saveProject(c.get("services"), id, draft.project, bytes);
    if (c.error === undefined) for (const note of draft.notes) c.get("services").log.debug(note);
  });
};
