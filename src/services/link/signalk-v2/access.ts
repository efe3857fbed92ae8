/**
 * Access requests and tokens of Signal K: a client asks for access, a person on board approves it, and the client gets
 * a token, with which it may write.
 *
 * A request has two identifiers: the client asks for its state by a secret one, and the boat approves it by a public
 * one, because every client of the broker can read the list of requests.
 */
import type { Clock } from "../../../core/ports/clock.ts";
import type { AccessAnswer, AccessReport, Permissions, StoredToken } from "../../../core/report/link-access.ts";
import { sha256Hex } from "../../../core/text/sha256.ts";
import { createExclusive } from "../../../core/util/exclusive.ts";
import { hostOf } from "../../../core/util/places.ts";

export interface AccessOptions {
  /** Tokens of earlier starts. */
  readonly tokens: readonly StoredToken[];
  /** Stores the tokens before the promise resolves. */
  save(tokens: readonly StoredToken[]): Promise<void>;
  /** A random text that cannot be guessed: 128 bits or more. */
  secret(): string;
  /** A random UUID. */
  uuid(): string;
  readonly clock: Pick<Clock, "wall" | "monotonic">;
}

export interface AccessRequest {
  readonly clientId: string;
  readonly description: string;
  readonly permissions: Permissions;
  readonly address: string;
}

export type RequestState =
  | { readonly state: "PENDING" }
  | { readonly state: "COMPLETED"; readonly permission: "DENIED" }
  | { readonly state: "COMPLETED"; readonly permission: "APPROVED"; readonly token: string };

interface Request {
  /** As the boat sees it. */
  readonly listed: AccessReport["requests"][number];
  readonly secretId: string;
  /** Monotonic milliseconds. */
  readonly askedMs: number;
  state: RequestState;
}

/** Limits of requests at a time, of those of one host and of one of its addresses, and of tokens. */
const MAX_REQUESTS = 20;
const MAX_REQUESTS_OF_HOST = 3;
const MAX_TOKENS = 50;
/** Time after which a request is forgotten, answered or not. */
const REQUEST_MS = 3_600_000;

export class Access {
  readonly #options: AccessOptions;
  readonly #requests = new Map<string, Request>();
  /** Tokens in force. */
  #tokens: readonly StoredToken[];
  /** Tokens in the file: more than those in force after the end of one could not be stored. */
  #stored: readonly StoredToken[];
  /** Changes of the tokens are stored one after the other. */
  readonly #inTurn = createExclusive();

  constructor(options: AccessOptions) {
    this.#options = options;
    this.#tokens = options.tokens.slice(0, MAX_TOKENS);
    this.#stored = this.#tokens;
  }

  /** Requests that wait for an answer, and the holders of tokens; of a revoked one until that is stored. */
  get report(): AccessReport {
    this.#forgetOld();
    const requests = [...this.#requests.values()].filter(({ state }) => state.state === "PENDING");
    return {
      requests: requests.map(({ listed }) => listed),
      holders: this.#stored.map(({ digest: _digest, ...holder }) => holder),
    };
  }

  /** Takes a request; returns the identifier by which its client asks for its state, or the reason of its refusal. */
  request({ address, clientId, ...asked }: AccessRequest): { readonly id: string } | { readonly refusal: string } {
    this.#forgetOld();
    const pending = [...this.#requests.values()].filter(({ state }) => state.state === "PENDING");
    const isKnown = pending.some(({ listed }) => listed.clientId === clientId);
    if (isKnown) return { refusal: "A device with this clientId has already requested access" };
    const ofHost = pending.filter((each) => hostOf(each.listed.address) === hostOf(address));
    if (ofHost.filter((each) => each.listed.address === address).length >= MAX_REQUESTS_OF_HOST)
      return { refusal: "Too many pending access requests" };
    if (ofHost.length >= MAX_REQUESTS_OF_HOST) this.#makeRoom(ofHost, (each) => each);
    else if (this.#requests.size >= MAX_REQUESTS) {
      const answered = [...this.#requests.values()].filter(({ state }) => state.state === "COMPLETED");
      this.#makeRoom(answered.length > 0 ? answered.slice(0, 1) : pending, hostOf);
    }
    const { uuid, clock } = this.#options;
    const id = uuid();
    const secretId = uuid();
    const listed = { id, clientId, ...asked, address, at: new Date(clock.wall()).toISOString() };
    this.#requests.set(id, { listed, secretId, askedMs: clock.monotonic(), state: { state: "PENDING" } });
    return { id: secretId };
  }

  /** Forgets the oldest of some requests, of the address or host that has most of them. */
  #makeRoom(requests: readonly Request[], nameOf: (address: string) => string): void {
    const countOf = ({ listed }: Request): number =>
      requests.filter((each) => nameOf(each.listed.address) === nameOf(listed.address)).length;
    // biome-ignore lint/plugin: the requests, which are bounded
    const most = Math.max(...requests.map(countOf));
    this.#requests.delete(requests.find((each) => countOf(each) === most)!.listed.id);
  }

  /** The state of a request by the identifier of its client; undefined if there is none. */
  stateOf(secretId: string): RequestState | undefined {
    this.#forgetOld();
    return [...this.#requests.values()].find((request) => request.secretId === secretId)?.state;
  }

  /**
   * An answer of the boat to a request or about a holder, by the public identifier. Resolves when it is in force;
   * rejects if it cannot be stored.
   */
  answer(id: string, answer: AccessAnswer): Promise<void> {
    return this.#inTurn(() => this.#answer(id, answer));
  }

  /** Whether there is the holder of a token; without a token there is nobody to know. */
  knows(token: string): boolean {
    return token === "" || this.#tokens.some((each) => each.digest === sha256Hex(token));
  }

  mayWrite(token: string): boolean {
    const digest = sha256Hex(token);
    return this.#tokens.some((each) => each.digest === digest && each.permissions !== "readonly");
  }

  async #answer(id: string, answer: AccessAnswer): Promise<void> {
    this.#forgetOld();
    const request = this.#requests.get(id);
    if (answer === "revoke") {
      const isStored = this.#stored.some((each) => each.id === id);
      if (isStored) await this.#store(this.#tokens.filter((each) => each.id !== id));
    } else if (request?.state.state === "PENDING") {
      if (answer === "deny") request.state = { state: "COMPLETED", permission: "DENIED" };
      else await this.#approve(request);
    }
  }

  async #approve(request: Request): Promise<void> {
    const { address: _address, ...holder } = request.listed;
    const token = this.#options.secret();
    // A device that asks anew has lost its token.
    const others = this.#tokens.filter(({ clientId }) => clientId !== holder.clientId);
    await this.#store([...others.slice(1 - MAX_TOKENS), { ...holder, digest: sha256Hex(token) }]);
    request.state = { state: "COMPLETED", permission: "APPROVED", token };
  }

  /** A new token counts once it is stored; a revoked one ends at once. */
  async #store(tokens: readonly StoredToken[]): Promise<void> {
    this.#tokens = this.#tokens.filter((each) => tokens.includes(each));
    await this.#options.save(tokens);
    this.#tokens = tokens;
    this.#stored = tokens;
  }

  #forgetOld(): void {
    const oldest = this.#options.clock.monotonic() - REQUEST_MS;
    for (const [id, { askedMs }] of this.#requests) if (askedMs < oldest) this.#requests.delete(id);
  }
}
