/** The alarms of one kind: a track for each thing that raises one. */
import type { Device } from "../nav/devices.ts";
import { groupedBy } from "../util/grouped.ts";
import { type AlarmDefinition, type CommonSettings, definitionOf } from "./definitions.ts";
import type { IsTracked } from "./hazards/hazard.ts";
import { idOf, type Raised, severityOfKind, waitsForAnswer } from "./raised.ts";
import { type Key, type Reading, type Source, worse } from "./reading.ts";
import type { watchStates } from "./report.ts";
import type { Situation } from "./situation.ts";
import { advance, isIdle, newTrack, type Step, type Track } from "./track.ts";
import type { AlarmKind } from "./words.ts";

/** A warning without data stays for this long, and an alarm until it is answered: no data is no all-clear. */
const HOLD_MS = 60_000;
/** Maximum alarms of a kind that wait without data; then the oldest ends. */
const MAX_HELD = 200;
const MINUTE_MS = 60_000;

/** Monotonic and wall clock, milliseconds. */
interface Moment {
  readonly now: number;
  readonly wall: number;
  /** See `SetClock`. */
  readonly clock: number;
  /** For how long the alarm of an id has sounded before this start. */
  readonly soundedBefore: (id: string) => number;
}

/** The step of a track by its key and the seconds that a danger has to last. */
type StepOf = (key: Key, seconds: number) => Step;

/** Key of a reading within its kind. */
const keyOf = ({ key, subject }: Reading): Key => key ?? subject;

/** The device of a reading, or what one measures; undefined: it is not known which of two, and ends no alarm of them. */
const sourceOf = ({ by, of }: Reading): Source | undefined =>
  by ?? (of?.device.isDisputed ? undefined : of?.device.order);

/** The readings of one thing, and the worst of them, which counts. */
interface Read {
  readonly worst: Reading;
  readonly all: readonly Reading[];
}

const byThing = (readings: readonly Reading[]): ReadonlyMap<Key, Read> =>
  new Map(
    [...groupedBy(readings, keyOf)].map(([key, all]) => [key, { worst: all.reduce((a, b) => worse(a, b)), all }]),
  );

/** The devices whose readings of a thing are as bad as the worst one. */
const devicesOf = ({ worst, all }: Read): readonly Device[] | undefined =>
  worst.of && all.flatMap(({ zone, of }) => (zone === worst.zone && of !== undefined ? [of.device] : []));

export class Watch {
  readonly kind: AlarmKind;
  readonly #definition: AlarmDefinition;
  #settings: CommonSettings;
  readonly #tracks = new Map<Key, Track>();
  readonly hasTrack: IsTracked = (key, source) => {
    const track = this.#tracks.get(key);
    return track !== undefined && (source === undefined || track.inDanger.has(source));
  };

  constructor(kind: AlarmKind, settings: CommonSettings) {
    this.kind = kind;
    this.#definition = definitionOf(kind);
    this.#settings = settings;
  }

  configure(settings: CommonSettings): void {
    this.#settings = settings;
    if (!settings.enabled) this.forgetAll();
  }

