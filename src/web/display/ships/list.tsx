/** AIS targets as rows of a list, and the details of one. */

import { useEffect, useRef } from "preact/hooks";
import { durationText, minutesText } from "../../../core/text/quantity.ts";
import { settings } from "../data/settings.ts";
import { boatClock } from "../data/store.ts";
import { bearingText, convert, coordinateText, measureText, withUnit } from "../instruments/units.ts";
import { Facts } from "../parts/facts.tsx";
import { Danger, isDangerous } from "./danger.tsx";
import { isClosing, isLost, nameOf, type Target } from "./traffic.ts";

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
              ? `lost ${durationText(secondsSince(target, now))} ago`
              : target.class === "A" || target.class === "B"
                ? `class ${target.class}`
                : target.class}
          </small>
        </span>
        <Column name={`CPA ${units.distance}`}>{isNearing && cpa !== undefined ? hundredths(cpa) : "–"}</Column>
        <Column name="TCPA">{isNearing ? minutesText(tcpa!) : "–"}</Column>
        <Column name={units.distance}>{range === undefined ? "–" : measureText("distance", units, range)}</Column>
        <Column name="bearing" isLast>
          {bearing === undefined ? "–" : bearingText(bearing)}
        </Column>
      </button>
    </li>
  );
}

const secondsSince = (target: Target, now: number): number =>
  Math.max(0, (boatClock(now) - Date.parse(target.lastSeen)) / 1000);

/** A distance of approach, finer than others. */
const hundredths = (miles: number): string => convert("distance", settings.value.units, miles).toFixed(2);

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
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["Distance", target.range === undefined ? undefined : withUnit("distance", units, target.range)],
    ["Bearing", target.bearing === undefined ? undefined : `${bearingText(target.bearing)}° true`],
    [
      "Closest approach",
      isClosing(target) && cpa !== undefined
        ? `${hundredths(cpa)}\u202f${units.distance} in ${minutesText(tcpa!)}`
        : undefined,
    ],
    ["Speed", target.sog === undefined ? undefined : withUnit("speed", units, target.sog)],
    ["Course", target.cog === undefined ? undefined : `${bearingText(target.cog)}° true`],
    ["Heading", target.heading === undefined ? undefined : `${bearingText(target.heading)}° true`],
    ["Turning", target.rot === undefined ? undefined : `${target.rot}°/min`],
    ["MMSI", String(target.mmsi)],
    ["Call sign", target.callsign],
    ["IMO", target.imo?.toString()],
    ["Type", target.typeName],
    ["Status", target.navStatus],
    ["Destination", target.destination],
    ["Length", dimensions?.length === undefined ? undefined : meters(dimensions.length)],
    ["Beam", dimensions?.beam === undefined ? undefined : meters(dimensions.beam)],
    ["Draught", target.draft === undefined ? undefined : meters(target.draft)],
    [
      "Position",
      position &&
        `${coordinateText(position.latitude, "latitude")}  ${coordinateText(position.longitude, "longitude")}`,
    ],
    ["Last heard", `${durationText(secondsSince(target, now))} ago`],
  ];
  return (
    <section class="details" aria-label={`Details of ${nameOf(target)}`}>
      <header>
        <button type="button" class="plain" ref={button} onClick={close}>
          Back
        </button>
        <h2>{nameOf(target)}</h2>
        <Danger target={target} now={now} />
      </header>
      <Facts rows={rows.filter((row): row is readonly [string, string] => row[1] !== undefined)} />
    </section>
  );
}
