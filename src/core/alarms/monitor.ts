/**
 * The alarms as a function of messages, reports, commands and time, evaluated once a second. Times are milliseconds,
 * monotonic; the wall clock is for timestamps only. The same calls give the same reports.
 */
import type { Definition, Message } from "../n2k/definition.ts";
import { type Position, positionIn } from "../nav/great-circle.ts";
import { isoTime } from "../text/date.ts";
import { sentence } from "../text/sentence.ts";
import { BusAlerts } from "./bus-alerts.ts";
import type { AlarmAnswer, AlarmCommand, PersonOverboard } from "./commands.ts";
import { RAISED_WITHIN_MS, SILENCE_MS } from "./constants.ts";
import { definitionOf } from "./definitions.ts";
import { type Call, Distress, firstOf, isSilent, keyOfCall } from "./distress.ts";
import type { Heard } from "./heard.ts";
import { AlarmHistory } from "./history.ts";
import type { KeptCall } from "./kept-call.ts";
import { LatestMessages } from "./latest-messages.ts";
import { NominalVolts } from "./nominal-volts.ts";
import { Notices } from "./notices.ts";
import { OwnBoat, SILENT_AFTER_MS } from "./own-boat.ts";
import { OwnLimits } from "./own-limits.ts";
import { PilotWatch } from "./pilot-watch.ts";
import { activeAlarm, pastAlarm, type Raised, rowsOf } from "./raised.ts";
import type { Key } from "./reading.ts";
import type { Input, Memory } from "./reads.ts";
import type { ActiveAlarm, AlarmsData, PastAlarm } from "./report.ts";
import type { KeptBerth } from "./rest.ts";
import { SetClock } from "./set-clock.ts";
import { type AlarmSettings, alarmSettings } from "./settings.ts";
import { type AnchorWatch, restIn, type Situation } from "./situation.ts";
import { type KeptSounding, Sounding, sounds } from "./sounding.ts";
import type { Surroundings } from "./surroundings.ts";
import { takeAnswer } from "./track.ts";
import { Watch } from "./watch.ts";
import { type AlarmKind, alarmKinds, MAX_PERSONS } from "./words.ts";

/** The inputs of all hazards; two may be of one PGN. */
const allInputs = [...new Set(alarmKinds.flatMap((kind) => definitionOf(kind).reads ?? []))];
const inputsByPgn: ReadonlyMap<number, readonly Input[]> = new Map(
  allInputs.map(({ definition: { pgn } }) => [pgn, allInputs.filter(({ definition }) => definition.pgn === pgn)]),
);

/** Definitions by which the messages are decoded; everything else comes from the reports. */
export const alarmMessages: readonly Definition[] = [...new Set(allInputs.map(({ definition }) => definition))];

/** A message of one of these definitions. */
export type AlarmMessage = Message<Definition>;

const CLOCK_TOLERANCE_MS = 60_000;

/** Coordinates of a payload, to a centimetre. */
const place = (degrees: number): number => Math.round(degrees * 1e7) / 1e7;

/** A place in a command; without both coordinates that of the boat is meant. */
interface GivenPlace {
  readonly latitude?: number | undefined;
  readonly longitude?: number | undefined;
}

/** A person whom the button marked: with her place, if it is known, and her number, unless it follows the last one. */
type ManOverboard = PersonOverboard & Required<Pick<PersonOverboard, "press" | "at">>;

/** Why a command has no effect. */
export type Refused =
  | "no such alarm"
  | "the position of the boat is not known"
  | `${typeof MAX_PERSONS} persons are marked already`
  | "no such person is marked"
  | "there is no room"
  | "the call has ended";

export class AlarmMonitor {
  #settings: AlarmSettings = alarmSettings.byDefault;
  readonly #own = new OwnBoat();
  readonly #latest = new LatestMessages();
  readonly #nominalVolts = new NominalVolts();
  readonly #distress = new Distress((call) => this.#isAnswered(call.kind, keyOfCall(call)));
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
  readonly #clock = new SetClock();
  readonly #history = new AlarmHistory();
  readonly #sounding = new Sounding();
  /** The alarms of the last report that was published. */
  #reported: readonly ActiveAlarm[] = [];
  readonly #watches = new Map(alarmKinds.map((kind) => [kind, new Watch(kind, this.#settings[kind])]));
  /** A new object where a state has changed. */
  #watching: AlarmsData["watching"] = Object.fromEntries(alarmKinds.map((kind) => [kind, "off"]));
  readonly #ownLimits = new OwnLimits();
  #startedAt: number | undefined;
  /** Alarms of programs which these have ended, as long as they are listed. */
  readonly #ended = new Set<string>();

