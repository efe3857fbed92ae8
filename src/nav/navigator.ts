/**
 * The navigation report as a function of messages and time: hears the messages of `navigatorDefinitions`, and tells at any
 * moment what the best of its sources say.
 *
 * Time comes in with each message and each question, monotonic for ages and limits, the wall clock only for the stamps.
 * The same messages and questions give the same reports, byte for byte.
 */
import { dayOf, isoTime } from "../n2k/date.ts";
import { createDevices, type Device } from "./devices.ts";
import { navigationData } from "./groups.ts";
import type { MagneticModel } from "./heading.ts";
import type { NavigatorMessage } from "./messages.ts";
import { createQuantities } from "./quantities.ts";
import { NAVIGATION_EXPIRES_AFTER_SECONDS, type NavigationReport } from "./report.ts";
import { defaultSettings, type NavigationSettings, type PriorityKey, placeIn, priorityKeys } from "./settings.ts";

export interface NavigatorOptions {
  /** The NAME of the device at an address, as far as it is known. */
  readonly nameOf?: (address: number) => bigint | undefined;
  /** The model of a device from its product information, as far as it is known. */
  readonly modelOf?: (name: bigint) => string | undefined;
  /** Asked only when the settings say so. */
  readonly magneticModel?: MagneticModel | undefined;
  /** Dates before this wall-clock time, milliseconds since 1970, are not believed: the day on which hub was built. */
  readonly notBefore?: number;
  readonly settings?: NavigationSettings;
}

/** A packet, as far as the navigator looks at it: `source` is the address, the times are milliseconds. */
export interface Packet {
  readonly source: number;
  /** Monotonic clock. */
  readonly arrived: number;
  /** Wall clock, since 1970. */
  readonly received: number;
}

export interface Navigator {
  /** Takes a message in. Keeps nothing of the packet. */
  hear(message: NavigatorMessage, packet: Packet): void;
  /** Monotonic time at which the next report is due: 100 ms after the last when there is news, else a second after. */
  due(): number;
  /** What holds at `now`, stamped with `wall`. */
  report(now: number, wall: number): NavigationReport;
  /** Replaces the settings; what was heard stays. */
  configure(settings: NavigationSettings): void;
}

const SOONEST = 100;
const LATEST = 1000;

const NOBODY: Device = { name: undefined, digits: "0", order: -1 };

export function createNavigator({
  nameOf = () => undefined,
  modelOf = () => undefined,
  magneticModel,
  notBefore = 0,
  settings: initial = defaultSettings,
}: NavigatorOptions = {}): Navigator {
  const devices = createDevices();
  const quantities = createQuantities(dayOf(notBefore));
  /** Of the message that is being heard: one object for all of them. */
  const origin = { device: NOBODY, pgn: 0, variant: 0, arrived: 0, received: 0 };
  let settings = initial;
  let places = placesIn(initial);
  let lastReport = Number.NEGATIVE_INFINITY;
  let hasNews = false;

  function friendlyNameOf({ name, digits }: Device): string | undefined {
    return name === undefined ? undefined : (settings.friendlyNames.get(digits) ?? modelOf(name));
  }
  function placesIn({ priority }: NavigationSettings): Record<PriorityKey, (device: Device) => number> {
    const entries = priorityKeys.map((key) => [key, placeIn(priority[key], friendlyNameOf)] as const);
    return Object.fromEntries(entries) as Record<PriorityKey, (device: Device) => number>;
  }

  return {
    hear(message, { source, arrived, received }) {
      hasNews = true;
      origin.device = devices.at(source, nameOf(source), arrived);
      origin.pgn = message.pgn;
      origin.arrived = arrived;
      origin.received = received;
      quantities.hear(message, origin, settings.windDamping);
    },
    due() {
      return lastReport + (hasNews ? SOONEST : LATEST);
    },
    report(now, wall) {
      lastReport = now;
      hasNews = false;
      const picture = quantities.choose(now, places);
      return {
        data: navigationData(picture, {
          now,
          wall,
          magneticModel: settings.variation === "model" ? magneticModel : undefined,
          friendlyNameOf,
        }),
        metadata: {
          rxDate: isoTime(wall),
          rxTimestamp: Math.floor(wall / 1000),
          expireAfterSec: NAVIGATION_EXPIRES_AFTER_SECONDS,
          configLoaded: settings.configLoaded,
        },
      };
    },
    configure(next) {
      settings = next;
      places = placesIn(next);
    },
  };
}
