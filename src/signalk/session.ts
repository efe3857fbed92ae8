/**
 * The conversation with a client of the stream: what it subscribes to, and what it gets. Read-only: each wish to change something
 * is answered with 405. Times are milliseconds, monotonic.
 */
import type { TextStream } from "../ports/text-stream.ts";
import type { Boat } from "./boat.ts";
import { Changes } from "./changes.ts";
import type { Leaf } from "./model.ts";
import { policies, Subscription, type SubscriptionOptions, subscriptionDefaults } from "./subscription.ts";
import { deltaText, metaText, SPECIFICATION } from "./text.ts";

/** The query of the stream. */
export interface SessionOptions {
  /** The deltas that it gets without having subscribed. */
  readonly subscribe: "all" | "self" | "none";
  /** Current values when it connects and subscribes. */
  readonly sendCachedValues: boolean;
  /** The unit and description of each value before the first one. */
  readonly sendMeta: boolean;
}

export const MAX_SUBSCRIPTIONS = 500;

/** A client that says more is hostile or broken: each subscription may ask for all values. */
export const MAX_MESSAGES_A_MINUTE = 600;
const MINUTE_MS = 60_000;

/** Current values are held back while more than this waits for the client. */
const MAX_UNREAD_BYTES = 128 << 10;

/** Contexts and paths are shorter. */
const MAX_PATTERN_LENGTH = 200;
const MAX_PERIOD_MS = 3_600_000;

type Message = Readonly<Record<string, unknown>>;

/** A request that is answered with an error. */
class BadRequest extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

/** The query of a request for the stream; what it does not know counts as not given. */
export function sessionOptions(query: URLSearchParams): SessionOptions {
  const subscribe = query.get("subscribe");
  return {
    subscribe: subscribe === "all" || subscribe === "none" ? subscribe : "self",
    sendCachedValues: query.get("sendCachedValues") !== "false",
    sendMeta: query.get("sendMeta") === "all",
  };
}

/** The greeting. */
export const helloText = (self: string, timestamp: string): string =>
  JSON.stringify({ name: "hub", version: SPECIFICATION, timestamp, self, roles: ["master", "main"] });

export class Session {
  readonly #boat: Boat;
  readonly #options: SessionOptions;
  readonly #client: TextStream;
  /** Current values that wait until the client has read others. */
  readonly #waiting = new Changes();
  #subscriptions: Subscription[] = [];
  /** Leaves of which it has the meta. */
  readonly #described = new WeakSet<Leaf>();
  /** Messages in the minute that began at `#minuteAt`. */
  #messages = 0;
  #minuteAt: number;

  constructor(boat: Boat, options: SessionOptions, client: TextStream, now: number) {
    this.#boat = boat;
    this.#options = options;
    this.#client = client;
    this.#minuteAt = now;
    if (options.subscribe === "none") return;
    const context = options.subscribe === "all" ? "*" : boat.self;
    this.#subscribe({ context, path: "*", policy: "instant", period: 0, minPeriod: 0 }, now);
  }

