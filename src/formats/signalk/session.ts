/**
 * The session of a client of the stream: its subscriptions, and the messages to it. It is read-only: a request to
 * change something is answered with 405. Times are milliseconds, monotonic.
 */

import type { SharedText, TextStream } from "../../core/ports/text-stream.ts";
import { isRecord } from "../../core/util/is-record.ts";
import { jsonIn } from "../../core/util/json-in.ts";
import type { Allowance } from "./allowance.ts";
import { Backlog, type Batch, type Round } from "./backlog.ts";
import type { Boat } from "./boat.ts";
import { Changes } from "./changes.ts";
import { type Group, groupsOf } from "./groups.ts";
import { look } from "./look.ts";
import type { Leaf } from "./model.ts";
import { patternOf } from "./pattern.ts";
import {
  ALWAYS,
  policies,
  type SourcePolicy,
  Subscription,
  type SubscriptionOptions,
  sourcePolicies,
  subscriptionDefaults,
} from "./subscription.ts";
import { COMPATIBLE_SERVER, deltaText, metaText } from "./text.ts";

/** The query of the stream. */
export interface SessionOptions {
  /** The deltas that it gets without a subscription. */
  readonly subscribe: "all" | "self" | "none";
  /** Whether it gets current values when it connects and subscribes. */
  readonly sendCachedValues: boolean;
  /** Whether it gets unit and description of each value before the first value. */
  readonly sendMeta: boolean;
  /** The policy of subscriptions that do not have their own. */
  readonly sourcePolicy: SourcePolicy;
}

const MAX_SUBSCRIPTIONS = 500;

/**
 * Work as in `allowance.ts` to read a byte (the shortest frame has six), parse a message, add a subscription, write a
 * value.
 */
const BYTE_WORK = 1;
const MESSAGE_WORK = 200;
const CHARACTERS_A_WORK = 8;
const SUBSCRIPTION_WORK = 40;
const VALUE_WORK = 4;
const META_WORK = 20;
/** Work to find out whether a subscription is due. */
const DUE_WORK = 0.2;
/** Work after which a piece ends. */
const PIECE = 500;

/** Current values wait while the client has more unread bytes than this. */
const MAX_UNREAD_BYTES = 128 << 10;

/** Maximum length of a pattern; contexts and paths are shorter. */
const MAX_PATTERN_LENGTH = 200;
const MAX_PERIOD_MS = 3_600_000;

/** Reasons for which a session ends. */
const TOO_MUCH = "too much work: fewer subscriptions, patterns or messages";

type Message = Readonly<Record<string, unknown>>;

/** A request that is answered with an error. */
class BadRequest extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

/** The query of a request for the stream; unknown values count as absent. */
export function sessionOptions(query: URLSearchParams): SessionOptions {
  const subscribe = query.get("subscribe");
  return {
    subscribe: subscribe === "all" || subscribe === "none" ? subscribe : "self",
    sendCachedValues: query.get("sendCachedValues") !== "false",
    sendMeta: query.get("sendMeta") === "all",
    sourcePolicy: query.get("sourcePolicy") === "all" ? "all" : "preferred",
  };
}

export const helloText = (self: string, timestamp: string): string =>
  JSON.stringify({ name: "hub", version: COMPATIBLE_SERVER, timestamp, self, roles: ["master", "main"] });

export class Session {
  readonly #boat: Boat;
  readonly #options: SessionOptions;
  readonly #client: TextStream;
  readonly #allowance: Allowance;
  /** Messages of the client that wait; meanwhile no more are taken. */
  readonly #messages: string[] = [];
  /** The rest of the work for the current message. */
  #hearing: Generator<number, number> | undefined;
  /** Subscriptions by all of their members. */
  readonly #subscriptions = new Map<string, Subscription>();
  /** Groups of the subscriptions; undefined after a change. */
  #groups: readonly Group[] | undefined;
  /** Subscriptions whose last values are wanted, and the time since which these were sent. */
  #wishes = new Map<Subscription, number>();
  #look: Generator<number, void> | undefined;
  readonly #backlog = new Backlog();
  /** The rest of the work for the current changes. */
  #delivery: Generator<number, void> | undefined;
  /** Last values that wait until the client has read earlier ones. */
  readonly #waiting = new Changes();
  /** The meta of each leaf that the client has got. */
  readonly #described = new WeakMap<Leaf, Leaf["meta"]>();
  #hasEnded = false;

  constructor(boat: Boat, options: SessionOptions, client: TextStream, allowance: Allowance, now: number) {
    this.#boat = boat;
    this.#options = options;
    this.#client = client;
    this.#allowance = allowance;
    if (options.subscribe === "none") return;
    const context = options.subscribe === "all" ? "*" : boat.self;
    const { sourcePolicy } = options;
    this.#subscribe({ context, path: "*", policy: "instant", period: 0, minPeriod: 0, sourcePolicy }, now);
  }

