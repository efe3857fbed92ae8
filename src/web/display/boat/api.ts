/** The configuration API of the boat, on the origin of the page. */
import type { UpdateReport, UpdateRequest } from "../../../core/report/update.ts";
import { sha256Hex } from "../../../core/text/sha256.ts";
import { say } from "../languages/say.ts";

const BASE = "/api/config";

/** Time-out, long enough for many megabytes of media over a slow wireless network. */
const TIMEOUT_MS = 60_000;

const NOT_MODIFIED = 304;
export const NOT_FOUND = 404;
const BAD_GATEWAY = 502;
const GATEWAY_TIMEOUT = 504;

export interface ProjectSummary {
  readonly id: string;
  readonly name: string;
  readonly uid: string | null;
  readonly template: boolean;
  readonly protected: boolean;
  readonly invalid?: boolean;
}

export interface Backup {
  /** Local time of the boat: `2026-11-21_08-14-26`. */
  readonly name: string;
  readonly bytes: number;
  /** Time in UTC; absent in a list of version 1.2. */
  readonly at?: string;
}

export class ApiError extends Error {
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** Id of the project that the request is for. */
  readonly project: string | undefined;

  constructor(status: number, message: string, project?: string) {
    super(message);
    this.status = status;
    this.project = project;
  }
}

/** Hashes of the passwords that were typed, by project; kept until the page is closed. */
const hashes = new Map<string, string>();

export const passwordHash = (password: string): string => sha256Hex(password);

/** Forgets the password of a project; false if there was none. */
export const lock = (project: string): boolean => hashes.delete(project);
export const unlock = (project: string, password: string): void => void hashes.set(project, passwordHash(password));

/** The charts that the boat's computer keeps, and the bytes that another one may have. */
export interface ChartList {
  readonly charts: readonly { readonly name: string; readonly bytes: number; readonly at: string }[];
  readonly room: number;
}

interface RequestOptions {
  readonly body?: string | Blob;
  readonly headers?: object;
  /** The project whose password counts; by default that of the path. */
  readonly project?: string | undefined;
}

/** The response with status 2xx or 304; throws ApiError for others, and without a response. */
async function request(
  method: string,
  path: string,
  { project = /^\/project\/([^/]+)/.exec(path)?.[1], ...init }: RequestOptions = {},
): Promise<Response> {
  const hash = project === undefined ? undefined : hashes.get(project);
  let response: Response;
  try {
    response = await fetch(`${BASE}${path}`, {
      method,
      cache: "no-store",
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...init,
      headers: {
        "Content-Type": "application/json",
        ...(hash !== undefined && { Authorization: `Bearer ${hash}` }),
        ...init.headers,
      },
    });
  } catch {
    throw new ApiError(0, say("The configuration service does not answer."));
  }
  if (response.ok || response.status === NOT_MODIFIED) return response;
  let reason = "";
  try {
    reason = ((await response.json()) as { readonly error?: string }).error ?? "";
  } catch {
    // An error of nginx is a page.
  }
  const isAway = response.status >= BAD_GATEWAY && response.status <= GATEWAY_TIMEOUT;
  const away = isAway ? say("The configuration service is not running.") : "";
  const sentence = reason || away || say("The configuration service answers {status}.", { status: response.status });
  throw new ApiError(response.status, sentence, project);
}

/** The text of a response. `body` is JSON text, sent unchanged, because numbers of 64 bits would be rounded. */
const call = async (method: string, path: string, body?: string): Promise<string> =>
  (await request(method, path, body === undefined ? {} : { body })).text();

const get = (path: string): Promise<string> => call("GET", path);
const part = (text: string): string => encodeURIComponent(text);

export const listProjects = async (): Promise<readonly ProjectSummary[]> =>
  JSON.parse(await get("/project")) as readonly ProjectSummary[];
export const projectText = (id: string): Promise<string> => get(`/project/${part(id)}/backup`);

/** The same without media, to notice a change. */
export const projectOutline = (id: string): Promise<string> => get(`/project/${part(id)}`);

async function unlessMissing<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.status === NOT_FOUND) return undefined;
    throw error;
  }
}

/** The deployed file with its entity tag; "unchanged" if that is `tag`, undefined if nothing is deployed. */
export async function deployedFile(
  tag: string | null,
): Promise<{ readonly text: string; readonly tag: string | null } | "unchanged" | undefined> {
  const headers = tag === null ? {} : { "If-None-Match": tag };
  const response = await unlessMissing(request("GET", "/deploy", { headers }));
  if (response?.status === NOT_MODIFIED) return "unchanged";
  return response && { text: await response.text(), tag: response.headers.get("ETag") };
}

export const listCharts = async (): Promise<ChartList> => JSON.parse(await get("/charts")) as ChartList;
export const deleteChart = (name: string): Promise<string> => call("DELETE", `/charts/${part(name)}`);
/** Sends the part of a chart of `size` bytes that begins at `from`. */
export const putChart = async (name: string, size: number, from: number, body: Blob): Promise<void> =>
  void (await request("PUT", `/charts/${part(name)}/${size}/${from}`, { body }));

/** The report about new versions of hub; undefined where nothing installs them. */
export async function updateReport(): Promise<UpdateReport | undefined> {
  const text = await unlessMissing(get("/update"));
  return text === undefined ? undefined : (JSON.parse(text) as UpdateReport);
}

/** Asks for something, with the password of the deployed project. */
export const askUpdate = async (what: UpdateRequest, project: string | undefined): Promise<void> =>
  void (await request("PUT", `/update/${what}`, { project }));

export const listBackups = async (): Promise<readonly Backup[]> =>
  JSON.parse(await get("/deploy/backup")) as readonly Backup[];
export const backupText = (name: string): Promise<string> => get(`/deploy/backup/${part(name)}`);

export const putSetting = (id: string, name: string, entry: object): Promise<string> =>
  call("PUT", `/project/${part(id)}/settings/${part(name)}`, JSON.stringify(entry));
export const deleteSetting = (id: string, name: string): Promise<string> =>
  call("DELETE", `/project/${part(id)}/settings/${part(name)}`);
export const makeProject = (id: string, name: string): Promise<string> =>
  call("PUT", `/project/${part(id)}`, JSON.stringify({ name }));

export async function deleteProject(id: string): Promise<void> {
  await call("DELETE", `/project/${part(id)}`);
  lock(id);
}

/** A copied or renamed project has the password of the one before, which was typed here. */
function keepPassword(id: string, newId: string): void {
  const hash = hashes.get(id);
  if (hash !== undefined) hashes.set(newId, hash);
}

export async function copyProject(id: string, newId: string): Promise<void> {
  await call("PUT", `/project/${part(id)}/duplicate/${part(newId)}`, JSON.stringify({ name: newId }));
  keepPassword(id, newId);
}

export async function renameProject(id: string, newId: string): Promise<void> {
  await call("PUT", `/project/${part(id)}/rename/${part(newId)}`);
  keepPassword(id, newId);
  lock(id);
}

export const restoreProject = (id: string, text: string): Promise<string> =>
  call("PUT", `/project/${part(id)}/restore`, text);

/** Resolves to the digest of what is deployed then. */
export const deployProject = async (id: string): Promise<string> =>
  (JSON.parse(await call("PUT", `/project/${part(id)}/deploy`)) as { readonly etag: string }).etag;
