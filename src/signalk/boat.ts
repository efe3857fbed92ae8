/** From hub's messages and reports to the model of Signal K. Times are milliseconds, monotonic, of the arrival of a message. */
import type { ActiveAlarm, AlarmsData } from "../alarms/report.ts";
import { keyNames } from "../n2k/layout.ts";
import type { AisReport } from "../nav/ais-report.ts";
import type { NavigationReport, NavSourceInfo } from "../nav/navigation-report.ts";
import { EXPIRE_AFTER_SECONDS } from "../report/envelope.ts";
import { isoTime } from "../text/date.ts";
import { type Delta, Model, type Origin, type Told } from "./model.ts";
import { type NavigationGroup, navigationPaths } from "./navigation-paths.ts";
import { anchorPaths, endOf, notificationOf, notificationPath } from "./notification-paths.ts";
import { type PgnPaths, pgnPaths, segmentOf } from "./pgn-paths.ts";
import type { Row, Value } from "./row.ts";
import { Sources } from "./sources.ts";
import { contextOf, stations, type Target } from "./target-paths.ts";

/** A message of hub, parsed; its members are not checked. */
export interface HubMessage<Data = Readonly<Record<string, unknown>>> {
  readonly data: Data;
  readonly metadata: { readonly rxDate: string; readonly expireAfterSec?: number };
}

interface BoatOptions {
  /** URN of the boat: `urn:mrn:signalk:uuid:…` or `urn:mrn:imo:mmsi:…`. */
  readonly self: string;
  /** First part of the sources' names: the interface of hub-cand. */
  readonly label: string;
  /** RFC 3339 with milliseconds. */
  readonly startedAt: string;
  readonly listener: (delta: Delta) => void;
}

const NEVER = Number.POSITIVE_INFINITY;

/** Those of one PGN, with the names of what tells its streams apart. */
interface PgnReading {
  readonly keys: readonly string[];
  readonly entries: readonly PgnPaths[];
}

const readings: ReadonlyMap<number, PgnReading> = new Map(
  pgnPaths.map(({ definition: { pgn, ...definition } }) => [
    pgn,
    { keys: keyNames(definition), entries: pgnPaths.filter((entry) => entry.definition.pgn === pgn) },
  ]),
);

/** PGNs that are read. */
export const signalKPgns: readonly number[] = [...readings.keys()];

export class Boat {
  /** Context of the boat. */
  readonly self: string;
  readonly model: Model;
  readonly sources: Sources;
  #targets: ReadonlySet<string> = new Set();
  readonly #alarms = new Map<string, ActiveAlarm>();

  constructor({ self, label, startedAt, listener }: BoatOptions) {
    this.self = `vessels.${self}`;
    this.model = new Model(listener);
    this.sources = new Sources(label);
    this.#identify(self, startedAt);
  }

