/**
 * Updates the model of Signal K from hub's messages and reports. Times are the arrival of a message, monotonic
 * milliseconds.
 */
import { type AlarmsData, MAX_ALARMS } from "../../core/alarms/report.ts";
import { type FindingsData, MAX_FINDINGS } from "../../core/findings/report.ts";
import { keyNames } from "../../core/n2k/layout.ts";
import { navigationData } from "../../core/n2k/pgns/route.ts";
import { routeWaypointInformation } from "../../core/n2k/pgns/routes.ts";
import { nameOfThing } from "../../core/n2k/thing.ts";
import { HIGHEST_MMSI, MAX_TARGETS } from "../../core/nav/ais-messages.ts";
import type { AisReport } from "../../core/nav/ais-report.ts";
import type { NavigationReport, NavSourceInfo } from "../../core/nav/navigation-report.ts";
import { Routes } from "../../core/nav/routes.ts";
import { expiryOf } from "../../core/report/timing.ts";
import { isoTime } from "../../core/text/date.ts";
import { type CourseReport, courseLines, courseRows } from "./course-report.ts";
import { Holders } from "./holders.ts";
import { Model, type ModelListener, type Origin, type Telling } from "./model.ts";
import { type NavigationGroup, navigationPaths } from "./navigation-paths.ts";
import {
  anchorPaths,
  endOf,
  findingPath,
  notificationOf,
  notificationOfFinding,
  notificationPath,
} from "./notification-paths.ts";
import { type PathOf, pathOf } from "./path-template.ts";
import { pgnPaths, thingNamePaths } from "./pgn-paths.ts";
import type { PgnPaths } from "./pgn-rows.ts";
import type { Known, Row, Value } from "./row.ts";
import { Sources } from "./sources.ts";
import { contextOf, stations } from "./target-paths.ts";

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
  readonly listener: ModelListener;
}

interface Notification {
  readonly title: string;
  readonly value: Value;
  /** Id of the alarm; absent for a finding. */
  readonly alarm?: string;
}

export interface ActiveNotification extends Pick<Notification, "alarm"> {
  readonly id: string;
  readonly path: string;
  readonly value: Value;
}

const NEVER = Number.POSITIVE_INFINITY;

/** Rows of reports read their report alone. */
const NOTHING: Known = {};

type Data = Readonly<Record<string, unknown>>;

interface PlacedRow extends Row<Data> {
  readonly pathOf: PathOf;
  /** Characters of the path after its instance; undefined for a path without one. */
  readonly afterInstance: number | undefined;
}

function placed(row: Row<Data>): PlacedRow {
  const end = row.path.lastIndexOf("}") + 1;
  return { ...row, pathOf: pathOf(row.path), afterInstance: end === 0 ? undefined : row.path.length - end };
}

/** The rows of one PGN, with the key fields that distinguish its streams. */
interface PgnReading {
  readonly keys: readonly string[];
  /** The row of the crew's name of the thing that its messages are about. */
  readonly named: (Row<{ readonly name: string | undefined }> & { readonly pathOf: PathOf }) | undefined;
  readonly entries: readonly (PgnPaths & { readonly rows: readonly PlacedRow[] })[];
}

const readings: ReadonlyMap<number, PgnReading> = new Map(
  pgnPaths.map(({ definition: { pgn, ...definition } }) => [
    pgn,
    {
      keys: keyNames(definition),
      named: thingNamePaths
        .filter((entry) => entry.definition.pgn === pgn)
        .map(({ row }) => ({ ...row, pathOf: pathOf(row.path) }))[0],
      entries: pgnPaths
        .filter((entry) => entry.definition.pgn === pgn)
        .map((entry) => ({ ...entry, rows: entry.rows.map(placed) })),
    },
  ]),
);

const navigationGroups = Object.entries(navigationPaths) as readonly (readonly [NavigationGroup, readonly Row[]])[];

export const signalKPgns: readonly number[] = [...readings.keys()];

export class Boat {
  /** Context of the boat. */
  readonly self: string;
  readonly model: Model;
  readonly sources: Sources;
  #targets: ReadonlySet<string> = new Set();
  #waypointId: Known["waypointId"];
  readonly #routes = new Routes();
  readonly #holders = new Holders();
  #motion: Known["motion"];
  /** Active notifications, by report and path. */
  readonly #notifications = new Map<string, ReadonlyMap<string, Notification>>();

  constructor({ self, label, startedAt, listener }: BoatOptions) {
    this.self = `vessels.${self}`;
    this.model = new Model(listener);
    this.sources = new Sources(label, (renamed) => {
      this.#holders.rename(renamed);
      this.model.rename(this.self, renamed);
    });
    this.#identify(self, startedAt);
  }

  /**
   * Values, ships, alarms, devices and texts that were left out, because they were too long, too many, or without an
   * MMSI.
   */
  get leftOut(): number {
    return this.model.leftOut + this.sources.leftOut;
  }

