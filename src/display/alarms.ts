/** The alarms as the display shows and answers them. hub-cand raises them; this page only shows, sounds and answers. */
import type { ActiveAlarm, AlarmsData } from "../alarms/report.ts";
import { publish } from "./connection.ts";
import { hull } from "./hull.ts";
import { settings } from "./settings.ts";
import { bridgeOf, isDead, lastHeard, reportLife, store } from "./store.ts";
import { fixed, type MeasureName, minutesText, type UnitChoice, withUnit } from "./units.ts";

/** The measure of the value of a kind; others are shown with the unit of the report. */
const measuresOfKinds: Readonly<Partial<Record<ActiveAlarm["kind"], MeasureName>>> = {
  cpa: "distance",
  depth: "depth",
  engineTemperature: "temperature",
  oilPressure: "enginePressure",
  wind: "wind",
};

/** Kinds that an engine reports by itself, also while its value is within the limit. */
const reportedByEngine: ReadonlySet<ActiveAlarm["kind"]> = new Set(["engineTemperature", "oilPressure"]);

function quantityText({ kind, unit }: ActiveAlarm, units: UnitChoice, value: number): string {
  // Tenths of a mile are 185 m.
  if (kind === "cpa" && units.distance === "NM") return `${fixed(value, 2)}\u202fNM`;
  const measure = measuresOfKinds[kind];
  return measure === undefined
    ? `${fixed(value, kind === "anchor" ? 0 : 1)}\u202f${unit ?? ""}`
    : withUnit(measure, units, value);
}

/** The subject of an alarm: the ship's name, the engine, the battery. */
export function subjectText({ kind, subject, name }: ActiveAlarm): string {
  if (name !== undefined) return name;
  if (subject === undefined) return "";
  if (kind === "cpa") return `MMSI ${subject}`;
  return kind.startsWith("battery") ? `battery ${subject}` : `engine ${subject}`;
}

/** "1.7 m, limit 2.0 m", "0.07 NM in 4:30"; empty for an alarm without a value. */
export function valueText(alarm: ActiveAlarm, units: UnitChoice): string {
  const { value, limit } = alarm;
  if (value === undefined) return reportedByEngine.has(alarm.kind) ? "reported by the engine" : "";
  const text = quantityText(alarm, units, value);
  if (alarm.minutes !== undefined) return `${text} in ${minutesText(alarm.minutes)}`;
  return limit === undefined ? text : `${text}, limit ${quantityText(alarm, units, limit)}`;
}

/** The alarms that hub-cand last reported; undefined without a report that is not expired. */
export function currentAlarms(now: number): AlarmsData | undefined {
  const { alarms } = store;
  return alarms === undefined || isDead(alarms, now) ? undefined : alarms.data;
}

/** Silence of the navigation report beyond its life after which hub-cand or the network has gone. */
const SILENCE_SECONDS = 8;

/** Whether a boat whose alarms were watched is no longer watched. */
export const isUnwatched = (now: number): boolean =>
  store.alarms !== undefined &&
  (isDead(store.alarms, now) ||
    (now - Math.max(lastHeard(), 0)) / 1000 > reportLife() + SILENCE_SECONDS ||
    bridgeOf(settings.value.prefix)?.online === false);

/** A fleet reads its boats and publishes nothing. */
export const canCommand = hull === undefined;

const command = (target: string, payload: string): void =>
  publish(`${settings.peek().prefix}/alarms/${target}/set`, payload);

export const acknowledge = (id: string): void => command(id, "acknowledge");
export const silence = (id: string): void => command(id, "silence");
/** The anchor is where the boat is; the radius is in metres. */
export const watchAnchor = (radius: number): void => command("anchorWatch", JSON.stringify({ radius }));
/** Keeps the anchor and changes its circle. */
export const changeAnchorWatch = (watch: NonNullable<AlarmsData["anchorWatch"]>): void => {
  const { distance: _, ...kept } = watch;
  command("anchorWatch", JSON.stringify(kept));
};
export const endAnchorWatch = (): void => command("anchorWatch", "null");
