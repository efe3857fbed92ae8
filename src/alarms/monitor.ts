/**
 * The alarms as a function of messages, reports, commands and time, evaluated once a second. Times are milliseconds, monotonic;
 * the wall clock is for timestamps only. The same calls give the same reports.
 */

import type { MessageOf } from "../n2k/field.ts";
import { batteryConfigurationStatus, batteryStatus, dcDetailedStatus } from "../n2k/pgns/electrical.ts";
import { engineParametersDynamic, engineParametersRapid } from "../n2k/pgns/propulsion.ts";
import type { Approach } from "../nav/ais-targets.ts";
import { greatCircle, METRES_PER_MILE, type Position } from "../nav/great-circle.ts";
import type { NavigationData } from "../nav/navigation-report.ts";
import { isoTime } from "../text/date.ts";
import type { AlarmCommand } from "./commands.ts";
import { type AlarmKind, alarmKinds, definitionOf, type Reading } from "./definitions.ts";
import { NominalVolts } from "./nominal-volts.ts";
import { type ActiveAlarm, type AlarmsData, MAX_ALARMS, type watchStates } from "./report.ts";
import { type AlarmSettings, defaultAlarmSettings } from "./settings.ts";
import { type AnchorWatch, type Battery, type Engine, type Situation, Stillness } from "./situation.ts";

/** Definitions by which the messages are decoded; everything else comes from the reports. */
export const alarmMessages = [
  engineParametersRapid,
  engineParametersDynamic,
  batteryStatus,
  dcDetailedStatus,
  batteryConfigurationStatus,
] as const;

export type AlarmMessage = MessageOf<typeof alarmMessages>;

/** Age at which a message of an engine or battery is stale. The slowest of them is sent every 1.5 seconds. */
const MAX_MESSAGE_AGE_MS = 10_000;
/** An alarm without data stays for this long, because a sounder loses the bottom where it is shallowest. */
const HOLD_MS = 60_000;
/** Time within the limit after which an alarm ends. */
const END_AFTER_MS = 3000;
const SILENCE_MS = 30_000;

/** Data of the reports: the boat and the ships around it. */
export interface Reports {
  readonly navigation: NavigationData;
  readonly targets: readonly Approach[];
}

/** State of a reading from one observation to the next. */
interface Track {
  /** Since when it is beyond the limit, and since when within. */
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
  /** Monotonic. */
  silencedUntil: number;
}

type Subject = Reading["subject"];

interface Raised {
  readonly id: string;
  readonly kind: AlarmKind;
  readonly alarm: Alarm;
}

export class AlarmMonitor {
  #settings: AlarmSettings = defaultAlarmSettings;
  /** By instance. */
  readonly #engines = new Map<number, Engine>();
  /** By instance. */
  readonly #batteries = new Map<number, Battery>();
  readonly #nominalVolts = new NominalVolts();
  readonly #stillness = new Stillness();
  /** By kind and subject. */
  readonly #tracks = new Map(alarmKinds.map((kind) => [kind, new Map<Subject, Track>()]));
  #anchorWatch: AnchorWatch | undefined;
  #position: Position | undefined;
  #hadPosition = false;

  get anchorWatch(): AnchorWatch | undefined {
    return this.#anchorWatch;
  }

  configure(settings: AlarmSettings): void {
    this.#settings = settings;
  }

