/** Places of alarms on the display: the page to which the bar leads, and the marked value or thing there. */

import { severities } from "../../../core/alarms/constants.ts";
import { type AlarmKind, alarmWords } from "../../../core/alarms/words.ts";
import { type InstrumentName, instrumentOf } from "../instruments/instruments.ts";
import { type ActiveAlarm, currentAlarms } from "./alarms.ts";

interface Place {
  /** Address of the page, and of the element on it. */
  readonly href: (alarm: ActiveAlarm) => string;
  /** Instruments of the value; the first one with a live value counts, as in hub-cand. */
  readonly instruments?: readonly [InstrumentName, ...InstrumentName[]];
  /** The panel of a system and its value; the panel alone if the alarm has no value. */
  readonly system?: { readonly panel: "engine" | "battery"; readonly field?: string };
}

const LIST = "#/alarms";

const distress: Place = { href: () => "#/distress" };
const position: Place = { href: () => "#/sail" };
const ship: Place = { href: ({ subject }) => (subject === undefined ? "#/ships" : `#/ships/${subject}`) };
const instrument = (...instruments: [InstrumentName, ...InstrumentName[]]): Place => ({
  href: () => `#/value/${livingOf(instruments, performance.now())}`,
  instruments,
});
function livingOf(names: NonNullable<Place["instruments"]>, now: number): InstrumentName {
  return names.find((name) => instrumentOf(name).read(now).kind === "live") ?? names[0];
}
const system = (panel: "engine" | "battery", field?: string): Place => ({
  href: ({ subject }) => `#/systems/${panel}-${subject ?? 0}`,
  system: { panel, ...(field !== undefined && { field }) },
});

/** Places by kind; other kinds lead to the list of the alarms. */
const places: Partial<Readonly<Record<AlarmKind, Place>>> = {
  manOverboard: distress,
  distress,
  beaconTest: ship,
  safetyMessage: ship,
  lostTarget: ship,
  cpa: ship,
  guardZone: ship,
  depth: instrument("depth"),
  depthLost: instrument("depth"),
  depthFalling: instrument("depth"),
  anchor: { href: () => "#/anchor" },
  position,
  positionJump: position,
  positionFrozen: position,
  receivers: position,
  newDevice: { href: () => "#/bus" },
  clock: { href: () => "#/bus" },
  engineTemperature: system("engine", "coolantTempC"),
  oilPressure: system("engine", "oilPressureKpa"),
  engine: system("engine"),
  transmission: system("engine"),
  wind: instrument("trueSpeed", "apparentSpeed"),
  pressure: instrument("pressure"),
  batteryVoltage: system("battery", "voltageV"),
  batteryHigh: system("battery", "voltageV"),
  batteryCharge: system("battery", "stateOfChargePercent"),
};

/** The first watch of a value, beside which its limit is set. */
export const watchOf = (name: InstrumentName): AlarmKind | undefined =>
  (Object.entries(places) as [AlarmKind, Place][]).find(([, { instruments }]) => instruments?.includes(name))?.[0];

const placeOf = ({ kind }: ActiveAlarm): Place => places[kind] ?? { href: () => LIST };

/** The address to which the bar leads: the value, or the list of the alarms if the value is shown already. */
export function hrefOf(alarm: ActiveAlarm): string {
  const href = placeOf(alarm).href(alarm);
  return location.hash === href ? LIST : href;
}

/** The most dangerous alarm of those that match; marked until it has ended. */
function markOf(matches: (alarm: ActiveAlarm) => boolean, now: number): ActiveAlarm | undefined {
  const found = (currentAlarms(now)?.alarms ?? []).filter(matches);
  return found.length < 2
    ? found[0]
    : severities.map((one) => found.find(({ severity }) => severity === one)).find(Boolean);
}

export const instrumentMark = (name: InstrumentName, now: number): ActiveAlarm | undefined =>
  markOf((alarm) => {
    const { instruments } = placeOf(alarm);
    // One with a name is of a sounder that is not in use, whose depth is not shown.
    return alarm.name === undefined && instruments?.includes(name) === true && livingOf(instruments, now) === name;
  }, now);

/** An engine or a battery: its instance, and the devices whose messages are shown of it. */
interface System {
  readonly panel: "engine" | "battery";
  readonly instance: number | undefined;
  readonly senders: readonly (number | undefined)[];
}

/** The mark of a value of an engine or battery; without `field` that of the panel itself. */
export const systemMark = (
  { panel, instance = 0, senders }: System,
  field: string | undefined,
  now: number,
): ActiveAlarm | undefined =>
  markOf((alarm) => {
    const { subject = 0, addresses } = alarm;
    const { system } = placeOf(alarm);
    const isOfValue = system?.panel === panel && system.field === field;
    return isOfValue && subject === instance && (addresses?.some((address) => senders.includes(address)) ?? true);
  }, now);

/** The alarm that the boat's own watch raises for a ship: the one definition of danger. */
export const shipMark = (mmsi: number, now: number): ActiveAlarm | undefined =>
  markOf(({ kind, subject }) => subject === mmsi && alarmWords[kind]?.subject === "MMSI", now);

export const positionMark = (now: number): ActiveAlarm | undefined =>
  markOf((alarm) => placeOf(alarm) === position, now);

/** Classes of a marked element: colour, and a frame by severity. */
export const markClass = (alarm: ActiveAlarm | undefined): string =>
  alarm === undefined ? "" : `alarming ${alarm.severity} ${alarm.state}`;
