/** The radius of the anchor watch, and its beginning and end. */

import { useState } from "preact/hooks";
import { ANCHOR_RADIUS } from "../../../core/alarms/constants.ts";
import { settings } from "../data/settings.ts";
import { latest } from "../data/store.ts";
import { crewUnit, lengthText } from "../instruments/crew-unit.ts";
import type { UnitChoice } from "../instruments/units.ts";
import { say } from "../languages/say.ts";
import { Button } from "../parts/button.tsx";
import { type AlarmsData, changeAnchorWatch, endAnchorWatch, watchAnchor } from "./alarms.ts";

/** Steps of the radius in metres, and in feet, from the nearest whole fives: the watch has whole metres. */
const [METRE_STEP, FOOT_STEP, WHOLE_FEET] = [5, 15, 5];
const REPORTED_AFTER_MS = 2000;
const [MIN_RADIUS, MAX_RADIUS] = ANCHOR_RADIUS;

/** The radius a step larger or smaller, whole metres. */
export function stepped(radius: number, by: 1 | -1, units: UnitChoice): number {
  const feet = crewUnit({ unit: "m" }, units);
  if (feet === undefined) return radius + by * METRE_STEP;
  return Math.round(feet.store(Math.round(feet.show(radius) / WHOLE_FEET) * WHOLE_FEET + by * FOOT_STEP));
}

export function AnchorControls({ watch, now }: { readonly watch: AlarmsData["anchorWatch"]; readonly now: number }) {
  const [chosen, setChosen] = useState({ radius: 40, at: Number.NEGATIVE_INFINITY });
  // A report takes its time, in which a finger taps again.
  const isUnderWay = now - chosen.at < REPORTED_AFTER_MS;
  const radius = watch === undefined || isUnderWay ? chosen.radius : watch.radius;
  const hasPosition = latest.read("place", now).kind === "live";
  const step = (by: 1 | -1): void => {
    const next = Math.min(MAX_RADIUS, Math.max(MIN_RADIUS, stepped(radius, by, settings.peek().units)));
    setChosen({ radius: next, at: performance.now() });
    if (watch !== undefined) changeAnchorWatch({ ...watch, radius: next });
  };
  return (
    <>
      <fieldset class="stepper" aria-label={say("Radius of the anchor watch")}>
        <button type="button" aria-label={say("Smaller")} onClick={() => step(-1)}>
          −
        </button>
        <b>{lengthText(settings.value.units, radius).join("\u202f")}</b>
        <button type="button" aria-label={say("Larger")} onClick={() => step(1)}>
          +
        </button>
      </fieldset>
      {watch === undefined ? (
        <Button
          says={hasPosition ? "Anchor is down here" : "No position"}
          class="main-action"
          disabled={!hasPosition}
          onClick={() => watchAnchor(radius)}
        />
      ) : (
        <Button says="Anchor is up" onClick={endAnchorWatch} />
      )}
    </>
  );
}
