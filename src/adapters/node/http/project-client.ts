/** Projects of hub-configd, through its HTTP API, so that all of its checks apply. */

import { attempt } from "../../../core/util/attempt.ts";
import { FetchFailure, reasonOf } from "./fetch-failure.ts";

export interface ProjectClientOptions {
  /** Address of the API; its path ends with a slash. */
  readonly api: URL;
  readonly timeoutMs: number;
}

/** A project by its id, with the hash of its password if it has one. */
export interface ProjectReference {
  readonly id: string;
  readonly passwordHash?: string | undefined;
}

interface Answer {
  readonly status: number;
  readonly bytes: Uint8Array;
}

/** Every method throws FetchFailure if the service is away or refuses the request. */
export class ProjectClient {
  readonly #options: ProjectClientOptions;

  constructor(options: ProjectClientOptions) {
    this.#options = options;
  }

  /** The stored project; undefined if there is none, "protected" if it has another password. */
  async read(project: ProjectReference): Promise<Uint8Array | "protected" | undefined> {
    const answer = await this.#send("GET", project, "backup");
    if (answer.status === 404) return undefined;
    if (answer.status === 401) return "protected";
    return succeeded(answer).bytes;
  }

  async restore(project: ProjectReference, document: Uint8Array): Promise<void> {
    succeeded(await this.#send("PUT", project, "restore", document));
  }

  /** Makes it the deployed configuration; returns the SHA-256 of the stored project, lower-case hex. */
  async deploy(project: ProjectReference): Promise<string> {
    const { bytes } = succeeded(await this.#send("PUT", project, "deploy"));
    return (JSON.parse(new TextDecoder().decode(bytes)) as { readonly etag: string }).etag;
  }

  async remove(project: ProjectReference): Promise<void> {
    succeeded(await this.#send("DELETE", project, ""));
  }

  async #send(
    method: string,
    { id, passwordHash }: ProjectReference,
    action: string,
    body?: Uint8Array,
  ): Promise<Answer> {
    const { api, timeoutMs } = this.#options;
    try {
      const response = await fetch(new URL(`project/${id}${action && `/${action}`}`, api), {
        method,
        redirect: "error",
        headers: passwordHash === undefined ? {} : { authorization: `Bearer ${passwordHash}` },
        ...(body !== undefined && { body: body as Uint8Array<ArrayBuffer> }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) };
    } catch (cause) {
      throw new FetchFailure("failed", `hub-configd is away: ${reasonOf(cause)}`, { cause });
    }
  }
}

function succeeded(answer: Answer): Answer {
  const { status, bytes } = answer;
  if (status < 300) return answer;
  const kind = status < 500 ? "refused" : "failed";
  throw new FetchFailure(kind, `hub-configd refuses it: ${status} ${errorOf(bytes)}`);
}

const MAX_ERROR_LENGTH = 200;

function errorOf(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  const error = attempt(() => String((JSON.parse(text) as { readonly error?: unknown }).error));
  return (error ?? text).slice(0, MAX_ERROR_LENGTH);
}
