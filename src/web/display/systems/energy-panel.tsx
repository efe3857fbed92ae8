/** Energy as a flow: sources, batteries, loads; arrows as wide as the power is large. */
import { ThingName } from "../parts/thing-name.tsx";
import { energyNow, type Flow, largestFlow } from "./energy.ts";

/** Watts below which nothing flows, as far as a shunt can tell. */
const LEAST_WATTS = 1;

const wattsText = (watts: number): string =>
  watts < 9995 ? `${Math.round(watts)}\u202fW` : `${(watts / 1000).toFixed(1)}\u202fkW`;

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
  readonly title: string;
  readonly flows: readonly Flow[];
  readonly most: number;
  /** Word for each direction. */
  readonly words: readonly [inward: string, outward: string];
}

function Column({ title, flows, most, words }: ColumnProps) {
  if (flows.length === 0) return null;
  return (
    <div class="flow-column">
      <h3>{title}</h3>
      <ul>
        {flows.map(({ row, name, short, watts, isComputed, isOld }) => (
          <li
            key={`${row.data.pgn} ${row.address} ${JSON.stringify(row.data.instance ?? "")}`}
            class={isOld ? "dead" : ""}
          >
            <span class="flow-name">
              {name ?? <ThingName address={row.address} data={row.data} {...(short !== undefined && { short })} />}
              <small>
                {Math.abs(watts) < LEAST_WATTS ? "none" : words[watts < 0 ? 1 : 0]}
                {isComputed ? " · computed" : ""}
              </small>
            </span>
            <Arrow watts={isOld ? 0 : watts} most={most} />
            <b>{wattsText(Math.abs(watts))}</b>
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
    <section class="unit energy" aria-label="Energy" data-id="energy">
      <h2>Energy</h2>
      <Column title="Sources" flows={sources} most={most} words={["gives", "takes"]} />
      <Column title="Batteries" flows={batteries} most={most} words={["charging", "discharging"]} />
      <Column title="Loads" flows={loads} most={most} words={["takes", "gives back"]} />
      <p class="source">Only what is measured</p>
    </section>
  );
}
