/**
 * The alarms as a function of messages, reports, commands and time, evaluated once a second. Times are milliseconds,
 * monotonic; the wall clock is for timestamps only. The same calls give the same reports.
 */

import type { Definition, Message } from "../n2k/definition.ts";
import type { Thing } from "../n2k/thing.ts";
import type { Approach } from "../nav/ais-targets.ts";
import { greatCircle, METRES_PER_MILE, type Position } from "../nav/great-circle.ts";
import type { NavigationData } from "../nav/navigation-report.ts";
import type { ReceiverFix } from "../nav/navigator.ts";
import { isoTime } from "../text/date.ts";
import { BusAlerts } from "./bus-alerts.ts";
import type { AlarmAnswer, AlarmCommand } from "./commands.ts";
import { ESCALATE_AFTER_MS, type Severity, SILENCE_MS, severities } from "./constants.ts";
import { type AlarmDefinition, type AlarmKind, alarmKinds, definitionOf } from "./definitions.ts";
import { DepthWatch } from "./depth-watch.ts";
import { BUTTON, type Call, Distress, isSilent, positionIn } from "./distress.ts";
import type { Key, Reading } from "./hazards/hazard.ts";
import type { NeededData } from "./hazards/system.ts";
import type { KeptCall } from "./kept-call.ts";
import { LatestMessages } from "./latest-messages.ts";
import { NominalVolts } from "./nominal-volts.ts";
import { Notices } from "./notices.ts";
import { OwnLimits } from "./own-limits.ts";
import { plausibleReport } from "./plausible.ts";
import type { Heard, Input, Memory } from "./reads.ts";
import { ReceiverWatch } from "./receiver-watch.ts";
import { type ActiveAlarm, type AlarmsData, MAX_ALARMS, type watchStates } from "./report.ts";
import { type AlarmSettings, defaultAlarmSettings } from "./settings.ts";
import { type AnchorWatch, type DiskSpace, type NewDevice, type Situation, Stillness } from "./situation.ts";
import { thingOfSubject } from "./subjects.ts";
import { WindShift } from "./wind-shift.ts";

/** What the hazards read; two inputs may be of one PGN. */
const allInputs = [...new Set(alarmKinds.flatMap((kind) => definitionOf(kind).reads ?? []))];
const inputsByPgn: ReadonlyMap<number, readonly Input[]> = new Map(
  allInputs.map(({ definition: { pgn } }) => [pgn, allInputs.filter(({ definition }) => definition.pgn === pgn)]),
);

/** Definitions by which the messages are decoded; everything else comes from the reports. */
export const alarmMessages: readonly Definition[] = [...new Set(allInputs.map(({ definition }) => definition))];

/** A message of one of these definitions. */
export type AlarmMessage = Message<Definition>;

/** An alarm without data stays for this long, because a sounder loses the bottom where it is shallowest. */
const HOLD_MS = 60_000;
/** Time within the limit after which an alarm ends. */
const END_AFTER_MS = 3000;
const CLOCK_TOLERANCE_MS = 60_000;
/** A bus is never silent for so long: its devices send several times a second. */
const SILENT_AFTER_MS = 3000;
/** Depth below which a sounder may lose the bottom; the nearest shallow ground is minutes away. */
const DEEP_METRES = 30;

/** What is known of the boat and the ships around it when the alarms are evaluated. */
export interface Surroundings {
  readonly navigation: NavigationData;
  readonly targets: readonly Approach[];
  /** Whether the device at an address was heard recently, and its name: the crew's name, or else its model. */
  readonly isHeard: (address: number) => boolean;
  readonly nameOfDevice: (address: number) => string | undefined;
  /** The crew's name for a thing. */
  readonly nameOfThing: (thing: Thing) => string | undefined;
  /** Receivers with a fix. */
  readonly receivers: readonly ReceiverFix[];
  /** When a sounder was last heard, with or without a depth, monotonic milliseconds; undefined: never. */
  readonly sounderHeardAt: number | undefined;
  /** See `Health`. */
  readonly clockAheadSec: number | undefined;
  /** The disk with the least space among those that hub writes to. */
  readonly disk: DiskSpace | undefined;
  /** See `Situation`. */
  readonly newDevices: readonly NewDevice[] | undefined;
  /** Addresses that have sent AIS. */
  readonly aisSources: ReadonlySet<number>;
  /** When a device was last heard, monotonic milliseconds; undefined: never. */
  readonly heardAt: number | undefined;
}

