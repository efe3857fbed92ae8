/** The alarms as the display shows and answers them. hub-cand raises them; this page only shows, sounds and answers. */

import {
  type AlarmPhrases,
  alarmText,
  inReportUnits,
  type Quantity,
  type QuantityText,
} from "../../../core/alarms/alarm-text.ts";
import type { AlarmAnswer } from "../../../core/alarms/commands.ts";
import { addressIn } from "../../../core/alarms/names.ts";
import { alarmWords, BUTTON, LEAST_MMSI, LEAST_SHIP_MMSI } from "../../../core/alarms/words.ts";
import type { Sentence } from "../../../core/text/sentence.ts";
import type { DataOf } from "../../../core/topics/read-message.ts";
import { topics } from "../../../core/topics/topics.ts";
import { publish } from "../data/connection.ts";
import { isDead } from "../data/device-messages.ts";
import { knownNameAt, nameOfDevice, presentDevices } from "../data/device-names.ts";
import { hull } from "../data/hull.ts";
import { settings } from "../data/settings.ts";
import { store } from "../data/store.ts";
import { crewText, rangeText } from "../instruments/crew-unit.ts";
import type { UnitChoice } from "../instruments/units.ts";
import { numberText } from "../languages/formats.ts";
import { said, say } from "../languages/say.ts";
import { sentenceText } from "../languages/sentence-text.ts";
import { nameOfEngine } from "../systems/engine-name.ts";

export type AlarmsData = DataOf<"alarms">;
export type ActiveAlarm = AlarmsData["alarms"][number];
export type PastAlarm = DataOf<"alarmHistory">["alarms"][number];

/** Monotonic milliseconds of a time that the last report has: what is set since is no duration. */
function timeIn({ at, clockSetSec = 0 }: { readonly at: string; readonly clockSetSec?: number | undefined }): number {
  const { made, stamp } = store.alarms!;
  return stamp.arrived - 1000 * stamp.ageOnArrival - (made - Date.parse(at) - 1000 * clockSetSec);
}

/** When an alarm of the last report was raised, monotonic milliseconds. */
export const raisedAt = ({ since, clockSetSec }: ActiveAlarm): number => timeIn({ at: since, clockSetSec });

/** The same for a call, which began with its first report. */
export const beganAt = (alarm: ActiveAlarm): number =>
  alarm.first === undefined ? raisedAt(alarm) : timeIn(alarm.first);

const plain = inReportUnits("\u202f");

/** The range of a call is no value of a kind of alarms. */
const isRange = ({ kind, unit }: Quantity): boolean => kind === undefined && unit === "nm";

const inUnitsOf =
  (units: UnitChoice): QuantityText =>
  (quantity, value) =>
    isRange(quantity)
      ? rangeText(units, value).join("\u202f")
      : (crewText(quantity, units, value) ?? numberText(plain(quantity, value)));

type Identified = Pick<ActiveAlarm, "kind" | "subject" | "person" | "name">;

/** Whether the alarm is of a person whom the man-overboard button has marked. */
export const isOfButton = ({ kind, subject }: Identified): boolean => kind === "manOverboard" && subject === BUTTON;

/** The number that hub-cand has given to a person whom the button has marked, where there are several. */
export function personNumber(alarm: Identified): number | undefined {
  if (!isOfButton(alarm)) return undefined;
  const isOneOfSeveral = [alarm, ...(store.alarms?.data.alarms ?? [])].some(({ person = 1 }) => person > 1);
  return isOneOfSeveral ? alarm.person : undefined;
}

/** The subject of an alarm: the ship's name, the engine, the battery, the person where several are overboard. */
export function subjectText(alarm: Identified): string {
  const { kind, subject, name } = alarm;
  if (name !== undefined) return name;
  const person = personNumber(alarm);
  if (person !== undefined) return say("person {number}", { number: person });
  // A kind of a newer hub-cand has no words here.
  const what = (alarmWords as Partial<typeof alarmWords>)[kind]?.subject;
  if (what === undefined || subject === undefined) return "";
  if (kind === "manOverboard" && subject > BUTTON && subject < LEAST_SHIP_MMSI)
    return say("no. {number}", { number: subject });
  if (what === "engine") return nameOfEngine(subject);
  // A button on board has no number, nor has a call by radio without an MMSI.
  return what === "MMSI" && subject < LEAST_MMSI ? "" : `${said(what)} ${subject}`;
}

/**
 * The device of a sentence that has its address: by its name, which is left out where the alarm has it; with the address
 * if others are called so, and by its address alone while it has no name.
 */
function deviceText(sentence: Sentence, address: number, nameOfAlarm: string | undefined): string {
  const name = knownNameAt(address);
  if (name === undefined) return sentenceText(sentence);
  if (name === nameOfAlarm) return "";
  const called = presentDevices().filter((device) => nameOfDevice(device) === name);
  return [say("device {1}", { 1: name }), ...(called.length > 1 ? [sentenceText(sentence)] : [])].join(", ");
}

/** The text of an alarm beside its values. An older hub-cand and the archive have it in English alone. */
export const spokenText = ({ text, sentences, name }: Pick<ActiveAlarm, "text" | "sentences" | "name">) =>
  sentences === undefined
    ? text && said(text)
    : sentences
        .map((each) => {
          const address = addressIn(each);
          return address === undefined ? sentenceText(each) : deviceText(each, address, name);
        })
        .filter((each) => each)
        .join(", ");

/** The words around the values. */
const words: AlarmPhrases = {
  limit: (limit) => say("limit {limit}", { limit }),
  within: (value, time) => say("{value} in {time}", { value, time }),
  text: spokenText,
};

/** The words after the title, in the units of this screen. */
export const valueText = (alarm: ActiveAlarm | PastAlarm, units: UnitChoice): string =>
  alarmText(alarm, inUnitsOf(units), words);

/** The alarms of hub-cand's last report; undefined if it has expired. */
export function currentAlarms(now: number): AlarmsData | undefined {
  const { alarms } = store;
  return alarms === undefined || isDead(alarms, now) ? undefined : alarms.data;
}

/** A fleet reads its boats and publishes nothing. */
export const canCommand = hull === undefined;

const prefix = (): string => settings.peek().prefix;

export const command = (name: "anchorWatch" | "berth" | "manOverboard", payload: string): void =>
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
/** Calls the place of the boat a berth, at which what endangers at sea is quiet. */
export const giveBerth = (): void => command("berth", "{}");
export const endBerth = (): void => command("berth", "null");
export const endAnchorWatch = (): void => command("anchorWatch", "null");