  get anchorWatch(): AnchorWatch | undefined {
    return this.#own.anchorWatch;
  }

  /** The berth that the crew has given, also after the boat has left it. */
  get berth(): KeptBerth | undefined {
    return this.#own.berth.kept;
  }

  /** See `AlarmHistory`. */
  get history(): readonly PastAlarm[] {
    return this.#history.alarms;
  }

  /** Takes the history of before this start, as it was at `writtenAt` of the wall clock. */
  restoreHistory(alarms: readonly PastAlarm[], writtenAt: number): void {
    this.#history.restore(alarms, writtenAt);
  }

  /** See `Sounding.state`. */
  get sounding(): KeptSounding | undefined {
    return this.#sounding.state;
  }

  /** The persons that the button has marked and nobody has released: one, or a list; undefined: none. */
  get manOverboard(): ManOverboard | readonly ManOverboard[] | undefined {
    const persons = this.#distress.pressed.map((call, index, all) => {
      const { press, person, firstPosition } = call;
      const { at, clockSetSec } = firstOf(call, this.#clock.offset);
      return {
        ...(firstPosition && { latitude: place(firstPosition.latitude), longitude: place(firstPosition.longitude) }),
        ...{ press: press!, at },
        ...(clockSetSec !== undefined && { clockSetSec }),
        ...(person !== (all[index - 1]?.person ?? 0) + 1 && { number: person! }),
      };
    });
    return persons.length > 1 ? persons : persons[0];
  }

  /** See `Distress.kept`; each call as it was last evaluated. */
  keptCalls(): ReadonlyMap<string, KeptCall> {
    const isAnswered = (call: Call): boolean => {
      const alarm = this.#watch(call.kind).track(keyOfCall(call))?.alarm;
      return alarm === undefined ? (call.wasAcknowledged ?? false) : alarm.answer !== undefined;
    };
    return this.#distress.kept(isAnswered, this.#clock.offset);
  }

  configure(settings: AlarmSettings): void {
    this.#settings = settings;
    for (const [kind, watch] of this.#watches) watch.configure(settings[kind]);
    this.#watch("limits").forgetAllBut(this.#ownLimits.configure(settings.limits.rows));
  }

  /** The PGNs of the crew's own limits; `hearWatched` takes their messages when they are published. */
  get watchedPgns(): ReadonlySet<number> {
    return this.#ownLimits.pgns;
  }

  hearWatched(pgn: number, message: object, heard: Heard): void {
    this.#ownLimits.hear(pgn, message as Readonly<Record<string, unknown>>, heard);
  }

  hear(message: AlarmMessage, heard: Heard): void {
    for (const input of inputsByPgn.get(message.pgn) ?? []) input.hear(this.#memory, message, heard);
  }

  /** Executes a command at `now`, with the timestamp `wall`. Returns why that is impossible; undefined: it is done. */
  execute(command: AlarmCommand, now: number, wall: number): Refused | undefined {
    switch (command.kind) {
      case "endAnchorWatch":
        this.#endAnchorWatch();
        return undefined;
      case "watchAnchor": {
        const position = this.#givenOrOwn(command.watch);
        if (position === undefined) return "the position of the boat is not known";
        const { radius = this.#settings.anchor.radius } = command.watch;
        this.#own.anchorWatch = { ...position, radius };
        this.#own.berth.leave();
        return undefined;
      }
      case "giveBerth": {
        const { latitude } = command.berth;
        // Instruments are switched off before the crew thinks of the berth.
        const position = this.#givenOrOwn(command.berth) ?? this.#own.lastPosition(now);
        if (position === undefined) return "the position of the boat is not known";
        this.#own.berth.give({ ...position, left: command.berth.left }, latitude === undefined);
        if (!command.berth.left) this.#endAnchorWatch();
        return undefined;
      }
      case "endBerth":
        this.#own.berth.give(undefined);
        return undefined;
      case "pressManOverboard": {
        const marked = command.persons.map((person) => this.#mark(person, now, wall));
        // A press after a release is another call, also while the alarm of the first one ends.
        for (const each of marked) if (each?.isNew) this.#watch("manOverboard").forget(keyOfCall(each.call));
        return marked.includes(undefined) ? `${MAX_PERSONS} persons are marked already` : undefined;
      }
      case "releaseManOverboard": {
        const released = this.#distress.release(command);
        for (const call of released) {
          const track = this.#watch("manOverboard").track(keyOfCall(call));
          if (track !== undefined) takeAnswer(track, { at: now, wall });
        }
        return released.length > 0 ? undefined : "no such person is marked";
      }
      case "raiseExternal": {
        const { severity, message: title, expireAfterSec = Number.POSITIVE_INFINITY } = command.alarm;
        const until = now + expireAfterSec * 1000;
        // A program that has ended its alarm raises a new one, also within the three seconds of that end.
        if (this.#ended.delete(command.id)) this.#watch("external").forget(command.id);
        const isRaised = this.#notices.raise({
          kind: "external",
          key: command.id,
          severity,
          title,
          sentences: [sentence`alarm of a program`],
          until,
        });
        return isRaised ? undefined : "there is no room";
      }
      case "endExternal":
        this.#ended.add(command.id);
        return this.#notices.end("external", command.id) ? undefined : "no such alarm";
      case "restoreSounding":
        this.#sounding.restore(command.sounding, now);
        // The broker may come later than the alarm.
        for (const { id, alarm } of this.#raised())
          if (alarm.silencedUntil <= now) alarm.silencedUntil -= this.#sounding.before(id, now, wall);
        return undefined;
      case "restoreCall": {
        const { callKind, of, call } = command;
        if (call === undefined) return "the call has ended";
        return this.#distress.restore(callKind, of, call, { now, wall }) ? undefined : "there is no room";
      }
      case "answer": {
        const ids = this.answeredBy(command);
        const isAcknowledgement = command.answer === "acknowledge";
        const given = isAcknowledgement ? { at: now, wall } : { silentUntil: now + SILENCE_MS };
        for (const { id, track } of this.#raised()) if (ids.includes(id)) takeAnswer(track, given);
        if (isAcknowledgement) for (const id of ids) this.#history.acknowledge(id, wall);
        return ids.length > 0 ? undefined : "no such alarm";
      }
    }
  }

  #mark({ press, ago, at, clockSetSec = 0, number, ...given }: PersonOverboard, now: number, wall: number) {
    // The time of a program whose clock is wrong names a person all the same.
    const told = at === undefined ? undefined : Date.parse(at);
    const agoMs = ago === undefined ? Math.max(0, wall - (told ?? wall) - clockSetSec * 1000) : ago * 1000;
    const isKept = press !== undefined && told !== undefined;
    const isTold = told !== undefined && (isKept || told <= wall + CLOCK_TOLERANCE_MS);
    // In whole milliseconds, as reports have it, because a release gives it back.
    const firstAt = isTold ? told : Math.floor(wall - agoMs);
    // Where the boat was then: the broker may have been away for minutes.
    const boat = agoMs === 0 ? this.#own.position : this.#own.positionAt(now - agoMs);
    const marked = {
      ...{ press: press ?? (told === undefined ? undefined : isoTime(told)), number },
      ...{ firstAt, clock: firstAt - now + agoMs, setBefore: isKept ? clockSetSec : undefined },
      position: positionIn(given) ?? (isKept ? undefined : boat),
    };
    return this.#distress.press(marked, { boat, now });
  }

  #givenOrOwn(given: GivenPlace): Position | undefined {
    return positionIn(given) ?? this.#own.position;
  }

  #endAnchorWatch(): void {
    this.#own.anchorWatch = undefined;
    this.#watch("anchor").forgetAll();
  }

  /** Evaluates all alarms at `now` and returns the report. */
  observe(surroundings: Surroundings, now: number, wall: number): AlarmsData {
    this.#startedAt ??= now;
    this.#clock.observe(now, wall);
    const clock = this.#clock.offset;
    const situation = this.#situationOf(surroundings, now, wall);
    const moment = { now, wall, clock, soundedBefore: (id: string) => this.#sounding.before(id, now, wall) };
    for (const [kind, watch] of this.#watches) {
      const state = watch.observe(situation, moment);
      if (this.#watching[kind] !== state) this.#watching = { ...this.#watching, [kind]: state };
    }
    this.#distress.forgetSilent(now, (call) => this.#watch(call.kind).hasTrack(keyOfCall(call)));
    for (const id of this.#ended) if (!this.#watch("external").hasTrack(id)) this.#ended.delete(id);
    const raised = this.#raised();
    this.#history.continueBefore(raised, now);
    const past = raised.map((each) => pastAlarm(each, surroundings, wall));
    this.#history.observe(now, wall, past);
    const rows = rowsOf(raised);
    const alarms = rows.map((row) => activeAlarm(row, surroundings, now, clock));
    this.#reported = surroundings.isUnpublished ? [] : alarms;
    const sounding = rows.filter((_, index) => sounds(alarms[index]!));
    const soundFor = new Map(sounding.map(({ id, alarm }) => [id, now - alarm.silencedUntil]));
    this.#sounding.observe(soundFor, new Set(raised.map(({ id }) => id)), now, wall);
    const { rectified } = this.#history;
    return {
      alarms,
      leftOut: this.#leftOut(raised, alarms),
      watching: this.#watching,
      unheardLimits: this.#unheardLimits(situation),
      rectified: rectified.length === 0 ? undefined : [...rectified],
      starting: now - this.#startedAt <= RAISED_WITHIN_MS || undefined,
      rest: restIn(situation),
      berth: situation.isAtBerth ? this.#berthReport() : undefined,
      anchorWatch: this.#own.anchorWatch && { ...this.#own.anchorWatch, distance: situation.anchorDistance },
    };
  }

  #berthReport(): AlarmsData["berth"] {
    const { latitude, longitude } = this.#own.berth.kept!;
    return { latitude, longitude, distance: this.#own.berth.distance(this.#own.position) };
  }

  #unheardLimits({ ownLimits }: Situation): string[] | undefined {
    const unheard = this.#settings.limits.enabled ? this.#ownLimits.unheard(ownLimits) : [];
    return unheard.length === 0 ? undefined : [...unheard];
  }

  #situationOf(surroundings: Surroundings, now: number, wall: number): Situation {
    const { targets, ownMmsis, receivers, isHeard, nameOfDevice, heardAt } = surroundings;
    const { clockAheadSec, disk, faultyParts, rival, newDevices } = surroundings;
    this.#latest.removeStale(now);
    this.#notices.removeEnded(now, isHeard);
    const own = this.#own.observe(surroundings, this.#settings, now);
    this.#distress.observe(targets, own.position, { wall, clock: this.#clock.offset });
    return {
      targets,
      ownMmsis,
      receivers,
      isHeard,
      nameOfDevice,
      clockAheadSec,
      disk,
      faultyParts,
      rival,
      newDevices,
      latest: (input) => this.#latest.of(input),
      reported: (input) => this.#latest.reported(input),
      isReporting: (input, device) => this.#latest.isReporting(input, device),
      notices: (kind) => this.#notices.of(kind),
      now,
      clock: this.#clock.offset,
      depthLimit: this.#settings.depth.limit,
      pilotStops: this.#pilots.stops(now),
      ownLimits: this.#ownLimits.readings(own.navigation, surroundings, now),
      isSilent: heardAt === undefined ? own.isDue || undefined : now - heardAt > SILENT_AFTER_MS,
      nominalVolts: (instance, device) =>
        this.#settings.batteryVoltage.nominal[instance] ?? this.#nominalVolts.of(instance, device),
      calls: this.#distress.calls,
      isOver: (call) => isSilent(call, now),
      // Members after a spread are added one by one, which takes V8 a hundred times as long.
      ...own,
    };
  }

  /**
   * The ids that an answer is for: one alarm, or those of the last report of a kind, or all of it; the crew has not seen
   * others. An emergency is acknowledged by its own name only.
   */
  answeredBy({ id, answer }: { readonly id: string; readonly answer: AlarmAnswer }): readonly string[] {
    const rectified = answer === "acknowledge" ? this.#history.rectified : [];
    const isOne = [...rectified, ...this.#raised()].some((each) => each.id === id);
    const group = [...this.#reported, ...rectified].filter(
      ({ kind, severity }) => (id === "all" || id === kind) && (answer === "silence" || severity !== "emergency"),
    );
    return [...new Set([...(isOne ? [id] : []), ...group.map((each) => each.id)])];
  }

  #watch(kind: AlarmKind): Watch {
    return this.#watches.get(kind)!;
  }

  #isAnswered(kind: AlarmKind, key: Key): boolean {
    return this.#watch(kind).track(key)?.alarm?.answer !== undefined;
  }

  #raised(): Raised[] {
    return [...this.#watches.values()].flatMap((watch) => watch.raised());
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