/** State of a reading from one observation to the next. */
interface Track {
  /** The times since which the value is beyond the limit, and within it. */
  beyondSince: number | undefined;
  withinSince: number | undefined;
  lastRead: number;
  /** Set while the alarm is raised. */
  alarm: Alarm | undefined;
}

interface Alarm {
  /** Wall clock. */
  readonly since: number;
  reading: Reading;
  isAcknowledged: boolean;
  /** Monotonic; an alarm that was never silenced has sounded since it was raised. */
  silencedUntil: number;
}

/** A person overboard reported by the button: the place, if it is known, and the time. */
interface ManOverboard extends Partial<Position> {
  readonly at: string;
}

/** A kind with its definition and its tracks by key. */
interface Watch {
  readonly kind: AlarmKind;
  readonly definition: AlarmDefinition;
  readonly tracks: Map<Key, Track>;
  readonly hasTrack: (key: Key) => boolean;
}

function watchOf(kind: AlarmKind): Watch {
  const tracks = new Map<Key, Track>();
  return { kind, definition: definitionOf(kind), tracks, hasTrack: (key) => tracks.has(key) };
}

/** Copied for each report: an object that grows by one member after the other costs V8 a dictionary. */
const unwatched: AlarmsData["watching"] = Object.fromEntries(alarmKinds.map((kind) => [kind, "off"]));

interface Raised {
  readonly id: string;
  readonly kind: AlarmKind;
  readonly alarm: Alarm;
}

export class AlarmMonitor {
  #settings: AlarmSettings = defaultAlarmSettings;
  readonly #latest = new LatestMessages();
  readonly #nominalVolts = new NominalVolts();
  readonly #distress = new Distress();
  readonly #notices = new Notices();
  readonly #memory: Memory = {
    latest: this.#latest,
    nominalVolts: this.#nominalVolts,
    distress: this.#distress,
    notices: this.#notices,
    busAlerts: new BusAlerts(this.#notices),
  };
  readonly #stillness = new Stillness();
  readonly #watches = new Map(alarmKinds.map((kind) => [kind, watchOf(kind)]));
  #anchorWatch: AnchorWatch | undefined;
  #manOverboard: ManOverboard | undefined;
  readonly #depth = new DepthWatch();
  readonly #receivers = new ReceiverWatch();
  readonly #windShift = new WindShift();
  readonly #ownLimits = new OwnLimits();
  /** Whether watched data was there and is missing now. */
  readonly #lost = new Map<NeededData, boolean>();
  #position: Position | undefined;
  #hadPosition = false;

  get anchorWatch(): AnchorWatch | undefined {
    return this.#anchorWatch;
  }

  /** The report of the button while it is pressed. */
  get manOverboard(): ManOverboard | undefined {
    return this.#manOverboard;
  }

  /** See `Distress.kept`; each call as it was last evaluated. */
  keptCalls(now: number, wall: number): ReadonlyMap<string, KeptCall> {
    const alarmOf = ({ kind, subject }: Call): Alarm | undefined => this.#watches.get(kind)!.tracks.get(subject)?.alarm;
    return this.#distress.kept((call) => alarmOf(call)?.isAcknowledged ?? call.wasAcknowledged ?? false, now, wall);
  }

  configure(settings: AlarmSettings): void {
    this.#settings = settings;
    this.#ownLimits.configure(settings.limits.rows);
    const ids = new Set<Key>(settings.limits.rows.map(({ id }) => id));
    const { tracks } = this.#watches.get("limits")!;
    for (const id of tracks.keys()) if (!ids.has(id)) tracks.delete(id);
  }

  /** The PGNs of the crew's own limits; `hearWatched` takes their messages when they are published. */
  get watchedPgns(): ReadonlySet<number> {
    return this.#ownLimits.pgns;
  }

  hearWatched(pgn: number, message: object, heard: Heard): void {
    this.#ownLimits.hear(pgn, message as Readonly<Record<string, unknown>>, heard);
  }

