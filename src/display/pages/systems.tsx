/** Engines, batteries, tanks, switches and temperatures, one panel for each device and instance. */
import type { Message, NumberField } from "../../n2k/field.ts";
import { fieldLabel } from "../../n2k/label.ts";
import type { TankType } from "../../n2k/lookups.ts";
import {
  batteryStatus,
  type binarySwitchBankStatus,
  type chargerStatus,
  dcDetailedStatus,
  fluidLevel,
} from "../../n2k/pgns/electrical.ts";
import { temperature } from "../../n2k/pgns/environment.ts";
import {
  engineParametersDynamic,
  engineParametersRapid,
  type transmissionParametersDynamic,
} from "../../n2k/pgns/propulsion.ts";
import { arc } from "../angles.ts";
import { Facts } from "../facts.tsx";
import { secondTick } from "../frame-tick.ts";
import { ageOf, ageText } from "../freshness.ts";
import { Numerals } from "../numerals.tsx";
import { isDead, messagesOf, type StoredMessage, store } from "../store.ts";

type Row<Data> = StoredMessage<Data> & { readonly address: number };

const deviceName = (address: number): string =>
  store.infos.get(address)?.data.productInfo?.modelId ?? `device ${address}`;

/** A value with at most one decimal and the unit of its field. */
function fieldText(field: NumberField, value: number | undefined): string {
  if (value === undefined) return "–";
  return `${value.toFixed(Math.min(1, field.scale.decimals))}${field.unit === undefined ? "" : `\u202f${field.unit}`}`;
}

/** Label of a field, and its value with unit. */
const factOf = <Name extends string>(
  fields: Readonly<Record<Name, NumberField>>,
  name: Name,
  data: { readonly [Key in Name]?: number },
): readonly [string, string] => [fieldLabel(name, fields[name]), fieldText(fields[name], data[name])];

function Age({ row, now }: { readonly row: Row<unknown>; readonly now: number }) {
  return (
    <p class="source">
      {deviceName(row.address)}
      <span class="age">
        {isDead(row, now) ? `lost ${ageText(ageOf(row.stamp, now))} ago` : ageText(ageOf(row.stamp, now))}
      </span>
    </p>
  );
}

const sameEngine = <Data extends { readonly engineInstance?: number }>(
  rows: readonly Row<Data>[],
  engine: number | undefined,
) => rows.find(({ data }) => data.engineInstance === engine);

const FULL_SPEED_RPM = 4000;
const engineNames = ["Engine, port or single", "Engine, starboard"];

function Engine({ row, now }: { readonly row: Row<Message<typeof engineParametersRapid>>; readonly now: number }) {
  const { engineInstance, engineSpeedRpm: rpm } = row.data;
  const dynamic = sameEngine(messagesOf<Message<typeof engineParametersDynamic>>(127489), engineInstance);
  const gear = sameEngine(messagesOf<Message<typeof transmissionParametersDynamic>>(127493), engineInstance)?.data.gear;
  const dead = isDead(row, now);
  const { fields } = engineParametersDynamic;
  const needle = -120 + 240 * Math.min(1, (rpm ?? 0) / FULL_SPEED_RPM);
  return (
    <section class={`unit engine ${dead ? "dead" : ""}`} data-id={`engine-${engineInstance ?? 0}`}>
      <h2>{engineNames[engineInstance ?? 0] ?? `Engine ${engineInstance}`}</h2>
      <div class="engine-face">
        <svg viewBox="-100 -100 200 160" aria-hidden="true">
          <path class="scale" d={arc(-120, 120, 86)} />
          {needle > -119 && <path class="scale-value" d={arc(-120, needle, 86)} />}
        </svg>
        <p class="figure">
          <span class="number">
            <Numerals text={rpm === undefined ? "––" : rpm.toFixed(0)} />
          </span>
          <span class="unit">{engineParametersRapid.fields.engineSpeedRpm.unit}</span>
        </p>
        <p class="gear">{gear ?? "gear unknown"}</p>
      </div>
      {dynamic && (
        <Facts
          rows={[
            factOf(fields, "oilPressureKpa", dynamic.data),
            factOf(fields, "coolantTempC", dynamic.data),
            factOf(fields, "oilTempC", dynamic.data),
            factOf(fields, "alternatorVoltage", dynamic.data),
            factOf(fields, "fuelRateLh", dynamic.data),
            factOf(fields, "loadPercent", dynamic.data),
            factOf(fields, "engineHours", dynamic.data),
          ]}
        />
      )}
      <Age row={row} now={now} />
    </section>
  );
}

