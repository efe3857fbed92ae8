/** The most dangerous alarm, above every page, with its answers. */

import { soundState } from "./alarm-sound.ts";
import { acknowledge, canCommand, currentAlarms, isUnwatched, silence, subjectText, valueText } from "./alarms.ts";
import { frameTick } from "./frame-tick.ts";
import { settings } from "./settings.ts";

export function AlarmBar() {
  const now = frameTick.value;
  if (isUnwatched(now)) {
    return (
      <aside class="alarm-bar unwatched" data-id="alarm-bar">
        <p role="alert">
          <b>Alarms are not watched</b> <span>hub-cand has gone silent</span>
        </p>
      </aside>
    );
  }
  const alarms = currentAlarms(now)?.alarms ?? [];
  const first = alarms.find(({ state }) => state !== "acknowledged") ?? alarms[0];
  if (first === undefined) return null;
  const { units, sound } = settings.value;
  const others = alarms.length - 1;
  const isAnswered = first.state === "acknowledged";
  return (
    <aside class={`alarm-bar ${first.severity} ${first.state}`} data-id="alarm-bar">
      <p role={isAnswered ? undefined : "alert"}>
        <a href="#/alarms">
          <b>{first.title}</b> <span>{subjectText(first)}</span> <span>{valueText(first, units)}</span>
        </a>
        {others > 0 && <small>and {others} more</small>}
        {!isAnswered && sound && soundState.value === "untouched" && <small>touch the screen to hear alarms</small>}
      </p>
      {!isAnswered && canCommand && (
        <>
          <button type="button" disabled={first.state === "silenced"} onClick={() => silence("all")}>
            {first.state === "silenced" ? "Silent" : "Silence"}
          </button>
          <button type="button" onClick={() => acknowledge(first.id)}>
            Acknowledge
          </button>
        </>
      )}
    </aside>
  );
}
