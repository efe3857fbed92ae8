/** Past alarms: those that have ended without an answer, and the history, as hub-cand keeps it. */

import { useState } from "preact/hooks";
import { groupedBy } from "../../../core/util/grouped.ts";
import { settings } from "../data/settings.ts";
import { dayAndTime, zoneText } from "../instruments/moments.ts";
import { dayText, durationText } from "../languages/formats.ts";
import { said, say } from "../languages/say.ts";
import { Button } from "../parts/button.tsx";
import { type AlarmsData, answer, canCommand, type PastAlarm, subjectText, valueText } from "./alarms.ts";

/** Alarms that are shown before the crew asks for more. */
const FIRST = 20;

interface Moment {
  readonly date: string;
  readonly time: string;
}

/** A time of a report in the time zone of this screen, which it names, to the minute. */
function momentOf(iso: string): Moment {
  const [date, time] = dayAndTime(iso);
  return { date: dayText(date), time: `${time.slice(0, 5)} ${zoneText()}` };
}

/** A time after another one: the date is said where it is another day. */
function laterText(iso: string, { date }: Moment): string {
  const later = momentOf(iso);
  return later.date === date ? later.time : `${later.date} ${later.time}`;
}

function lastedText({ since, until }: PastAlarm): string {
  if (until === undefined) return say("its end is not known");
  const seconds = Math.max(0, Date.parse(until) - Date.parse(since)) / 1000;
  return say("for {duration}", { duration: durationText(seconds) });
}

/** When it rang, for how long, and the answer. */
export function whenText(alarm: PastAlarm, lasts: boolean): string {
  const { since, acknowledged } = alarm;
  const began = momentOf(since);
  const end = lasts ? say("lasts") : lastedText(alarm);
  const answered =
    acknowledged === undefined
      ? say("no answer")
      : say("acknowledged {time}", { time: laterText(acknowledged, began) });
  return `${began.time}, ${end}, ${answered}`;
}

/** Day and time of an alarm that has ended, and for how long it rang. */
export function endedText(alarm: PastAlarm): string {
  const { date, time } = momentOf(alarm.since);
  return `${date} ${time}, ${lastedText(alarm)}`;
}

function Words({ alarm }: { readonly alarm: PastAlarm }) {
  const words = [subjectText(alarm), valueText(alarm, settings.value.units)].filter((text) => text !== "");
  return (
    <>
      <b>{said(alarm.title)}</b> {words.join(" \u00b7 ")}
    </>
  );
}

/** Alarms by day, in their order. */
const byDay = (alarms: readonly PastAlarm[]): ReadonlyMap<string, readonly PastAlarm[]> =>
  groupedBy(alarms, ({ since }) => momentOf(since).date);

interface HistoryProps {
  /** The newest first. */
  readonly past: readonly PastAlarm[];
  readonly data: AlarmsData;
}

export function History({ past, data }: HistoryProps) {
  const [isWhole, setWhole] = useState(false);
  const days = byDay(isWhole ? past : past.slice(0, FIRST));
  const raised = new Set(data.alarms.map(({ id, since }) => `${id} ${since}`));
  return (
    <section class="past" data-id="alarm-history">
      <h2>{say("History")}</h2>
      {past.length === 0 && <p>{say("No alarm is known.")}</p>}
      {[...days].map(([day, ofDay]) => (
        <section key={day} aria-label={day}>
          <h3>{day}</h3>
          <ul>
            {ofDay.map((alarm) => (
              <li key={`${alarm.id} ${alarm.since}`} class={alarm.severity}>
                <Words alarm={alarm} />
                <small>{whenText(alarm, raised.has(`${alarm.id} ${alarm.since}`))}</small>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {past.length > FIRST && (
        <button type="button" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? say("Show fewer") : say("Show all {count}", { count: past.length })}
        </button>
      )}
    </section>
  );
}

/** The alarms that ended before they were answered, and the number of those for which the list has no room. */
export function Ended({ data: { rectified = [], leftOut = {} } }: { readonly data: AlarmsData }) {
  const more = Object.values(leftOut).reduce((sum, count) => sum + count, 0);
  if (rectified.length === 0 && more === 0) return null;
  return (
    <section data-id="ended-alarms">
      {more > 0 && <p>{say("{more} more {more:has|have} no room in the list.", { more })}</p>}
      {rectified.length > 0 && (
        <>
          <h2>{say("Ended without an answer")}</h2>
          <ul class="alarm-list">
            {rectified.map((alarm) => (
              <li key={alarm.id}>
                <p>
                  <Words alarm={alarm} />
                  <small>{endedText(alarm)}</small>
                </p>
                {canCommand && <Button says="Seen" onClick={() => answer(alarm.id, "acknowledge")} />}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
