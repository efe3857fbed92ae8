/** AIS targets as rows of a list, and the details of one. */

import { useEffect, useRef } from "preact/hooks";
import { hazardousShip } from "../../../core/n2k/lookups.ts";
import { minutesText } from "../../../core/text/quantity.ts";
import { settings } from "../data/settings.ts";
import { boatClock, elapsedSince } from "../data/store.ts";
import { bearingText, convert, coordinateText, measureText, withUnit } from "../instruments/units.ts";
import { durationText, numberText } from "../languages/formats.ts";
import { said, say } from "../languages/say.ts";
import { type Fact, Facts } from "../parts/facts.tsx";
import { Danger, isDangerous } from "./danger.tsx";
import { isClosing, isLost, nameOf, positionSeenAt, type Target } from "./traffic.ts";

interface ColumnProps {
  readonly name: string;
  readonly children: string;
  readonly isLast?: boolean;
}

function Column({ name, children, isLast = false }: ColumnProps) {
  return (
    <span class={isLast ? "col last" : "col"}>
      <b>{children}</b>
      <small>{name}</small>
    </span>
  );
}

interface RowProps {
  readonly target: Target;
  readonly select: (mmsi: number) => void;
  readonly now: number;
}

export function Row({ target, select, now }: RowProps) {
  const { units } = settings.value;
  const danger = isDangerous(target);
  const isOld = isLost(target, boatClock(now));
  const { cpa, tcpa, range, bearing } = target;
  const isNearing = isClosing(target);
  return (
    <li>
      <button
        type="button"
        class={`ship ${danger ? "danger" : ""} ${isOld ? "old" : ""}`}
        data-ship={target.mmsi}
        onClick={() => select(target.mmsi)}
      >
        <span class="ship-name">
          <span>{nameOf(target)}</span>
          <small>
            <Danger target={target} now={now} />
            {isOld
              ? say("lost {duration} ago", { duration: durationText(secondsSince(positionSeenAt(target), now)) })
              : target.class === "A" || target.class === "B"
                ? say("class {name}", { name: target.class })
                : target.class}
          </small>
        </span>
        <Column name={`CPA ${units.distance}`}>{isNearing && cpa !== undefined ? hundredths(cpa) : "–"}</Column>
        <Column name="TCPA">{isNearing ? minutesText(tcpa!) : "–"}</Column>
        <Column name={units.distance}>
          {range === undefined ? "–" : numberText(measureText("distance", units, range))}
        </Column>
        <Column name={say("bearing")} isLast>
          {bearing === undefined ? "–" : bearingText(bearing)}
        </Column>
      </button>
    </li>
  );
}

const secondsSince = (at: number, now: number): number => Math.max(0, elapsedSince(at, now) / 1000);

/** A distance of approach, finer than others. */
const hundredths = (miles: number): string => numberText(convert("distance", settings.value.units, miles).toFixed(2));

/** The type of a ship or of an aid to navigation. */
function typeText({ type, typeName }: Target): string | undefined {
  if (typeName === undefined) return undefined;
  const { name, category } = hazardousShip(type) ?? { name: typeName, category: undefined };
  return category === undefined
    ? said(name)
    : say("{type}, hazard category {category}", { type: said(name), category });
}

interface DetailsProps {
  readonly target: Target;
  readonly close: () => void;
  readonly now: number;
}

/** The details replace the list, so that they are visible whichever row was tapped, and get the focus. */
export function Details({ target, close, now }: DetailsProps) {
  const { units } = settings.value;
  const { dimensions, position, cpa, tcpa } = target;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), [target.mmsi]);
  const meters = (value: number): string => withUnit("depth", units, value);
  const rows: readonly Fact[] = [
    [say("Distance"), target.range === undefined ? undefined : withUnit("distance", units, target.range)],
    [say("Bearing"), target.bearing === undefined ? undefined : `${bearingText(target.bearing)}°T`],
    [
      say("Closest approach"),
      isClosing(target) && cpa !== undefined
        ? say("{value} in {time}", {
            value: `${hundredths(cpa)}\u202f${units.distance}`,
            time: minutesText(tcpa!),
          })
        : undefined,
    ],
    [say("Speed"), target.sog === undefined ? undefined : withUnit("speed", units, target.sog)],
    [say("Course"), target.cog === undefined ? undefined : `${bearingText(target.cog)}°T`],
    [say("Heading"), target.heading === undefined ? undefined : `${bearingText(target.heading)}°T`],
    [say("Turning"), target.rot === undefined ? undefined : `${target.rot}°/min`],
    ["MMSI", String(target.mmsi)],
    [say("Call sign"), target.callsign],
    ["IMO", target.imo?.toString()],
    [say("Type"), typeText(target)],
    [say("Status"), target.navStatus && said(target.navStatus)],
    [say("Destination"), target.destination],
    [say("Length"), dimensions?.length === undefined ? undefined : meters(dimensions.length)],
    [say("Beam"), dimensions?.beam === undefined ? undefined : meters(dimensions.beam)],
    [say("Draught"), target.draft === undefined ? undefined : meters(target.draft)],
    [
      say("Position"),
      position &&
        `${coordinateText(position.latitude, "latitude")}  ${coordinateText(position.longitude, "longitude")}`,
    ],
    [
      say("Last heard"),
      say("{duration} ago", { duration: durationText(secondsSince(Date.parse(target.lastSeen), now)) }),
    ],
  ];
  return (
    <section class="details" aria-label={say("Details of {name}", { name: nameOf(target) })}>
      <header>
        <button type="button" class="plain" ref={button} onClick={close}>
          {say("Back")}
        </button>
        <h2>{nameOf(target)}</h2>
        <Danger target={target} now={now} />
      </header>
      <Facts rows={rows} />
    </section>
  );
}
