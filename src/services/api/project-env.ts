/** The Hono environments below `/project/{id}`. */
import type { Draft, Project } from "../../core/project/document.ts";
import type { Pieces } from "../../core/util/bytes.ts";
import type { ApiEnv } from "./http/env.ts";
import type { ExaminedProject } from "./stored-project.ts";

/** Below `/project/{id}`, for requests to a project that exists. */
export interface ProjectEnv extends ApiEnv {
  readonly Variables: ApiEnv["Variables"] & {
    readonly project: Project;
    /** The stored bytes of the project. */
    readonly bytes: Pieces;
  };
}

/** For requests that replace or delete a project, which may exist and may be broken. */
export interface ReplaceEnv extends ApiEnv {
  readonly Variables: ApiEnv["Variables"] & { readonly existing: ExaminedProject | undefined };
}

/** In a section of a project. */
export interface SectionEnv extends ApiEnv {
  readonly Variables: ApiEnv["Variables"] & {
    /** The draft of the request, or of the transaction whose step this is. */
    readonly draft: Draft;
  };
}
