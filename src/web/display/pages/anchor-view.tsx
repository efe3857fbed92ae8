/**
 * The anchor watch as a picture, also for the night: circle, track, neighbours; and the place of an anchor that did not
 * fall here and now.
 */

import { useEffect, useState } from "preact/hooks";
import { greatCircle, METRES_PER_MILE, type Position } from "../../../core/nav/great-circle.ts";
import { type AlarmsData, canCommand, currentAlarms, watchAnchorAt } from "../alarms/alarms.ts";
import { AnchorControls } from "../alarms/anchor-controls.tsx";
import { drop, dropWas } from "../alarms/anchor-memory.ts";
import { BelowCallBar } from "../alarms/call-bar.tsx";
import { CallMarks } from "../alarms/call-marks.tsx";
import { hereNow, searchMiddle, searchMiles } from "../alarms/calls.ts";
import { WhileHeard } from "../alarms/while-heard.tsx";
import { LONGEST_BAR, roundBelow } from "../chart/scale-bar.ts";
import { type Point, pointOf } from "../chart/view.ts";
import { isDead } from "../data/device-messages.ts";
import { secondTick } from "../data/frame-tick.ts";
import { settings } from "../data/settings.ts";
import { boatClock, elapsedSince, latest, ownTrack, store } from "../data/store.ts";
import { crewUnit, lengthText } from "../instruments/crew-unit.ts";
import { instruments } from "../instruments/instruments.ts";
import { bearingText, decimalOf, withUnit } from "../instruments/units.ts";
import { durationText } from "../languages/formats.ts";
import { say } from "../languages/say.ts";
import { Button } from "../parts/button.tsx";
import { type Fact, Facts } from "../parts/facts.tsx";
import { Form } from "../parts/form.tsx";
import { pathOf } from "../parts/path.ts";
import { useSize } from "../parts/use-size.ts";
import { TargetShape } from "../ships/target-shape.tsx";
import { isLost, nameOf } from "../ships/traffic.ts";
import { placeAt, type TrackPoint } from "../trend/own-track.ts";
import { trackSince } from "../trend/track-since.ts";

type Watch = NonNullable<AlarmsData["anchorWatch"]>;

/** Metres shown around the boat without a watch. */
const STANDARD_RADIUS = 40;
/** Metres to the anchor above which the circle of the settings may be too small. */
const LONG_CHAIN = 25;

interface PlotProps {
  readonly center: Position;
  /** Metres; undefined without a watch. */
  readonly radius: number | undefined;
  readonly since: number | undefined;
  /** Possible place of the anchor. */
  readonly candidate: Position | undefined;
  readonly now: number;
}

/** Nautical miles to a call above which the circle would vanish; it is an arrow at the edge then. */
const FARTHEST_SEARCH = 1;

/** Pixels from the upper edge to the foot of the N. */
const NORTH_BELOW = 18;

const metres = { unit: "m", store: (shown: number): number => shown };

/** A round length in the unit of the crew, of `width` pixels with `scale` of them a metre. */
function ScaleBar({ width, scale }: { readonly width: number; readonly scale: number }) {
  const { unit, store } = crewUnit({ unit: "m" }, settings.value.units) ?? metres;
  if (width === 0) return null;
  const length = roundBelow((LONGEST_BAR * width) / scale / store(1));
  return (
    <p class="scale" data-id="scale">
      <span style={{ width: `${store(length) * scale}px` }} />
      <small>{`${length}\u202f${unit}`}</small>
    </p>
  );
}

const translated = ({ x, y }: Point): string => `translate(${x} ${y})`;

