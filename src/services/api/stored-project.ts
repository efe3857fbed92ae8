/** Projects as stored bytes: reads, checks of passwords, and writes. */
import type { StoredProject } from "../../core/ports/project-store.ts";
import { SystemError } from "../../core/ports/system-error.ts";
import { asProject, complaintAbout, type Project } from "../../core/project/document.ts";
import {
  isDeeperThan,
  isObject,
  type Json,
  type JsonObject,
  own,
  parseBytes,
  printPieces,
} from "../../core/project/json.ts";
import { authorize, type Secret, secretOf } from "../../core/project/password.ts";
import { malformedProject, nestedTooDeeply, Refusal } from "../../core/project/refusal.ts";
import { joined, type Pieces, piecesEqual } from "../../core/util/bytes.ts";
import { MAX_DEPTH } from "../../core/util/json-nesting.ts";
import { TooMuchWork, Work } from "../../core/util/work.ts";
import { orRefuse } from "./http/or-refuse.ts";
import type { RequestWork } from "./http/request-work.ts";
import type { Services } from "./http/services.ts";

/** The content of a file that may not be a project. Its password counts if it can be read. */
export type Examined =
  | { readonly kind: "project"; readonly project: Project; readonly secret: Secret }
  | { readonly kind: "invalid"; readonly secret: Secret };

export type ExaminedProject = StoredProject & Examined;

/**
 * Projects by the bytes they were parsed from or printed to. A store returns the same pieces as long as the file is
 * unchanged, so that a project is parsed once and, if it was saved here, never; nothing changes it, because drafts are
 * made of copies.
 */
const projectsByBytes = new WeakMap<Pieces, Project>();

/** Parses bytes as a project; 500 if they are not one. */
function parseProject(bytes: Pieces, work: Work): Project {
  const known = projectsByBytes.get(bytes);
  if (known !== undefined) return known;
  try {
    const project = asProject(parseBytes(joined(bytes), work));
    projectsByBytes.set(bytes, project);
    return project;
  } catch (error) {
    if (error instanceof SyntaxError) throw malformedProject();
    throw error;
  }
}

/** Reads the bytes of a project, unless they are too many. */
async function readProject({ projects }: Services, id: string, work: RequestWork): Promise<StoredProject | undefined> {
  work.admit(await projects.size({ id }));
  return projects.read(id);
}

/** Lenient parse for the list, for delete and for replace, which have to work on a broken file too. */
export function examine(stored: StoredProject, work = new Work()): ExaminedProject {
  let value: Json;
  try {
    value = projectsByBytes.get(stored.bytes) ?? parseBytes(joined(stored.bytes), work);
  } catch (error) {
    if (error instanceof TooMuchWork) throw error;
    return { ...stored, kind: "invalid", secret: undefined };
  }
  if (!isObject(value)) return { ...stored, kind: "invalid", secret: undefined };
  if (complaintAbout(value) === undefined)
    return { ...stored, kind: "project", project: value, secret: secretOf(value) };
  const settings: JsonObject = { settings: own(value, "settings") ?? [] };
  const isReadable = complaintAbout(settings) === undefined;
  return { ...stored, kind: "invalid", secret: isReadable ? secretOf(settings) : undefined };
}

/** Failures of the moment: the file may be well, and have a password. */
const passing: readonly string[] = ["EAGAIN", "EMFILE", "ENFILE", "ENOMEM"];

/** Examines the file of a project. One that cannot be read is invalid, and no password of it counts. */
export async function examineFile(
  services: Services,
  id: string,
  work: RequestWork,
): Promise<ExaminedProject | undefined> {
  try {
    const stored = await readProject(services, id, work);
    return stored && examine(stored, work);
  } catch (error) {
    if (!(error instanceof SystemError) || passing.includes(error.code)) throw error;
    const name = (await services.projects.list()).find((name) => name.id === id);
    if (name === undefined) throw error;
    return { template: name.template, bytes: [], kind: "invalid", secret: undefined };
  }
}

interface ToOpen {
  readonly id: string;
  readonly authorization: string | undefined;
  readonly work: RequestWork;
  readonly toChange?: boolean;
}

/** Reads a project for a client that has its password. Refuses with 404, 500 and 401, in this order. */
export async function openProject(
  services: Services,
  { id, authorization, work, toChange = false }: ToOpen,
): Promise<{ readonly project: Project; readonly bytes: Pieces }> {
  const stored = await orRefuse("cannot read project", readProject(services, id, work));
  if (stored === undefined) throw new Refusal(404, "no such project");
  if (stored.template && toChange) throw readOnlyTemplate();
  const project = parseProject(stored.bytes, work);
  await authorize(secretOf(project), authorization);
  return { project, bytes: stored.bytes };
}

export const readOnlyTemplate = (): Refusal => new Refusal(404, "project is a read-only template");

/**
 * Writes a project, unless it equals `before`, and remembers it by its bytes. Refuses a project that could not be read
 * again with 400.
 */
export async function saveProject(
  { projects }: Services,
  id: string,
  project: Project,
  before?: Pieces,
): Promise<void> {
  // A body within the limit becomes deeper by the levels of the project around it.
  if (isDeeperThan(MAX_DEPTH, project)) throw nestedTooDeeply();
  const bytes = printPieces(project);
  if (before !== undefined && piecesEqual(bytes, before)) return;
  await orRefuse("cannot save project", projects.save(id, bytes));
  projectsByBytes.set(bytes, project);
}
