/** One instrument alone, large enough for the whole cockpit, with its trend. */

import { watchOf } from "../alarms/places.ts";
import { frameTick } from "../data/frame-tick.ts";
import { hull } from "../data/hull.ts";
import { type InstrumentName, instrumentOf, instrumentOfHash } from "../instruments/instruments.ts";
import { said, say } from "../languages/say.ts";
import { hash } from "../navigation/address.ts";
import { Cell } from "../parts/cell.tsx";
import { ranges } from "../trend/ranges.ts";
import { Trend } from "../trend/trend.tsx";
import { instrumentLine } from "../trend/trend-line.ts";
import { rangeOf, TrendTools } from "../trend/trend-tools.tsx";

function Detail({ name }: { readonly name: InstrumentName }) {
  const text = instrumentOf(name).detail?.(frameTick.value);
  return text === undefined ? null : <span class="detail">{text}</span>;
}

/** To where its limit is set, and the order of its sources, which values of the navigation report have. */
function Ways({ name }: { readonly name: InstrumentName }) {
  const watch = watchOf(name);
  if (hull !== undefined) return null;
  return (
    <>
      {watch !== undefined && (
        <a class="button" href={`#/alarms/${watch}`}>
          {say("Limit")}
        </a>
      )}
      {instrumentOf(name).reads.length === 0 && (
        <a class="button" href="#/boat/devices/sources">
          {say("Sources")}
        </a>
      )}
    </>
  );
}

export function Value() {
  const name = instrumentOfHash(hash.value);
  const line = instrumentLine(name);
  const range = rangeOf(line);
  return (
    <div class={`alone ${range === "minutes" ? "" : "looking-back"}`}>
      <Cell name={name} />
      <Trend
        key={name}
        id="value-trend"
        label={say("{name} over the last {words}", {
          name: said(instrumentOf(name).name),
          words: say(ranges[range].words),
        })}
        lines={[line]}
        range={range}
      />
      <TrendTools line={line}>
        <Ways name={name} />
        <Detail name={name} />
      </TrendTools>
    </div>
  );
}
