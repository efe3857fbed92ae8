/** One instrument alone, large enough for the whole cockpit, with its trend. */
import { signal } from "@preact/signals";
import { Cell } from "../cell.tsx";
import { frameTick } from "../frame-tick.ts";
import { type InstrumentName, instrumentOf, isInstrument } from "../instruments.ts";
import { ranges } from "../ranges.ts";
import { Trend } from "../trend.tsx";
import { instrumentLine } from "../trend-line.ts";
import { rangeOf, TrendTools } from "../trend-tools.tsx";

/** The instrument of `#/value/depth`. */
export const instrumentOfHash = (hash: string): InstrumentName => {
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

export function Value() {
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
