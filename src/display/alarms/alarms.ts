/** The alarms as the display shows and answers them. hub-cand raises them; this page only shows, sounds and answers. */
import type { AlarmAnswer } from "../../alarms/commands.ts";
import { alarmWords } from "../../alarms/words.ts";
import { topics } from "../../topics/topics.ts";
import { publish } from "../data/connection.ts";
import { hull } from "../data/hull.ts";
import type { DataOf } from "../data/messages.ts";
import { isDead, store } from "../data/store.ts";
import { settings } from "../settings.ts";
import { fixed, type MeasureName, minutesText, type UnitChoice, withUnit } from "../units.ts";

export type AlarmsData = DataOf<"alarms">;
export type ActiveAlarm = AlarmsData["alarms"][number];

/** The measure of the value of a kind; values of other kinds have the unit of the report. */
const measuresOfKinds: Readonly<Partial<Record<ActiveAlarm["kind"], MeasureName>>> = {
  cpa: "distance",
  depth: "depth",
  engineTemperature: "temperature",
  oilPressure: "enginePressure",
  wind: "wind",
};

function quantityText({ kind, unit }: ActiveAlarm, units: UnitChoice, value: number): string {
  // Tenths of a mile are 185 m.
  if (unit === "nm" && units.distance === "NM") return `${fixed(value, 2)}\u202fNM`;
  const measure = measuresOfKinds[kind];
  return measure === undefined
    ? `${fixed(value, kind === "anchor" ? 0 : 1)}\u202f${unit ?? ""}`
    : withUnit(measure, units, value);
}

/** The subject of an alarm: the ship's name, the engine, the battery. */
export function subjectText({ kind, subject, name }: ActiveAlarm): string {
  if (name !== undefined) return name;
  // A kind of a newer hub-cand has no words here.
  const what = (alarmWords as Partial<typeof alarmWords>)[kind]?.subject;
  // A button on board has no number.
  return what === undefined || subject === undefined || (what === "MMSI" && subject === 0) ? "" : `${what} ${subject}`;
}

/**
 * "1.7 m, limit 2.0 m, below the keel", "0.07 NM in 4:30", "012°, 0.13 NM, AIS man-overboard beacon"; empty for an
 * alarm without a value or a text.
 */
export function valueText(alarm: ActiveAlarm, units: UnitChoice): string {
  const { value, limit, minutes, text, bearing, range } = alarm;
  const quantity = (of: number): string => quantityText(alarm, units, of);
  const parts = [
    bearing === undefined ? undefined : `${fixed(bearing, 0).padStart(3, "0")}°`,
    range === undefined ? undefined : quantityText({ ...alarm, kind: "cpa", unit: "nm" }, units, range),
    value === undefined ? undefined : `${quantity(value)}${minutes === undefined ? "" : ` in ${minutesText(minutes)}`}`,
    value === undefined || limit === undefined || minutes !== undefined ? undefined : `limit ${quantity(limit)}`,
    text,
  ];
  return parts.filter((part) => part !== undefined).join(", ");
}

/** The alarms of hub-cand's last report; undefined if it has expired. */
export function currentAlarms(now: number): AlarmsData | undefined {
  const { alarms } = store;
  return alarms === undefined || isDead(alarms, now) ? undefined : alarms.data;
}

/** A fleet reads its boats and publishes nothing. */
export const canCommand = hull === undefined;

const prefix = (): string => settings.peek().prefix;

export const command = (name: "anchorWatch" | "manOverboard", payload: string): void =>
  publish(topics[name].name({ prefix: prefix() }), payload);

/** Answers an alarm by its id, or `all`. */
export const answer = (alarm: string, payload: AlarmAnswer): void =>
  publish(topics.alarmAnswer.name({ prefix: prefix(), alarm }), payload);

/** Sets the anchor at the boat's position; the radius is in metres. */
export const watchAnchor = (radius: number): void => command("anchorWatch", JSON.stringify({ radius }));
/** Keeps the anchor and changes its circle. */
export const changeAnchorWatch = (watch: NonNullable<AlarmsData["anchorWatch"]>): void => {
  const { distance: _, ...kept } = watch;
  command("anchorWatch", JSON.stringify(kept));
};
/** Sets the anchor at a place; without a radius that of the settings counts. */
export const watchAnchorAt = (place: { latitude: number; longitude: number; radius?: number }): void =>
  command("anchorWatch", JSON.stringify(place));
export const endAnchorWatch = (): void => command("anchorWatch", "null");