function Battery({ row, now }: { readonly row: Row<Message<typeof batteryStatus>>; readonly now: number }) {
  const { instance, voltageV, currentA } = row.data;
  const more = messagesOf<Message<typeof dcDetailedStatus>>(127506).find(({ data }) => data.instance === instance);
  const charger = messagesOf<Message<typeof chargerStatus>>(127507).find(
    ({ data }) => data.batteryInstance === instance,
  );
  const charge = more?.data.stateOfChargePercent;
  const { fields } = batteryStatus;
  return (
    <section class={`unit battery ${isDead(row, now) ? "dead" : ""}`} data-id={`battery-${instance ?? 0}`}>
      <h2>Battery {instance ?? ""}</h2>
      <p class="figure">
        <span class="number">
          <Numerals text={voltageV === undefined ? "––" : voltageV.toFixed(2)} />
        </span>
        <span class="unit">{fields.voltageV.unit}</span>
      </p>
      {charge !== undefined && (
        <div class="bar" role="img" aria-label={`Charge ${charge} percent`}>
          <span style={{ width: `${Math.min(100, charge)}%` }} />
        </div>
      )}
      <Facts
        rows={[
          factOf(dcDetailedStatus.fields, "stateOfChargePercent", more?.data ?? {}),
          [
            (currentA ?? 0) < 0 ? "Discharging" : "Charging",
            fieldText(fields.currentA, currentA === undefined ? undefined : Math.abs(currentA)),
          ],
          factOf(fields, "temperatureC", row.data),
          ...(more?.data.timeRemainingMin === undefined
            ? []
            : [["Remaining", `${Math.round(more.data.timeRemainingMin / 60)} h`] as const]),
          ...(charger ? [["Charger", String(charger.data.operatingState ?? "–")] as const] : []),
        ]}
      />
      <Age row={row} now={now} />
    </section>
  );
}

/** Tanks that are emptied when they are full. */
const wasteTanks: ReadonlySet<string> = new Set<(typeof TankType)[number]>(["Gray water", "Black water"]);

function Tank({ row, now }: { readonly row: Row<Message<typeof fluidLevel>>; readonly now: number }) {
  const { instance, fluidType, levelPercent, capacityLiters } = row.data;
  const litres =
    levelPercent === undefined || capacityLiters === undefined ? undefined : (levelPercent * capacityLiters) / 100;
  const kind = String(fluidType ?? "Tank");
  const isFilling = wasteTanks.has(kind);
  const low = levelPercent !== undefined && (isFilling ? levelPercent > 80 : levelPercent < 20);
  return (
    <section
      class={`tank ${isDead(row, now) ? "dead" : ""} ${low ? "low" : ""}`}
      data-id={`tank-${kind}-${instance ?? 0}`}
    >
      <div class="vessel" aria-hidden="true">
        <span style={{ height: `${Math.max(0, Math.min(100, levelPercent ?? 0))}%` }} />
      </div>
      <div>
        <h3>
          {kind} {instance ?? ""}
        </h3>
        <p class="figure">
          <span class="number">
            <Numerals text={levelPercent === undefined ? "––" : levelPercent.toFixed(0)} />
          </span>
          <span class="unit">{fluidLevel.fields.levelPercent.unit}</span>
        </p>
        <p class="source">
          {litres === undefined
            ? ""
            : `${litres.toFixed(0)} of ${capacityLiters} ${fluidLevel.fields.capacityLiters.unit}`}
          {low ? (isFilling ? " · nearly full" : " · low") : ""}
        </p>
        <Age row={row} now={now} />
      </div>
    </section>
  );
}

export function Systems() {
  const now = secondTick.value;
  const engines = messagesOf<Message<typeof engineParametersRapid>>(127488);
  const batteries = messagesOf<Message<typeof batteryStatus>>(127508);
  const tanks = messagesOf<Message<typeof fluidLevel>>(127505);
  const banks = messagesOf<Message<typeof binarySwitchBankStatus>>(127501);
  const temperatures = [
    ...messagesOf<Message<typeof temperature>>(130312),
    ...(messagesOf(130316) as readonly unknown[] as readonly Row<Message<typeof temperature>>[]),
  ];
  if (engines.length + batteries.length + tanks.length + banks.length === 0)
    return <p class="nothing">No data of engines, batteries, tanks or switches yet.</p>;
  return (
    <div class="systems">
      {engines.map((row) => (
        <Engine key={`${row.address}/${row.data.engineInstance}`} row={row} now={now} />
      ))}
      {batteries.map((row) => (
        <Battery key={`${row.address}/${row.data.instance}`} row={row} now={now} />
      ))}
      {tanks.length > 0 && (
        <section class="unit tanks" aria-label="Tanks">
          <h2>Tanks</h2>
          {tanks.map((row) => (
            <Tank key={`${row.address}/${row.data.fluidType}/${row.data.instance}`} row={row} now={now} />
          ))}
        </section>
      )}
      {temperatures.length > 0 && (
        <section class="unit" aria-label="Temperatures">
          <h2>Temperatures</h2>
          <Facts
            rows={temperatures.map(({ data }) => [
              `${String(data.source ?? "Temperature").replace(/ Temperature$/, "")} ${data.instance ?? ""}`,
              fieldText(temperature.fields.actualTempC, data.actualTempC),
            ])}
          />
        </section>
      )}
      {banks.map((row) => (
        <section
          key={`${row.address}/${row.data.instance}`}
          class={`unit ${isDead(row, now) ? "dead" : ""}`}
          data-id={`switches-${row.data.instance ?? 0}`}
        >
          <h2>Switch bank {row.data.instance ?? ""}</h2>
          <ul class="switches">
            {(row.data.switches ?? []).map((one) => (
              <li key={one.switch} class={String(one.status).toLowerCase()}>
                <b>{one.switch}</b> {String(one.status ?? "–")}
              </li>
            ))}
          </ul>
          <Age row={row} now={now} />
        </section>
      ))}
    </div>
  );
}