  /** The URN as a member of the vessel. */
  #identify(urn: string, timestamp: string): void {
    const mmsi = /^urn:mrn:imo:mmsi:(\d{9})$/.exec(urn)?.[1];
    const path = mmsi === undefined ? "uuid" : "mmsi";
    const origin = { source: "hub", timestamp, stream: "hub", now: 0, expiresAt: NEVER };
    const meta = { description: "Identity of the boat" };
    this.model.tell(this.self, origin, [{ path, meta, value: mmsi ?? urn, isFixed: true, isPlain: true }]);
  }

  /** A message of a PGN, from the device at `address`. Throws TypeError for a message that hub cannot have sent. */
  hearPgn(address: number, pgn: number, { data, metadata }: HubMessage, now: number): void {
    const reading = readings.get(pgn);
    if (reading === undefined) return;
    const source = this.sources.at(address);
    const origin: Origin = {
      source,
      timestamp: metadata.rxDate,
      pgn,
      stream: `${source} ${pgn} ${reading.keys.map((name) => data[name]).join(" ")}`,
      now,
      expiresAt: expiry(now, metadata),
    };
    const told = reading.entries.flatMap((entry) => valuesOf(entry, data));
    this.model.publish(this.self, [this.model.tell(this.self, origin, told)]);
  }

  /** The navigation report. What it does not have any more dies. */
  hearNavigation({ data, metadata }: NavigationReport, now: number): void {
    const received = Date.parse(metadata.rxDate);
    const updates = Object.entries(navigationPaths).map(([name, rows]) => {
      const group = data[name as NavigationGroup];
      const from: NavSourceInfo | undefined = group?.source;
      const origin: Origin = {
        source: from === undefined ? "hub" : this.sources.named(from.name),
        timestamp: isoTime(received - (from?.age ?? 0) * 1000),
        pgn: from?.pgn,
        // hub has chosen: its choice always counts.
        stream: "navigation",
        now,
        expiresAt: expiry(now, metadata),
      };
      return this.model.tell(this.self, origin, told(rows as readonly Row<unknown>[], group));
    });
    this.model.publish(this.self, updates);
  }

  /**
   * The AIS report. Values of ships that it does not have any more die: a client that was not told would go on showing their closest
   * approach.
   */
  hearAis({ data: { targets }, metadata }: AisReport, now: number): void {
    const contexts = new Set<string>();
    for (const target of targets) {
      const station = stations[target.class];
      if (station === undefined) continue;
      const context = contextOf(station.root, target.mmsi);
      // A boat that is told apart by its MMSI may hear itself.
      if (context === this.self) continue;
      contexts.add(context);
      const origin: Origin = {
        source: "hub.ais",
        timestamp: target.lastSeen,
        stream: "ais",
        now,
        expiresAt: expiry(now, metadata),
      };
      this.model.publish(context, [this.model.tell(context, origin, told<Target>(station.rows, target))]);
    }
    for (const gone of this.#targets) if (!contexts.has(gone)) this.model.forget(gone, metadata.rxDate);
    this.#targets = contexts;
  }

  /** The alarms, and the anchor watch. */
  hearAlarms({ data, metadata }: HubMessage<AlarmsData>, now: number): void {
    const origin: Origin = {
      source: "hub.alarms",
      timestamp: metadata.rxDate,
      stream: "alarms",
      now,
      expiresAt: expiry(now, metadata),
    };
    const values = [...this.#notifications(data.alarms), ...told(anchorPaths, data.anchorWatch)];
    this.model.publish(this.self, [this.model.tell(this.self, origin, values)]);
  }

  /** Values of the alarms that are on, and of those that were. */
  #notifications(alarms: readonly ActiveAlarm[]): Told[] {
    const meta = { description: "Alarm of hub" };
    const active = new Map(alarms.map((alarm) => [notificationPath(alarm), alarm]));
    const ended = [...this.#alarms].filter(([path]) => !active.has(path));
    this.#alarms.clear();
    for (const [path, alarm] of active) this.#alarms.set(path, alarm);
    return [
      ...[...active].map(([path, alarm]) => ({ path, meta, value: notificationOf(alarm) })),
      ...ended.map(([path, alarm]) => ({ path, meta, value: endOf(alarm), isFixed: true })),
    ];
  }

  /** hub-cand is offline, so that nothing counts any more. `timestamp` is that of its end. */
  forget(timestamp: string): void {
    for (const context of this.#targets) this.model.forget(context, timestamp);
    this.#targets = new Set();
    this.#alarms.clear();
    this.model.forget(this.self, timestamp);
  }
}

const expiry = (now: number, { expireAfterSec = EXPIRE_AFTER_SECONDS }: HubMessage["metadata"]): number =>
  now + expireAfterSec * 1000;

/** The values that the rows read of a part of a report; all undefined where the report does not have the part. */
const told = <Data>(rows: readonly Row<Data>[], data: Data | undefined): Told[] =>
  rows.map((one) => ({ ...one, value: data === undefined ? undefined : one.value(data) }));

/** The values that the rows of an entry read of a message. */
function valuesOf({ when, each, rows }: PgnPaths, data: Readonly<Record<string, unknown>>): Told[] {
  for (const name in when) if (data[name] !== when[name]) return [];
  if (each === undefined) return rows.flatMap((one) => toldBy(one, data));
  const items = data[each] as readonly Readonly<Record<string, unknown>>[] | undefined;
  return (items ?? []).flatMap((item) => {
    const both = { ...data, ...item };
    return rows.flatMap((one) => toldBy(one, both));
  });
}

/** The value that a row reads of a message; none where the message does not name its place. */
function toldBy({ path, meta, value, ...rest }: Row<never>, data: Readonly<Record<string, unknown>>): readonly Told[] {
  const filled = pathOf(path, (name) => segmentOf(name, data[name]));
  if (filled === undefined) return [];
  return [{ ...rest, meta, path: filled, value: (value as Row<typeof data>["value"])(data) as Value | undefined }];
}

/** A path with the segments of its names; undefined where one has none. */
function pathOf(path: string, segment: (name: string) => string | undefined): string | undefined {
  let isWhole = true;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const text = segment(name);
    isWhole &&= text !== undefined;
    return text ?? "";
  });
  return isWhole ? filled : undefined;
}
