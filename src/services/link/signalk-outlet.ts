/** Signal K as an outlet: the boat, and the clients of its stream. */
import type { Hono } from "hono";
import type { Clock } from "../../core/ports/clock.ts";
import type { HistoryEngine } from "../../core/ports/history-engine.ts";
import type { Log } from "../../core/ports/log.ts";
import type { StreamListener, StreamRequest, TextStream } from "../../core/ports/text-stream.ts";
import type { VoyageTrack } from "../../core/ports/voyage-track.ts";
import { isoTime } from "../../core/text/date.ts";
import { topics } from "../../core/topics/topics.ts";
import { isRebound } from "../../core/util/local-hosts.ts";
import { Places } from "../../core/util/places.ts";
import { Allowances } from "../../formats/signalk/allowance.ts";
import { roundOf } from "../../formats/signalk/backlog.ts";
import { Boat, type HubMessage, signalKPgns } from "../../formats/signalk/boat.ts";
import { Changes } from "../../formats/signalk/changes.ts";
import type { HistoryOptions } from "../../formats/signalk/history/values.ts";
import { leafOf } from "../../formats/signalk/model.ts";
import type { Value } from "../../formats/signalk/row.ts";
import { helloText, Session, sessionOptions } from "../../formats/signalk/session.ts";
import { TreeTexts } from "../../formats/signalk/tree-texts.ts";
import type { CourseMessages } from "./course-messages.ts";
import type { Heard, Outlet } from "./outlet.ts";
import { type Api, mayRead, STREAM, signalKApp, type Tree, tokenIn } from "./signalk-app.ts";
import type { Env } from "./signalk-env.ts";
import type { Access } from "./signalk-v2/access.ts";
import { budget, THIS_MACHINE } from "./signalk-v2/budget.ts";
import { calcValuesOf } from "./signalk-v2/calc-values.ts";
import { courseApp } from "./signalk-v2/course-app.ts";
import { historyApp } from "./signalk-v2/history-app.ts";
import { notificationsApp } from "./signalk-v2/notifications-app.ts";
import type { Resources } from "./signalk-v2/resources.ts";
import { resourcesApp } from "./signalk-v2/resources-app.ts";
import { trackApp } from "./track-app.ts";
import { TreeRequest } from "./tree-request.ts";
import { Turns } from "./turns.ts";

export interface SignalKOptions {
  /** URN of the boat. */
  readonly self: string;
  /** Prefix of the topics of hub-cand; its last level names the bus. */
  readonly prefix: string;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  /** The time series engine of hub-history; without it there is no history API. */
  readonly engine?: HistoryEngine;
  /** The voyages of hub-history; without them there are no tracks. */
  readonly track?: VoyageTrack;
  /** The holders of tokens, who may write; without it no client may. */
  readonly access?: Access | undefined;
  /** Resources and course, which apps may write; without it there are no resources, and the course is that of the bus. */
  readonly held?: Held | undefined;
  /** Publishes a command to the broker; false while the broker is away. */
  readonly publish?: ((topic: string, payload: string) => boolean) | undefined;
  hostname(): string;
}

/** Resources and course that hub-link stores for apps. */
export interface Held {
  readonly resources: Resources;
  readonly course: CourseMessages;
  /** A random UUID of version 4. */
  uuid(): string;
}

const EXPIRE_EVERY_MS = 1000;
/**
 * Time for which changes are collected, half the shortest period of a subscription: a write to each client costs more
 * than everything else.
 */
const SEND_EVERY_MS = 50;

/** Requests for the tree at a time: a connection that is reset leaves its request behind. */
const MAX_REQUESTS = 500;

export class SignalKOutlet implements Outlet {
  readonly topics = ["navigation", "ais", "devices", "infos", "alarms", "findings"] as const;
  readonly pgns = signalKPgns;
  readonly app: Hono<Env>;
  readonly #boat: Boat;
  readonly #options: SignalKOptions;
  readonly #sessions = new Set<Session>();
  /** Clients that gave a token, which may be taken back. */
  readonly #holders = new Map<TextStream, string>();
  readonly #tree = new TreeTexts();
  readonly #allowances = new Allowances();
  readonly #changes = new Changes();
  readonly #turns: Turns;
  readonly #treePlaces = new Places(MAX_REQUESTS, { hasProxies: false });
  /** Values left out when the last line about it was logged. */
  #leftOut = 0;
  readonly #cancelExpiring: () => void;
  /** Stops the timer, which runs while there are clients. */
  #cancelSending: (() => void) | undefined;

