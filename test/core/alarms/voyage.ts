/** A voyage for tests of the alarms: reports as they come each second, a clock that tests move, and the alarms. */
import type { AlarmCommand } from "../../../src/core/alarms/commands.ts";
import { alarmCommandOf } from "../../../src/core/alarms/commands.ts";
import { type AlarmMessage, AlarmMonitor, type Surroundings } from "../../../src/core/alarms/monitor.ts";
import type { ActiveAlarm, AlarmsData } from "../../../src/core/alarms/report.ts";
import { readAlarmSettings } from "../../../src/core/alarms/settings.ts";
import type { Approach } from "../../../src/core/nav/ais-targets.ts";
import type { NavigationData } from "../../../src/core/nav/navigation-report.ts";

export const begin = Date.UTC(2026, 10, 21, 8, 14, 26);

/** The navigation report of a boat at sea: a fix at 52° north, 4° east, and a speed over ground in knots. */
export const underWay = (sog: number | null, more: NavigationData = {}): NavigationData => ({
  position: { hasFix: true, fixType: "gnss", method: 1, numSatellites: 9, latitude: 52, longitude: 4 },
  speed_course: { cog: 90, sog },
  ...more,
});

/** A ship that approaches; nautical miles and minutes. Its course belongs to the approach that a test gives. */
export const ship = (mmsi: number, more: Partial<Approach>): Approach =>
  ({
    mmsi,
    class: "A",
    name: `SHIP ${mmsi}`,
    lastSeen: begin,
    cog: 270,
    sog: 12,
    range: 3,
    bearing: 10,
    ...more,
  }) as Approach;

export interface Voyage {
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
  let now = 1_000_000;
  let data: AlarmsData = { alarms: [], watching: {} };
  const look = (reports: Partial<Surroundings>): void => {
    now += 1000;
    const bus = {
      isHeard: () => true,
      nameOfDevice: () => undefined,
      nameOfThing: () => undefined,
      receivers: [],
      sounderHeardAt: undefined,
      clockAheadSec: undefined,
      disk: undefined,
      newDevices: undefined,
      aisSources: new Set<number>(),
      heardAt: now,
    };
    data = monitor.observe({ navigation: {}, targets: [], ...bus, ...reports }, now, begin + now - 1_000_000);
  };
  const alarm = (id: string): ActiveAlarm | undefined => data.alarms.find((each) => each.id === id);
  return {
    settings: (entry) => monitor.configure(readAlarmSettings(entry).settings),
    hear: (message) => monitor.hear(message, { arrived: now + 1000, source: 3 }),
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
      return command !== undefined && monitor.execute(command, now, begin + now - 1_000_000);
    },
    alarm,
  };
}
