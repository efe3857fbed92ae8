/** AIS targets: a plot around own ship, and a list by urgency or the details of one. */

import { useEffect, useRef, useState } from "preact/hooks";
import { chartNames } from "../chart/chart-list.ts";
import { isDead } from "../data/device-messages.ts";
import { frameTick } from "../data/frame-tick.ts";
import { ageOf, isAgeTold } from "../data/freshness.ts";
import { linkNow, noDataText } from "../data/link.ts";
import { changeSettings, settings, type Up, ups } from "../data/settings.ts";
import { store } from "../data/store.ts";
import { scaleText } from "../instruments/units.ts";
import { durationText } from "../languages/formats.ts";
import { say } from "../languages/say.ts";
import type { PlainText } from "../languages/texts.ts";
import { hash } from "../navigation/address.ts";
import { Button } from "../parts/button.tsx";
import { isDangerous } from "./danger.tsx";
import { Details, Row } from "./list.tsx";
import { Plot } from "./plot.tsx";
import { middle, middleNow, rangeNow, zoom } from "./scope.ts";
import { sortByUrgency } from "./traffic.ts";

const shipOfHash = (address: string): number | undefined => Number(address.split("/")[2]) || undefined;

const upWords: Readonly<Record<Up, readonly [PlainText, PlainText]>> = {
  north: ["North", "North up"],
  head: ["Head", "Head up"],
  course: ["Course", "Course up"],
};

const turnPlot = (): void => changeSettings({ up: ups[(ups.indexOf(settings.peek().up) + 1) % ups.length]! });

function ScopeTools() {
  const { up, ahead, charts, units } = settings.value;
  const range = rangeNow(frameTick.value);
  return (
    <div class="scope-tools">
      <button type="button" aria-label={say("Zoom in")} onClick={() => zoom(-1)}>
        +
      </button>
      <button type="button" aria-label={say("Zoom out")} onClick={() => zoom(1)}>
        −
      </button>
      <Button says={upWords[up][0]} aria-label={say(upWords[up][1])} onClick={turnPlot} />
      <button
        type="button"
        aria-label={say("Vectors of {ahead} min", { ahead })}
        onClick={() => changeSettings({ ahead: ahead === 3 ? 6 : ahead === 6 ? 12 : 3 })}
      >
        {say("{minutes} min", { minutes: ahead })}
      </button>
      {chartNames.value.length > 0 && (
        <Button says="Chart" aria-pressed={charts} onClick={() => changeSettings({ charts: !charts })} />
      )}
      <span class="range" data-id="range">
        {scaleText(units, range)} {units.distance}
      </span>
    </div>
  );
}

/** The age of the report, if that matters. */
const reportAge = (seconds: number): string =>
  isAgeTold(seconds) ? ` · ${say("report {duration} old", { duration: durationText(seconds) })}` : "";

const stationsText = (count: number): string => say("{count} station{count:|s}", { count });

export function Ships() {
  const now = frameTick.value;
  const addressed = shipOfHash(hash.value);
  const [selected, setSelected] = useState(addressed);
  useEffect(() => setSelected((before) => addressed ?? before), [addressed]);
  const report = store.ais;
  const dead = report !== undefined && isDead(report, now);
  const targets = report === undefined ? [] : sortByUrgency(report.data.targets, isDangerous);
  const chosen = targets.find(({ mmsi }) => mmsi === selected);
  const list = useRef<HTMLUListElement>(null);
  const left = useRef<number>(undefined);
  // When the list is shown again, the row of the ship gets the focus, which scrolls to it.
  useEffect(() => {
    if (chosen !== undefined || left.current === undefined) return;
    list.current?.querySelector<HTMLElement>(`[data-ship="${left.current}"]`)?.focus();
    left.current = undefined;
  }, [chosen === undefined]);
  const close = (): void => {
    left.current = selected;
    setSelected(undefined);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === "+" || event.key === "=") zoom(-1);
    else if (event.key === "-") zoom(1);
    else if (event.key === "h") turnPlot();
    else if (event.key === "c") middle.value = undefined;
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: shortcuts; each has a button too
    <div class={`ships ${dead ? "dead" : ""}`} onKeyDown={onKey}>
      <div class="scope">
        <Plot targets={targets} selected={selected} select={setSelected} now={now} />
        <ScopeTools />
        {middleNow(now) !== undefined && (
          <Button
            says="Centre"
            class="recentre"
            aria-label={say("Own ship in the middle")}
            onClick={() => {
              middle.value = undefined;
            }}
          />
        )}
      </div>
      {chosen ? (
        <Details target={chosen} close={close} now={now} />
      ) : (
        <div class="ship-list">
          <p class="list-head" data-id="ais-state">
            {report === undefined
              ? (noDataText(linkNow(now)) ?? say("No AIS report since this page was opened"))
              : `${stationsText(targets.length)}${reportAge(ageOf(report.stamp, now))}${dead ? ` – ${say("dead")}` : ""}`}
          </p>
          <ul ref={list}>
            {targets.map((target) => (
              <Row key={target.mmsi} target={target} select={setSelected} now={now} />
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