  constructor(options: SignalKOptions) {
    const { self, prefix, clock } = options;
    this.#options = options;
    this.#turns = new Turns(clock);
    this.#boat = new Boat({
      self,
      label: prefix.slice(prefix.lastIndexOf("/") + 1),
      startedAt: isoTime(clock.wall()),
      listener: (leaf) => {
        this.#tree.changed(leaf.context);
        if (this.#sessions.size > 0) this.#changes.add(leaf);
      },
    });
    const limited = budget(this.#allowances, clock.monotonic);
    this.app = signalKApp({
      ...options,
      apis: this.#apis(),
      tracks: options.track && trackApp({ track: options.track, self, clock, budget: limited }),
      access: options.access,
      budget: limited,
      tree: (path, address) => this.#treeAt(path, address),
    });
    options.held?.resources.listen((kind, id, resource) => {
      const telling = { meta: { description: "Resource of the boat" }, isStreamed: true };
      const origin = {
        source: "hub",
        timestamp: isoTime(clock.wall()),
        stream: "resources",
        now: 0,
        expiresAt: Infinity,
      };
      // As signalk-server sends it: once, null for a removed one.
      const leaf = leafOf(this.#boat.self, `resources.${kind}.${id}`, resource as Value | null, telling, origin);
      if (this.#sessions.size > 0) this.#changes.add(leaf);
    });
    options.held?.course.course.listen(() => this.#tellCourse());
    this.#tellCourse();
    this.#cancelExpiring = clock.every(EXPIRE_EVERY_MS, () => {
      this.#boat.model.expire(clock.monotonic(), isoTime(clock.wall()));
      // The way to the destination ends with the position of the boat.
      this.#tellCourse();
      this.#tellLeftOut();
      this.#endRevoked();
    });
  }

  #apis(): readonly Api[] {
    const { engine, prefix, clock, publish, held } = this.#options;
    const boat = this.#boat;
    const sourceOf: HistoryOptions["sourceOf"] = (name, address) => boat.sources.ofTags(name, address);
    const course = courseApp({
      valueAt: (path) => boat.valueAt(path),
      course: held?.course.course,
      values: () => this.#calcValues(),
    });
    const notifications = notificationsApp({
      boat,
      answer: (alarm, answer) => publish?.(topics.alarmAnswer.name({ prefix, alarm }), answer) ?? false,
    });
    const apis: readonly (Api | undefined)[] = [
      { name: "course", path: "vessels/self/navigation/course", app: course },
      { name: "notifications", path: "notifications", app: notifications },
      held && {
        name: "resources",
        path: "resources",
        app: resourcesApp({ resources: held.resources, position: () => held.course.position, uuid: held.uuid }),
      },
      engine && {
        name: "history",
        path: "history",
        app: historyApp({ history: { engine, prefix, sourceOf }, self: boat.self, clock }),
      },
    ];
    return apis.filter((api) => api !== undefined);
  }

