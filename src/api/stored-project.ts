/** Projects as stored bytes: reading them, who may read them, and writing them back. */
import type { StoredProject } from "../ports/project-store.ts";
import { asProject, complaintAbout, type Project } from "../project/document.ts";
import { isDeeperThan, isObject, type Json, type JsonObject, own, parseBytes, printBytes } from "../project/json.ts";
import { authorize, type Secret, secretOf } from "../project/password.ts";
import { malformedProject, nestedTooDeeply, Refusal } from "../project/refusal.ts";
import { bytesEqual } from "../util/bytes.ts";
import { MAX_DEPTH } from "../util/json-nesting.ts";
import { memoize } from "../util/memoize.ts";
import type { Services } from "./env.ts";
import { orRefuse } from "./errors.ts";

/** The content of a file that may be no project. Its password counts as long as it can be read. */
export type Examined =
  | { readonly kind: "project"; readonly project: Project; readonly secret: Secret }
  | { readonly kind: "invalid"; readonly secret: Secret };

export type ExaminedProject = StoredProject & Examined;

/**
 * Parses bytes as a project; 500 if they are none. A store returns the same array as long as the file is unchanged, so a project
 * is parsed once; nothing changes it, because drafts are made of copies.
 */
const parseProject = memoize((bytes: Uint8Array): Project => {
  try {
    return asProject(parseBytes(bytes));
  } catch (error) {
    if (error instanceof SyntaxError) throw malformedProject();
    throw error;
  }
});

/** Lenient parse for the list, for delete and for replace, which have to work on a broken file too. */
export function examine(stored: StoredProject): ExaminedProject {
  let value: Json;
  try {
    value = parseBytes(stored.bytes);
  } catch {
    return { ...stored, kind: "invalid", secret: undefined };
  }
  if (!isObject(value)) return { ...stored, kind: "invalid", secret: undefined };
  if (complaintAbout(value) === undefined)
    return { ...stored, kind: "project", project: value, secret: secretOf(value) };
  const settings: JsonObject = { settings: own(value, "settings") ?? [] };
  const isReadable = complaintAbout(settings) === undefined;
  return { ...stored, kind: "invalid", secret: isReadable ? secretOf(settings) : undefined };
}

/** Reads a project for a client that has its password. Refuses with 404, 500 and 401, in this order. */
export async function openProject(
  { projects }: Services,
  id: string,
  authorization: string | undefined,
  { toChange = false }: { readonly toChange?: boolean } = {},
): Promise<{ readonly project: Project; readonly bytes: Uint8Array }> {
  const stored = await orRefuse("cannot read project", projects.read(id));
  if (stored === undefined) throw new Refusal(404, "no such project");
  if (stored.template && toChange) throw readOnlyTemplate();
  const project = parseProject(stored.bytes);
  await authorize(secretOf(project), authorization);
  return { project, bytes: stored.bytes };
}

export const readOnlyTemplate = (): Refusal => new Refusal(404, "project is a read-only template");

/** Writes a project unless `before` is what would be written. Refuses with 400 one that could not be read again. */
export async function saveProject(
  { projects }: Services,
  id: string,
  project: Project,
  before?: Uint8Array,
): Promise<void> {
  // A body within the limit is deeper by the levels around it.
  if (isDeeperThan(MAX_DEPTH, project)) throw nestedTooDeeply();
  const bytes = printBytes(project);
  if (before !== undefined && bytesEqual(bytes, before)) return;
  await orRefuse("cannot save project", projects.save(id, bytes));
}
