/**
 * The view of the page Mine: up to four screens of the crew's choice, kept in this browser, in a part of the bundle of
 * its own.
 */

import { useState } from "preact/hooks";
import { changeSettings, settings } from "../data/settings.ts";
import { type InstrumentName, instrumentNames, instrumentOf, isInstrument } from "../instruments/instruments.ts";
import { said, say } from "../languages/say.ts";
import type { PlainText } from "../languages/texts.ts";
import { hash } from "../navigation/address.ts";
import { Button } from "../parts/button.tsx";
import { Cell } from "../parts/cell.tsx";
import { Rose, type RoseProps } from "../parts/rose.tsx";
import { Gauge } from "./gauge.tsx";
import { gaugeNames } from "./scales.ts";
import { MOST_SCREENS, resized, type Screen, screenAddress, screenOfHash, screenSizes } from "./screens.ts";

const roses: Readonly<Record<RoseProps["shows"], PlainText>> = { winds: "Rose of winds", route: "Rose of the route" };

/** The choices by kind: values as the settings have them, and their names. */
const choices = (): readonly (readonly [PlainText, readonly (readonly [string, string])[]])[] => [
  ["Numbers", instrumentNames.map((name) => [name, said(instrumentOf(name).name)])],
  [
    "Gauges",
    gaugeNames.map((name) => [`gauge/${name}`, say("{part}, gauge", { part: said(instrumentOf(name).name) })]),
  ],
  ["Roses", Object.entries(roses).map(([shows, name]) => [`rose/${shows}`, say(name)])],
];

function Item({ value }: { readonly value: string }) {
  const [kind, of = ""] = value.split("/");
  if (kind === "rose" && of in roses) return <Rose shows={of as RoseProps["shows"]} />;
  if (kind === "gauge" && gaugeNames.some((name) => name === of)) return <Gauge name={of as InstrumentName} />;
  return <Cell name={isInstrument(value) ? value : "depth"} />;
}

const sizeNames: Readonly<Record<number, PlainText>> = { 3: "3, from the mast" };

interface EditProps {
  readonly screens: readonly Screen[];
  readonly at: number;
}

function Edit({ screens, at }: EditProps) {
  const screen = screens[at]!;
  const change = (changed: Screen): void =>
    changeSettings({ mine: screens.map((one, index) => (index === at ? changed : one)) });
  const go = (to: number): void => {
    location.hash = `#/${screenAddress(to)}`;
  };
  return (
    <div class="mine-edit">
      <fieldset>
        <legend>{say("Values on this screen")}</legend>
        <div class="choices">
          {screenSizes.map((size) => (
            <button
              key={size}
              type="button"
              aria-pressed={size === screen.length}
              onClick={() => change(resized(screen, size, instrumentNames))}
            >
              {said(sizeNames[size] ?? String(size))}
            </button>
          ))}
        </div>
      </fieldset>
      <div class="mine-choices">
        {screen.map((value, place) => (
          <label class="choice" key={place}>
            <span>{say("Value {number}", { number: place + 1 })}</span>
            <select
              value={value}
              onChange={({ currentTarget }) =>
                change(screen.map((one, index) => (index === place ? currentTarget.value : one)))
              }
            >
              {choices().map(([kind, list]) => (
                <optgroup key={kind} label={say(kind)}>
                  {list.map(([one, name]) => (
                    <option key={one} value={one}>
                      {name}
                    </option>
                  ))}
                </optgroup>
              ))}
            </select>
          </label>
        ))}
      </div>
      <div class="choices">
        {screens.length < MOST_SCREENS && (
          <Button
            says="Add a screen"
            onClick={() => {
              changeSettings({ mine: [...screens, resized([], 3, instrumentNames)] });
              go(screens.length);
            }}
          />
        )}
        {screens.length > 1 && (
          <Button
            says="Remove this screen"
            onClick={() => {
              changeSettings({ mine: screens.filter((_, index) => index !== at) });
              go(Math.max(0, at - 1));
            }}
          />
        )}
      </div>
    </div>
  );
}

export function MineView() {
  const [isChoosing, setChoosing] = useState(false);
  const screens = settings.value.mine;
  const at = screenOfHash(hash.value, screens.length);
  const screen = screens[at]!;
  return (
    <div class="mine">
      {isChoosing ? (
        <Edit screens={screens} at={at} />
      ) : (
        <div class="board" data-values={screen.length}>
          {screen.map((value, place) => (
            <Item key={`${place} ${value}`} value={value} />
          ))}
        </div>
      )}
      <p class="mine-tools">
        {screens.length > 1 &&
          screens.map((_, index) => (
            <a
              key={index}
              href={`#/${screenAddress(index)}`}
              aria-label={say("Screen {number}", { number: index + 1 })}
              aria-current={index === at ? "page" : undefined}
            >
              {index + 1}
            </a>
          ))}
        <Button
          says={isChoosing ? "Done" : "Choose values"}
          aria-pressed={isChoosing}
          onClick={() => setChoosing(!isChoosing)}
        />
      </p>
    </div>
  );
}
