/**
 * The alarms as a function of messages, reports, commands and time, evaluated once a second. Times are milliseconds,
 * monotonic; the wall clock is for timestamps only. The same calls give the same reports.
 */

import type { Definition, Message } from "../n2k/definition.ts";
import { type Thing, thingOf } from "../n2k/thing.ts";
import type { Approach } from "../nav/ais-targets.ts";
import { greatCircle, METRES_PER_MILE, type Position } from "../nav/great-circle.ts";
import type { NavigationData } from "../nav/navigation-report.ts";
import type { OtherSounder, ReceiverFix } from "../nav/navigator.ts";
import { isoTime } from "../text/date.ts";
import { Barometer } from "./barometer.ts";
import { BusAlerts } from "./bus-alerts.ts";
import type { AlarmAnswer, AlarmCommand } from "./commands.ts";
import { ESCALATE_AFTER_MS, isGrave, type Severity, SILENCE_MS, severities } from "./constants.ts";
import { type AlarmDefinition, type AlarmKind, alarmKinds, type CommonSettings, definitionOf } from "./definitions.ts";
import { DepthWatch } from "./depth-watch.ts";
import { BUTTON, type Call, Distress, isSilent, positionIn } from "./distress.ts";
import type { Key, Reading } from "./hazards/hazard.ts";
import type { NeededData } from "./hazards/system.ts";
import { AlarmHistory } from "./history.ts";
import type { KeptCall } from "./kept-call.ts";
import { LatestMessages } from "./latest-messages.ts";
import { NominalVolts } from "./nominal-volts.ts";
import { Notices } from "./notices.ts";
import { OwnLimits } from "./own-limits.ts";
import { PilotWatch } from "./pilot-watch.ts";
import { plausibleReport } from "./plausible.ts";
import type { Heard, Input, Memory } from "./reads.ts";
import { ReceiverWatch } from "./receiver-watch.ts";
import {
  type ActiveAlarm,
  type AlarmsData,
  MAX_ALARMS,
  MAX_PAST_TEXT,
  type PastAlarm,
  type watchStates,
} from "./report.ts";
import { Berth, type KeptBerth, Neighbours, Place, Waking } from "./rest.ts";
import { type AlarmSettings, alarmSettings } from "./settings.ts";
import {
  type AnchorWatch,
  type DiskSpace,
  isMooredNear,
  type NewDevice,
  reportsMoored,
  type Situation,
  Stillness,
  WITHOUT_WAY_KNOTS,
} from "./situation.ts";
import { type KeptSounding, Sounding } from "./sounding.ts";
import { Standstill } from "./standstill.ts";
import { type Alarm, advance, isIdle, newTrack, type Step, type Track } from "./track.ts";
import { WindShift } from "./wind-shift.ts";
import { WindWatch } from "./wind-watch.ts";

/** The inputs of all hazards; two may be of one PGN. */
const allInputs = [...new Set(alarmKinds.flatMap((kind) => definitionOf(kind).reads ?? []))];
const inputsByPgn: ReadonlyMap<number, readonly Input[]> = new Map(
  allInputs.map(({ definition: { pgn } }) => [pgn, allInputs.filter(({ definition }) => definition.pgn === pgn)]),
);

/** Definitions by which the messages are decoded; everything else comes from the reports. */
export const alarmMessages: readonly Definition[] = [...new Set(allInputs.map(({ definition }) => definition))];

/** A message of one of these definitions. */
export type AlarmMessage = Message<Definition>;

/** A warning without data stays for this long, and an alarm until it is answered: no data is no all-clear. */
const HOLD_MS = 60_000;
/** Maximum alarms of a kind that wait without data; then the oldest ends. */
const MAX_HELD = 200;
const CLOCK_TOLERANCE_MS = 60_000;
const MINUTE_MS = 60_000;
/** A bus is never silent for so long: its devices send several times a second. */
const SILENT_AFTER_MS = 3000;
/** Depth below which a sounder may lose the bottom; the nearest shallow ground is minutes away. */
const DEEP_METRES = 30;

