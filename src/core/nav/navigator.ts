/**
 * The navigation report as a function of messages and time, from the best source of each quantity.
 *
 * Time is an argument of each call: monotonic for ages and limits, the wall clock only for timestamps. The same calls
 * give the same reports, byte for byte.
 */

import type { MagneticModel } from "../ports/magnetic-model.ts";
import { metadataAt } from "../report/envelope.ts";
import { NAVIGATION_EXPIRES_AFTER_SECONDS, NAVIGATION_REPEAT_MS } from "../report/timing.ts";
import { dayOf, timestampOf } from "../text/date.ts";
import type { Device } from "./devices.ts";
import type { Position } from "./great-circle.ts";
import { navigationDataOf } from "./groups.ts";
import { type MadeGood, MadeGoodByPositions } from "./made-good.ts";
import type { NavigatorMessage } from "./messages.ts";
import type { NavigationReport } from "./navigation-report.ts";
import { type Position as FixedPosition, fixIn, positionAt } from "./position.ts";
import { type ChosenSources, type DateAndTime, isOfCrystal, MAX_DATE_AGE_MS, Quantities } from "./quantities.ts";
import {
  friendlyNamesIn,
  type NavigationSettings,
  navigationSettings,
  type PriorityKey,
  priorityKeys,
  rankIn,
} from "./settings.ts";
import type { RankOf } from "./sources.ts";

export interface NavigatorOptions {
  /** The NAMEs by which settings may name a device, its own first; its own alone if absent. */
  readonly namesOf?: (name: bigint) => readonly bigint[];
  /** The model of a device from its product information, if it is known. */
  readonly modelOf?: (name: bigint) => string | undefined;
  /** Called only when the settings ask for a model. */
  readonly magneticModel?: MagneticModel | undefined;
  /**
   * The wall-clock time of the build, milliseconds since 1970: an earlier date comes from a receiver in which the weeks
   * of GPS have rolled over. The bridge sets it on a live bus.
   */
  readonly notBefore?: number;
  readonly settings?: NavigationSettings;
}

/** The part of a packet that the navigator reads; the times are milliseconds. */
export interface Packet {
  readonly device: Device;
  /** Monotonic clock. */
  readonly arrived: number;
  /** Wall clock, since 1970. */
  readonly received: number;
}

export interface ReceiverFix extends Position {
  /** Number in the order in which receivers were first heard. */
  readonly id: number;
  readonly name: string;
  readonly hdop: number | undefined;
}

export interface SounderInUse {
  /** Number in the order in which devices were first heard. */
  readonly id: number;
  /** Whether the settings name it, or none. */
  readonly isNamed: boolean;
}

/** A sounder that is not in use: the depth below its transducer and its offset, metres. */
export interface OtherSounder extends SounderInUse {
  readonly name: string;
  readonly depth: number;
  readonly offset: number | undefined;
}

const NO_DEVICE: Device = { name: undefined, digits: "0", order: 0, address: 255 };

const MIN_INTERVAL_MS = 100;

/**
 * Hears the messages of `navigatorDefinitions` and makes reports.
 *
 * @example
 * const navigator = new Navigator();
 * const device = new Devices().at(3, undefined, 0);
 * navigator.hear({ pgn: 128267, depthM: 4.2 }, { device, arrived: 0, received: Date.UTC(2026, 10, 21) });
 * navigator.report(100, Date.UTC(2026, 10, 21) + 100).data.depth_water?.depth; // 4.2
 */
export class Navigator {
  /**
   * Origin of the message being heard, updated in place: an object for each message is 7 % of what a replay allocates.
   */
  readonly #origin = { device: NO_DEVICE, pgn: 0, variant: 0, arrived: 0, received: 0 };
  readonly #quantities: Quantities;
  readonly #madeGood = new MadeGoodByPositions();
  readonly #namesOf: (name: bigint) => readonly bigint[];
  readonly #modelOf: (name: bigint) => string | undefined;
  readonly #magneticModel: MagneticModel | undefined;
  #settings: NavigationSettings;
  readonly #ranks: Record<PriorityKey, RankOf>;
  /** Date and time of the last report, and the monotonic time at which they came. */
  #date: { readonly value: DateAndTime; readonly arrived: number } | undefined;
  /** The sounder of the last report; undefined: none. */
  sounderInUse: SounderInUse | undefined;
  /** The last report, not rounded; another object for each. */
  latest: NavigationReport | undefined;
  /** Whether a model gave the variation of the last report. */
  #isModelled = false;
  #lastReport = Number.NEGATIVE_INFINITY;
  #hasNews = false;