/** North up, the anchor in the middle. */
function Plot({ center, radius, since, candidate, now }: PlotProps) {
  const [box, { width, height }] = useSize();
  const searched = searchMiles(now);
  const shown = Math.max(
    (radius ?? STANDARD_RADIUS) * 1.5,
    searched !== undefined && searched <= FARTHEST_SEARCH ? searched * METRES_PER_MILE * 1.2 : 0,
  );
  const scale = (Math.max(20, Math.min(width, height) / 2 - 8) / shown) * METRES_PER_MILE;
  const view = { center, scale, turn: 0, width, height };
  const at = (place: Position): Point => pointOf(view, place);
  const begin = since === undefined ? Number.NEGATIVE_INFINITY : now - elapsedSince(since, now);
  const path = (part: readonly Position[]): string => pathOf(part.map(at));
  const here = hereNow(now);
  const heading = latest.read("headingTrue", now);
  const { ais } = store;
  const targets = ais === undefined || isDead(ais, now) ? [] : ais.data.targets;
  const neighbours = targets.flatMap((target) => {
    const { position } = target;
    if (position === undefined) return [];
    const { x, y } = at(position);
    const isOld = isLost(target, boatClock(now));
    return Math.abs(x) < width / 2 && Math.abs(y) < height / 2 ? [{ target, isOld, x, y }] : [];
  });
  return (
    <BelowCallBar now={now}>
      <div class="plot-box" ref={box}>
        <svg
          class="plot anchor-plot"
          viewBox={`${-width / 2} ${-height / 2} ${width} ${height}`}
          role="img"
          aria-label={say("The anchor, its circle, and the track of the boat; north up")}
        >
          {radius !== undefined && <circle class="swing" data-id="swing" r={(radius / METRES_PER_MILE) * scale} />}
          <path class="own-track" data-id="own-track" d={trackSince(begin, now).map(path).join("")} />
          {radius !== undefined && <path class="anchor-mark" d="M0 -9V9M-7 3A7 7 0 0 0 7 3M-4 -5H4" />}
          {here !== undefined && radius !== undefined && <path class="anchor-line" d={path([center, here])} />}
          {neighbours.map(({ target, isOld, x, y }) => (
            <g
              key={target.mmsi}
              class={`target class-${target.class} ${isOld ? "old" : ""}`}
              transform={`translate(${x} ${y})`}
            >
              <TargetShape target={target} course={target.heading ?? target.cog ?? 0} isOld={isOld} />
              <text class="target-name" x={14} y={4}>
                {nameOf(target)}
              </text>
            </g>
          ))}
          {candidate !== undefined && (
            <path class="anchor-mark" transform={translated(at(candidate))} d="M-9 -9L9 9M9 -9L-9 9" />
          )}
          <CallMarks view={view} now={now} />
          {here !== undefined && (
            <path
              class="own"
              transform={`${translated(at(here))} rotate(${heading.kind === "live" ? heading.value : 0})`}
              d="M0 -13L7 9Q0 5 -7 9Z"
            />
          )}
          <g class="compass-points">
            <text text-anchor="middle" y={NORTH_BELOW - height / 2}>
              N
            </text>
          </g>
        </svg>
        <ScaleBar width={width} scale={scale / METRES_PER_MILE} />
      </div>
    </BelowCallBar>
  );
}

/**
 * The radius of a circle that contains the boat, at a distance in metres from the anchor; none for a short distance, for
 * which the radius of the settings counts.
 */
const radiusAround = (metres: number): { readonly radius?: number } =>
  metres > LONG_CHAIN ? { radius: Math.ceil(metres / 5) * 5 + 10 } : {};

/** Sets the anchor by bearing and distance from here. */
function ByBearing({ here }: { readonly here: Position }) {
  const [bearing, setBearing] = useState("");
  const [distance, setDistance] = useState("");
  const unit = crewUnit({ unit: "m" }, settings.value.units);
  const typed = decimalOf(distance);
  const [degrees, metres] = [decimalOf(bearing), unit === undefined || typed === undefined ? typed : unit.store(typed)];
  const isUsable =
    degrees !== undefined && metres !== undefined && degrees >= 0 && degrees <= 360 && metres >= 0 && metres <= 500;
  const set = (): void => {
    const angle = (degrees! * Math.PI) / 180;
    const miles = metres! / METRES_PER_MILE;
    watchAnchorAt({
      ...placeAt(here, miles * Math.sin(angle), miles * Math.cos(angle)),
      ...radiusAround(metres!),
    });
  };
  return (
    <Form class="anchor-form" onSubmit={set}>
      <label>
        <span>{say("Bearing to it, °T")}</span>
        <input inputMode="decimal" value={bearing} onInput={(event) => setBearing(event.currentTarget.value)} />
      </label>
      <label>
        <span>{say("Distance, {unit}", { unit: unit?.unit ?? "m" })}</span>
        <input inputMode="decimal" value={distance} onInput={(event) => setDistance(event.currentTarget.value)} />
      </label>
      <Button says="Anchor is there" type="submit" disabled={!isUsable} />
    </Form>
  );
}

