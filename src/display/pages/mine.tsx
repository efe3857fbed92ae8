/** Six instruments of the crew's choice, kept in this browser. */

import { signal } from "@preact/signals";
import { type InstrumentName, instrumentNames, instrumentOf, isInstrument } from "../instruments.ts";
import { Cell } from "../parts/cell.tsx";
import { changeSettings, settings } from "../settings.ts";
import type { Page } from "./page.ts";

const isChoosing = signal(false);

function choose(place: number, name: string): void {
  changeSettings({ mine: settings.peek().mine.map((one, index) => (index === place ? name : one)) });
}

function Choice({ place, name }: { readonly place: number; readonly name: InstrumentName }) {
  return (
    <label class="cell choice">
      <span>Value {place + 1}</span>
      <select value={name} onChange={(event) => choose(place, event.currentTarget.value)}>
        {instrumentNames.map((one) => (
          <option key={one} value={one}>
            {instrumentOf(one).name}
          </option>
        ))}
      </select>
    </label>
  );
}

function Mine() {
  const names = settings.value.mine.map((name) => (isInstrument(name) ? name : "depth"));
  return (
    <div class="mine">
      <div class="board six">
        {names.map((name, place) =>
          isChoosing.value ? <Choice key={place} place={place} name={name} /> : <Cell key={place} name={name} />,
        )}
      </div>
      <p class="mine-tools">
        <button
          type="button"
          aria-pressed={isChoosing.value}
          onClick={() => {
            isChoosing.value = !isChoosing.value;
          }}
        >
          {isChoosing.value ? "Done" : "Choose values"}
        </button>
      </p>
    </div>
  );
}

export const mine: Page = {
  name: "mine",
  title: "Mine",
  icon: "M4 5H10V11H4ZM14 5H20V11H14ZM4 15H10V21H4ZM14 15H20V21H14Z",
  View: Mine,
};
