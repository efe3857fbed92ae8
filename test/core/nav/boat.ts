/** A boat for tests: devices that send, a clock that tests move, and the report. */
import { Devices } from "../../../src/core/nav/devices.ts";
import type { NavigatorMessage } from "../../../src/core/nav/messages.ts";
import {
  type NavigationData,
  type NavigationReport,
  navigationReport,
} from "../../../src/core/nav/navigation-report.ts";
import { Navigator, type NavigatorOptions } from "../../../src/core/nav/navigator.ts";
import { navigationSettings } from "../../../src/core/nav/settings.ts";
import { writerOf } from "../../../src/core/report/write.ts";
import { textOf } from "../../../src/core/text/ascii-buffer.ts";

const reportText = textOf(writerOf(navigationReport));

/** Wall clock at the beginning; the monotonic clock begins at 1000 seconds. */
export const begin = Date.UTC(2026, 10, 21, 8, 14, 26, 123);

export interface Boat {
  /** NAMEs by address, as the bridge would know them. */
  readonly names: Map<number, bigint>;
  readonly models: Map<bigint, string>;
  /** The device at an address says something now. */
  say(address: number, message: NavigatorMessage): void;
  /** Advances the time. */
  wait(milliseconds: number): void;
  /** Every `step` milliseconds the devices speak again and a report is made, for so long. Returns the last one. */
  sail(milliseconds: number, speak: (elapsed: number) => void, step?: number): NavigationData;
  /** Moves the wall clock only. */
  setWall(wall: number): void;
  settings(entry: unknown): void;
  due(): number;
  now(): number;
  timeOnBus(): number | undefined;
  /** The report as it is published. */
  text(): string;
  report(): NavigationReport;
  data(): NavigationData;
}

export function createBoat(options: Omit<NavigatorOptions, "modelOf"> = {}): Boat {
  const names = new Map<number, bigint>();
  const models = new Map<bigint, string>();
  const devices = new Devices();
  const navigator = new Navigator({ modelOf: (name) => models.get(name), ...options });
  let now = 1_000_000;
  let wall = begin;
  const wait = (milliseconds: number): void => {
    now += milliseconds;
    wall += milliseconds;
  };
  const text = (): string => reportText(navigator.report(now, wall));
  const report = (): NavigationReport => navigationReport.parse(JSON.parse(text()));
  return {
    names,
    models,
    say: (address, message) => {
      const device = devices.at(address, names.get(address), now);
      navigator.hear(message, { device, arrived: now, received: wall });
    },
    wait,
    sail(milliseconds, speak, step = 100) {
      let data: NavigationData = {};
      for (let elapsed = 0; elapsed < milliseconds; elapsed += step) {
        speak(elapsed);
        data = report().data;
        wait(step);
      }
      return data;
    },
    setWall: (to) => {
      wall = to;
    },
    settings: (entry) => navigator.configure(navigationSettings.read(entry).settings),
    due: () => navigator.due(),
    now: () => now,
    timeOnBus: () => navigator.timeOnBus(now),
    text,
    report,
    data: () => report().data,
  };
}

// Short names for the messages of devices.

type Said<Pgn extends number> = Extract<NavigatorMessage, { readonly pgn: Pgn }>;

export const fix = (latitude: number, longitude: number, more: Partial<Said<129029>> = {}): Said<129029> => ({
  pgn: 129029,
  latitude,
  longitude,
  method: 1,
  numberOfSatellites: 9,
  ...more,
});
export const coordinates = (latitude: number, longitude: number): Said<129025> => ({
  pgn: 129025,
  latitude,
  longitude,
});
export const course = (cogDeg: number, sogKnots: number, cogReference: "True" | "Magnetic" = "True"): Said<129026> => ({
  pgn: 129026,
  cogDeg,
  sogKnots,
  cogReference,
});
export const magnetic = (headingDeg: number, more: Partial<Said<127250>> = {}): Said<127250> => ({
  pgn: 127250,
  headingDeg,
  reference: "Magnetic",
  ...more,
});
export const gyro = (headingDeg: number, more: Partial<Said<127250>> = {}): Said<127250> => ({
  pgn: 127250,
  headingDeg,
  reference: "True",
  ...more,
});
export const log = (speedWaterKnots: number): Said<128259> => ({ pgn: 128259, speedWaterKnots });
/** 0 true north, 1 magnetic north, 2 apparent, 3 boat over ground, 4 boat over water. */
export const wind = (reference: number, windSpeedKnots: number, windAngleDeg: number): Said<130306> => ({
  pgn: 130306,
  reference,
  windSpeedKnots,
  windAngleDeg,
});
export const variation = (degrees: number, source = 8): Said<127258> => ({ pgn: 127258, variation: degrees, source });