  /** Takes a message of `alarmMessages`. */
  hear(message: AlarmMessage, heard: Heard): void {
    for (const input of inputsByPgn.get(message.pgn) ?? []) input.hear(this.#memory, message, heard);
  }

  /**
   * Executes a command at `now`, with the timestamp `wall`. False if that is impossible: no such alarm, or an anchor
   * watch without a position.
   */
  execute(command: AlarmCommand, now: number, wall: number): boolean {
    switch (command.kind) {
      case "endAnchorWatch":
        this.#anchorWatch = undefined;
        this.#watches.get("anchor")!.tracks.clear();
        return true;
      case "watchAnchor": {
        const { radius = this.#settings.anchor.radius, latitude, longitude } = command.watch;
        const position = latitude === undefined || longitude === undefined ? this.#position : { latitude, longitude };
        if (position === undefined) return false;
        this.#anchorWatch = { latitude: position.latitude, longitude: position.longitude, radius };
        return true;
      }
      case "pressManOverboard": {
        const { latitude, longitude } = command.call;
        // A screen whose clock is ahead cannot know of a person that falls tomorrow.
        const at = Date.parse(command.call.at ?? "") <= wall + CLOCK_TOLERANCE_MS ? command.call.at! : isoTime(wall);
        const position = latitude === undefined || longitude === undefined ? this.#position : { latitude, longitude };
        // A press after a release is another call, also while the alarm of the first one ends.
        if (this.#manOverboard === undefined) this.#watches.get("manOverboard")!.tracks.delete(BUTTON);
        // The first press counts; a later one adds the position if the first one had none.
        this.#manOverboard = { ...position, at, ...this.#manOverboard };
        this.#distress.press(Date.parse(this.#manOverboard.at), positionIn(this.#manOverboard));
        return true;
      }
      case "releaseManOverboard":
        this.#manOverboard = undefined;
        for (const { id, alarm } of this.#raised()) if (id === `manOverboard-${BUTTON}`) alarm.isAcknowledged = true;
        return this.#distress.release();
      case "raiseExternal": {
        const { severity, message: text, expireAfterSec = Number.POSITIVE_INFINITY } = command.alarm;
        const until = now + expireAfterSec * 1000;
        return this.#notices.raise({ kind: "external", key: command.id, severity, text, until });
      }
      case "endExternal":
        return this.#notices.end("external", command.id);
      case "restoreCall": {
        const { callKind, subject, call } = command;
        return call !== undefined && this.#distress.restore(callKind, subject, call, now, wall);
      }
      case "answer": {
        const { id, answer } = command;
        const alarms = this.#raisedAs(id, answer);
        for (const { alarm } of alarms) {
          if (answer === "acknowledge") alarm.isAcknowledged = true;
          else alarm.silencedUntil = now + SILENCE_MS;
        }
        return alarms.length > 0;
      }
    }
  }

  /** Evaluates all alarms at `now` and returns the report. */
  observe(surroundings: Surroundings, now: number, wall: number): AlarmsData {
    const situation = this.#situationOf(surroundings, now, wall);
    const watching = { ...unwatched };
    for (const watch of this.#watches.values()) watching[watch.kind] = this.#watch(watch, situation, now, wall);
    this.#distress.forgetSilent(now, (kind, subject) => this.#watches.get(kind)!.hasTrack(subject));
    return {
      alarms: this.#alarms(surroundings.nameOfThing, now),
      watching,
      unheardLimits: this.#unheardLimits(situation),
      anchorWatch: this.#anchorWatch && { ...this.#anchorWatch, distance: situation.anchorDistance },
    };
  }

  #unheardLimits({ ownLimits }: Situation): string[] | undefined {
    const unheard = this.#settings.limits.enabled ? this.#ownLimits.unheard(ownLimits) : [];
    return unheard.length === 0 ? undefined : [...unheard];
  }

  #situationOf(surroundings: Surroundings, now: number, wall: number): Situation {
    const { targets, receivers, isHeard, nameOfDevice, clockAheadSec, disk, newDevices, aisSources, heardAt } =
      surroundings;
    const navigation = plausibleReport(surroundings.navigation);
    const { latitude, longitude, hasFix } = navigation.position ?? {};
    this.#position =
      hasFix === true && latitude !== undefined && longitude !== undefined ? { latitude, longitude } : undefined;
    this.#hadPosition ||= this.#position !== undefined;
    this.#latest.removeStale(now);
    this.#notices.removeEnded(now, isHeard);
    const { cog, sog, speedThroughWater } = navigation.speed_course ?? {};
    const isStill = this.#stillness.observe(sog, speedThroughWater, now);
    const { depth: depthSettings, depthLost } = this.#settings;
    const depth = this.#depth.observe(navigation, depthSettings, now);
    const wasLow = depthLost.enabled && depth.last !== undefined && depth.last < depthLost.limit;
    const isSounding = now - (surroundings.sounderHeardAt ?? Number.NEGATIVE_INFINITY) < SILENT_AFTER_MS;
    const isBottomless = isSounding && (depth.last ?? 0) > DEEP_METRES;
    this.#watchFor("depth", depth.value !== undefined || wasLow || isBottomless);
    this.#watchFor("course", (cog != null && sog != null) || this.#position === undefined);
    this.#watchFor("ships", [...aisSources].some(isHeard));
    this.#watchFor("wind", (navigation.wind_true?.speed ?? navigation.wind_apparent?.speed) != null);
    const anchorWatch = this.#anchorWatch;
    this.#distress.observe(targets, this.#position, wall);
    return {
      navigation,
      targets,
      latest: (input) => this.#latest.of(input),
      reported: (input) => this.#latest.reported(input),
      notices: (kind) => this.#notices.of(kind),
      nameOfDevice,
      now,
      depth: { ...depth, wasLow },
      depthLimit: depthSettings.limit,
      receivers,
      jumps: this.#receivers.observe(receivers, sog, now),
      windShift: this.#windShift.observe(navigation.wind_true?.direction, now),
      ownLimits: this.#ownLimits.readings(navigation, nameOfDevice, now),
      clockAheadSec,
      disk,
      newDevices,
      isSilent: heardAt === undefined ? undefined : now - heardAt > SILENT_AFTER_MS,
      lost: this.#lost,
      nominalVolts: (instance, source) => this.#nominalVolts.of(instance, source),
      position: this.#position,
      calls: this.#distress.calls,
      isOver: (call) => isSilent(call, now),
      anchorWatch,
      anchorDistance: anchorWatch && this.#position && greatCircle(anchorWatch, this.#position).range * METRES_PER_MILE,
      hadPosition: this.#hadPosition,
      isMoored: isStill && anchorWatch === undefined,
      isAtAnchor: isStill && anchorWatch !== undefined,
    };
  }

  /** Data counts as lost only after it has been there once. */
  #watchFor(what: NeededData, isThere: boolean): void {
    if (isThere || this.#lost.has(what)) this.#lost.set(what, !isThere);
  }

  #watch(watch: Watch, situation: Situation, now: number, wall: number): (typeof watchStates)[number] {
    const { kind, definition, tracks, hasTrack } = watch;
    const settings = this.#settings[kind];
    if (!settings.enabled) {
      tracks.clear();
      return "off";
    }
    const readings = definition.readings(situation, settings, hasTrack);
    const isQuiet = definition.isQuiet?.(situation) ?? false;
    const isLatched = definition.isLatched ?? false;
    for (const reading of readings) {
      const key = keyOf(reading);
      let track = tracks.get(key);
      if (track === undefined) {
        if (reading.zone === "within") continue;
        track = { beyondSince: undefined, withinSince: undefined, lastRead: now, alarm: undefined };
        tracks.set(key, track);
      }
      const { seconds = settings.delay } = reading;
      step(track, reading, { now, wall, delay: seconds * 1000, isQuiet, isLatched });
      if (track.alarm === undefined && reading.zone === "within") tracks.delete(key);
    }
    tracks.forEach((track, key) => {
      if (definition.isListed && track.lastRead !== now) {
        if (track.alarm !== undefined)
          step(track, { ...track.alarm.reading, zone: "within" }, { now, wall, delay: 0, isQuiet, isLatched });
        if (track.alarm === undefined) tracks.delete(key);
      }
      if (now - track.lastRead >= HOLD_MS) tracks.delete(key);
    });
    if (isQuiet) return "quiet";
    const { isListed = false, canWatch = () => isListed || readings.length > 0 } = definition;
    return canWatch(situation) ? "on" : "no data";
  }

  /** Whether there is an alarm of this id, or any at all for `all`. */
  isRaised(id: string): boolean {
    return this.#raised().some((each) => id === "all" || id === each.id);
  }

  /** The alarms that an answer is for. An emergency is acknowledged by its own name only. */
  #raisedAs(id: string, answer: AlarmAnswer): Raised[] {
    const isOfAll = (raised: Raised): boolean => answer === "silence" || severityOf(raised) !== "emergency";
    return this.#raised().filter((each) => (id === "all" ? isOfAll(each) : id === each.id));
  }

  #raised(): Raised[] {
    const raised: Raised[] = [];
    this.#watches.forEach(({ kind, tracks }) => {
      tracks.forEach(({ alarm }, key) => {
        if (alarm !== undefined) raised.push({ id: key === undefined ? kind : `${kind}-${key}`, kind, alarm });
      });
    });
    return raised;
  }

  #alarms(nameOfThing: Surroundings["nameOfThing"], now: number): ActiveAlarm[] {
    const all = this.#raised().sort(
      (a, b) =>
        severities.indexOf(severityOf(a)) - severities.indexOf(severityOf(b)) ||
        alarmKinds.indexOf(a.kind) - alarmKinds.indexOf(b.kind) ||
        a.alarm.since - b.alarm.since,
    );
    return mostOf(all).map((raised) => activeAlarm(raised, nameOfThing, now));
  }
}