  raised(): Raised[] {
    const raised: Raised[] = [];
    this.#tracks.forEach((track, key) => {
      const { alarm } = track;
      if (alarm !== undefined) raised.push({ id: idOf(this.kind, key), kind: this.kind, alarm, track });
    });
    return raised;
  }

  track(key: Key): Track | undefined {
    return this.#tracks.get(key);
  }

  forget(key: Key): void {
    this.#tracks.delete(key);
  }

  forgetAll(): void {
    this.#tracks.clear();
  }

  forgetAllBut(keys: ReadonlySet<Key>): void {
    for (const key of this.#tracks.keys()) if (!keys.has(key)) this.#tracks.delete(key);
  }

  /** Raises, keeps and ends alarms; returns the state of the watch. */
  observe(situation: Situation, moment: Moment): (typeof watchStates)[number] {
    const definition = this.#definition;
    const settings = this.#settings;
    if (!settings.enabled) return "off";
    const readings = definition.readings(situation, settings, this.hasTrack);
    const isQuiet = definition.isQuiet?.(situation) ?? false;
    if (isQuiet && situation.isAtBerth) {
      // The crew has called the place a berth: that answers what rang before.
      this.#tracks.clear();
      return "quiet";
    }
    // Most things are within their limits.
    if (this.#tracks.size > 0 || readings.some(({ zone }) => zone !== "within")) {
      const stepOf = this.#steps(isQuiet, moment);
      byThing(readings).forEach((read, key) => {
        if (!this.#isOfAnother(key, read)) this.#take(key, read, stepOf);
        this.#noteDanger(key, read, moment.now);
      });
      this.#takeUnread(situation, stepOf);
    }
    if (isQuiet) return "quiet";
    const { canWatch = () => definition.isListed !== undefined || readings.length > 0 } = definition;
    return canWatch(situation) ? "on" : "no data";
  }

  #steps(isQuiet: boolean, { now, wall, clock, soundedBefore }: Moment): StepOf {
    const { term } = this.#settings;
    const { isLatched, isOfOneThing = false, swings = false } = this.#definition;
    const severity = severityOfKind(this.kind);
    return (key, seconds) => ({
      now,
      wall,
      clock,
      delay: seconds * 1000,
      severity,
      term: term === undefined ? undefined : term * MINUTE_MS,
      isQuiet,
      isLatched: isLatched === true,
      isOfOneThing,
      swings,
      soundedFor: () => soundedBefore(idOf(this.kind, key)),
    });
  }

  /** Whether a device that was in danger last is silent: readings of other devices do not end the alarm then. */
  #isOfAnother(key: Key, { worst, all }: Read): boolean {
    const { alarm, inDanger } = this.#tracks.get(key) ?? {};
    if (alarm === undefined || inDanger === undefined || worst.zone === "beyond") return false;
    const heard = new Set(all.map(sourceOf));
    return [...inDanger.keys()].some((device) => !heard.has(device));
  }

  #noteDanger(key: Key, { all }: Read, now: number): void {
    const track = this.#tracks.get(key);
    if (track === undefined) return;
    const { inDanger } = track;
    for (const reading of all) {
      const device = sourceOf(reading);
      if (device === undefined) continue;
      if (reading.zone === "beyond" && !inDanger.has(device)) inDanger.set(device, now);
      else if (reading.zone === "within") inDanger.delete(device);
    }
    if (inDanger.size > 0) track.lastInDanger = new Set(inDanger.keys());
  }

  #take(key: Key, read: Read, stepOf: StepOf): void {
    const { worst: reading } = read;
    const step = stepOf(key, reading.seconds ?? this.#settings.delay);
    let track = this.#tracks.get(key);
    if (track === undefined) {
      if (reading.zone === "within") return;
      track = newTrack(step.now);
      this.#tracks.set(key, track);
    }
    advance(track, reading, step);
    if (track.alarm !== undefined && reading.zone !== "within") track.alarm.devices = devicesOf(read);
    if (reading.zone === "within" && isIdle(track, step.now)) this.#tracks.delete(key);
  }

  /**
   * Tracks without a reading at this time. They have ended where the definition lists every danger that there is; the
   * others stay for a while.
   */
  #takeUnread(situation: Situation, stepOf: StepOf): void {
    const { now } = situation;
    const { isLatched, isListed } = this.#definition;
    const held: Key[] = [];
    this.#tracks.forEach((track, key) => {
      if (track.lastRead === now) return;
      const { alarm } = track;
      const waits = alarm !== undefined && isLatched !== true && waitsForAnswer({ kind: this.kind, alarm });
      const isUnheard = waits && typeof isListed === "function" && !isListed(situation, alarm.reading);
      if (isListed !== undefined && !isUnheard) {
        if (alarm !== undefined) advance(track, { ...alarm.reading, zone: "within" }, stepOf(key, 0));
        if (isIdle(track, now)) this.#tracks.delete(key);
      }
      if (now - track.lastRead < HOLD_MS) return;
      if (waits) {
        held.push(key);
        alarm.isWithoutData = true;
      } else this.#tracks.delete(key);
    });
    for (const key of held.slice(0, -MAX_HELD)) this.#tracks.delete(key);
  }
}