  /** Nothing of the message is kept but its values. */
  hear(message: AlarmMessage, { arrived }: { readonly arrived: number }): void {
    switch (message.pgn) {
      case engineParametersRapid.pgn:
        messagesOf(this.#engines, message.engineInstance).rapid = { message, arrived };
        break;
      case engineParametersDynamic.pgn:
        messagesOf(this.#engines, message.engineInstance).dynamic = { message, arrived };
        break;
      case dcDetailedStatus.pgn:
        if (message.dcType === "Battery") messagesOf(this.#batteries, message.instance).detailed = { message, arrived };
        break;
      case batteryStatus.pgn: {
        const { instance, voltageV } = message;
        if (instance !== undefined && voltageV !== undefined) this.#nominalVolts.measure(instance, voltageV);
        messagesOf(this.#batteries, instance).status = { message, arrived };
        break;
      }
      case batteryConfigurationStatus.pgn:
        if (message.instance !== undefined && typeof message.nominalVoltageV === "number")
          this.#nominalVolts.tell(message.instance, message.nominalVoltageV);
    }
  }

  /** Executes a command at `now`. False if it cannot be: no such alarm, or an anchor watch without a position. */
  execute(command: AlarmCommand, now: number): boolean {
    switch (command.kind) {
      case "endAnchorWatch":
        this.#anchorWatch = undefined;
        return true;
      case "watchAnchor": {
        const { radius = this.#settings.anchor.radius, latitude, longitude } = command.watch;
        const position = latitude === undefined || longitude === undefined ? this.#position : { latitude, longitude };
        if (position === undefined) return false;
        this.#anchorWatch = { latitude: position.latitude, longitude: position.longitude, radius };
        return true;
      }
      case "answer": {
        const { id, answer } = command;
        const alarms = this.#raised()
          .filter((each) => id === "all" || id === each.id)
          .map(({ alarm }) => alarm);
        for (const alarm of alarms) {
          if (answer === "acknowledge") alarm.isAcknowledged = true;
          else alarm.silencedUntil = now + SILENCE_MS;
        }
        return alarms.length > 0;
      }
    }
  }

  /** Evaluates all alarms at `now` and returns the report. */
  observe(reports: Reports, now: number, wall: number): AlarmsData {
    const situation = this.#situationOf(reports, now);
    const watching: AlarmsData["watching"] = {};
    for (const kind of alarmKinds) watching[kind] = this.#watch(kind, situation, now, wall);
    return {
      alarms: this.#alarms(now),
      watching,
      anchorWatch: this.#anchorWatch && { ...this.#anchorWatch, distance: situation.anchorDistance },
    };
  }

  #situationOf({ navigation, targets }: Reports, now: number): Situation {
    const { latitude, longitude, hasFix } = navigation.position ?? {};
    this.#position =
      hasFix === true && latitude !== undefined && longitude !== undefined ? { latitude, longitude } : undefined;
    this.#hadPosition ||= this.#position !== undefined;
    removeStale(this.#engines, now);
    removeStale(this.#batteries, now);
    const isStill = this.#stillness.observe(navigation.speed_course?.sog, now);
    const anchorWatch = this.#anchorWatch;
    return {
      navigation,
      targets,
      engines: this.#engines,
      batteries: this.#batteries,
      nominalVolts: (instance) => this.#nominalVolts.of(instance),
      anchorWatch,
      anchorDistance: anchorWatch && this.#position && greatCircle(anchorWatch, this.#position).range * METRES_PER_MILE,
      hadPosition: this.#hadPosition,
      isMoored: isStill && anchorWatch === undefined,
      isAtAnchor: isStill && anchorWatch !== undefined,
    };
  }

  #watch(kind: AlarmKind, situation: Situation, now: number, wall: number): (typeof watchStates)[number] {
    const definition = definitionOf(kind);
    const settings = this.#settings[kind];
    const tracks = this.#tracks.get(kind)!;
    if (!settings.enabled) {
      tracks.clear();
      return "off";
    }
    const readings = definition.readings(situation, settings, (subject) => tracks.has(subject));
    const isQuiet = definition.isQuiet?.(situation) ?? false;
    for (const reading of readings) {
      const { subject } = reading;
      let track = tracks.get(subject);
      if (track === undefined) {
        if (reading.zone === "within") continue;
        track = { beyondSince: undefined, withinSince: undefined, lastRead: now, alarm: undefined };
        tracks.set(subject, track);
      }
      step(track, reading, { now, wall, delay: settings.delay * 1000, isQuiet });
      if (track.alarm === undefined && reading.zone === "within") tracks.delete(subject);
    }
    tracks.forEach(({ lastRead }, subject) => {
      if (now - lastRead >= HOLD_MS) tracks.delete(subject);
    });
    return isQuiet ? "quiet" : readings.length === 0 ? "no data" : "on";
  }

  #raised(): Raised[] {
    const raised: Raised[] = [];
    this.#tracks.forEach((tracks, kind) => {
      tracks.forEach(({ alarm }, subject) => {
        if (alarm !== undefined) raised.push({ id: subject === undefined ? kind : `${kind}-${subject}`, kind, alarm });
      });
    });
    return raised;
  }

  #alarms(now: number): ActiveAlarm[] {
    return this.#raised()
      .sort((a, b) => alarmKinds.indexOf(a.kind) - alarmKinds.indexOf(b.kind) || a.alarm.since - b.alarm.since)
      .slice(0, MAX_ALARMS)
      .map(({ id, kind, alarm }) => {
        const { since, isAcknowledged, silencedUntil } = alarm;
        const { subject, name, value, limit, minutes } = alarm.reading;
        const { title, severity, unit } = definitionOf(kind);
        const state = isAcknowledged ? "acknowledged" : now < silencedUntil ? "silenced" : "active";
        const reading = { subject, name, value, limit, minutes, unit };
        return { id, kind, title, severity, state, ...reading, since: isoTime(since) };
      });
  }
}

interface Step {
  readonly now: number;
  readonly wall: number;
  readonly delay: number;
  readonly isQuiet: boolean;
}

/** Raises, keeps or ends the alarm of a track. */
function step(track: Track, reading: Reading, { now, wall, delay, isQuiet }: Step): void {
  track.lastRead = now;
  track.beyondSince = reading.zone === "beyond" && !isQuiet ? (track.beyondSince ?? now) : undefined;
  track.withinSince = reading.zone === "within" ? (track.withinSince ?? now) : undefined;
  const { alarm, beyondSince, withinSince } = track;
  if (alarm === undefined) {
    if (beyondSince === undefined || now - beyondSince < delay) return;
    track.alarm = { since: wall, reading, isAcknowledged: false, silencedUntil: Number.NEGATIVE_INFINITY };
    return;
  }
  alarm.reading = reading;
  const hasEnded = withinSince !== undefined && now - withinSince >= END_AFTER_MS;
  // A crew that has moored in shallow water and has acknowledged that is not reminded of it.
  if (hasEnded || (isQuiet && alarm.isAcknowledged)) track.alarm = undefined;
}

/** The messages of an instance, to which the caller adds one. A message without an instance is kept nowhere. */
function messagesOf<Messages extends Engine | Battery>(all: Map<number, Messages>, instance?: number): Messages {
  const messages = all.get(instance!) ?? ({} as Messages);
  if (instance !== undefined) all.set(instance, messages);
  return messages;
}

function removeStale(all: ReadonlyMap<number, Record<string, { readonly arrived: number }>>, now: number): void {
  all.forEach((messages) => {
    for (const kind in messages) if (now - messages[kind]!.arrived > MAX_MESSAGE_AGE_MS) delete messages[kind];
  });
}