  /** The URN as a member of the vessel. */
  #identify(urn: string, timestamp: string): void {
    const mmsi = /^urn:mrn:imo:mmsi:(\d{9})$/.exec(urn)?.[1];
    const path = mmsi === undefined ? "uuid" : "mmsi";
    const origin = { source: "hub", timestamp, stream: "hub", now: 0, expiresAt: NEVER };
    const meta = { description: "Identity of the boat" };
    this.model.tell(this.self, path, mmsi ?? urn, { meta, isFixed: true, isPlain: true }, origin);
  }

  /**
   * Takes a message of a PGN, from the device at `address`. Throws TypeError for a message that hub cannot have sent.
   */
  hearPgn(address: number, pgn: number, { data: part, metadata }: HubMessage, now: number): void {
    const reading = readings.get(pgn);
    if (reading === undefined) return;
    const data = pgn === routeWaypointInformation.pgn ? this.#routes.join(String(address), part, now) : part;
    const source = this.sources.at(address);
    if (pgn === navigationData.pgn) this.#waypointId = data.waypointId as number | undefined;
    const known: Known = {
      manufacturer: this.sources.manufacturerAt(address),
      waypointId: this.#waypointId,
      motion: this.#motion,
    };
    const origin: Origin = {
      source,
      timestamp: timestampIn(metadata.rxDate),
      pgn,
      stream: streamOf(source, pgn, reading.keys, data),
      now,
      expiresAt: expiry(now, metadata),
    };
    const names = this.sources.namesAt(address);
    for (const { when, each, rows } of reading.entries) {
      if (!has(data, when)) continue;
      for (const item of each === undefined ? [data] : itemsOf(data, each)) {
        const name = nameOfThing(names, pgn, item);
        for (const row of rows) {
          const path = row.pathOf(item);
          if (path === undefined) continue;
          const telling = tellingOf(row, name);
          const isHeld = this.#holds(row, path, origin);
          this.model.tell(
            this.self,
            path,
            row.value(item, known),
            isHeld ? { ...telling, isPreferred: true } : telling,
            origin,
          );
        }
      }
    }
    const { named } = reading;
    const path = named?.pathOf(data);
    if (named === undefined || path === undefined) return;
    const name = nameOfThing(names, pgn, data);
    this.model.tell(this.self, path, name, { meta: named.meta, isFixed: true, isBare: true }, origin);
  }

  #holds({ afterInstance }: PlacedRow, path: string, { source, now }: Origin): boolean {
    if (afterInstance === undefined) return false;
    return this.#holders.hear(path.slice(0, path.length - afterInstance), source, now);
  }

  /** Takes a navigation report. Values that it no longer has become null and leave the tree. */
  hearNavigation({ data, metadata }: NavigationReport, now: number): void {
    const received = Date.parse(metadata.rxDate);
    this.#motion = data.speed_course;
    for (const [name, rows] of navigationGroups) {
      const group = data[name];
      const from: NavSourceInfo | undefined = group?.source;
      const origin: Origin = {
        source: from === undefined ? "hub" : this.sources.named(from.name),
        timestamp: isoTime(received - (from?.age ?? 0) * 1000),
        pgn: from?.pgn,
        // hub has chosen the source: its choice always counts.
        stream: "navigation",
        now,
        expiresAt: expiry(now, metadata),
      };
      this.#tell(this.self, rows as readonly Row<unknown>[], group, origin);
    }
  }

  /**
   * Takes an AIS report. Values of ships that it no longer has become null; otherwise clients would go on showing their
   * closest approach.
   */
  hearAis({ data: { targets }, metadata }: AisReport, now: number): void {
    const contexts = new Set<string>();
    const at = timestampIn(metadata.rxDate);
    for (const target of this.model.atMost(MAX_TARGETS, targets)) {
      const station = stations[target.class];
      if (station === undefined) continue;
      if (!isMmsi(target.mmsi)) {
        this.model.leftOut += 1;
        continue;
      }
      const context = contextOf(station.root, target.mmsi);
      // A boat that is known by its MMSI may receive its own messages.
      if (context === this.self) continue;
      contexts.add(context);
      const origin: Origin = {
        source: "hub.ais",
        timestamp: timestampIn(target.lastSeen),
        stream: "ais",
        now,
        expiresAt: expiry(now, metadata),
      };
      const { positionSeen } = target;
      const placed = positionSeen === undefined ? origin : { ...origin, timestamp: timestampIn(positionSeen) };
      for (const row of station.rows)
        this.model.tell(context, row.path, row.value(target, NOTHING), row, row.isPosition ? placed : origin);
    }
    for (const gone of this.#targets) if (!contexts.has(gone)) this.model.forget(gone, at);
    this.#targets = contexts;
  }

  /** Takes a report of the alarms, with the anchor watch. */
  hearAlarms({ data, metadata }: HubMessage<AlarmsData>, now: number): void {
    const origin = originOf("alarms", metadata, now);
    const alarms = this.model.atMost(MAX_ALARMS, data.alarms).map((alarm) => {
      const { title } = alarm;
      return [notificationPath(alarm), { title, value: notificationOf(alarm), alarm: alarm.id }] as const;
    });
    this.#notify("Alarm of hub", alarms, origin);
    this.#tell(this.self, anchorPaths, data.anchorWatch, origin);
  }

  /** Takes a report of the findings; information is left out. */
  hearFindings({ data, metadata }: HubMessage<FindingsData>, now: number): void {
    const origin = originOf("findings", metadata, now);
    const faults = data.findings.filter(({ severity }) => severity !== "information");
    const findings = this.model.atMost(MAX_FINDINGS, faults).map((finding) => {
      const { title } = finding;
      return [findingPath(finding), { title, value: notificationOfFinding(finding) }] as const;
    });
    this.#notify("Finding of hub about the bus", findings, origin);
  }

  /** Takes the course that hub-link holds; undefined if it holds none. Its values do not expire by themselves. */
  hearCourse(course: CourseReport | undefined, now: number, timestamp: string): void {
    const origin: Origin = { source: "hub.course", timestamp, stream: "course", now, expiresAt: NEVER };
    this.#tell(this.self, courseRows, course, origin);
  }

  /** The way to a waypoint is another one from now on: values of the last one go. */
  forgetCourse(timestamp: string): void {
    this.#waypointId = undefined;
    this.#routes.clear();
    this.model.forgetPaths(this.self, courseLines, timestamp);
  }

  /** The value at a path of the boat; undefined if there is none, or it has expired. */
  valueAt(path: string): Value | undefined {
    return this.model.contexts.get(this.self)?.get(path)?.value ?? undefined;
  }

  /** The active notifications, by their reports. */
  notifications(): readonly ActiveNotification[] {
    return [...this.#notifications.values()].flatMap((active) =>
      [...active].flatMap(([path, { alarm }]) => {
        const value = this.valueAt(path) as { readonly id: string } | undefined;
        return value === undefined ? [] : [{ id: value.id, path, value, ...(alarm !== undefined && { alarm }) }];
      }),
    );
  }

  /** Sets the values of the active notifications of a report, and of those that have ended. */
  #notify(description: string, notifications: Iterable<readonly [string, Notification]>, origin: Origin): void {
    const meta = { description };
    const before = this.#notifications.get(origin.stream) ?? new Map();
    const active = new Map(notifications);
    for (const [path, { value }] of active) this.model.tell(this.self, path, value, { meta }, origin);
    for (const [path, { title }] of before)
      if (!active.has(path)) this.model.tell(this.self, path, endOf(title), { meta, isFixed: true }, origin);
    this.#notifications.set(origin.stream, active);
  }

  /** Sets the values that the rows read from a part of a report; without the part all are undefined. */
  #tell<Part>(context: string, rows: readonly Row<Part>[], part: Part | undefined, origin: Origin): void {
    for (const row of rows)
      this.model.tell(context, row.path, part === undefined ? undefined : row.value(part, NOTHING), row, origin);
  }

  /** hub-cand is offline, so that all values expire. `timestamp` is the time of its end. */
  forget(timestamp: string): void {
    for (const context of this.#targets) this.model.forget(context, timestamp);
    this.#targets = new Set();
    this.#notifications.clear();
    this.#waypointId = undefined;
    this.#routes.clear();
    this.#motion = undefined;
    this.model.forget(this.self, timestamp);
  }
}

