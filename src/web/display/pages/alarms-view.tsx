/** The active alarms, the anchor watch, the watches, and what rang before. */

import { useEffect, useRef, useState } from "preact/hooks";
import { keptAlarms, withArchive } from "../alarms/alarm-archive.ts";
import { Answers } from "../alarms/alarm-bar.tsx";
import { soundState, tryOut, wakeLockState } from "../alarms/alarm-sound.ts";
import {
  type AlarmsData,
  canCommand,
  currentAlarms,
  endBerth,
  giveBerth,
  raisedAt,
  subjectText,
  valueText,
} from "../alarms/alarms.ts";
import { AnchorControls } from "../alarms/anchor-controls.tsx";
import { soundText } from "../alarms/bell.tsx";
import { GroupAnswers } from "../alarms/groups.tsx";
import { lossOf } from "../alarms/loss.ts";
import { Ended, History } from "../alarms/past-alarms.tsx";
import { hrefOf } from "../alarms/places.ts";
import { acknowledge, silence, stateHere } from "../alarms/ringing.ts";
import { Watches } from "../alarms/watches.tsx";
import { secondTick } from "../data/frame-tick.ts";
import { type Link, linkNow, noDataText } from "../data/link.ts";
import { changeSettings, settings } from "../data/settings.ts";
import { lengthText } from "../instruments/crew-unit.ts";
import { durationText } from "../languages/formats.ts";
import { said, say } from "../languages/say.ts";
import { Button } from "../parts/button.tsx";

function Active({ data, now }: { readonly data: AlarmsData; readonly now: number }) {
  const { units } = settings.value;
  if (data.alarms.length === 0) return <p class="all-well">{say("No alarm.")}</p>;
  return (
    <ul class="alarm-list">
      {data.alarms.map((alarm) => (
        <li key={alarm.id} class={`${alarm.severity} ${alarm.state}`} data-id={`alarm-${alarm.id}`}>
          <p>
            <a href={hrefOf(alarm)}>
              <span id={`title-${alarm.id}`} role={alarm.state === "acknowledged" ? undefined : "alert"}>
                <b>{said(alarm.title)}</b> {subjectText(alarm)}
              </span>
            </a>
            <small>
              {[
                valueText(alarm, units),
                say("since {duration}", { duration: durationText((now - raisedAt(alarm)) / 1000) }),
                alarm.state === "active" ? "" : say(alarm.state),
              ]
                .filter((text) => text !== "")
                .join(" · ")}
            </small>
          </p>
          {canCommand && (
            <Answers
              of={`title-${alarm.id}`}
              state={stateHere(alarm, now)}
              silence={() => silence(alarm.id)}
              acknowledge={() => acknowledge(alarm.id)}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

/** Time within which hub-cand reports a berth. */
const REPORTED_AFTER_MS = 3000;

/** The place that the crew has called a berth. */
function Berth({ data: { rest }, now }: { readonly data: AlarmsData; readonly now: number }) {
  const [asked, setAsked] = useState<number>();
  useEffect(() => {
    if (rest === "berth") setAsked(undefined);
  }, [rest]);
  if (!canCommand) return null;
  return (
    <section data-id="berth">
      <h2>{say("Berth")}</h2>
      {rest === "berth" ? (
        <>
          <p>{say("At the berth: depth, position, ships and the bus are quiet until the boat leaves it.")}</p>
          <Button says="Not at the berth" onClick={endBerth} />
        </>
      ) : (
        <Button
          says="The berth is here"
          onClick={() => {
            giveBerth();
            setAsked(now);
          }}
        />
      )}
      {asked !== undefined && now - asked > REPORTED_AFTER_MS && (
        <p class="hint" role="status">
          {say("Not taken: the boat has had no position for an hour.")}
        </p>
      )}
    </section>
  );
}

function Here() {
  const { sound, awake } = settings.value;
  return (
    <section>
      <h2>{say("This screen")}</h2>
      <div class="choices">
        <Button
          says={sound ? "Alarms sound" : "Alarms are silent here"}
          aria-pressed={sound}
          onClick={() => changeSettings({ sound: !sound })}
        />
        <Button says="Try the sound" onClick={tryOut} />
        <Button
          says={awake ? "Screen stays on" : "Screen may go dark"}
          aria-pressed={awake}
          onClick={() => changeSettings({ awake: !awake })}
        />
      </div>
      <p class="hint">
        {sound && soundText(soundState.value)}{" "}
        {awake && wakeLockState.value === "unavailable" && say("This browser keeps the screen on only over https.")}
      </p>
    </section>
  );
}

const FIRST_REPORT_MS = 8000;

/** Whether the first report may still come, above what stands below it. */
const isFirst = (link: Link, now: number): boolean =>
  now < FIRST_REPORT_MS && (link === "connecting" || link === "nothing heard");

export function Alarms() {
  const now = secondTick.value;
  const link = linkNow(now);
  const data = lossOf(now) === undefined ? currentAlarms(now) : undefined;
  // Text typed into a form of the watches outlives an outage.
  const last = useRef<AlarmsData>(undefined);
  last.current = data ?? last.current;
  return (
    <div class="alarms">
      {data === undefined ? (
        <p class="nothing">{noDataText(link) ?? say("No report of the alarms: hub-cand is of an older version.")}</p>
      ) : (
        <>
          <GroupAnswers data={data} />
          <Active data={data} now={now} />
          <Ended data={data} />
          {canCommand && (
            <section class="anchor">
              <h2>{say("Anchor watch")}</h2>
              {data.anchorWatch !== undefined && (
                <p data-id="anchor-distance">
                  {data.anchorWatch.distance === undefined
                    ? say("No position")
                    : say("{distance} from the anchor", {
                        distance: lengthText(settings.value.units, data.anchorWatch.distance).join("\u202f"),
                      })}
                </p>
              )}
              <AnchorControls watch={data.anchorWatch} now={now} />
              <a class="wide-link" href="#/anchor">
                {say("Anchor view")}
              </a>
            </section>
          )}
          <Berth data={data} now={now} />
        </>
      )}
      {last.current !== undefined && <Watches data={last.current} isHeard={data !== undefined} />}
      {data !== undefined && <History past={withArchive(keptAlarms(data), now)} data={data} />}
      {(data !== undefined || !isFirst(link, now)) && <Here />}
    </div>
  );
}
