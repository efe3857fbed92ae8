/**
 * The marks of the rose in addition to the winds: laylines, the shift of the last ten minutes, gust, target, the other
 * tack.
 */

import { computed } from "@preact/signals";
import { bearing } from "../../../core/nav/angles.ts";
import { laylines, type Target, targetOf } from "../../../core/nav/polar.ts";
import { spanText } from "../../../core/text/quantity.ts";
import { frameTick, secondTick } from "../data/frame-tick.ts";
import type { Reading } from "../data/freshness.ts";
import { settings } from "../data/settings.ts";
import { latest } from "../data/store.ts";
import { bearingText, measureText } from "../instruments/units.ts";
import { inDays, numberText } from "../languages/formats.ts";
import { say } from "../languages/say.ts";
import { arc, pointOnDial, unwrapAngle } from "../parts/angles.ts";
import { ranges, secondsOf } from "../trend/ranges.ts";
import { instrumentLine, plainPoints } from "../trend/trend-line.ts";
import { type Extent, extentOf } from "../trend/trend-points.ts";
import { legOf, legs } from "./past.ts";
import { polar } from "./polar.ts";
import { tacksOf } from "./tack-memory.ts";

/** Radii of the fan, and of the ends of the laylines. */
const FAN = [146, 172] as const;
const LAYLINE = [78, 176] as const;

const MINUTES = secondsOf(ranges.minutes.span);

/** The last ten minutes as the plots show them: of the boat's history where it has them, and of this page. */
const pastOf = (name: "trueAngle" | "trueSpeed" | "trueDirection") => plainPoints(instrumentLine(name), "minutes");

interface Sailing {
  readonly shift: Extent | undefined;
  /** Knots. */
  readonly gust: Extent | undefined;
  readonly target: Target | undefined;
  /** Headings from true north. */
  readonly laylines: ReturnType<typeof laylines> | undefined;
  readonly otherTack: number | undefined;
}

/** The present wind; a polar refers to the wind over the water. */
function sailingNow(now: number): Sailing {
  const windAngle = latest.read("trueAngle", now);
  const windSpeed = latest.read("trueSpeed", now);
  const direction = latest.read("trueDirection", now);
  const tacks = tacksOf(pastOf("trueAngle"));
  const leg = windAngle.kind === "live" ? legs[legOf(windAngle.value)] : undefined;
  const isOverWater = latest.data.wind_true?.reference === "water";
  const target =
    polar.value !== undefined && leg !== undefined && windSpeed.kind === "live" && isOverWater
      ? targetOf(polar.value, windSpeed.value, leg.way)
      : undefined;
  const onOther = leg && tacks.get(leg.otherTack);
  const isKnown = direction.kind === "live";
  return {
    shift: extentOf(pastOf("trueDirection"), MINUTES),
    gust: extentOf(pastOf("trueSpeed"), MINUTES),
    target,
    laylines: isKnown && target !== undefined ? laylines(direction.value, target.angle) : undefined,
    otherTack: isKnown && onOther !== undefined ? laylines(direction.value, onOther)[leg!.otherSide] : undefined,
  };
}

/** An extent with the present value, which a frame shows before the next second. */
function including(extent: Extent | undefined, reading: Reading<number>): Extent | undefined {
  if (extent === undefined || reading.kind !== "live") return extent;
  const { low, high } = extent;
  return { ...extent, low: Math.min(low, reading.value), high: Math.max(high, reading.value) };
}

/** A direction as a number near an extent of unwrapped ones. */
const turnedTo = (extent: Extent | undefined, reading: Reading<number>): Reading<number> =>
  extent !== undefined && reading.kind === "live"
    ? { ...reading, value: unwrapAngle((extent.low + extent.high) / 2, reading.value) }
    : reading;

const sailingOfSecond = computed(() => sailingNow(secondTick.value));

/** A band between two directions. */
function fanPath({ low, high }: Extent): string {
  const [inner, outer] = FAN;
  // A line is visible even if the wind has not shifted yet.
  const [from, to] = [low - 0.5, Math.min(high + 0.5, low + 359)];
  const start = pointOnDial(from, inner);
  const corner = pointOnDial(to, inner);
  const large = to - from > 180 ? 1 : 0;
  return `${arc(from, to, outer)}L${corner.x.toFixed(2)} ${corner.y.toFixed(2)}A${inner} ${inner} 0 ${large} 0 ${start.x.toFixed(2)} ${start.y.toFixed(2)}Z`;
}

/** Drawn on the card, which shows true north. */
export function SailingMarks() {
  const sailing = sailingOfSecond.value;
  return (
    <g>
      {sailing.shift && <path data-mark="shift" class="shift" d={fanPath(sailing.shift)} />}
      {sailing.laylines &&
        (["port", "starboard"] as const).map((tack) => (
          <path
            key={tack}
            data-mark={`layline-${tack}`}
            data-heading={sailing.laylines![tack].toFixed(1)}
            class={`layline ${tack}`}
            transform={`rotate(${sailing.laylines![tack]})`}
            d={`M0 ${-LAYLINE[0]}V${-LAYLINE[1]}`}
          />
        ))}
      {sailing.otherTack !== undefined && (
        <circle
          data-mark="other-tack"
          class="other-tack"
          transform={`rotate(${sailing.otherTack})`}
          cy={-LAYLINE[1] + 10}
          r="8"
        />
      )}
    </g>
  );
}

interface CornerProps {
  readonly id: string;
  readonly label: string;
  /** The texts are one below the other, because the rose is round. */
  readonly texts: readonly string[];
}

function Corner({ id, label, texts }: CornerProps) {
  return (
    <p class={`corner ${id}`} data-id={id}>
      <small>{label}</small>
      {texts.map((text) => (
        <b key={text}>{text}</b>
      ))}
    </p>
  );
}

export function SailingCorners() {
  const { units } = settings.value;
  const now = frameTick.value;
  const sailing = sailingOfSecond.value;
  const { target } = sailing;
  const gust = including(sailing.gust, latest.read("trueSpeed", now));
  const shift = including(sailing.shift, turnedTo(sailing.shift, latest.read("trueDirection", now)));
  return (
    <>
      {gust !== undefined && (
        <Corner
          id="gust"
          label={say("Gust, {duration}", { duration: inDays(spanText(gust.seconds)) })}
          texts={[`${numberText(measureText("wind", units, gust.high))} ${units.wind}`]}
        />
      )}
      {target !== undefined && (
        <Corner
          id="target"
          label={say("Target")}
          texts={[
            `${Math.round(target.angle)}°`,
            `${numberText(measureText("speed", units, target.speed))} ${units.speed}`,
          ]}
        />
      )}
      {shift !== undefined && (
        <Corner
          id="wind-shift"
          label={`TWD, ${inDays(spanText(shift.seconds))}`}
          texts={[`${bearingText(bearing(shift.low))}–${bearingText(bearing(shift.high))}`]}
        />
      )}
      {sailing.otherTack !== undefined && (
        <Corner id="other-tack" label={say("Other tack")} texts={[`${bearingText(sailing.otherTack)}°`]} />
      )}
    </>
  );
}
