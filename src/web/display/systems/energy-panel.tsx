/**
 * Energy as a picture: sources at the left, batteries with their charge in the middle, loads at the right; arrows as
 * wide as the power is large.
 */
import { numberText } from "../languages/formats.ts";
import { said, say } from "../languages/say.ts";
import type { PlainText } from "../languages/texts.ts";
import { Icon } from "../parts/icon.tsx";
import { ThingName } from "../parts/thing-name.tsx";
import { hoursText, RESERVE_PERCENT } from "./endurance.ts";
import { energyNow, type Flow, type FlowKind, largestFlow } from "./energy.ts";

/** SVG paths in a box of 24 by 24. */
const icons: Readonly<Record<FlowKind, string>> = {
  shore: "M8 2V8M16 2V8M5 8H19V11A7 7 0 0 1 5 11ZM12 18V22",
  generator: "M4 6H20V19H4ZM13 8L9 13H14L11 18",
  solar:
    "M12 8A4 4 0 1 0 12.01 8ZM12 2V4M12 20V22M2 12H4M20 12H22M5 5L6.5 6.5M17.5 17.5L19 19M19 5L17.5 6.5M6.5 17.5L5 19",
  alternator: "M12 3A9 9 0 1 0 12.01 3ZM7 12C8.5 7 10.5 7 12 12S15.5 17 17 12",
  wind: "M12 11V22M12 11L12 2M12 11L20 15M12 11L4 15",
  battery: "M3 8H21V19H3ZM6 5V8M18 5V8M6 13H10M14 13H18M16 11V15",
  load: "M3 12L12 4L21 12M6 10V20H18V10M10 20V14H14V20",
};

/** Watts below which nothing flows, as far as a shunt can tell. */
const LEAST_WATTS = 1;

const wattsText = (watts: number): string =>
  watts < 9995 ? `${Math.round(watts)}\u202fW` : `${numberText((watts / 1000).toFixed(1))}\u202fkW`;

interface ArrowProps {
  readonly watts: number;
  readonly most: number;
}

/** Points to the right: from a source, into a battery, into a load. */
function Arrow({ watts, most }: ArrowProps) {
  if (Math.abs(watts) < LEAST_WATTS) return <svg class="flow-arrow" viewBox="0 0 48 20" aria-hidden="true" />;
  const half = 1 + (5 * Math.abs(watts)) / most;
  return (
    <svg class="flow-arrow" viewBox="0 0 48 20" aria-hidden="true">
      <path
        transform={watts < 0 ? "rotate(180 24 10)" : undefined}
        d={`M2 ${10 - half}H34V${10 - half - 3}L46 10L34 ${10 + half + 3}V${10 + half}H2Z`}
      />
    </svg>
  );
}

interface ColumnProps {
  readonly heading: PlainText;
  readonly flows: readonly Flow[];
  readonly most: number;
  readonly words: readonly [inward: PlainText, outward: PlainText];
}

/** The charge of a battery as a number; the box is filled as high. */
function Charge({ chargePercent, reserveHours }: Pick<Flow, "chargePercent" | "reserveHours">) {
  if (chargePercent === undefined) return null;
  const charge = `${RESERVE_PERCENT}\u202f%`;
  const reserve =
    chargePercent <= RESERVE_PERCENT
      ? say("below {charge}", { charge })
      : reserveHours !== undefined && say("{value} in {time}", { value: charge, time: hoursText(reserveHours) });
  return (
    <span class={`flow-charge ${chargePercent <= RESERVE_PERCENT ? "low" : ""}`}>
      <b>
        {Math.round(chargePercent)}
        {"\u202f"}%
      </b>
      {reserve !== false && <small>{reserve}</small>}
    </span>
  );
}

function Column({ heading, flows, most, words }: ColumnProps) {
  if (flows.length === 0) return null;
  return (
    <div class="flow-column">
      <h3>{say(heading)}</h3>
      <ul>
        {flows.map(({ kind, row, name, short, watts, isComputed, isOld, ...charge }) => (
          <li
            key={`${row.data.pgn} ${row.address} ${JSON.stringify(row.data.instance ?? "")}`}
            class={`flow ${kind} ${isOld ? "dead" : ""}`}
            data-flow={Math.abs(watts) < LEAST_WATTS || isOld ? "none" : watts < 0 ? "out" : "in"}
            style={{ "--charge": `${Math.max(0, Math.min(100, charge.chargePercent ?? 0))}%` }}
          >
            <Icon class="flow-icon" d={icons[kind]} />
            <span class="flow-name">
              {name === undefined ? (
                <ThingName address={row.address} data={row.data} {...(short !== undefined && { short })} />
              ) : (
                said(name)
              )}
              <small>
                {Math.abs(watts) < LEAST_WATTS ? say("none") : say(words[watts < 0 ? 1 : 0])}
                {isComputed ? ` · ${say("computed")}` : ""}
              </small>
            </span>
            <Arrow watts={isOld ? 0 : watts} most={most} />
            <b class="flow-watts">{wattsText(Math.abs(watts))}</b>
            {kind === "battery" && <Charge {...charge} />}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Shown where more than batteries is measured. */
export function Energy({ now }: { readonly now: number }) {
  const energy = energyNow(now);
  const { sources, batteries, loads } = energy;
  if (sources.length + loads.length === 0) return null;
  const most = largestFlow(energy);
  return (
    <section class="unit energy" aria-label={say("Energy")} data-id="energy">
      <h2>{say("Energy")}</h2>
      <div class="energy-picture">
        <Column heading="Sources" flows={sources} most={most} words={["gives", "takes"]} />
        <Column heading="Batteries" flows={batteries} most={most} words={["charging", "discharging"]} />
        <Column heading="Loads" flows={loads} most={most} words={["takes", "gives back"]} />
      </div>
      <p class="source">{say("Only what is measured")}</p>
    </section>
  );
}
