/** The active alarms, the anchor watch, and what is watched. */
import { useState } from "preact/hooks";
import type { AlarmsData } from "../../alarms/report.ts";
import { soundState, tryOut, wakeLockState } from "../alarm-sound.ts";
import {
  acknowledge,
  canCommand,
  changeAnchorWatch,
  currentAlarms,
  endAnchorWatch,
  isUnwatched,
  silence,
  subjectText,
  valueText,
  watchAnchor,
} from "../alarms.ts";
import { secondTick } from "../frame-tick.ts";
import { ageText } from "../freshness.ts";
import { changeSettings, settings } from "../settings.ts";
import { boatClock, latest } from "../store.ts";

type Kind = keyof AlarmsData["watching"];

const kindNames: Readonly<Record<Kind, string>> = {
  cpa: "Ships",
  depth: "Depth",
  anchor: "Anchor",
  position: "Position",
  engineTemperature: "Engine temperature",
  oilPressure: "Oil pressure",
  wind: "Wind",
  batteryVoltage: "Battery voltage",
  batteryCharge: "Battery charge",
};

const stateTexts: Readonly<Record<NonNullable<AlarmsData["watching"][Kind]>, string>> = {
  on: "watched",
  quiet: "quiet: at anchor or in harbour",
  "no data": "no sensor heard",
  off: "off",
};

function Active({ data, now }: { readonly data: AlarmsData; readonly now: number }) {
  const { units } = settings.value;
  if (data.alarms.length === 0) return <p class="all-well">No alarm.</p>;
  return (
    <ul class="alarm-list">
      {data.alarms.map((alarm) => (
        <li key={alarm.id} class={`${alarm.severity} ${alarm.state}`} data-id={`alarm-${alarm.id}`}>
          <p>
            <b>{alarm.title}</b> {subjectText(alarm)}
            <small>
              {valueText(alarm, units)} · since {ageText((boatClock(now) - Date.parse(alarm.since)) / 1000)}
              {alarm.state === "active" ? "" : ` · ${alarm.state}`}
            </small>
          </p>
          {alarm.state !== "acknowledged" && canCommand && (
            <>
              <button type="button" disabled={alarm.state === "silenced"} onClick={() => silence(alarm.id)}>
                Silence
              </button>
              <button type="button" onClick={() => acknowledge(alarm.id)}>
                Acknowledge
              </button>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

const RADIUS_STEP = 5;
const [MIN_RADIUS, MAX_RADIUS] = [10, 500];

function Anchor({ watch, now }: { readonly watch: AlarmsData["anchorWatch"]; readonly now: number }) {
  const [chosen, setChosen] = useState(40);
  const radius = watch?.radius ?? chosen;
  const hasPosition = latest.read("place", now).kind === "live";
  const step = (by: number): void => {
    const next = Math.min(MAX_RADIUS, Math.max(MIN_RADIUS, radius + by));
    setChosen(next);
    if (watch !== undefined) changeAnchorWatch({ ...watch, radius: next });
  };
  return (
    <section class="anchor">
      <h2>Anchor watch</h2>
      <fieldset class="stepper" aria-label="Radius of the anchor watch">
        <button type="button" aria-label="Smaller" onClick={() => step(-RADIUS_STEP)}>
          −
        </button>
        <b>{radius}&#8239;m</b>
        <button type="button" aria-label="Larger" onClick={() => step(RADIUS_STEP)}>
          +
        </button>
      </fieldset>
      {watch === undefined ? (
        <button type="button" class="main-action" disabled={!hasPosition} onClick={() => watchAnchor(radius)}>
          {hasPosition ? "Anchor is down here" : "No position"}
        </button>
      ) : (
        <>
          <p data-id="anchor-distance">
            {watch.distance === undefined ? "No position" : `${watch.distance}\u202fm from the anchor`}
          </p>
          <button type="button" onClick={endAnchorWatch}>
            Anchor is up
          </button>
        </>
      )}
    </section>
  );
}

const soundTexts = {
  untouched: "Touch the page once, so that the browser permits sound.",
  ready: "",
  unavailable: "This browser has no sound.",
} as const;

function Here() {
  const { sound, awake } = settings.value;
  return (
    <section>
      <h2>This screen</h2>
      <div class="choices">
        <button type="button" aria-pressed={sound} onClick={() => changeSettings({ sound: !sound })}>
          {sound ? "Alarms sound" : "Alarms are silent here"}
        </button>
        <button type="button" onClick={tryOut}>
          Try the sound
        </button>
        <button type="button" aria-pressed={awake} onClick={() => changeSettings({ awake: !awake })}>
          {awake ? "Screen stays on" : "Screen may go dark"}
        </button>
      </div>
      <p class="hint">
        {soundTexts[soundState.value]}{" "}
        {awake && wakeLockState.value === "unavailable" && "This browser keeps the screen on only over https."}
      </p>
    </section>
  );
}

export function Alarms() {
  const now = secondTick.value;
  const data = isUnwatched(now) ? undefined : currentAlarms(now);
  return (
    <div class="alarms">
      {data === undefined ? (
        <p class="nothing">No report of the alarms: hub-cand is off or silent, or of an older version.</p>
      ) : (
        <>
          <Active data={data} now={now} />
          {canCommand && <Anchor watch={data.anchorWatch} now={now} />}
          <section>
            <h2>Watched by the boat</h2>
            <ul class="watching">
              {(Object.entries(data.watching) as [Kind, keyof typeof stateTexts][]).map(([kind, state]) => (
                <li key={kind} data-id={`watch-${kind}`} class={state.replace(" ", "-")}>
                  {kindNames[kind]}{" "}
                  <small>
                    {kind === "anchor" && data.anchorWatch === undefined ? "no anchor watch" : stateTexts[state]}
                  </small>
                </li>
              ))}
            </ul>
          </section>
        </>
      )}
      <Here />
    </div>
  );
}
