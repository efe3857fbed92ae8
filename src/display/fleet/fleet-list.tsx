/** The list of boats: state, position, configuration and faults, each with a link to the display of that boat. */

import { signal } from "@preact/signals";
import { durationText } from "../../text/quantity.ts";
import { connectionState } from "../data/connection.ts";
import { fleetHref } from "../data/hull.ts";
import { secondTick } from "../frame-tick.ts";
import { Boundary } from "../parts/boundary.tsx";
import { LightButton } from "../parts/light-button.tsx";
import { settings } from "../settings.ts";
import { bearingText, coordinateText, withUnit } from "../units.ts";
import { faultsOf, type Hull, type HullState, type Hulls, hullStates, stateOf } from "./hulls.ts";

/** Maximum rows, to limit the time for rendering. */
const MAX_ROWS = 300;

const stateNames: Readonly<Record<HullState, string>> = { online: "On line", late: "Late", silent: "Silent" };

const connectionTexts = {
  connected: { kind: "good", text: "Live" },
  connecting: { kind: "lost", text: "Connecting" },
  lost: { kind: "lost", text: "No broker" },
} as const;

type Choice = HullState | "all" | "faulty";

const choiceNames: Readonly<Record<Choice, string>> = { all: "All", ...stateNames, faulty: "Faulty" };
const choices: readonly Choice[] = ["all", ...hullStates, "faulty"];

const chosen = signal<Choice>("all");
const words = signal("");

interface Row {
  readonly hull: Hull;
  readonly state: HullState;
  readonly faults: readonly string[];
}

const isOf = ({ state, faults }: Row, choice: Choice): boolean =>
  choice === "all" || (choice === "faulty" ? faults.length > 0 : state === choice);

function HullRow({ row, now }: { readonly row: Row; readonly now: number }) {
  const { hull, state, faults } = row;
  const { name, seen, measured, position, speedKnots, course, fetched } = hull;
  const { units } = settings.value;
  return (
    <li>
      <a class={`hull-row ${state}`} href={fleetHref(name)} data-id={name}>
        <b class="hull-name">{name}</b>
        <span class={`status ${state === "online" ? "good" : "silent"}`}>
          <span class="lamp" aria-hidden="true" />
          {stateNames[state]} <small class="age">{seen === 0 ? "never" : durationText((now - seen) / 1000)}</small>
        </span>
        <span class="hull-place">
          {position === undefined || measured === undefined ? (
            <small>no position</small>
          ) : (
            <>
              <span class="hull-position">
                {coordinateText(position.latitude, "latitude")} {coordinateText(position.longitude, "longitude")}
              </span>
              <small>
                {speedKnots !== undefined && withUnit("speed", units, speedKnots)}
                {course !== undefined && ` ${bearingText(course)}°`}
                <span class="age"> {durationText((now - measured) / 1000)} ago</span>
              </small>
            </>
          )}
        </span>
        <span class="hull-version">
          {fetched?.version === undefined ? <small>no configuration fetched</small> : `version ${fetched.version}`}
        </span>
        {faults.length > 0 && <span class="hull-faults warn">{faults.join(" · ")}</span>}
      </a>
    </li>
  );
}

export function FleetList({ hulls }: { readonly hulls: Hulls }) {
  void secondTick.value;
  const now = Date.now();
  const all = hulls.all().map((hull): Row => ({ hull, state: stateOf(hull, now), faults: faultsOf(hull, now) }));
  const wanted = words.value.toLowerCase();
  const rows = all.filter((row) => isOf(row, chosen.value) && row.hull.name.toLowerCase().includes(wanted));
  const { kind, text } = connectionTexts[connectionState.value];
  return (
    <>
      <header class="head">
        <h1>Fleet</h1>
        <p class={`status ${kind}`} role="status" data-id="link">
          <span class="lamp" aria-hidden="true" />
          {text}
        </p>
        <LightButton />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the element scrolls and has to be reachable by keyboard */}
      <main tabIndex={0} class={kind === "lost" ? "cut" : ""}>
        <form class="tools fleet-tools" onSubmit={(event) => event.preventDefault()}>
          <fieldset class="choices" aria-label="Boats that are shown">
            {choices.map((choice) => (
              <button
                type="button"
                key={choice}
                aria-pressed={choice === chosen.value}
                onClick={() => {
                  chosen.value = choice;
                }}
              >
                {choiceNames[choice]} <b>{all.filter((row) => isOf(row, choice)).length}</b>
              </button>
            ))}
          </fieldset>
          <label>
            <span>Name</span>
            <input
              type="search"
              value={words.value}
              placeholder="hull-42 …"
              onInput={(event) => {
                words.value = event.currentTarget.value;
              }}
            />
          </label>
        </form>
        {all.length === 0 && <p class="nothing">No boat heard yet.</p>}
        <ul class="hulls">
          {rows.slice(0, MAX_ROWS).map((row) => (
            <Boundary key={row.hull.name} name={row.hull.name}>
              <HullRow row={row} now={now} />
            </Boundary>
          ))}
        </ul>
        {rows.length > MAX_ROWS && <p class="source">and {rows.length - MAX_ROWS} more; a name finds them</p>}
      </main>
    </>
  );
}