  /** The work that the clients of its host have caused recently. */
  recentAt(now: number): number {
    return this.#allowance.recentAt(now);
  }

  /** Counts received bytes; those of pings, fragments and the like cost as much as those of messages. */
  came(bytes: number, now: number): void {
    if (!this.#allowance.spend(bytes * BYTE_WORK, now)) this.#end();
  }

  /** Takes a message of the client, which `work` handles. */
  receive(text: string): void {
    if (this.#hasEnded) return;
    this.#messages.push(text);
    this.#client.pause();
  }

  /** Takes changes; `work` sends the client those that it subscribes to, and after them the values that are due. */
  deliver(round: Round): void {
    if (this.#hasEnded) return;
    this.#backlog.add(round);
    if (this.#backlog.isTooLong) this.#end();
  }

  /** Does a piece of work; returns its amount, 0 if there is none or the client has to read first. */
  work(now: number): number {
    // Sends as fast as the client reads, because the values of a thousand ships are megabytes.
    const isRead = this.#client.unreadBytes <= MAX_UNREAD_BYTES;
    const work =
      (isRead && this.#hearOn(now)) || this.#deliverOn() || (isRead && (this.#lookOn() || this.#sendWaiting())) || 0;
    if (work > 0 && !this.#allowance.spend(work, now)) this.#end();
    return work;
  }

  /** Handles a piece of the messages; returns its work, 0 if there are none. */
  #hearOn(now: number): number {
    if (this.#hearing === undefined) {
      const text = this.#messages.shift();
      if (text === undefined) return 0;
      if (this.#messages.length === 0) this.#client.resume();
      this.#hearing = this.#hear(text, now);
    }
    const { value, done } = this.#hearing.next();
    if (done) this.#hearing = undefined;
    return value;
  }

  /** Handles a message; yields the work of each piece, and returns that of the last. */
  *#hear(text: string, now: number): Generator<number, number> {
    const value = jsonIn(text);
    const message = isRecord(value) ? value : undefined;
    yield MESSAGE_WORK + text.length / CHARACTERS_A_WORK;
    try {
      yield* this.#carryOut(message, now);
    } catch (error) {
      if (!(error instanceof BadRequest)) throw error;
      this.#answer(message, error);
    }
    return MESSAGE_WORK;
  }

  /** Delivers a piece of the changes; returns its work, 0 if there are none. */
  #deliverOn(): number {
    const gathered = this.#backlog.gather();
    if (gathered > 0) return gathered;
    if (this.#delivery === undefined) {
      const round = this.#backlog.next();
      if (round === undefined) return 0;
      this.#delivery = this.#deliver(round);
    }
    const { value, done } = this.#delivery.next();
    if (!done) return value;
    this.#delivery = undefined;
    return 1 + this.#subscriptions.size * DUE_WORK;
  }

  /** Delivers changes; yields the work of each piece. */
  *#deliver({ batches, now }: Round): Generator<number, void> {
    for (const batch of batches) yield* this.#deliverBatch(batch, now);
    for (const subscription of this.#subscriptions.values()) {
      const since = subscription.begin(now);
      if (since !== undefined) this.#wish(subscription, since);
    }
  }

  *#deliverBatch({ context, leaves, textOf }: Batch, now: number): Generator<number, void> {
    this.#groups ??= groupsOf(this.#subscriptions.values());
    const groups = this.#groups.filter((group) => group.context.matches(context));
    const cost = groups.reduce((sum, group) => sum + group.cost, 0);
    let work = 1 + this.#groups.length;
    const places: number[] = [];
    for (const [place, leaf] of leaves.entries()) {
      if (isTaken(leaf, groups, now)) places.push(place);
      work += cost;
      if (work < PIECE) continue;
      yield work;
      work = 0;
    }
    const mine = places.map((place) => leaves[place]!);
    yield 1 + work + this.#send(context, mine, () => textOf(places));
  }

  /** Searches values for the subscriptions that want some; later wishes are searched together afterwards. */
  #lookOn(): number {
    if (this.#look === undefined && this.#wishes.size > 0) {
      this.#look = look(this.#wishes, this.#boat.model, (leaf) => this.#waiting.add(leaf));
      this.#wishes = new Map();
    }
    const looked = this.#look?.next().value ?? 0;
    if (looked === 0) this.#look = undefined;
    return looked;
  }

  /** Sends a message with last values. */
  #sendWaiting(): number {
    const [message] = this.#waiting.take();
    return message === undefined ? 0 : this.#send(...message);
  }

