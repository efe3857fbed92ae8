/** The programs that read topics in a world: hub-link with all its outlets, hub-alarm, hub-history. */

import { History } from "../../src/services/history/history.ts";
import { type Call, CommandOutlet } from "../../src/services/link/command-outlet.ts";
import { Link } from "../../src/services/link/link.ts";
import { Nmea0183Outlet } from "../../src/services/link/nmea0183-outlet.ts";
import type { Outlet } from "../../src/services/link/outlet.ts";
import { SignalKOutlet } from "../../src/services/link/signalk-outlet.ts";
import { memoryLog } from "../support/memory/log.ts";
import type { Broker, BrokerClient } from "./broker.ts";
import { LANE_SECONDS, PREFIX, VERSION } from "./hub-cand.ts";
import type { ProgramClock, VirtualClock } from "./virtual-clock.ts";

const RECONNECT_MS = 5000;
const SELF = "urn:mrn:signalk:uuid:00000000-0000-4000-8000-000000000001";

interface Hearer {
  readonly filters: readonly string[];
  hear(topic: string, payload: Uint8Array, isRetained: boolean): void;
}

/** A program that subscribes, and connects again when the broker is gone. */
export class Reader<Program extends Hearer> {
  readonly clock: ProgramClock;
  readonly program: Program;
  isConnected = false;
  /** Monotonic time of its last connection, milliseconds. */
  connectedAt = 0;
  readonly #broker: Broker;
  readonly #client: BrokerClient;
  #isStopped = false;

  constructor(
    name: string,
    clock: VirtualClock,
    broker: Broker,
    delayMs: () => number,
    start: (clock: ProgramClock) => Program,
  ) {
    this.clock = clock.program();
    this.program = start(this.clock);
    this.#broker = broker;
    this.#client = {
      name,
      delayMs,
      deliver: ({ topic, bytes }, isRetained) => this.program.hear(topic, bytes, isRetained),
      lost: () => {
        this.isConnected = false;
        this.clock.after(RECONNECT_MS, () => this.#connect());
      },
    };
    this.#connect();
  }

  stop(): void {
    this.#isStopped = true;
    this.isConnected = false;
    this.#broker.disconnect(this.#client);
  }

  #connect(): void {
    if (this.#isStopped) return;
    if (!this.#broker.connect(this.#client)) {
      this.clock.after(RECONNECT_MS, () => this.#connect());
      return;
    }
    this.isConnected = true;
    this.connectedAt = this.clock.monotonic();
    this.#broker.subscribe(this.#client, this.program.filters);
  }
}

interface DeltaValue {
  readonly path: string;
  readonly source: string;
  readonly value: unknown;
}

/** The values of the boat in a text of the stream. */
function valuesIn(shared: string | { readonly text: string }): readonly DeltaValue[] {
  const { context, updates = [] } = JSON.parse(typeof shared === "string" ? shared : shared.text) as {
    readonly context?: string;
    readonly updates?: readonly { readonly $source?: string; readonly values?: readonly DeltaValue[] }[];
  };
  if (context !== `vessels.${SELF}`) return [];
  return updates.flatMap(({ $source: source = "", values = [] }) => values.map((each) => ({ ...each, source })));
}

function checksumOf(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum ^= text.charCodeAt(at);
  return sum;
}

/** hub-link: Signal K with two clients that hear everything, NMEA 0183, and the command of hub-alarm. */
export class LinkProgram implements Hearer {
  readonly link: Link;
  readonly log = memoryLog();
  /** What the client of Signal K knows of the boat, by path and source. */
  readonly values = new Map<string, Map<string, { readonly value: unknown; readonly at: number }>>();
  /** When a client that follows one source of each path has last heard a value of it. */
  readonly preferredAt = new Map<string, number>();
  /** The call for which the command runs. */
  call: Call | undefined;
  /** The first sentence that is not whole. */
  malformedSentence: string | undefined;
  /** The fields of the last sentence of each kind, and the monotonic time at which it came. */
  readonly lastSentences = new Map<string, { readonly fields: readonly string[]; readonly at: number }>();
  /** Monotonic time of the last XDR with a transducer, by its name. */
  readonly transducersAt = new Map<string, number>();
  /** Times since which notifications of Signal K have differed from the alarms, by path. */
  readonly otherSince = new Map<string, number>();
  readonly #outlets: readonly Outlet[];
  readonly #clock: ProgramClock;

  constructor(clock: ProgramClock) {
    this.#clock = clock;
    const signalK = new SignalKOutlet({
      ...{ self: SELF, prefix: PREFIX, version: VERSION },
      ...{ clock, log: this.log, hostname: () => "boat" },
    });
    const command = new CommandOutlet(
      {
        run: (call) => {
          this.call = call;
        },
        stop: () => {
          this.call = undefined;
        },
        close: () => Promise.resolve(),
      },
      clock,
    );
    const sink = { send: (lines: string) => this.#hearLines(lines), close: () => {} };
    const nmea0183 = new Nmea0183Outlet([{ sink }], clock);
    this.#outlets = [signalK, nmea0183, command];
    this.link = new Link({ prefix: PREFIX, outlets: this.#outlets, clock, log: this.log });
    const open = (policy: string, hear: (value: DeltaValue) => void): void => {
      const target = `/signalk/v1/stream?subscribe=all&sourcePolicy=${policy}`;
      signalK.open(
        { target, port: 3000, address: undefined, header: (name) => (name === "host" ? "localhost:3000" : undefined) },
        { unreadBytes: 0, send: (text) => valuesIn(text).forEach(hear), pause() {}, resume() {}, end() {} },
      );
    };
    open("all", (value) => this.#hearValue(value));
    open("preferred", ({ path, value }) => {
      if (value === null) this.preferredAt.delete(path);
      else this.preferredAt.set(path, clock.monotonic());
    });
  }

  get filters(): readonly string[] {
    return this.link.filters;
  }

  hear(topic: string, payload: Uint8Array, isRetained: boolean): void {
    this.link.hear(topic, payload, isRetained);
  }

  close(): void {
    for (const outlet of this.#outlets) void outlet.close();
  }

  #hearValue({ path, source, value }: DeltaValue): void {
    let ofPath = this.values.get(path);
    if (ofPath === undefined) {
      ofPath = new Map();
      this.values.set(path, ofPath);
    }
    if (value === null) ofPath.delete(source);
    else ofPath.set(source, { value, at: this.#clock.monotonic() });
  }

  #hearLines(lines: string): void {
    for (const line of lines.split("\r\n")) {
      if (line === "") continue;
      const [address = "", ...fields] = line.split(/[,*]/);
      const at = this.#clock.monotonic();
      this.lastSentences.set(address.slice(3), { fields, at });
      // Type, value, unit and name.
      if (address.endsWith("XDR"))
        for (let name = 3; name < fields.length; name += 4) this.transducersAt.set(fields[name]!, at);
      const sum = /^[$!](.*)\*([0-9A-F]{2})$/.exec(line);
      const isRight = sum !== null && checksumOf(sum[1]!) === Number.parseInt(sum[2]!, 16);
      if (!isRight || line.length > 80) this.malformedSentence ??= line;
    }
  }
}

/** hub-history up to its lines. */
export class HistoryProgram implements Hearer {
  lines = 0;
  readonly history = new History({
    ...{ prefix: PREFIX, lane: LANE_SECONDS },
    onLine: () => {
      this.lines++;
    },
  });

  get filters(): readonly string[] {
    return this.history.filters;
  }

  hear(topic: string, payload: Uint8Array, isRetained: boolean): void {
    this.history.hear(topic, payload, isRetained);
  }
}
