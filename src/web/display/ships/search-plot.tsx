/** The plot of ships on a page of its own about something else: with own ship, persons and beacons in sight. */

import { isDead } from "../data/device-messages.ts";
import { frameTick } from "../data/frame-tick.ts";
import { store } from "../data/store.ts";
import { isDangerous } from "./danger.tsx";
import { Plot } from "./plot.tsx";
import { sortByUrgency } from "./traffic.ts";

const showShip = (mmsi: number): void => {
  location.hash = `#/ships/${mmsi}`;
};

export function SearchPlot() {
  const now = frameTick.value;
  const { ais } = store;
  const targets = ais === undefined || isDead(ais, now) ? [] : sortByUrgency(ais.data.targets, isDangerous);
  return (
    <div class="search-plot" data-id="search-plot">
      <Plot targets={targets} selected={undefined} select={showShip} now={now} />
    </div>
  );
}