  #wish(subscription: Subscription, since: number): void {
    this.#wishes.set(subscription, Math.min(since, this.#wishes.get(subscription) ?? since));
  }

  /** Sends leaves; returns the work. */
  #send(
    context: string,
    leaves: readonly Leaf[],
    text: () => string | SharedText = () => deltaText(context, leaves),
  ): number {
    if (leaves.length === 0) return 0;
    const described = this.#describe(context, leaves);
    this.#client.send(text());
    return described * META_WORK + leaves.length * VALUE_WORK;
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#client.end(TOO_MUCH);
    this.#messages.length = 0;
    this.#hearing = undefined;
    this.#subscriptions.clear();
    this.#groups = undefined;
    this.#wishes.clear();
    this.#look = undefined;
    this.#waiting.clear();
    this.#backlog.clear();
    this.#delivery = undefined;
  }

  *#carryOut(message: Message | undefined, now: number): Generator<number, void> {
    if (message === undefined) throw new BadRequest(400, "not a JSON object");
    // Clients send an empty object to keep the connection alive.
    const { subscribe, unsubscribe } = message;
    if (unsubscribe !== undefined) yield* this.#unsubscribe(contextIn(message, this.#boat), listIn(unsubscribe));
    if (subscribe !== undefined) {
      const context = contextIn(message, this.#boat);
      const sourcePolicy = sourcePolicyIn(message, this.#options);
      for (const wish of listIn(subscribe)) {
        this.#subscribe({ ...optionsIn(wish, context), sourcePolicy }, now);
        yield SUBSCRIPTION_WORK;
      }
    }
    for (const verb of ["put", "delete", "post", "updates", "accessRequest", "login", "logout", "validate"])
      if (message[verb] !== undefined)
        throw new BadRequest(405, "the stream is read-only: write over HTTP, with a token");
    if (message.get !== undefined) throw new BadRequest(405, "values are read over HTTP, at /signalk/v1/api/");
  }

  #subscribe(options: SubscriptionOptions, now: number): void {
    const key = JSON.stringify(Object.values(options));
    const subscription = this.#subscriptions.get(key) ?? new Subscription(options, now);
    if (!this.#subscriptions.has(key) && this.#subscriptions.size >= MAX_SUBSCRIPTIONS)
      throw new BadRequest(429, `a client has ${MAX_SUBSCRIPTIONS} subscriptions at most`);
    this.#subscriptions.set(key, subscription);
    this.#groups = undefined;
    if (this.#options.sendCachedValues) this.#wish(subscription, ALWAYS);
  }

  /** Ends the subscriptions that the patterns name or contain. */
  *#unsubscribe(context: string, wishes: readonly Message[]): Generator<number, void> {
    const contexts = patternOf(context);
    for (const wish of wishes) {
      const paths = patternOf(optionsIn(wish, context).path);
      yield SUBSCRIPTION_WORK + this.#subscriptions.size;
      this.#groups = undefined;
      for (const [key, one] of this.#subscriptions) {
        if (!contexts.matches(one.context.text) || !paths.matches(one.path.text)) continue;
        this.#subscriptions.delete(key);
        this.#wishes.delete(one);
      }
    }
  }

  /** Sends the meta that the client does not have; returns the number of leaves. */
  #describe(context: string, leaves: readonly Leaf[]): number {
    if (!this.#options.sendMeta) return 0;
    const fresh = leaves.filter((leaf) => !leaf.isPlain && !leaf.isOther && this.#described.get(leaf) !== leaf.meta);
    for (const leaf of fresh) this.#described.set(leaf, leaf.meta);
    if (fresh.length > 0) this.#client.send(metaText(context, fresh));
    return fresh.length;
  }

  /** Answers a request, with its number if it has one. */
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

/** Whether any subscription sends a change at once; all of them take it. */
function isTaken(leaf: Leaf, groups: readonly Group[], now: number): boolean {
  let isTaken = false;
  for (const group of groups)
    group.each(leaf, (one) => {
      isTaken = one.take(leaf, now) || isTaken;
    });
  return isTaken;
}

function listIn(value: unknown): readonly Message[] {
  if (!Array.isArray(value) || !value.every(isRecord)) throw new BadRequest(400, "subscriptions are a list of objects");
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
): Omit<SubscriptionOptions, "sourcePolicy"> {
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

function sourcePolicyIn({ sourcePolicy }: Message, standard: SessionOptions): SourcePolicy {
  if (sourcePolicy === undefined) return standard.sourcePolicy;
  const known = sourcePolicies.find((one) => one === sourcePolicy);
  if (known === undefined) throw new BadRequest(400, `sourcePolicy is one of ${sourcePolicies.join(", ")}`);
  return known;
}

function millisecondsIn(value: unknown, name: string, standard: number): number {
  if (value === undefined) return standard;
  if (typeof value !== "number" || !(value >= 0)) throw new BadRequest(400, `${name} is a number of milliseconds`);
  return Math.min(value, MAX_PERIOD_MS);
}
