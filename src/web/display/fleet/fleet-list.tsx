/** The list of boats, the worst first: alarms, state, position, configuration and faults, each with a link to the display of that boat. */

import { signal } from "@preact/signals";
import { connectionState } from "../data/connection.ts";
import { secondTick } from "../data/frame-tick.ts";
import { fleetHref } from "../data/hull.ts";
import { settings } from "../data/settings.ts";
import { bearingText, coordinateText, withUnit } from "../instruments/units.ts";
import { durationText } from "../languages/formats.ts";
import { say } from "../languages/say.ts";
import type { PlainText } from "../languages/texts.ts";
import { Boundary } from "../parts/boundary.tsx";
import { Button } from "../parts/button.tsx";
import { Form } from "../parts/form.tsx";
import { lazy } from "../parts/lazy.tsx";
import { LightButton } from "../parts/light-button.tsx";
import type { FleetMapProps } from "./fleet-map.tsx";
import { alarmWordsOf, faultWordsOf, wordsOf } from "./hull-words.ts";
import {
  type HullState,
  type Hulls,
  hullStates,
  isFaulty,
  isFound,
  type HullRow as Row,
  rowsOf,
  stateNames,
} from "./hulls.ts";

/** Maximum rows, to limit the time for rendering. */
const MAX_ROWS = 300;
/** Alarms named in a row. */
const MAX_ALARMS = 4;

const connectionTexts = {
  connected: { kind: "good", text: "Live" },
  connecting: { kind: "lost", text: "Connecting" },
  lost: { kind: "lost", text: "No broker" },
} as const;

type Choice = HullState | "all" | "alarm" | "faulty";

const choiceNames = {
  ...({ all: "All", alarm: "Alarm", faulty: "Faulty" } as const),
  ...stateNames,
} satisfies Readonly<Record<Choice, PlainText>>;
const choices: readonly Choice[] = ["all", "alarm", ...hullStates, "faulty"];

const chosen = signal<Choice>("all");
const words = signal("");
/** Whether the map is shown: at first where there is room for it beside the list. */
const isMapShown = signal(innerWidth >= 1200);

const isOf = (row: Row, choice: Choice): boolean => {
  switch (choice) {
    case "all":
      return true;
    case "alarm":
      return row.severity !== undefined;
    case "faulty":
      return isFaulty(row);
    default:
      return row.state === choice;
  }
};

const FleetMap = lazy<FleetMapProps>(
  () => import("./fleet-map.tsx").then(({ FleetMap: View }) => View),
  () => null,
);

function HullRow({ row, now }: { readonly row: Row; readonly now: number }) {
  const { hull, state, severity, faults } = row;
  const { name, seen, measured, position, speedKnots, course, fetched } = hull;
  const { units } = settings.value;
  return (
    <li>
      <a class={`hull-row ${state} ${severity ?? ""}`} href={fleetHref(name)} data-id={name}>
        <b class="hull-name">{name}</b>
        <span class={`status ${state === "online" ? "good" : "silent"}`}>
          <span class="lamp" aria-hidden="true" />
          {say(stateNames[state])}{" "}
          <small class="age">{seen === 0 ? say("never") : durationText((now - seen) / 1000)}</small>
        </span>
        <span class="hull-place">
          {position === undefined || measured === undefined ? (
            <small>{say("No position")}</small>
          ) : (
            <>
              <span class="hull-position">
                {coordinateText(position.latitude, "latitude")} {coordinateText(position.longitude, "longitude")}
              </span>
              <small>
                {speedKnots !== undefined && withUnit("speed", units, speedKnots)}
                {course !== undefined && ` ${bearingText(course)}°`}
                <span class="age"> {say("{duration} ago", { duration: durationText((now - measured) / 1000) })}</span>
              </small>
            </>
          )}
        </span>
        <span class="hull-version">
          {fetched?.version === undefined ? (
            <small>{say("no configuration fetched")}</small>
          ) : (
            say("version {version}", { version: fetched.version })
          )}
        </span>
        {severity !== undefined && (
          <span class="hull-alarms">{hull.alarms!.slice(0, MAX_ALARMS).map(alarmWordsOf).join(" · ")}</span>
        )}
        {faults.length > 0 && <span class="hull-faults warn">{faults.map(faultWordsOf).join(" · ")}</span>}
      </a>
    </li>
  );
}

export function FleetList({ hulls }: { readonly hulls: Hulls }) {
  void secondTick.value;
  const now = Date.now();
  const all = hulls.all();
  // The counts are those of the rows that the search leaves.
  const found = rowsOf(all, now).filter((row) => isFound(row, words.value, wordsOf(row)));
  const rows = found.filter((row) => isOf(row, chosen.value));
  const hasAlarms = all.some(({ alarms }) => alarms !== undefined);
  const { kind, text } = connectionTexts[connectionState.value];
  return (
    <>
      <header class="head">
        <h1>{say("Fleet")}</h1>
        <p class={`status ${kind}`} role="status" data-id="link">
          <span class="lamp" aria-hidden="true" />
          {say(text)}
        </p>
        <LightButton />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the element scrolls and has to be reachable by keyboard */}
      <main tabIndex={0} class={kind === "lost" ? "cut" : ""}>
        <Form class="tools fleet-tools" onSubmit={() => {}}>
          <fieldset class="choices" aria-label={say("Boats that are shown")}>
            {choices
              .filter((choice) => choice !== "alarm" || hasAlarms)
              .map((choice) => (
                <button
                  type="button"
                  key={choice}
                  aria-pressed={choice === chosen.value}
                  onClick={() => {
                    chosen.value = choice;
                  }}
                >
                  {say(choiceNames[choice])} <b>{found.filter((row) => isOf(row, choice)).length}</b>
                </button>
              ))}
          </fieldset>
          <label>
            <span>{say("Search")}</span>
            <input
              type="search"
              value={words.value}
              onInput={(event) => {
                words.value = event.currentTarget.value;
              }}
            />
          </label>
          <Button
            says="Map"
            aria-pressed={isMapShown.value}
            onClick={() => {
              isMapShown.value = !isMapShown.value;
            }}
          />
        </Form>
        {isMapShown.value && <FleetMap rows={rows} now={now} />}
        {all.length === 0 && <p class="nothing">{say("No boat heard yet.")}</p>}
        <ul class="hulls">
          {rows.slice(0, MAX_ROWS).map((row) => (
            <Boundary key={row.hull.name} name={row.hull.name}>
              <HullRow row={row} now={now} />
            </Boundary>
          ))}
        </ul>
        {rows.length > MAX_ROWS && (
          <p class="source">{say("and {others} more; a search finds them", { others: rows.length - MAX_ROWS })}</p>
        )}
      </main>
    </>
  );
}
