/** The settings of the display. */
import { secondTick } from "../frame-tick.ts";
import { brokerUrl, changeSettings, type DepthReference, settings } from "../settings.ts";
import { store } from "../store.ts";
import { type MeasureName, measureNames, measures, unitsOf } from "../units.ts";
import { version } from "../version.ts";

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
      label={measures[measure].name}
      value={units[measure]}
      options={Object.entries(unitsOf(measure)).map(([unit, { name }]) => [unit, name] as const)}
      onChoose={(unit) => changeSettings({ units: { ...units, [measure]: unit } })}
    />
  );
}

export function SettingsPage() {
  const { prefix, broker, light, lamp, cpa, tcpa, depthReference, timeZone } = settings.value;
  void secondTick.value;
  const prefixes = [...new Set([prefix, ...store.prefixes])].sort();
  return (
    <div class="settings">
      <Choice
        label="Light"
        value={light}
        options={[
          ["day", "Day"],
          ["night", "Night"],
        ]}
        onChoose={(value) => changeSettings({ light: value })}
      />
      <Choice
        label="Lamp by night"
        value={lamp}
        options={[
          [100, "Full"],
          [80, "Less"],
          [60, "Dim"],
          [40, "Dark"],
        ]}
        onChoose={(value) => changeSettings({ lamp: value })}
      />
      <p class="hint">Dim has a contrast of 2.6 to 1, Dark of 1.7: for eyes that are used to the dark.</p>
      {measureNames.map((name) => (
        <UnitChoice key={name} measure={name} />
      ))}
      <Choice<DepthReference>
        label="Depth is shown"
        value={depthReference}
        options={[
          ["installed", "As installed"],
          ["transducer", "Below transducer"],
          ["keel", "Below keel"],
          ["surface", "Below surface"],
        ]}
        onChoose={(value) => changeSettings({ depthReference: value })}
      />
      <p class="hint">
        The offset of the sounder tells the way from its transducer to the keel, or to the surface. Where it does not
        tell the one that is chosen, the depth is that below the transducer. Each depth names its reference.
      </p>
      <Choice
        label="Time"
        value={timeZone}
        options={[
          ["UTC", "UTC"],
          ["local", `Local time (${Intl.DateTimeFormat().resolvedOptions().timeZone})`],
        ]}
        onChoose={(value) => changeSettings({ timeZone: value })}
      />
      <Choice
        label="Ships are dangerous closer than"
        value={cpa}
        options={[
          [0.1, "0.1 NM"],
          [0.25, "0.25 NM"],
          [0.5, "0.5 NM"],
          [1, "1 NM"],
          [2, "2 NM"],
        ]}
        onChoose={(value) => changeSettings({ cpa: value })}
      />
      <Choice
        label="… within"
        value={tcpa}
        options={[
          [10, "10 min"],
          [20, "20 min"],
          [30, "30 min"],
          [60, "60 min"],
        ]}
        onChoose={(value) => changeSettings({ tcpa: value })}
      />
      <Choice
        label="Bus"
        value={prefix}
        options={prefixes.map((one) => [one, one] as const)}
        onChoose={(value) => changeSettings({ prefix: value })}
      />
      <label class="field">
        <span>Another topic prefix</span>
        <input
          value={prefix}
          onChange={(event) =>
            changeSettings({ prefix: event.currentTarget.value.trim().replace(/\/+$/, "") || "can/can0" })
          }
        />
      </label>
      <label class="field">
        <span>Broker (empty: this host)</span>
        <input
          type="url"
          value={broker}
          placeholder="ws://boat:9001"
          onChange={(event) => changeSettings({ broker: event.currentTarget.value.trim() })}
        />
      </label>
      <p class="source" data-id="version">
        hub {version} · {brokerUrl()}
      </p>
    </div>
  );
}
