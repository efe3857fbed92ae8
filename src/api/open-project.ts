/** The way from a file to a project and back: read, understood, its password asked for, written if anything changed. */
import type { StoredProject } from "../ports/project-store.ts";
import { asProject, complaintAbout, type Project } from "../project/document.ts";
import { isObject, type Json, type JsonObject, own, parseBytes, printBytes } from "../project/json.ts";
import { authorise, type Secret, secretOf } from "../project/password.ts";
import { malformedProject, Refusal } from "../project/refusal.ts";
import type { Context } from "./endpoint.ts";
import { orRefuse } from "./errors.ts";
import { isSame } from "./remembering.ts";

export interface OpenProject {
  readonly template: boolean;
  readonly bytes: Uint8Array;
  readonly project: Project;
}

/** What bytes turn out to be. The password guards a broken project as long as it can be read. */
export type Examined =
  | { readonly kind: "project"; readonly project: Project; readonly secret: Secret }
  | { readonly kind: "invalid"; readonly secret: Secret };

/** Reads a project for a caller who has its password. */
export async function openProject(
  context: Context,
  id: string,
  authorization: string | undefined,
): Promise<OpenProject> {
  return admit(context, await orRefuse("cannot read project", context.projects.read(id)), authorization);
}

/** The same for a project that is to be changed, which a template is not. */
export async function openToChange(
  context: Context,
  id: string,
  authorization: string | undefined,
): Promise<OpenProject> {
  const stored = await orRefuse("cannot read project", context.projects.read(id));
  if (stored?.template) throw readOnly();
  return admit(context, stored, authorization);
}

export const readOnly = (): Refusal => new Refusal(404, "project is a read-only template");

function admit(
  { understand }: Context,
  stored: StoredProject | undefined,
  authorization: string | undefined,
): OpenProject | Promise<OpenProject> {
  if (stored === undefined) throw new Refusal(404, "no such project");
  const { template, bytes } = stored;
  const project = understand(bytes);
  const opened = { template, bytes, project };
  const secret = secretOf(project);
  return secret === undefined ? opened : authorise(secret, authorization).then(() => opened);
}

/** Takes bytes as a project or refuses them as malformed. */
export function understand(bytes: Uint8Array): Project {
  try {
    return asProject(parseBytes(bytes));
  } catch (error) {
    if (error instanceof SyntaxError) throw malformedProject();
    throw error;
  }
}

/** Looks at bytes that somebody wants to be rid of, so being no project is no reason to refuse. */
export function examine(bytes: Uint8Array): Examined {
  let value: Json;
  try {
    value = parseBytes(bytes);
  } catch {
    return { kind: "invalid", secret: undefined };
  }
  if (!isObject(value)) return { kind: "invalid", secret: undefined };
  if (complaintAbout(value) === undefined) return { kind: "project", project: value, secret: secretOf(value) };
  const settings: JsonObject = { settings: own(value, "settings") ?? [] };
  return { kind: "invalid", secret: complaintAbout(settings) === undefined ? secretOf(settings) : undefined };
}

/** Writes a project unless `before` is what it would write. */
export async function saveProject(
  { projects }: Context,
  id: string,
  project: Project,
  before: Uint8Array | undefined,
): Promise<void> {
  const bytes = printBytes(project);
  if (before !== undefined && isSame(bytes, before)) return;
  await orRefuse("cannot save project", projects.save(id, bytes));
}