/** The `Telling` of a value of a thing that the crew has named. */
function tellingOf(row: Row<Data>, name: string | undefined): Telling {
  if (name === undefined) return row;
  const { meta, label, ...marks } = row;
  const displayName = label === undefined ? name : `${name}: ${label.toLowerCase()}`;
  return { ...marks, meta: { ...meta, displayName } };
}

const expiry = (now: number, { expireAfterSec }: HubMessage["metadata"]): number =>
  now + expiryOf(expireAfterSec) * 1000;

/** The origin of a report that hub makes itself. */
const originOf = (report: "alarms" | "findings", metadata: HubMessage["metadata"], now: number): Origin => ({
  source: `hub.${report}`,
  timestamp: timestampIn(metadata.rxDate),
  stream: report,
  now,
  expiresAt: expiry(now, metadata),
});

const isMmsi = (mmsi: unknown): boolean =>
  Number.isInteger(mmsi) && (mmsi as number) >= 0 && (mmsi as number) <= HIGHEST_MMSI;

const LONGEST_TIMESTAMP = "2026-11-21T08:14:26.123456+00:00".length;

/** A time as messages have it; throws TypeError for anything else. */
function timestampIn(text: unknown): string {
  if (typeof text === "string" && text.length <= LONGEST_TIMESTAMP && !Number.isNaN(Date.parse(text))) return text;
  throw new TypeError("a message without a time");
}

/** The stream of a device to which a message belongs: a PGN and its key fields. */
const streamOf = (source: string, pgn: number, keys: readonly string[], data: Data): string =>
  keys.reduce((stream, name) => `${stream} ${data[name]}`, `${source} ${pgn}`);

/** Whether a message has the values that an entry requires. */
function has(data: Data, members: Data): boolean {
  for (const name in members) if (data[name] !== members[name]) return false;
  return true;
}

/** The items of a list, each with the other members of its message. */
const itemsOf = (data: Data, list: string): readonly Data[] =>
  ((data[list] ?? []) as readonly Data[]).map((item) => ({ ...data, ...item }));
