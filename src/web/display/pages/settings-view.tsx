/** The settings of the display. */

import { useState } from "preact/hooks";
import { isBrokerUrl } from "../data/broker-address.ts";
import { failures } from "../data/failures.ts";
import { secondTick } from "../data/frame-tick.ts";
import { hull } from "../data/hull.ts";
import { brokerUrl, changeSettings, type DepthReference, type Sector, settings } from "../data/settings.ts";
import { store } from "../data/store.ts";
import { version } from "../data/version.ts";
import { type MeasureName, measureNames, measures, unitsOf } from "../instruments/units.ts";
import { type LanguageName, languageNames, languageOf } from "../languages/languages.ts";
import { said, say } from "../languages/say.ts";

interface ChoiceProps<Value extends string | number | boolean> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [Value, string])[];
  readonly onChoose: (value: Value) => void;
}

function Choice<Value extends string | number | boolean>({ label, value, options, onChoose }: ChoiceProps<Value>) {
  return (
    <fieldset>
      <legend>{label}</legend>
      <div class="choices">
        {options.map(([one, name]) => (
          <button type="button" key={name} aria-pressed={one === value} onClick={() => onChoose(one)}>
            {name}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

function UnitChoice({ measure }: { readonly measure: MeasureName }) {
  const { units } = settings.value;
  return (
    <Choice<string>
      label={said(measures[measure].name)}
      value={units[measure]}
      options={Object.entries(unitsOf(measure)).map(([unit, { name }]) => [unit, said(name)] as const)}
      onChoose={(unit) => changeSettings({ units: { ...units, [measure]: unit } })}
    />
  );
}

interface TypedProps {
  readonly label: string;
  readonly value: string | number;
  readonly isWrong?: boolean;
  /** A whole number of degrees; text if it is absent. */
  readonly degrees?: { readonly min: number; readonly max: number };
  readonly placeholder?: string;
  readonly onLeave: (field: HTMLInputElement) => void;
}

/** A field whose text counts when it is left: until then it stays as it is typed, however often the page is drawn. */
function TypedField({ label, value, isWrong = false, degrees, placeholder = "", onLeave }: TypedProps) {
  const [typed, setTyped] = useState<string>();
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type={(degrees === undefined ? "text" : "number") as "text"}
        {...degrees}
        placeholder={placeholder}
        value={typed ?? value}
        aria-invalid={isWrong}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onChange={(event) => {
          setTyped(undefined);
          onLeave(event.currentTarget);
        }}
      />
    </label>
  );
}

/** The ends of the sector of the rose; an end beyond the other one is refused. */
function SectorFields() {
  const { sector } = settings.value;
  const [near, far] = sector;
  const change = (next: Sector): void => {
    if (next[0] < next[1]) changeSettings({ sector: next });
  };
  const field = (label: string, value: number, of: (degrees: number) => Sector) => (
    <TypedField
      label={label}
      degrees={{ min: 0, max: 180 }}
      value={value}
      onLeave={(typed) => {
        if (typed.validity.valid && typed.value !== "") change(of(Number(typed.value)));
      }}
    />
  );
  return (
    <>
      {field(say("Coloured sector of the rose, from degrees off the bow"), near, (degrees) => [degrees, far])}
      {field(say("to degrees"), far, (degrees) => [near, degrees])}
    </>
  );
}

export function SettingsPage() {
  const { prefix, broker, language, light, bySun, lamp, depthReference, timeZone } = settings.value;
  void secondTick.value;
  const isNoBroker = broker !== "" && !isBrokerUrl(broker);
  const prefixes = [...new Set([prefix, ...store.prefixes.keys()])].sort();
  return (
    <div class="settings">
      <Choice<LanguageName | "browser">
        label={say("Language")}
        value={language}
        options={[
          ["browser", say("As the browser")],
          ...languageNames.map((name) => [name, languageOf(name).name] as const),
        ]}
        onChoose={(value) => changeSettings({ language: value })}
      />
      <Choice
        label={say("Light")}
        value={bySun && hull === undefined ? "sun" : light}
        options={[
          ...(hull === undefined ? [["sun", say("By the sun")] as const] : []),
          ["day", say("Day")],
          ["night", say("Night")],
        ]}
        onChoose={(value) =>
          changeSettings(value === "sun" ? { bySun: true, chosenAt: 0 } : { bySun: false, light: value })
        }
      />
      <p class="hint">
        {say(
          "By the sun: night colours from sunset to sunrise at the boat. The button in the head changes them until then.",
        )}
      </p>
      <Choice
        label={say("Lamp by night")}
        value={lamp}
        options={[
          [100, say("Full")],
          [80, say("Less")],
          [60, say("Dim")],
          [40, say("Dark")],
        ]}
        onChoose={(value) => changeSettings({ lamp: value })}
      />
      <p class="hint">{say("Dim has a contrast of 2.6 to 1, Dark of 1.7: for eyes that are used to the dark.")}</p>
      {measureNames.map((name) => (
        <UnitChoice key={name} measure={name} />
      ))}
      <Choice<DepthReference>
        label={say("Depth is shown")}
        value={depthReference}
        options={[
          ["installed", say("As installed")],
          ["transducer", say("Below the transducer")],
          ["keel", say("Below the keel")],
          ["surface", say("Below the surface")],
        ]}
        onChoose={(value) => changeSettings({ depthReference: value })}
      />
      <p class="hint">
        {say(
          "The offset of the sounder tells the way from its transducer to the keel, or to the surface. Where it does not tell the one that is chosen, the depth is that below the transducer. Each depth names its reference.",
        )}
      </p>
      <SectorFields />
      <Choice
        label={say("Time")}
        value={timeZone}
        options={[
          ["UTC", "UTC"],
          ["local", say("Local time ({timeZone})", { timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone })],
        ]}
        onChoose={(value) => changeSettings({ timeZone: value })}
      />
      <Choice
        label={say("Bus")}
        value={prefix}
        options={prefixes.map((one) => [one, one] as const)}
        onChoose={(value) => changeSettings({ prefix: value })}
      />
      <TypedField
        label={say("Another topic prefix")}
        value={prefix}
        onLeave={(typed) => changeSettings({ prefix: typed.value.trim().replace(/\/+$/, "") || "can/can0" })}
      />
      <TypedField
        label={say("Broker (empty: this host)")}
        value={broker}
        placeholder="ws://boat:9001"
        isWrong={isNoBroker}
        onLeave={(typed) => changeSettings({ broker: typed.value.trim() })}
      />
      {isNoBroker && (
        <p class="hint" role="alert">
          {say("The address of a broker begins with ws://, on a page over https with wss://. This one is not used.")}
        </p>
      )}
      <p class="source" data-id="version">
        hub {version} · {brokerUrl()}
      </p>
      {[...failures].map(([part, { count, message }]) => (
        <p class="source" key={part} data-id="failure">
          {say("{part} has failed since this page was opened: {message}", { part, message })}
          {count > 1 && ` (${say("{count} times", { count })})`}
        </p>
      ))}
    </div>
  );
}