/** The alarms of a report: the first of each kind, then the second ones, so that many of one kind hide no other kind. */
function mostOf(all: readonly Raised[]): readonly Raised[] {
  const counts = new Map<AlarmKind, number>();
  const places = all.map((raised) => {
    const place = counts.get(raised.kind) ?? 0;
    counts.set(raised.kind, place + 1);
    return { raised, place };
  });
  places.sort((a, b) => a.place - b.place);
  const kept = new Set(places.slice(0, MAX_ALARMS).map(({ raised }) => raised));
  return all.filter((raised) => kept.has(raised));
}

/** Key of a reading within its kind. */
const keyOf = ({ key, subject }: Reading): Key => key ?? subject;

function severityOf({ kind, alarm }: Raised): Severity {
  const { severity } = definitionOf(kind);
  return severity === "each" ? (alarm.reading.severity ?? "alarm") : severity;
}

function activeAlarm(raised: Raised, nameOfThing: Surroundings["nameOfThing"], now: number): ActiveAlarm {
  const { id, kind, alarm } = raised;
  const { since, reading } = alarm;
  const thing = thingOfSubject(kind, reading);
  const { subject, name = thing && nameOfThing(thing), value, limit, minutes, place, answered } = reading;
  const { title: ofKind, unit = reading.unit, isAnsweredElsewhere } = definitionOf(kind);
  const { title = ofKind } = reading;
  const isAcknowledged = alarm.isAcknowledged || answered === "acknowledged";
  const isSilenced = now < alarm.silencedUntil || answered === "silenced";
  const state = isAcknowledged ? "acknowledged" : isSilenced ? "silenced" : "active";
  const isHereOnly = isAnsweredElsewhere && alarm.isAcknowledged && answered !== "acknowledged";
  const text = isHereOnly ? `${reading.text} (acknowledged here, not at the device)` : reading.text;
  const severity = severityOf(raised);
  // A crew may know of a warning and let it wait for daylight.
  const isUnanswered = state === "active" && severity !== "warning" && now - alarm.silencedUntil >= ESCALATE_AFTER_MS;
  const unanswered = isUnanswered || undefined;
  const shown = { subject, name, value, limit, minutes, unit, text, ...place };
  return { id, kind, title, severity, state, unanswered, ...shown, since: isoTime(since) };
}

