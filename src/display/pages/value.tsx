/** One instrument alone, large enough for the whole cockpit, with its trend. */
import { signal } from "@preact/signals";
import { Cell } from "../cell.tsx";
import { frameTick } from "../frame-tick.ts";
import { type Span, spanNames } from "../histories.ts";
import { type InstrumentName, instrumentOf, isInstrument } from "../instruments.ts";
import { settings } from "../settings.ts";
import { pointsOf, Trend } from "../trend.tsx";

/** The instrument of `#/value/depth`. */
export const instrumentOfHash = (hash: string): InstrumentName => {
  const [, , name = ""] = hash.split("/");
  return isInstrument(name) ? name : "depth";
};

const chosen = signal<InstrumentName>(instrumentOfHash(location.hash));
addEventListener("hashchange", () => {
  if (location.hash.startsWith("#/value/")) chosen.value = instrumentOfHash(location.hash);
});

const span = signal<Span>("minutes");
const spanTexts: Readonly<Record<Span, string>> = { minutes: "10 min", day: "24 h" };

/** Least and greatest value of the span, as text; directions have none. */
function Extremes({ name }: { readonly name: InstrumentName }) {
  void frameTick.value;
  const { format } = instrumentOf(name);
  const values = pointsOf(name, span.value)[1].filter((value) => value !== null);
  if (format.isDirection === true || values.length === 0) return null;
  // The points are in the chosen unit already.
  const text = (value: number): string => value.toFixed(Math.abs(value) < 100 ? 1 : 0);
  return (
    <p class="extremes">
      {text(Math.min(...values))} – {text(Math.max(...values))} {format.unit(settings.value.units)}
    </p>
  );
}

function Detail({ name }: { readonly name: InstrumentName }) {
  const text = instrumentOf(name).detail?.(frameTick.value);
  return text === undefined ? null : <p class="detail">{text}</p>;
}

export function Value() {
  const name = chosen.value;
  const instrument = instrumentOf(name);
  return (
    <div class="alone">
      <Cell name={name} />
      <Trend
        key={name}
        id="value-trend"
        label={`${instrument.name} over the last ${spanTexts[span.value]}`}
        names={[name]}
        span={span.value}
      />
      <p class="alone-tools">
        <button type="button" onClick={() => history.back()}>
          Back
        </button>
        {spanNames.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === span.value}
            onClick={() => {
              span.value = one;
            }}
          >
            {spanTexts[one]}
          </button>
        ))}
        <Detail name={name} />
        <Extremes name={name} />
      </p>
    </div>
  );
}