  /** When a subscription has something to do. */
  get due(): number {
    if (!this.#waiting.isEmpty) return Number.NEGATIVE_INFINITY;
    return this.#subscriptions.reduce((soonest, { due }) => Math.min(soonest, due), Number.POSITIVE_INFINITY);
  }

  /** Takes a message of the client; false if it says too much, so that its connection is to be closed. */
  receive(text: string, now: number): boolean {
    if (now >= this.#minuteAt + MINUTE_MS) {
      this.#minuteAt = now;
      this.#messages = 0;
    }
    this.#messages += 1;
    if (this.#messages > MAX_MESSAGES_A_MINUTE) return false;
    const message = parsed(text);
    try {
      this.#carryOut(message, now);
    } catch (error) {
      if (!(error instanceof BadRequest)) throw error;
      this.#answer(message, error);
    }
    return true;
  }

  /** Passes changes of a context on to the subscriptions; `text` is their delta, for clients that get all of them. */
  deliver(context: string, leaves: readonly Leaf[], now: number, text: () => string): void {
    const { model } = this.#boat;
    const mine = union(this.#subscriptions.map((one) => one.take(context, leaves, model, now)));
    if (mine.length === 0) return;
    const isAll = mine.length === leaves.length && mine.every((leaf, index) => leaf === leaves[index]);
    this.#describe(context, mine);
    this.#client.send(isAll ? text() : deltaText(context, mine));
  }

  /** Sends what is due at `now`. */
  advance(now: number): void {
    this.#tellAll(this.#subscriptions.flatMap((one) => one.advance(this.#boat.model, now)));
  }

  #carryOut(message: Message | undefined, now: number): void {
    if (message === undefined) throw new BadRequest(400, "not a JSON object");
    // Clients send an empty object to keep the connection alive.
    const { subscribe, unsubscribe } = message;
    if (unsubscribe !== undefined) this.#unsubscribe(contextIn(message, this.#boat), listIn(unsubscribe));
    if (subscribe !== undefined) {
      const context = contextIn(message, this.#boat);
      for (const wish of listIn(subscribe)) this.#subscribe(optionsIn(wish, context), now);
    }
    for (const verb of ["put", "delete", "post", "updates", "accessRequest", "login", "logout", "validate"])
      if (message[verb] !== undefined) throw new BadRequest(405, "hub-link is read-only and knows no users");
    if (message.get !== undefined) throw new BadRequest(405, "values are read over HTTP, at /signalk/v1/api/");
  }

  #subscribe(options: SubscriptionOptions, now: number): void {
    if (this.#subscriptions.length >= MAX_SUBSCRIPTIONS)
      throw new BadRequest(429, `a client has ${MAX_SUBSCRIPTIONS} subscriptions at most`);
    const subscription = new Subscription(options, now);
    this.#subscriptions.push(subscription);
    if (this.#options.sendCachedValues) this.#tellAll(subscription.current(this.#boat.model));
  }

  /** Ends the subscriptions that the patterns name or contain. */
  #unsubscribe(context: string, wishes: readonly Message[]): void {
    for (const wish of wishes) {
      const named = new Subscription({ ...optionsIn(wish, context), policy: "instant" }, 0);
      this.#subscriptions = this.#subscriptions.filter(
        (one) => !named.context.matches(one.context.text) || !named.path.matches(one.path.text),
      );
    }
  }

  /** Sends values as fast as the client reads, because those of a thousand ships are megabytes. */
  #tellAll(leaves: readonly Leaf[]): void {
    for (const leaf of leaves) this.#waiting.add(leaf);
    const client = this.#client;
    for (const [context, ofContext] of this.#waiting.take(() => client.unreadBytes <= MAX_UNREAD_BYTES)) {
      this.#describe(context, ofContext);
      client.send(deltaText(context, ofContext));
    }
  }

  #describe(context: string, leaves: readonly Leaf[]): void {
    if (!this.#options.sendMeta) return;
    const fresh = leaves.filter((leaf) => !leaf.isPlain && !this.#described.has(leaf));
    if (fresh.length === 0) return;
    for (const leaf of fresh) this.#described.add(leaf);
    this.#client.send(metaText(context, fresh));
  }

  /** The answer to a request, by its number if it has one. */
  #answer(message: Message | undefined, { statusCode, message: text }: BadRequest): void {
    const { requestId } = message ?? {};
    this.#client.send(
      JSON.stringify({
        ...(typeof requestId === "string" && requestId.length <= MAX_PATTERN_LENGTH && { requestId }),
        state: "COMPLETED",
        statusCode,
        message: text,
      }),
    );
  }
}

/** The leaves of all lists, each once; that of a single list is itself. */
function union(lists: readonly (readonly Leaf[])[]): readonly Leaf[] {
  const [first = [], ...others] = lists.filter(({ length }) => length > 0);
  return others.length === 0 ? first : [...new Set([...first, ...others.flat()])];
}

function parsed(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Message =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function listIn(value: unknown): readonly Message[] {
  if (!Array.isArray(value) || !value.every(isObject)) throw new BadRequest(400, "subscriptions are a list of objects");
  return value;
}

function patternIn(value: unknown, name: string): string {
  if (typeof value !== "string" || value.length > MAX_PATTERN_LENGTH)
    throw new BadRequest(400, `${name} is a text of ${MAX_PATTERN_LENGTH} characters at most`);
  return value;
}

/** `vessels.self` is the boat's own context. */
function contextIn({ context = "vessels.self" }: Message, { self }: Boat): string {
  const text = patternIn(context, "context");
  return text === "vessels.self" || text === "self" ? self : text;
}

function optionsIn(
  { path, policy, period, minPeriod, format = "delta" }: Message,
  context: string,
): SubscriptionOptions {
  const known = policies.find((one) => one === policy);
  if (policy !== undefined && known === undefined) throw new BadRequest(400, `policy is one of ${policies.join(", ")}`);
  if (format !== "delta") throw new BadRequest(400, "format is delta");
  return {
    context,
    path: patternIn(path, "path"),
    policy: known ?? subscriptionDefaults.policy,
    period: millisecondsIn(period, "period", subscriptionDefaults.period),
    minPeriod: millisecondsIn(minPeriod, "minPeriod", subscriptionDefaults.minPeriod),
  };
}

function millisecondsIn(value: unknown, name: string, standard: number): number {
  if (value === undefined) return standard;
  if (typeof value !== "number" || !(value >= 0)) throw new BadRequest(400, `${name} is a number of milliseconds`);
  return Math.min(value, MAX_PERIOD_MS);
}