interface Step {
  readonly now: number;
  readonly wall: number;
  readonly delay: number;
  readonly isQuiet: boolean;
  readonly isLatched: boolean;
}

/** Whether the alarm has become more severe than at its answer. */
const isWorse = ({ severity: now }: Reading, { severity: before }: Reading): boolean =>
  now !== undefined && before !== undefined && severities.indexOf(now) < severities.indexOf(before);

/** Raises, keeps or ends the alarm of a track. */
function step(track: Track, reading: Reading, { now, wall, delay, isQuiet, isLatched }: Step): void {
  track.lastRead = now;
  track.beyondSince = reading.zone === "beyond" && !isQuiet ? (track.beyondSince ?? now) : undefined;
  track.withinSince = reading.zone === "within" ? (track.withinSince ?? now) : undefined;
  const { alarm, beyondSince, withinSince } = track;
  if (alarm === undefined) {
    if (beyondSince === undefined || now - beyondSince < delay) return;
    track.alarm = { since: wall, reading, isAcknowledged: reading.wasAcknowledged ?? false, silencedUntil: now };
    return;
  }
  if (isWorse(reading, alarm.reading)) Object.assign(alarm, { isAcknowledged: false, silencedUntil: now });
  alarm.reading = reading;
  const isOver = withinSince !== undefined && now - withinSince >= END_AFTER_MS;
  const hasEnded = isOver && (alarm.isAcknowledged || !isLatched);
  // A crew that has moored in shallow water and has acknowledged the alarm is not reminded of it.
  if (hasEnded || (isQuiet && alarm.isAcknowledged)) track.alarm = undefined;
}