  hear(heard: Heard): void {
    try {
      this.#hear(heard);
    } catch {
      // Any client of the broker may publish to these topics.
      this.#options.log.warn("a message is skipped that is not what its topic has", {
        code: "MESSAGES_SKIPPED",
        topic: heard.topic,
      });
    }
  }

  courseChanged(): void {
    this.#boat.forgetCourse(isoTime(this.#options.clock.wall()));
  }

  forget(): void {
    this.#boat.forget(isoTime(this.#options.clock.wall()));
    this.#tellCourse();
  }

  close(): void {
    this.#cancelExpiring();
    this.#cancelSending?.();
    this.#turns.close();
  }

  /** A client asks for the stream: its session, or the HTTP status of the refusal. */
  open({ target, port, address, header }: StreamRequest, client: TextStream): StreamListener | number {
    const { hostname, clock } = this.#options;
    const host = header("host");
    const [path, query] = target.split("?", 2);
    if (path !== STREAM) return 404;
    if (isRebound(host, port, hostname()) || !mayRead(header("origin"), host, hostname(), header("x-forwarded-host")))
      return 403;
    const token = tokenIn(header("authorization")) || (new URLSearchParams(query).get("token") ?? "");
    if (!(this.#options.access?.knows(token) ?? true)) return 401;
    const allowance = this.#allowances.lend(address, clock.monotonic());
    if (allowance === undefined) return 429;
    client.send(helloText(this.#boat.self, isoTime(clock.wall())));
    const options = sessionOptions(new URLSearchParams(query));
    const session = new Session(this.#boat, options, client, allowance, clock.monotonic());
    this.#sessions.add(session);
    if (token !== "") this.#holders.set(client, token);
    this.#turns.add(session);
    this.#cancelSending ??= clock.every(SEND_EVERY_MS, () => this.#send());
    return {
      came: (bytes) => session.came(bytes, clock.monotonic()),
      receive: (text) => {
        session.receive(text);
        this.#turns.add(session);
      },
      closed: () => {
        this.#allowances.takeBack(address);
        this.#holders.delete(client);
        this.#close(session);
      },
    };
  }

  /** Makes a part of the tree in turns, at the cost of the host that asks for it. */
  async #treeAt(path: readonly string[], address: string | undefined): Promise<Tree> {
    const { clock } = this.#options;
    const allowance = this.#allowances.lend(address, clock.monotonic());
    if (allowance === undefined) return 429;
    try {
      const place = address ?? THIS_MACHINE;
      if (this.#treePlaces.lacking(place) !== undefined) return 503;
      const leave = this.#treePlaces.take(place);
      const request = new TreeRequest(this.#tree.make(this.#boat, path, clock.monotonic), allowance);
      this.#turns.add(request);
      return await request.made.finally(leave);
    } finally {
      this.#allowances.takeBack(address);
    }
  }

  /** The values of the way to the held destination; undefined without one. */
  #calcValues(): ReturnType<typeof calcValuesOf> | undefined {
    const { held, clock } = this.#options;
    const values = held?.course.values;
    return values && calcValuesOf(values, held!.course.course.info, clock.wall());
  }

  #tellCourse(): void {
    const { held, clock } = this.#options;
    if (held === undefined) return;
    const { course } = held.course;
    const report = course.isHeld ? { info: course.info, values: this.#calcValues() ?? {} } : undefined;
    this.#boat.hearCourse(report, clock.monotonic(), isoTime(clock.wall()));
  }

  #tellLeftOut(): void {
    const { leftOut } = this.#boat;
    if (leftOut === this.#leftOut) return;
    this.#leftOut = leftOut;
    this.#options.log.warn("values are left out that are too long or too many", { code: "VALUES_LEFT_OUT", leftOut });
  }

  #endRevoked(): void {
    for (const [client, token] of this.#holders) {
      if (this.#options.access?.knows(token) ?? true) continue;
      this.#holders.delete(client);
      client.end("this token was taken back");
    }
  }

  #close(session: Session): void {
    this.#sessions.delete(session);
    this.#turns.delete(session);
    if (this.#sessions.size > 0) return;
    this.#cancelSending?.();
    this.#cancelSending = undefined;
    this.#changes.clear();
  }

  #hear(heard: Heard): void {
    const boat = this.#boat;
    const message = heard.message as unknown as HubMessage<never>;
    switch (heard.topic) {
      case "pgn":
        if (!heard.isRetained) boat.hearPgn(heard.addr, heard.pgn, message, heard.receivedMs);
        return;
      case "navigation":
        if (heard.isRetained) return;
        boat.hearNavigation(message as never, heard.receivedMs);
        this.#tellCourse();
        return;
      case "ais":
        if (!heard.isRetained) boat.hearAis(message as never, heard.receivedMs);
        return;
      case "alarms":
        if (!heard.isLast) boat.hearAlarms(message, heard.receivedMs);
        return;
      case "findings":
        if (!heard.isLast) boat.hearFindings(message, heard.receivedMs);
        return;
      case "devices":
        return boat.sources.hearDevices(message.data);
      case "infos":
        return boat.sources.hearInformation(message.data);
    }
  }

  /** Hands what has changed to the sessions, each of which delivers it at its own pace. */
  #send(): void {
    const round = roundOf(this.#changes, this.#options.clock.monotonic());
    for (const session of this.#sessions) {
      session.deliver(round);
      this.#turns.add(session);
    }
  }
}
