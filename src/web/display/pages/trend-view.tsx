/** One value of an engine, a battery or a tank, with its trend. */

import { secondTick } from "../data/frame-tick.ts";
import { said, say } from "../languages/say.ts";
import { hash } from "../navigation/address.ts";
import { Readout } from "../parts/cell.tsx";
import { fieldsOf, hashOf, systemInstrument, systemLine, valueOfHash } from "../systems/system-values.ts";
import { ranges } from "../trend/ranges.ts";
import { Trend } from "../trend/trend.tsx";
import { rangeOf, TrendTools } from "../trend/trend-tools.tsx";

export function TrendPage() {
  const now = secondTick.value;
  const value = valueOfHash(hash.value);
  if (value === undefined) return <p class="nothing">{say("No such value.")}</p>;
  const instrument = systemInstrument(value);
  const line = systemLine(value, instrument, now);
  const range = rangeOf(line);
  const fields = fieldsOf(value);
  return (
    <div class={`alone ${range === "minutes" ? "" : "looking-back"}`}>
      <Readout id="system-value" instrument={instrument} />
      <Trend
        key={line.id}
        id="value-trend"
        label={say("{name} over the last {words}", { name: said(instrument.name), words: say(ranges[range].words) })}
        lines={[line]}
        range={range}
      />
      <TrendTools line={line}>
        {fields.length > 1 && (
          <select
            aria-label={say("Value")}
            value={value.field}
            // The entry in the browser's history is replaced, so that Back leaves the page.
            onChange={(event) => location.replace(hashOf({ ...value, field: event.currentTarget.value }))}
          >
            {fields.map(({ field, label }) => (
              <option key={field} value={field}>
                {said(label)}
              </option>
            ))}
          </select>
        )}
      </TrendTools>
    </div>
  );
}
