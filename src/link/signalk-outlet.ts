/** Signal K as an outlet: the boat, and the clients of its stream. */
import type { Hono } from "hono";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { StreamListener, StreamRequest, TextStream } from "../ports/text-stream.ts";
import { Boat, type HubMessage, signalKPgns } from "../signalk/boat.ts";
import { Changes } from "../signalk/changes.ts";
import { helloText, Session, sessionOptions } from "../signalk/session.ts";
import { deltaText } from "../signalk/text.ts";
import { isoTime } from "../text/date.ts";
import { isRebound } from "../util/local-hosts.ts";
import type { Heard, Outlet } from "./outlet.ts";
import { mayRead, STREAM, signalKApp } from "./signalk-app.ts";

export interface SignalKOptions {
  /** URN of the boat. */
  readonly self: string;
  /** Of the topics of hub-cand; its last level names the bus. */
  readonly prefix: string;
  /** Of hub. */
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  hostname(): string;
}

const EXPIRE_EVERY_MS = 1000;
/** Changes are collected for so long: a write to each client costs more than all else. Half the shortest period of a subscription. */
const SEND_EVERY_MS = 50;

export class SignalKOutlet implements Outlet {
  readonly topics = ["navigation", "ais", "devices", "infos", "alarms"] as const;
  readonly pgns = signalKPgns;
  readonly app: Hono<{ Bindings: { port?: number } }>;
  readonly #boat: Boat;
  readonly #options: SignalKOptions;
  readonly #sessions = new Set<Session>();
  readonly #changes = new Changes();
  readonly #cancelExpiring: () => void;
  /** Runs while there are clients. */
  #cancelSending: (() => void) | undefined;

  constructor(options: SignalKOptions) {
    const { self, prefix, clock } = options;
    this.#options = options;
    this.#boat = new Boat({
      self,
      label: prefix.slice(prefix.lastIndexOf("/") + 1),
      startedAt: isoTime(clock.wall()),
      listener: (leaf) => {
        if (this.#sessions.size > 0) this.#changes.add(leaf);
      },
    });
    this.app = signalKApp({ ...options, boat: this.#boat });
    this.#cancelExpiring = clock.every(EXPIRE_EVERY_MS, () =>
      this.#boat.model.expire(clock.monotonic(), isoTime(clock.wall())),
    );
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

  forget(): void {
    this.#boat.forget(isoTime(this.#options.clock.wall()));
  }

  close(): void {
    this.#cancelExpiring();
    this.#cancelSending?.();
  }

  /** A client asks for the stream: its session, or the HTTP status of the refusal. */
  open({ target, port, header }: StreamRequest, client: TextStream): StreamListener | number {
    const { hostname, clock } = this.#options;
    const host = header("host");
    const [path, query] = target.split("?", 2);
    if (path !== STREAM) return 404;
    if (isRebound(host, port, hostname()) || !mayRead(header("origin"), host, hostname())) return 403;
    client.send(helloText(this.#boat.self, isoTime(clock.wall())));
    // What others wait for, the new client gets as current values.
    this.#deliver(clock.monotonic());
    const options = sessionOptions(new URLSearchParams(query));
    const session = new Session(this.#boat, options, client, clock.monotonic());
    this.#sessions.add(session);
    this.#cancelSending ??= clock.every(SEND_EVERY_MS, () => this.#send());
    return {
      receive: (text) => {
        this.#deliver(clock.monotonic());
        return session.receive(text, clock.monotonic());
      },
      closed: () => this.#close(session),
    };
  }

  #close(session: Session): void {
    this.#sessions.delete(session);
    if (this.#sessions.size > 0) return;
    this.#cancelSending?.();
    this.#cancelSending = undefined;
  }

  #hear(heard: Heard): void {
    const boat = this.#boat;
    const message = heard.message as unknown as HubMessage<never>;
    switch (heard.topic) {
      case "pgn":
        if (!heard.isRetained) boat.hearPgn(heard.address, heard.pgn, message, heard.receivedMs);
        return;
      case "navigation":
        if (!heard.isRetained) boat.hearNavigation(message as never, heard.receivedMs);
        return;
      case "ais":
        if (!heard.isRetained) boat.hearAis(message as never, heard.receivedMs);
        return;
      case "alarms":
        return boat.hearAlarms(message, heard.receivedMs);
      case "devices":
        return boat.sources.hearDevices(message.data);
      case "infos":
        return boat.sources.hearInformation(message.data);
    }
  }

  #send(): void {
    const now = this.#options.clock.monotonic();
    this.#deliver(now);
    for (const session of this.#sessions) if (session.due <= now) session.advance(now);
  }

  /** Delivers what has changed. Clients that get all changes of a context share their text. */
  #deliver(now: number): void {
    for (const [context, leaves] of this.#changes.take()) {
      let text: string | undefined;
      const shared = (): string => {
        text ??= deltaText(context, leaves);
        return text;
      };
      for (const session of this.#sessions) session.deliver(context, leaves, now, shared);
    }
  }
}
