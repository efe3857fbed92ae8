/** Paths of hub's alarms. */
import { alarmText } from "../../core/alarms/alarm-text.ts";
import type { ActiveAlarm, AlarmsData } from "../../core/alarms/report.ts";
import { type AlarmKind, alarmKinds } from "../../core/alarms/words.ts";
import type { Finding } from "../../core/findings/report.ts";
import { isoTime } from "../../core/text/date.ts";
import { uuidOf } from "../../core/text/uuid.ts";
import { segmentOf } from "./pgn-paths.ts";
import { numberIn, type Row, row, type Value } from "./row.ts";

const engine = (subject = 0): string => `propulsion.${segmentOf("engineInstance", subject)}`;
const battery = (subject = 0): string => `electrical.batteries.${subject}`;

/** The part of a key after the engine: `lowOilLevel` of `0-lowOilLevel`. */
const bitOf = (key: string): string => key.slice(key.indexOf("-") + 1);

/**
 * Paths below `notifications`, by kind, subject, and the part of the id after the kind. Kinds without a path in Signal
 * K are absent, and have their own name as path.
 */
const places: Partial<Readonly<Record<AlarmKind, (subject: number | undefined, key: string) => string>>> = {
  manOverboard: (_, key) => `mob.${key}`,
  alert: (_, key) => `alerts.${key}`,
  engine: (subject, key) => `${engine(subject)}.${bitOf(key)}`,
  transmission: (subject, key) => `${engine(subject)}.transmission.${bitOf(key)}`,
  cpa: (_, key) => `navigation.closestApproach.${key}`,
  guardZone: (_, key) => `navigation.guardZone.${key}`,
  safetyMessage: (_, key) => `safetyMessages.${key}`,
  lostTarget: (mmsi) => `navigation.lostTarget.${mmsi}`,
  pilot: (address, key) => `steering.autopilot.${address}.${bitOf(key)}`,
  crossTrack: () => "navigation.course.crossTrackError",
  windShift: () => "environment.wind.shift",
  converter: (_, key) => `electrical.${key}`,
  shorePower: (subject) => `electrical.shorePower.${subject}`,
  depth: () => "environment.depth.belowTransducer",
  depthLost: () => "environment.depth.lost",
  depthFalling: () => "environment.depth.falling",
  anchor: () => "navigation.anchor",
  position: () => "navigation.position",
  positionJump: (receiver) => `navigation.position.jump.${receiver}`,
  receivers: () => "navigation.position.receivers",
  clock: () => "navigation.datetime",
  engineTemperature: (subject) => `${engine(subject)}.overTemperature`,
  oilPressure: (subject) => `${engine(subject)}.lowOilPressure`,
  wind: () => "environment.wind",
  batteryVoltage: (subject) => `${battery(subject)}.voltage`,
  batteryCharge: (subject) => `${battery(subject)}.capacity.stateOfCharge`,
};

/**
 * @example notificationPath({ kind: "oilPressure", subject: 1, … }) // "notifications.propulsion.starboard.lowOilPressure"
 */
export function notificationPath({ id, kind, subject }: Pick<ActiveAlarm, "id" | "kind" | "subject">): string {
  const key = id.slice(kind.length + 1);
  const place = places[kind]?.(subject, key) ?? (key === "" ? kind : `${kind}.${key}`);
  return `notifications.${place}`;
}

/**
 * The keys of alarms in the reference: a ship, a beacon, a bit of engine 0; empty for a kind with one alarm; for others
 * instance 0.
 */
const exampleKeys: Partial<Record<AlarmKind, number | string>> = {
  manOverboard: 972000001,
  distress: 970000001,
  beaconTest: 970000001,
  cpa: 299001100,
  guardZone: 299001100,
  safetyMessage: "2442000-1kx9d4",
  lostTarget: 299001100,
  alert: "c0ffee0123456789-0-0-5-1-104",
  dataLost: "depth",
  external: "bilge",
  pilot: "3-offTrackExceeded",
  limits: "freezer",
  network: "",
  positionFrozen: "",
  pressure: "",
  disk: "",
  fault: "",
  converter: "charger-0",
  engine: "0-lowOilLevel",
  transmission: "0-overTemperature",
};

/** Each kind of alarm with its path, for the reference. */
export const notificationExamples: readonly (readonly [kind: AlarmKind, path: string])[] = alarmKinds.map((kind) => {
  const key = exampleKeys[kind] ?? 0;
  return [
    kind,
    notificationPath({ kind, id: key === "" ? kind : `${kind}-${key}`, subject: typeof key === "number" ? key : 0 }),
  ];
});

const stateOf = { emergency: "emergency", alarm: "alarm", warning: "warn", caution: "alert" } as const;

const messageOf = (alarm: ActiveAlarm): string =>
  [alarm.name === undefined ? alarm.title : `${alarm.title}: ${alarm.name}`, alarmText(alarm)]
    .filter((part) => part !== "")
    .join(", ");

/** By the clock as it is set now. */
const createdAt = ({ since, clockSetSec }: ActiveAlarm): string =>
  clockSetSec === undefined ? since : isoTime(Date.parse(since) + clockSetSec * 1000);

/**
 * An alarm that was acknowledged or silenced makes no sound; an alarm without an answer is an emergency. Members from
 * `id` on are those of version 2.
 */
export const notificationOf = (alarm: ActiveAlarm): Value => ({
  state: alarm.unanswered ? "emergency" : stateOf[alarm.severity],
  method: alarm.state === "active" && alarm.severity !== "caution" ? ["visual", "sound"] : ["visual"],
  message: messageOf(alarm),
  ...(alarm.position !== undefined && { position: alarm.position }),
  id: uuidOf(`hub.alarms ${alarm.id}`),
  status: {
    silenced: alarm.state === "silenced",
    acknowledged: alarm.state === "acknowledged",
    canSilence: alarm.state === "active",
    canAcknowledge: alarm.state !== "acknowledged",
    canClear: false,
  },
  createdAt: createdAt(alarm),
});

/** The notification of an alarm or a finding that has ended. */
export const endOf = (title: string): Value => ({
  state: "normal",
  method: [],
  message: title,
});

/** @example findingPath({ id: "incomplete-75" }) // "notifications.findings.incomplete-75" */
export const findingPath = ({ id }: Pick<Finding, "id">): string => `notifications.findings.${segment(id)}`;

const segment = (id: string): string => id.replaceAll(/[^\w-]/g, "_");

/** The notification of a fault or a warning; it makes no sound, and has no answer. */
export const notificationOfFinding = ({ id, severity, title, measured }: Finding): Value => ({
  state: severity === "fault" ? "warn" : "alert",
  method: ["visual"],
  message: `${title}: ${measured}`,
  id: uuidOf(`hub.findings ${id}`),
  status: { silenced: false, acknowledged: false, canSilence: false, canAcknowledge: false, canClear: false },
});

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