  constructor({
    namesOf = (name) => [name],
    modelOf = () => undefined,
    magneticModel,
    notBefore = 0,
    settings = navigationSettings.byDefault,
  }: NavigatorOptions = {}) {
    this.#namesOf = namesOf;
    this.#modelOf = modelOf;
    this.#magneticModel = magneticModel;
    this.#quantities = new Quantities(dayOf(notBefore));
    this.#settings = settings;
    const ranks = priorityKeys.map((key) => [key, this.#rankOf(key)] as const);
    this.#ranks = Object.fromEntries(ranks) as Record<PriorityKey, RankOf>;
  }

  /** Takes a message, unless it is not known of which device it is; keeps no reference to the packet. */
  hear(message: NavigatorMessage, { device, arrived, received }: Packet): void {
    if (device.isDisputed) return;
    this.#hasNews = true;
    const origin = this.#origin;
    origin.device = device;
    origin.pgn = message.pgn;
    origin.arrived = arrived;
    origin.received = received;
    this.#quantities.hear(message, origin, this.#settings.windDamping);
  }

  /**
   * Monotonic time at which the next report is due: 100 ms after the last when there is news, else a second after it.
   */
  due(): number {
    return this.#lastReport + (this.#hasNews ? MIN_INTERVAL_MS : NAVIGATION_REPEAT_MS);
  }

  /** The report at `now`, with the timestamp `wall`. Its numbers are rounded when it is written. */
  report(now: number, wall: number): NavigationReport {
    this.#lastReport = now;
    this.#hasNews = false;
    const { variation, configLoaded } = this.#settings;
    const chosen = this.#quantities.choose(now, this.#ranks, this.#isModelled);
    // The source itself may have no date any more with its next message.
    const sounder = chosen.depth?.device;
    this.sounderInUse = sounder && { id: sounder.order, isNamed: this.#isNamedSounder(sounder) };
    this.#date = chosen.date && { value: chosen.date.value, arrived: chosen.date.arrived };
    const position = chosen.position && positionAt(chosen.position.value, now);
    const data = navigationDataOf(chosen, {
      now,
      wall,
      position,
      madeGood: this.#madeGoodBy(chosen, position),
      magneticModel: variation === "model" ? this.#magneticModel : undefined,
      friendlyNameOf: (device) => this.#friendlyNameOf(device),
    });
    this.#isModelled = data.speed_course?.variationSource !== undefined;
    this.latest = {
      data,
      metadata: Object.assign(metadataAt(wall, NAVIGATION_EXPIRES_AFTER_SECONDS), { configLoaded }),
    };
    return this.latest;
  }

  /**
   * The time on the bus at `now`, milliseconds since 1970, from the source of the last report; undefined without a
   * source, or from a crystal.
   */
  timeOnBus(now: number): number | undefined {
    if (this.#date === undefined || now - this.#date.arrived > MAX_DATE_AGE_MS) return undefined;
    const { value, arrived } = this.#date;
    const { days, time } = value;
    return days === undefined || isOfCrystal(value) ? undefined : timestampOf(days, time) + now - arrived;
  }

  /** See `Quantities.gust`. */
  gust(now: number): number {
    return this.#quantities.gust(now);
  }

  /** The receivers that have a fix at `now`, chosen or not. */
  receivers(now: number): readonly ReceiverFix[] {
    return this.#quantities.receivers(now).flatMap(({ device, value }) => {
      const fix = fixIn(positionAt(value, now));
      if (fix === undefined) return [];
      const name = this.#friendlyNameOf(device) ?? `receiver at address ${device.address}`;
      return [{ id: device.order, name, ...fix, hdop: value.details.hdop.at(now) }];
    });
  }

  /** The sounders that have a depth and are not in use. */
  otherSounders(now: number): readonly OtherSounder[] {
    return this.#quantities.otherDepths(now).map(({ device, value }) => {
      const name = this.#friendlyNameOf(device) ?? `sounder at address ${device.address}`;
      return { id: device.order, isNamed: this.#isNamedSounder(device), name, ...value };
    });
  }

  /** Whether the settings name a sounder, or none. */
  #isNamedSounder(device: Device): boolean {
    const listed = this.#settings.priority.depth?.length ?? 0;
    return listed === 0 || this.#ranks.depth(device) < listed;
  }

  /** Monotonic time of the last message of a sounder, with or without a depth; undefined before the first. */
  get sounderHeardAt(): number | undefined {
    return this.#quantities.sounderHeardAt;
  }

  /** Replaces the settings. Sources, their damping and the time for which they have been candidates stay. */
  configure(settings: NavigationSettings): void {
    const { priority } = this.#settings;
    this.#settings = settings;
    for (const key of priorityKeys) {
      const isChanged = JSON.stringify(settings.priority[key]) !== JSON.stringify(priority[key]);
      if (isChanged) this.#ranks[key] = this.#rankOf(key);
    }
  }

  /** The motion of the positions in use, if no receiver reports a speed. */
  #madeGoodBy({ course, position: source }: ChosenSources, position: FixedPosition | undefined): MadeGood | undefined {
    const fix = fixIn(position);
    if (fix === undefined) return undefined;
    this.#madeGood.hear(source!.device, fix, position!.from.arrived);
    return course?.value.sog === undefined ? this.#madeGood.madeGood : undefined;
  }

  /** The name that the settings give a device, or else its model. */
  #friendlyNameOf({ name, digits }: Device): string | undefined {
    if (name === undefined) return undefined;
    const { friendlyNames } = this.#settings;
    const names = this.#namesOf(name);
    const given =
      friendlyNames.get(digits) ?? (names.length > 1 ? friendlyNamesIn(friendlyNames, names)[0] : undefined);
    return given ?? this.#modelOf(name);
  }

  /** All names by which a priority may list a device. */
  #listedNamesOf(device: Device): readonly string[] {
    if (device.name === undefined) return [];
    const names = this.#namesOf(device.name);
    const friendly = friendlyNamesIn(this.#settings.friendlyNames, names);
    const model = friendly.length > 0 ? undefined : this.#modelOf(device.name);
    return [...names.map(String), ...friendly, ...(model === undefined ? [] : [model])];
  }

  #rankOf(key: PriorityKey): RankOf {
    return rankIn(this.#settings.priority[key], (device) => this.#listedNamesOf(device));
  }
}
