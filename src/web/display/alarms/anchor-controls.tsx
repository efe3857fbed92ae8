/** The radius of the anchor watch, and its beginning and end. */
import { useState } from "preact/hooks";
import { ANCHOR_RADIUS } from "../../../core/alarms/constants.ts";
import { latest } from "../data/store.ts";
import { type AlarmsData, changeAnchorWatch, endAnchorWatch, watchAnchor } from "./alarms.ts";

const RADIUS_STEP = 5;
const REPORTED_AFTER_MS = 2000;
const [MIN_RADIUS, MAX_RADIUS] = ANCHOR_RADIUS;

export function AnchorControls({ watch, now }: { readonly watch: AlarmsData["anchorWatch"]; readonly now: number }) {
  const [chosen, setChosen] = useState({ radius: 40, at: Number.NEGATIVE_INFINITY });
  // A report takes its time, in which a finger taps again.
  const isUnderWay = now - chosen.at < REPORTED_AFTER_MS;
  const radius = watch === undefined || isUnderWay ? chosen.radius : watch.radius;
  const hasPosition = latest.read("place", now).kind === "live";
  const step = (by: number): void => {
    const next = Math.min(MAX_RADIUS, Math.max(MIN_RADIUS, radius + by));
    setChosen({ radius: next, at: performance.now() });
    if (watch !== undefined) changeAnchorWatch({ ...watch, radius: next });
  };
  return (
    <>
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
        <button type="button" onClick={endAnchorWatch}>
          Anchor is up
        </button>
      )}
    </>
  );
}
