/** Paths of hub's alarms. */
import { type AlarmKind, alarmKinds } from "../alarms/definitions.ts";
import type { ActiveAlarm, AlarmsData } from "../alarms/report.ts";
import { segmentOf } from "./pgn-paths.ts";
import { numberIn, type Row, row, type Value } from "./row.ts";

const engine = (subject = 0): string => `propulsion.${segmentOf("engineInstance", subject)}`;
const battery = (subject = 0): string => `electrical.batteries.${subject}`;

/** Below `notifications`, by kind and subject. */
const places: Readonly<Record<AlarmKind, (subject: number | undefined) => string>> = {
  cpa: (mmsi) => `navigation.closestApproach.${mmsi}`,
  depth: () => "environment.depth.belowTransducer",
  anchor: () => "navigation.anchor",
  position: () => "navigation.position",
  engineTemperature: (subject) => `${engine(subject)}.overTemperature`,
  oilPressure: (subject) => `${engine(subject)}.lowOilPressure`,
  wind: () => "environment.wind",
  batteryVoltage: (subject) => `${battery(subject)}.voltage`,
  batteryCharge: (subject) => `${battery(subject)}.capacity.stateOfCharge`,
};

/** @example notificationPath({ kind: "oilPressure", subject: 1, … }) // "notifications.propulsion.starboard.lowOilPressure" */
export const notificationPath = ({ kind, subject }: Pick<ActiveAlarm, "kind" | "subject">): string =>
  `notifications.${places[kind](subject)}`;

/** Each kind of alarm with its path, of instance 0 or a ship, for the reference. */
export const notificationExamples: readonly (readonly [kind: AlarmKind, path: string])[] = alarmKinds.map((kind) => [
  kind,
  notificationPath({ kind, subject: kind === "cpa" ? 299001100 : 0 }),
]);

const stateOf = { alarm: "alarm", warning: "warn" } as const;

const messageOf = ({ title, name, value, unit, minutes }: ActiveAlarm): string =>
  [
    name === undefined ? title : `${title}: ${name}`,
    value === undefined ? undefined : `${value} ${unit}`,
    minutes === undefined ? undefined : `in ${minutes} min`,
  ]
    .filter((part) => part !== undefined)
    .join(", ");

/** An alarm that was acknowledged or silenced makes no sound. */
export const notificationOf = (alarm: ActiveAlarm): Value => ({
  state: stateOf[alarm.severity],
  method: alarm.state === "active" ? ["visual", "sound"] : ["visual"],
  message: messageOf(alarm),
});

/** Of an alarm that has ended. */
export const endOf = ({ title }: ActiveAlarm): Value => ({ state: "normal", method: [], message: title });

type AnchorWatch = NonNullable<AlarmsData["anchorWatch"]>;

const ofAnchor = numberIn<AnchorWatch>();

/** The anchor watch, which is in the report of the alarms. */
export const anchorPaths: readonly Row<AnchorWatch>[] = [
  row("navigation.anchor.position", "latitude, longitude", ["Position of the anchor"], ({ latitude, longitude }) => ({
    latitude,
    longitude,
  })),
  ofAnchor("navigation.anchor.maxRadius", "radius", "m", "Radius of the anchor watch"),
  ofAnchor("navigation.anchor.currentRadius", "distance", "m", "Distance from the boat to the anchor"),
];