/** The boat and the ships around it, as they are known when the alarms are evaluated. */
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
  /** Sounders that are not in use. */
  readonly otherSounders: readonly OtherSounder[];
  /** When a sounder was last heard, with or without a depth, monotonic milliseconds; undefined: never. */
  readonly sounderHeardAt: number | undefined;
  /** Knots by which the last wind is above the damped one of the report. */
  readonly gust: number;
  /** See `Health`. */
  readonly clockAheadSec: number | undefined;
  /** The disk with the least space among those that hub writes to. */
  readonly disk: DiskSpace | undefined;
  /** See `Situation`. */
  readonly faultyParts: readonly string[];
  /** See `Situation`. */
  readonly rival?: string | undefined;
  /** See `Situation`. */
  readonly newDevices: readonly NewDevice[] | undefined;
  /** Addresses that have sent AIS. */
  readonly aisSources: ReadonlySet<number>;
  /** When a device was last heard, monotonic milliseconds; undefined: never. */
  readonly heardAt: number | undefined;
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
  #settings: AlarmSettings = alarmSettings.byDefault;
  readonly #latest = new LatestMessages();
  readonly #nominalVolts = new NominalVolts();
  readonly #distress = new Distress(({ kind, subject }) => this.#isAnswered(kind, subject));
  readonly #notices = new Notices(({ kind, key, answered }) => answered !== undefined || this.#isAnswered(kind, key));
  readonly #pilots = new PilotWatch();
  readonly #memory: Memory = {
    latest: this.#latest,
    nominalVolts: this.#nominalVolts,
    distress: this.#distress,
    notices: this.#notices,
    busAlerts: new BusAlerts(this.#notices),
    pilots: this.#pilots,
  };
  readonly #stillness = new Stillness();
  readonly #berth = new Berth();
  readonly #place = new Place();
  readonly #waking = new Waking();
  readonly #neighbours = new Neighbours();
  readonly #history = new AlarmHistory();
  readonly #sounding = new Sounding();
  /** The alarms of the last report. */
  #reported: readonly ActiveAlarm[] = [];
  readonly #watches = new Map(alarmKinds.map((kind) => [kind, watchOf(kind)]));
  #anchorWatch: AnchorWatch | undefined;
  #manOverboard: ManOverboard | undefined;
  readonly #depth = new DepthWatch();
  readonly #receivers = new ReceiverWatch();
  readonly #wind = new WindWatch();
  readonly #windShift = new WindShift();
  readonly #barometer = new Barometer();
  readonly #standstill = new Standstill();
  readonly #ownLimits = new OwnLimits();
  /** Whether watched data was there and is missing now. */
  readonly #lost = new Map<NeededData, boolean>();
  #position: Position | undefined;
  #hadPosition = false;

  get anchorWatch(): AnchorWatch | undefined {
    return this.#anchorWatch;
  }

  /** The berth that the crew has given, also after the boat has left it. */
  get berth(): KeptBerth | undefined {
    return this.#berth.kept;
  }

  /** See `AlarmHistory`. */
  get history(): readonly PastAlarm[] {
    return this.#history.alarms;
  }

  /** Takes the history of before this start. */
  restoreHistory(alarms: readonly PastAlarm[]): void {
    this.#history.restore(alarms);
  }

  /** See `Sounding.state`. */
  get sounding(): KeptSounding | undefined {
    return this.#sounding.state;
  }

  /** The report of the button while it is pressed. */
  get manOverboard(): ManOverboard | undefined {
    return this.#manOverboard;
  }

  /** See `Distress.kept`; each call as it was last evaluated. */
  keptCalls(now: number, wall: number): ReadonlyMap<string, KeptCall> {
    const alarmOf = ({ kind, subject }: Call): Alarm | undefined => this.#watches.get(kind)!.tracks.get(subject)?.alarm;
    return this.#distress.kept((call) => isAnswered(alarmOf(call)) ?? call.wasAcknowledged ?? false, now, wall);
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
        this.#endAnchorWatch();
        return true;
      case "watchAnchor": {
        const { radius = this.#settings.anchor.radius, latitude, longitude } = command.watch;
        const position = latitude === undefined || longitude === undefined ? this.#position : { latitude, longitude };
        if (position === undefined) return false;
        this.#anchorWatch = { latitude: position.latitude, longitude: position.longitude, radius };
        this.#berth.leave();
        return true;
      }
      case "giveBerth": {
        const { latitude, longitude, left } = command.berth;
        const position = latitude === undefined || longitude === undefined ? this.#position : { latitude, longitude };
        if (position === undefined) return false;
        this.#berth.give({ latitude: position.latitude, longitude: position.longitude, left });
        if (!left) this.#endAnchorWatch();
        return true;
      }
      case "endBerth":
        this.#berth.give(undefined);
        return true;
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
        for (const { id, alarm } of this.#raised()) if (id === `manOverboard-${BUTTON}`) acknowledge(alarm, now, wall);
        return this.#distress.release();
      case "raiseExternal": {
        const { severity, message: title, expireAfterSec = Number.POSITIVE_INFINITY } = command.alarm;
        const until = now + expireAfterSec * 1000;
        return this.#notices.raise({
          kind: "external",
          key: command.id,
          severity,
          title,
          text: "alarm of a program",
          until,
        });
      }
      case "endExternal":
        return this.#notices.end("external", command.id);
      case "restoreSounding":
        this.#sounding.restore(command.sounding, now);
        return true;
      case "restoreCall": {
        const { callKind, subject, call } = command;
        return call !== undefined && this.#distress.restore(callKind, subject, call, now, wall);
      }
      case "answer": {
        const ids = this.answeredBy(command);
        const raised = this.#raised();
        for (const id of ids) {
          const alarm = raised.find((each) => each.id === id)?.alarm;
          if (command.answer === "acknowledge") {
            if (alarm !== undefined) acknowledge(alarm, now, wall);
            this.#history.acknowledge(id, wall);
          } else if (alarm !== undefined) alarm.silencedUntil = now + SILENCE_MS;
        }
        return ids.length > 0;
      }
    }
  }

  #endAnchorWatch(): void {
    this.#anchorWatch = undefined;
    this.#watches.get("anchor")!.tracks.clear();
  }

  /** Evaluates all alarms at `now` and returns the report. */
  observe(surroundings: Surroundings, now: number, wall: number): AlarmsData {
    const situation = this.#situationOf(surroundings, now, wall);
    const watching = { ...unwatched };
    for (const watch of this.#watches.values()) watching[watch.kind] = this.#watch(watch, situation, now, wall);
    this.#distress.forgetSilent(now, (kind, subject) => this.#watches.get(kind)!.hasTrack(subject));
    const raised = this.#raised();
    const { nameOfThing } = surroundings;
    this.#history.observe(new Map(raised.map((each) => [each.id, pastAlarm(each, nameOfThing)])), now, wall);
    const alarms = this.#alarms(raised, nameOfThing, now);
    this.#reported = alarms;
    this.#sounding.observe(alarms, now, wall);
    const { rectified } = this.#history;
    const { isAtBerth, isAtAnchor, liesStill } = situation;
    return {
      alarms,
      leftOut: this.#leftOut(raised, alarms),
      watching,
      unheardLimits: this.#unheardLimits(situation),
      rectified: rectified.length === 0 ? undefined : [...rectified],
      rest: isAtBerth ? "berth" : isAtAnchor ? "anchor" : liesStill ? "still" : undefined,
      berth: isAtBerth ? this.#berthReport() : undefined,
      anchorWatch: this.#anchorWatch && { ...this.#anchorWatch, distance: situation.anchorDistance },
    };
  }

  #berthReport(): AlarmsData["berth"] {
    const { latitude, longitude } = this.#berth.kept!;
    return { latitude, longitude, distance: this.#berth.distance(this.#position) };
  }

  #unheardLimits({ ownLimits }: Situation): string[] | undefined {
    const unheard = this.#settings.limits.enabled ? this.#ownLimits.unheard(ownLimits) : [];
    return unheard.length === 0 ? undefined : [...unheard];
  }

  #situationOf(surroundings: Surroundings, now: number, wall: number): Situation {
    const {
      targets,
      receivers,
      isHeard,
      nameOfDevice,
      clockAheadSec,
      disk,
      faultyParts,
      rival,
      newDevices,
      aisSources,
      heardAt,
    } = surroundings;
    const navigation = plausibleReport(surroundings.navigation);
    const { latitude, longitude, hasFix } = navigation.position ?? {};
    this.#position =
      hasFix === true && latitude !== undefined && longitude !== undefined ? { latitude, longitude } : undefined;
    this.#hadPosition ||= this.#position !== undefined;
    this.#latest.removeStale(now);
    this.#notices.removeEnded(now, isHeard);
    const { cog, sog, computed, speedThroughWater } = navigation.speed_course ?? {};
    const isStill = this.#stillness.observe(sog, speedThroughWater, now);
    const { depth: depthSettings, depthLost } = this.#settings;
    const depth = this.#depth.observe(navigation, surroundings.otherSounders, depthSettings, now);
    const wasLow = depthLost.enabled && depth.last !== undefined && depth.last < depthLost.limit;
    const isSounding = now - (surroundings.sounderHeardAt ?? Number.NEGATIVE_INFINITY) < SILENT_AFTER_MS;
    const isBottomless = isSounding && (depth.last ?? 0) > DEEP_METRES;
    this.#watchFor("depth", depth.value !== undefined || wasLow || isBottomless);
    // A receiver leaves out the course of a boat that makes no way.
    const hasCourse = sog != null && !computed && (cog != null || sog < WITHOUT_WAY_KNOTS);
    // Without a position the course is lost with it.
    this.#watchFor("course", hasCourse || (this.#lost.has("course") && this.#position === undefined));
    this.#watchFor("ships", [...aisSources].some(isHeard));
    const wind = navigation.wind_true?.speed ?? navigation.wind_apparent?.speed ?? undefined;
    this.#watchFor("wind", wind !== undefined);
    const pressure = navigation.depth_water?.atmosphericPressure ?? navigation.wind?.atmosphericPressure;
    const anchorWatch = this.#anchorWatch;
    const isAtBerth = this.#berth.observe(this.#position, isStill, now);
    // A position that stands still while the speed says otherwise is a fault of the receiver.
    const isAtPlace = this.#place.observe(this.#position, now) && isStill;
    const near = targets.filter(isMooredNear);
    const lyingNear = this.#neighbours.observe(near, reportsMoored, now);
    const lies = (place: Position): boolean => (sog == null || isStill) && this.#berth.isNear(place);
    const isWaking = this.#waking.observe(this.#position, lies, near.length, now);
    this.#distress.observe(targets, this.#position, wall);
    return {
      navigation,
      targets,
      latest: (input) => this.#latest.of(input),
      reported: (input) => this.#latest.reported(input),
      isReporting: (input, source) => this.#latest.isReporting(input, source),
      isHeard,
      notices: (kind) => this.#notices.of(kind),
      nameOfDevice,
      now,
      depth: { ...depth, wasLow },
      depthLimit: depthSettings.limit,
      receivers,
      jumps: this.#receivers.observe(receivers, sog, now),
      wind: this.#wind.observe(wind, surroundings.gust, this.#settings.wind, now),
      pressureFall: this.#barometer.observe(pressure, now),
      run: this.#standstill.observe(this.#position, { sog, throughWater: speedThroughWater }, now),
      pilotStops: this.#pilots.stops(now),
      windShift: this.#windShift.observe(navigation.wind_true?.direction, now),
      ownLimits: this.#ownLimits.readings(navigation, surroundings, now),
      clockAheadSec,
      disk,
      faultyParts,
      rival,
      newDevices,
      isSilent: heardAt === undefined ? undefined : now - heardAt > SILENT_AFTER_MS,
      lost: this.#lost,
      nominalVolts: (instance, source) =>
        this.#settings.batteryVoltage.nominal[instance] ?? this.#nominalVolts.of(instance, source),
      position: this.#position,
      calls: this.#distress.calls,
      isOver: (call) => isSilent(call, now),
      anchorWatch,
      anchorDistance: anchorWatch && this.#position && greatCircle(anchorWatch, this.#position).range * METRES_PER_MILE,
      hadPosition: this.#hadPosition,
      isAtBerth,
      wakesAtBerth: isWaking && this.#berth.kept !== undefined,
      liesStill: isAtBerth || isAtPlace,
      lyingNear,
      isAtAnchor: isStill && anchorWatch !== undefined,
    };
  }

  /** Data counts as lost only after it has been there once. */
  #watchFor(what: NeededData, isThere: boolean): void {
    if (isThere || this.#lost.has(what)) this.#lost.set(what, !isThere);
  }

  #watch(watch: Watch, situation: Situation, now: number, wall: number): (typeof watchStates)[number] {
    const { kind, definition, tracks, hasTrack } = watch;
    const settings: CommonSettings = this.#settings[kind];
    if (!settings.enabled) {
      tracks.clear();
      return "off";
    }
    const readings = definition.readings(situation, settings, hasTrack);
    const isQuiet = definition.isQuiet?.(situation) ?? false;
    if (isQuiet && situation.isAtBerth) {
      // The crew has called the place a berth: that answers what rang before.
      tracks.clear();
      return "quiet";
    }
    const { isLatched, isListed, severity } = definition;
    const stepOf = (key: Key, seconds: number): Step => ({
      now,
      wall,
      delay: seconds * 1000,
      severity: severity === "each" ? "alarm" : severity,
      term: settings.term === undefined ? undefined : settings.term * MINUTE_MS,
      isQuiet,
      isLatched: isLatched === true,
      soundedFor: () => this.#sounding.before(idOf(kind, key), now, wall),
    });
    for (const reading of readings) {
      const key = keyOf(reading);
      let track = tracks.get(key);
      if (track === undefined) {
        if (reading.zone === "within") continue;
        track = newTrack(now);
        tracks.set(key, track);
      }
      advance(track, reading, stepOf(key, reading.seconds ?? settings.delay));
      if (reading.zone === "within" && isIdle(track, now)) tracks.delete(key);
    }
    const held: Key[] = [];
    tracks.forEach((track, key) => {
      if (track.lastRead === now) return;
      const { alarm } = track;
      const waits = alarm !== undefined && isLatched !== true && waitsForAnswer({ kind, alarm });
      const isUnheard = waits && typeof isListed === "function" && !isListed(situation, alarm.reading);
      if (isListed !== undefined && !isUnheard) {
        if (alarm !== undefined) advance(track, { ...alarm.reading, zone: "within" }, stepOf(key, 0));
        if (isIdle(track, now)) tracks.delete(key);
      }
      if (now - track.lastRead < HOLD_MS) return;
      if (waits) {
        held.push(key);
        alarm.isWithoutData = true;
      } else tracks.delete(key);
    });
    for (const key of held.slice(0, -MAX_HELD)) tracks.delete(key);
    if (isQuiet) return "quiet";
    const { canWatch = () => isListed !== undefined || readings.length > 0 } = definition;
    return canWatch(situation) ? "on" : "no data";
  }

  /**
   * The ids that an answer is for: one alarm, or those of a kind, or all, that the last report has, because nobody has
   * seen the others. An emergency is acknowledged by its own name only.
   */
  answeredBy({ id, answer }: { readonly id: string; readonly answer: AlarmAnswer }): readonly string[] {
    const rectified = answer === "acknowledge" ? this.#history.rectified : [];
    const isOne = [...rectified, ...this.#raised()].some((each) => each.id === id);
    const group = [...this.#reported, ...rectified].filter(
      ({ kind, severity }) => (id === "all" || id === kind) && (answer === "silence" || severity !== "emergency"),
    );
    return [...new Set([...(isOne ? [id] : []), ...group.map((each) => each.id)])];
  }

  #isAnswered(kind: AlarmKind, key: Key): boolean {
    return this.#watches.get(kind)!.tracks.get(key)?.alarm?.answer !== undefined;
  }

  #raised(): Raised[] {
    const raised: Raised[] = [];
    this.#watches.forEach(({ kind, tracks }) => {
      tracks.forEach(({ alarm }, key) => {
        if (alarm !== undefined) raised.push({ id: idOf(kind, key), kind, alarm });
      });
    });
    return raised;
  }

  #alarms(raised: readonly Raised[], nameOfThing: Surroundings["nameOfThing"], now: number): ActiveAlarm[] {
    const all = raised.toSorted(
      (a, b) =>
        severities.indexOf(severityOf(a)) - severities.indexOf(severityOf(b)) ||
        alarmKinds.indexOf(a.kind) - alarmKinds.indexOf(b.kind) ||
        a.alarm.since - b.alarm.since,
    );
    return mostOf(all).map((raised) => activeAlarm(raised, nameOfThing, now));
  }

  /** By kind, how many alarms the report has no room for. */
  #leftOut(raised: readonly Raised[], shown: readonly ActiveAlarm[]): AlarmsData["leftOut"] {
    const counts = new Map<AlarmKind, number>();
    const count = (kind: AlarmKind, by: number): void => {
      if (by !== 0) counts.set(kind, (counts.get(kind) ?? 0) + by);
    };
    for (const { kind } of raised) count(kind, 1);
    for (const { kind } of shown) count(kind, -1);
    for (const kind of ["manOverboard", "distress", "beaconTest"] as const) count(kind, this.#distress.displaced(kind));
    for (const kind of ["alert", "external", "safetyMessage"] as const) count(kind, this.#notices.displaced(kind));
    for (const [kind, number] of this.#history.leftOut) count(kind, number);
    const all = [...counts].filter(([, number]) => number > 0);
    return all.length === 0 ? undefined : Object.fromEntries(all);
  }
}

/** How near ships are, minutes or nautical miles: of too many ships the nearest count, of everything else the newest. */
const nearness: Partial<Readonly<Record<AlarmKind, (reading: Reading) => number | undefined>>> = {
  cpa: ({ minutes }) => minutes,
  guardZone: ({ value }) => value,
  lostTarget: ({ place }) => place?.range,
};

/** When it began: of a call its first report, also before this start. */
const beganAt = ({ alarm: { since, reading } }: Raised): number => {
  const first = reading.place?.first?.at;
  return first === undefined ? since : Date.parse(first);
};

const isAnsweredAnywhere = ({ alarm: { answer, reading } }: Pick<Raised, "alarm">): boolean =>
  answer !== undefined || reading.answered === "acknowledged";

/** The order within a kind in which alarms find room: without an answer, severe, near, new. */
function compareNeed(a: Raised, b: Raised): number {
  const near = ({ kind, alarm }: Raised): number => nearness[kind]?.(alarm.reading) ?? Number.MAX_VALUE;
  return (
    Number(isAnsweredAnywhere(a)) - Number(isAnsweredAnywhere(b)) ||
    severities.indexOf(severityOf(a)) - severities.indexOf(severityOf(b)) ||
    near(a) - near(b) ||
    beganAt(b) - beganAt(a)
  );
}

/** The alarms of a report: the first of each kind, then the second ones, so that many of one kind hide no other kind. */
function mostOf(all: readonly Raised[]): readonly Raised[] {
  if (all.length <= MAX_ALARMS) return all;
  const counts = new Map<AlarmKind, number>();
  // Of equal ones the last that was heard is the newest.
  const places = all
    .toReversed()
    .sort(compareNeed)
    .map((raised) => {
      const place = counts.get(raised.kind) ?? 0;
      counts.set(raised.kind, place + 1);
      return { raised, place };
    });
  const ranks = new Map(all.map((raised, rank) => [raised, rank]));
  places.sort((a, b) => a.place - b.place || ranks.get(a.raised)! - ranks.get(b.raised)!);
  const kept = new Set(places.slice(0, MAX_ALARMS).map(({ raised }) => raised));
  return all.filter((raised) => kept.has(raised));
}

/** Key of a reading within its kind. */
const keyOf = ({ key, subject }: Reading): Key => key ?? subject;

const idOf = (kind: AlarmKind, key: Key): string => (key === undefined ? kind : `${kind}-${key}`);

const isAnswered = (alarm: Alarm | undefined): boolean | undefined => alarm && alarm.answer !== undefined;

/** The first acknowledgement counts. */
function acknowledge(alarm: Alarm, at: number, wall: number): void {
  alarm.answer ??= { at, wall, reading: alarm.reading };
}

/** Whether an alarm does not end without data. */
const waitsForAnswer = (raised: Pick<Raised, "kind" | "alarm">): boolean =>
  (raised.alarm.reading.isLatched || isGrave(severityOf(raised))) && !isAnsweredAnywhere(raised);

/** A reading may lower the severity of its kind. */
function severityOf({ kind, alarm }: Pick<Raised, "kind" | "alarm">): Severity {
  const { severity } = definitionOf(kind);
  return alarm.reading.severity ?? (severity === "each" ? "alarm" : severity);
}

/** The crew's name for the thing that a reading is about. */
function nameOf({ of }: Reading, nameOfThing: Surroundings["nameOfThing"]): string | undefined {
  const thing = of && thingOf(of.pgn, of.message as Readonly<Record<string, unknown>>);
  // A message without a key is about no thing.
  return thing && Object.keys(thing.key).length > 0 ? nameOfThing(thing) : undefined;
}

/** An alarm for the history. */
function pastAlarm(raised: Raised, nameOfThing: Surroundings["nameOfThing"]): PastAlarm {
  const { id, kind, alarm } = raised;
  const { since, reading, worst, answer } = alarm;
  const { subject, name = nameOf(reading, nameOfThing), text, answered } = reading;
  const { title: ofKind, unit = worst.unit } = definitionOf(kind);
  const isAcknowledged = answer !== undefined || answered === "acknowledged";
  return {
    id,
    kind,
    title: reading.title ?? ofKind,
    severity: severityOf(raised),
    subject,
    name,
    value: worst.value,
    limit: worst.limit,
    unit,
    text: text?.slice(0, MAX_PAST_TEXT),
    since: isoTime(since),
    acknowledged: isAcknowledged ? isoTime(answer?.wall ?? since) : undefined,
  };
}

function activeAlarm(raised: Raised, nameOfThing: Surroundings["nameOfThing"], now: number): ActiveAlarm {
  const { id, kind, alarm } = raised;
  const { since, reading } = alarm;
  const { subject, name = nameOf(reading, nameOfThing), value, limit, minutes, place, answered } = reading;
  const { title: ofKind, unit = reading.unit, isAnsweredElsewhere } = definitionOf(kind);
  const { title = ofKind } = reading;
  const isAcknowledged = alarm.answer !== undefined || answered === "acknowledged";
  // A silence at a device that has gone does not last.
  const isSilenced = now < alarm.silencedUntil || (answered === "silenced" && !alarm.isWithoutData);
  const state = isAcknowledged ? "acknowledged" : isSilenced ? "silenced" : "active";
  const isHereOnly = isAnsweredElsewhere && alarm.answer !== undefined && answered !== "acknowledged";
  const said = isHereOnly ? `${reading.text} (acknowledged here, not at the device)` : reading.text;
  const text = alarm.isWithoutData ? [said, "no data any more"].filter(Boolean).join(", ") : said;
  const severity = severityOf(raised);
  const isUnanswered = state === "active" && isGrave(severity) && now - alarm.silencedUntil >= ESCALATE_AFTER_MS;
  const unanswered = isUnanswered || undefined;
  const shown = { subject, name, value, limit, minutes, unit, text, ...place };
  return { id, kind, title, severity, state, unanswered, ...shown, since: isoTime(since) };
}
