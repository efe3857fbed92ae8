/**
 * A request and its answer as plain values, as an HTTP server hands them to the service and back.
 *
 * Not the Web's Request and Response, for two reasons: a URL object has resolved `..` and `//` before anybody could refuse
 * them, and two objects with streams for each small GET cost more than the rest of the answer. `api/fetch.ts` is the bridge
 * for runtimes that speak Web.
 */

export interface Call {
  readonly method: string;
  /** Path and query as they were sent, neither decoded nor normalised: `/project/hull-42?x=1`. */
  readonly target: string;
  /** A header by its lower-case name. */
  header(name: string): string | undefined;
  /**
   * The whole body; undefined if it is empty or its length was not announced. Rejects with a SystemError if the caller goes
   * before it is whole. Call it at most once.
   */
  body(): Promise<Uint8Array | undefined>;
}

export interface Answer {
  readonly status: number;
  /** Names in the case they are sent in. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Answers every call; never rejects. */
export type Answerer = (call: Call) => Promise<Answer>;
