/** A voyage for tests of the alarms: reports as they come each second, a clock that tests move, and the alarms. */
import type { AlarmCommand } from "../../../src/core/alarms/commands.ts";
import { alarmCommandOf } from "../../../src/core/alarms/commands.ts";
import { type AlarmMessage, AlarmMonitor } from "../../../src/core/alarms/monitor.ts";
import type { ActiveAlarm, AlarmsData } from "../../../src/core/alarms/report.ts";
import { alarmSettings } from "../../../src/core/alarms/settings.ts";
import type { Surroundings } from "../../../src/core/alarms/surroundings.ts";
import type { Approach } from "../../../src/core/nav/ais-targets.ts";
import { Devices } from "../../../src/core/nav/devices.ts";
import { greatCircle, type Position } from "../../../src/core/nav/great-circle.ts";
import type { NavigationData } from "../../../src/core/nav/navigation-report.ts";

export const begin = Date.UTC(2026, 10, 21, 8, 14, 26);

/** The navigation report of a boat at sea: a fix at 52° north, 4° east, and a speed over ground in knots. */
export const underWay = (sog: number | null, more: NavigationData = {}): NavigationData => ({
  position: { hasFix: true, fixType: "gnss", method: 1, numSatellites: 9, latitude: 52, longitude: 4 },
  speed_course: { cog: 90, sog },
  ...more,
});

const METRES_PER_DEGREE = 60 * 1852;

/** The report of a boat that is so many metres north of the place of `underWay`. */
export const northOf = (metres: number, navigation: NavigationData): NavigationData => ({
  ...navigation,
  position: { ...underWay(0).position!, latitude: 52 + metres / METRES_PER_DEGREE },
});

/** A ship at a place, by default three miles away, which sails west. Its range is from the place of `underWay`. */
export function ship(mmsi: number, more: Partial<Approach> = {}): Approach {
  const position = "position" in more ? more.position : placeAt(0.52, 2.95);
  const range = position && greatCircle(placeAt(0, 0), position).range;
  const motion = { cog: 270, sog: 12, range, bearing: 10, position };
  return { mmsi, class: "A", name: `SHIP ${mmsi}`, lastSeen: begin, ...motion, ...more } as Approach;
}

const MILES_PER_DEGREE = 60;
/** The place some miles north and east of the boat. */
const placeAt = (north: number, east: number): Position => ({
  latitude: 52 + north / MILES_PER_DEGREE,
  longitude: 4 + east / (MILES_PER_DEGREE * Math.cos((52 * Math.PI) / 180)),
});

/** A ship that passes the boat north of it, at `cpa` miles in `tcpa` minutes; the boat sails east at `own` knots. */
export const passing = (mmsi: number, cpa: number, tcpa: number, more: Partial<Approach> = {}, own = 6): Approach => {
  const { sog = 12 } = more;
  return ship(mmsi, { position: placeAt(cpa, ((own + sog) * tcpa) / 60), ...more });
};

/** Ten metres; without them the receiver of a boat that a test leaves at one place has failed. */
const WANDER_DEGREES = 0.000_15;

function wandering({ navigation, ...reports }: Partial<Surroundings>, now: number): Partial<Surroundings> {
  const { position, speed_course: course } = navigation ?? {};
  if (position?.longitude === undefined || (course?.sog ?? 0) < 2 || now % 2000 === 0)
    return navigation ? { navigation, ...reports } : reports;
  const moved = { ...position, longitude: position.longitude + WANDER_DEGREES };
  return { navigation: { ...navigation, position: moved }, ...reports };
}

export interface Voyage {
  /** Whether the position of the boat wanders, as that of a receiver does. */
  readonly receiver: { wanders: boolean };
  readonly monitor: AlarmMonitor;
  /** So many seconds pass without a look at the alarms. */
  moveTo(seconds: number): void;
  /** The computer's clock, and that it is set by so many seconds. */
  wall(): number;
  setClock(seconds: number): void;
  /** Settings of the entry `alarms`. */
  settings(entry: object): void;
  hear(message: AlarmMessage & Readonly<Record<string, unknown>>): void;
  /** Reports each second for `seconds`; `at` returns them by the second of this leg. Returns the last data. */
  sail(seconds: number, at: (second: number) => Partial<Surroundings>): AlarmsData;
  /** Sails until the alarm of an id is active and returns the seconds that took; throws after an hour. */
  secondsTo(id: string, at: (second: number) => Partial<Surroundings>): number;
  /** False for one that had no effect. */
  command(target: string, payload: string): boolean;
  alarm(id: string): ActiveAlarm | undefined;
}

export function createVoyage(): Voyage {
  const monitor = new AlarmMonitor();
  const device = new Devices().at(3, undefined, 0);
  let now = 1_000_000;
  let ahead = 0;
  const wall = (): number => begin + now - 1_000_000 + ahead;
  let data: AlarmsData = { alarms: [], watching: {} };
  const receiver = { wanders: true };
  const look = (given: Partial<Surroundings>): void => {
    now += 1000;
    const reports = receiver.wanders ? wandering(given, now) : given;
    const bus = {
      navigation: {},
      targets: [],
      isHeard: () => true,
      nameOfDevice: () => undefined,
      isCalled: () => false,
      nameOfThing: () => undefined,
      receivers: [],
      otherSounders: [],
      sounderHeardAt: undefined,
      gust: 0,
      clockAheadSec: undefined,
      disk: undefined,
      faultyParts: [],
      newDevices: undefined,
      aisSources: new Set<number>(),
      heardAt: now,
    };
    data = monitor.observe({ ...bus, ...reports }, now, wall());
  };
  const alarm = (id: string): ActiveAlarm | undefined => data.alarms.find((each) => each.id === id);
  return {
    receiver,
    monitor,
    wall,
    moveTo: (seconds) => {
      now += seconds * 1000;
    },
    setClock: (seconds) => {
      ahead += seconds * 1000;
    },
    settings: (entry) => monitor.configure(alarmSettings.read(entry).settings),
    hear: (message) => monitor.hear(message, { arrived: now + 1000, source: 3, device }),
    sail(seconds, at) {
      for (let second = 0; second < seconds; second++) look(at(second));
      return data;
    },
    secondsTo(id, at) {
      for (let second = 0; second < 3600; second++) {
        look(at(second));
        if (alarm(id) !== undefined) return second;
      }
      throw new Error(`${id} did not ring within an hour`);
    },
    command(target, payload) {
      const command: AlarmCommand | undefined = alarmCommandOf(target, payload);
      return command !== undefined && monitor.execute(command, now, wall()) === undefined;
    },
    alarm,
  };
}
