/** The instruments under sail: rose, speeds, depth, winds; position, time and weather below. */

import { type InstrumentName, instrumentOf } from "../instruments/instruments.ts";
import { said, say } from "../languages/say.ts";
import { Cell, Mini } from "../parts/cell.tsx";
import { Rose } from "../parts/rose.tsx";
import { Position, Time } from "../parts/strip.tsx";
import { Trend } from "../trend/trend.tsx";
import { instrumentLine } from "../trend/trend-line.ts";
import type { Page } from "./page.ts";

const overTenMinutes = (...names: readonly InstrumentName[]): string =>
  say("{name} over the last {words}", {
    name: names.map((name) => said(instrumentOf(name).name)).join(", "),
    words: say("ten minutes"),
  });

function Sail() {
  return (
    <div class="dashboard sail">
      <Rose shows="winds" />
      <div class="board">
        <Cell name="depth" area="depth" />
        <Cell name="sog" area="sog" />
        <Cell name="cog" area="cog" />
        <Cell name="stw" area="stw" />
        <Cell name="apparentSpeed" area="aws" />
        <Cell name="apparentAngle" area="awa" />
        <Cell name="trueDirection" area="twd" />
        <Cell name="trueSpeed" area="tws" />
        <Cell name="trueAngle" area="twa" />
        <Cell name="vmgWind" area="vmg" />
        <Trend id="depth-trend" label={overTenMinutes("depth")} lines={[instrumentLine("depth")]} area="deeps" />
        <Trend
          id="speed-trend"
          label={overTenMinutes("trueSpeed", "apparentSpeed")}
          lines={[instrumentLine("trueSpeed"), instrumentLine("apparentSpeed")]}
          area="winds"
        />
        <Trend
          id="direction-trend"
          label={overTenMinutes("trueDirection")}
          lines={[instrumentLine("trueDirection")]}
          area="shifts"
        />
      </div>
      <div class="strip">
        <Position />
        <Time />
        <Mini name="waterTemperature" />
        <Mini name="outsideTemperature" />
        <Mini name="pressure" />
      </div>
    </div>
  );
}

export const sail: Page = {
  name: "sail",
  title: "Sail",
  icon: "M12 2V18M12 3C17 7 18 12 18 16H12M10 7C8 10 7 13 6 16H10M3 20H21",
  View: Sail,
};