interface BackDatedProps {
  /** Oldest first. */
  readonly points: readonly TrackPoint[];
  readonly chosen: TrackPoint;
  readonly choose: (point: TrackPoint) => void;
  readonly here: Position;
  readonly now: number;
}

/** Sets the anchor where the boat was some time ago. */
function BackDated({ points, chosen, choose, here, now }: BackDatedProps) {
  const seconds = (now - chosen.at) / 1000;
  const set = (): void => {
    const place = { latitude: chosen.latitude, longitude: chosen.longitude };
    dropWas({ ...place, at: boatClock(now) - 1000 * seconds });
    const away = greatCircle(here, place).range * METRES_PER_MILE;
    watchAnchorAt({ ...place, ...radiusAround(away) });
  };
  return (
    <div class="anchor-form">
      <label>
        <span>{say("Where the boat was {duration} ago", { duration: durationText(seconds) })}</span>
        <input
          type="range"
          min={0}
          max={points.length - 1}
          value={points.findIndex(({ at }) => at >= chosen.at)}
          onInput={(event) => choose(points[Number(event.currentTarget.value)]!)}
        />
      </label>
      <Button says="Anchor fell there" onClick={set} />
    </div>
  );
}

function depthText(metres: number | undefined): string {
  return metres === undefined ? say("not known") : withUnit("depth", settings.value.units, metres);
}

/** The facts for a glance; distance and bearing are computed now, because the report is older. */
function factsOf(watch: Watch | undefined, here: Position | undefined, now: number): readonly Fact[] {
  const depth = instruments.depth.read(now);
  const wind = latest.read("trueSpeed", now);
  const line = watch && here && greatCircle(here, watch);
  const { at, depth: then } = drop.value ?? {};
  const facts: (Fact | undefined)[] = [
    watch && [
      say("Distance"),
      line === undefined
        ? say("No position")
        : lengthText(settings.value.units, line.range * METRES_PER_MILE).join("\u202f"),
    ],
    line && [say("Bearing to the anchor"), `${bearingText(line.bearing)}\u202f°T`],
    [`${say("Depth")} ${instruments.depth.note(now) ?? ""}`, depth.kind === "live" ? depthText(depth.value) : "––"],
    watch && [say("Depth when it fell"), depthText(then)],
    watch && [
      say("Fell"),
      at === undefined
        ? say("not known")
        : say("{duration} ago", { duration: durationText(elapsedSince(at, now) / 1000) }),
    ],
    [say("True wind"), wind.kind === "live" ? withUnit("wind", settings.value.units, wind.value) : "––"],
  ];
  return facts.filter((fact) => fact !== undefined);
}

function toggleFullScreen(): void {
  if (document.fullscreenElement === null) void document.documentElement.requestFullscreen().catch(() => {});
  else void document.exitFullscreen();
}

export function Anchor() {
  const now = secondTick.value;
  // The point itself, because the track loses its oldest points meanwhile.
  const [chosen, choose] = useState<TrackPoint>();
  const watch = currentAlarms(now)?.anchorWatch;
  const here = hereNow(now);
  const isWatched = watch !== undefined;
  // The next anchor falls elsewhere.
  useEffect(() => choose(undefined), [isWatched]);
  const { points } = ownTrack;
  const center = watch ?? here ?? searchMiddle(now);
  return (
    <div class="anchor-page">
      {center === undefined ? (
        <p class="nothing">{say("No position")}</p>
      ) : (
        <Plot
          center={center}
          radius={watch?.radius}
          since={watch === undefined ? undefined : drop.value?.at}
          candidate={isWatched ? undefined : chosen}
          now={now}
        />
      )}
      <div class="anchor-side anchor">
        <Facts rows={factsOf(watch, here, now)} />
        {canCommand && (
          <WhileHeard now={now}>
            <AnchorControls watch={watch} now={now} />
            {!isWatched && here !== undefined && <ByBearing here={here} />}
            {!isWatched && here !== undefined && points.length > 1 && (
              <BackDated points={points} chosen={chosen ?? points.at(-1)!} choose={choose} here={here} now={now} />
            )}
          </WhileHeard>
        )}
        <p class="choices">
          {document.fullscreenEnabled && <Button says="Full screen" onClick={toggleFullScreen} />}
          <a class="wide-link" href="#/alarms">
            {say("All alarms")}
          </a>
        </p>
      </div>
    </div>
  );
}
