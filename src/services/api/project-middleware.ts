/** Middleware of everything below `/project/{id}`: one change at a time, read, authenticate, draft, run, save. */
import type { Context, MiddlewareHandler } from "hono";
import { Draft } from "../../core/project/document.ts";
import { authorize } from "../../core/project/password.ts";
import type { ApiEnv } from "./http/env.ts";
import { orRefuse } from "./http/or-refuse.ts";
import type { ProjectEnv, ReplaceEnv, SectionEnv } from "./project-env.ts";
import { examineFile, openProject, saveProject } from "./stored-project.ts";

/** Does a change when no other one runs, and all that a failed one has left is on the medium. */
const alone = ({ var: { exclusive, services } }: Pick<Context<ApiEnv>, "var">, change: () => Promise<void>) =>
  exclusive(async () => {
    await orRefuse("cannot save project", services.projects.settle());
    await change();
  });

/** Waits until no other change runs. Bodies have been read by then. */
export const exclusive: MiddlewareHandler<ApiEnv> = (c, next) => alone(c, next);

/** The project that a client asks for, its password, and the limit of work. */
const clientOf = ({ req, var: { work } }: Pick<Context<ApiEnv, "/:id">, "req" | "var">) => ({
  id: req.param("id"),
  authorization: req.header("authorization"),
  work,
});

/** Opens an existing project, or a template if the request does not change it. */
export const project =
  (options: { readonly toChange?: boolean } = {}): MiddlewareHandler<ProjectEnv, "/:id"> =>
  async (c, next) => {
    const opened = await openProject(c.get("services"), { ...clientOf(c), ...options });
    c.set("project", opened.project);
    c.set("bytes", opened.bytes);
    await next();
  };

/** For requests that replace or delete a project: examines the file on disk and checks its password. */
export const existing: MiddlewareHandler<ReplaceEnv, "/:id"> = async (c, next) => {
  const work = c.get("work");
  const examined = await orRefuse("cannot read project", examineFile(c.get("services"), c.req.param("id"), work));
  await authorize(examined?.secret, c.req.header("authorization"));
  c.set("existing", examined);
  await next();
};

/** A draft to read from. A step of a transaction has one already. */
export const draftToRead: MiddlewareHandler<SectionEnv, "/:id"> = async (c, next) => {
  if (c.get("draft") === undefined) {
    const { project } = await openProject(c.get("services"), clientOf(c));
    c.set("draft", new Draft(project));
  }
  await next();
};

/** A draft to change, saved if the handler succeeds. A transaction saves the draft of its steps itself. */
export const draftToChange: MiddlewareHandler<SectionEnv, "/:id"> = async (c, next) => {
  if (c.get("draft") !== undefined) return next();
  await alone(c, async () => {
    const client = clientOf(c);
    const { project, bytes } = await openProject(c.get("services"), { ...client, toChange: true });
    const draft = new Draft(project);
    c.set("draft", draft);
    await next();
    if (c.error === undefined && draft.project !== project)
      await saveProject(c.get("services"), client.id, draft.project, bytes);
    if (c.error === undefined) for (const note of draft.notes) c.get("services").log.debug(note);
  });
};
