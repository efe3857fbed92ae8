/** One instrument alone, large enough for the whole cockpit, with its trend. */

import { signal } from "@preact/signals";
import { frameTick } from "../data/frame-tick.ts";
import { type InstrumentName, instrumentOf, isInstrument } from "../instruments/instruments.ts";
import { Cell } from "../parts/cell.tsx";
import { ranges } from "../trend/ranges.ts";
import { Trend } from "../trend/trend.tsx";
import { instrumentLine } from "../trend/trend-line.ts";
import { rangeOf, TrendTools } from "../trend/trend-tools.tsx";
import type { Page } from "./page.ts";

/** The instrument of `#/value/depth`. */
const instrumentOfHash = (hash: string): InstrumentName => {
  const [, , name = ""] = hash.split("/");
  return isInstrument(name) ? name : "depth";
};

const chosen = signal<InstrumentName>(instrumentOfHash(location.hash));
addEventListener("hashchange", () => {
  if (location.hash.startsWith("#/value/")) chosen.value = instrumentOfHash(location.hash);
});

function Detail({ name }: { readonly name: InstrumentName }) {
  const text = instrumentOf(name).detail?.(frameTick.value);
  return text === undefined ? null : <span class="detail">{text}</span>;
}

function Value() {
  const name = chosen.value;
  const line = instrumentLine(name);
  const range = rangeOf(line);
  return (
    <div class={`alone ${range === "minutes" ? "" : "looking-back"}`}>
      <Cell name={name} />
      <Trend
        key={name}
        id="value-trend"
        label={`${instrumentOf(name).name} over the last ${ranges[range].words}`}
        lines={[line]}
        range={range}
      />
      <TrendTools line={line}>
        <Detail name={name} />
      </TrendTools>
    </div>
  );
}

export const value: Page = {
  name: "value",
  title: (hash) => instrumentOf(instrumentOfHash(hash)).name,
  View: Value,
};
