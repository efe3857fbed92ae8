/** Engines, batteries, tanks, switches and temperatures, one panel for each device and instance. */

import { useEffect, useRef } from "preact/hooks";
import type { Definition, Message } from "../../../core/n2k/definition.ts";
import type { NumberField } from "../../../core/n2k/field.ts";
import { fieldLabel } from "../../../core/n2k/label.ts";
import type { TankType } from "../../../core/n2k/lookups.ts";
import { fuels } from "../../../core/n2k/lookups.ts";
import {
  batteryConfigurationStatus,
  batteryStatus,
  binarySwitchBankStatus,
  chargerStatus,
  dcDetailedStatus,
  fluidLevel,
} from "../../../core/n2k/pgns/electrical.ts";
import { temperature, temperatureExtendedRange } from "../../../core/n2k/pgns/environment.ts";
import {
  engineParametersDynamic,
  engineParametersRapid,
  engineParametersStaticAlternate,
  transmissionParametersDynamic,
} from "../../../core/n2k/pgns/propulsion.ts";
import { isImplausible } from "../../../core/n2k/plausible.ts";
import { ofUnit } from "../../../core/n2k/units.ts";
import { fixed } from "../../../core/text/quantity.ts";
import { AlarmMark } from "../alarms/alarm-mark.tsx";
import type { ActiveAlarm } from "../alarms/alarms.ts";
import { markClass, systemMark } from "../alarms/places.ts";
import { secondTick } from "../data/frame-tick.ts";
import { ageOf } from "../data/freshness.ts";
import { linkNow, noDataText } from "../data/link.ts";
import { settings } from "../data/settings.ts";
import {
  ANY_AGE,
  isDead,
  latest,
  messagesOf,
  messagesOfPgn,
  nameAt,
  type DeviceMessage as Row,
} from "../data/store.ts";
import { convert, measureText, withUnit } from "../instruments/units.ts";
import { durationText, numberText } from "../languages/formats.ts";
import { said, say } from "../languages/say.ts";
import { arc } from "../parts/angles.ts";
import { type Fact, Facts, type Struck } from "../parts/facts.tsx";
import { Numerals } from "../parts/numerals.tsx";
import { Origin } from "../parts/origin.tsx";
import { ThingKind, ThingName } from "../parts/thing-name.tsx";
import { pastState } from "../trend/boat-history.ts";
import { companionOf } from "./companion.ts";
import { fuelLeft, hoursText, hoursToGo, sailHoursText } from "./endurance.ts";
import { Energy } from "./energy-panel.tsx";
import { FaultsOf, faultRows, OtherFaults } from "./faults.tsx";
import { lights, mains } from "./mains.tsx";
import { dueOf, dueText, maintenance } from "./maintenance.ts";
import { CHARGER_CONFIGURATION } from "./public-systems.ts";
import { firstValue, hashOf, type KindName, measureOf, systemName } from "./system-values.ts";

type EngineRow = Row<Message<typeof engineParametersRapid>>;
type BatteryRow = Row<Message<typeof batteryStatus>>;

/** A sensor without a reading sends the lowest possible number. */
const ABSOLUTE_ZERO = -273;

const isReading = (field: NumberField, value: number | undefined): value is number =>
  value !== undefined && !(field.unit === "°C" && value <= ABSOLUTE_ZERO);

/** A value with the unit of its field, or the chosen one. */
function fieldText(field: NumberField, value: number | undefined): string {
  if (!isReading(field, value)) return "–";
  const { units } = settings.value;
  const measure = ofUnit(measureOf, field.unit ?? "");
  if (measure !== undefined) return withUnit(measure, units, value);
  if (field.unit === "L/h") return `${numberText(fixed(convert("volume", units, value), 1))}\u202f${units.volume}/h`;
  return `${numberText(fixed(value, Math.min(1, field.scale.decimals)))}${field.unit === undefined ? "" : `\u202f${field.unit}`}`;
}

/** Label of a field, and its value with unit; struck out if it has expired or is implausible. */
const factOf = <Of extends Definition>(
  { pgn, fields }: Of,
  name: keyof Message<Of> & string,
  data: Partial<Message<Of>>,
  isOld = false,
  alarm?: ActiveAlarm,
): Fact => {
  const field = fields[name] as NumberField;
  const value = (data as Readonly<Record<string, number | undefined>>)[name];
  const isStruck = isOld || (isReading(field, value) && struck(pgn, name, data));
  return [said(fieldLabel(name, field)), fieldText(field, value), isStruck, alarm];
};

const struck = (pgn: number, name: string, data: object): Struck =>
  isImplausible(pgn, name, data as Readonly<Record<string, unknown>>) && "implausible";

const engineOf = ({ engineInstance }: { readonly engineInstance?: number }): number | undefined => engineInstance;
const batteryOf = ({ instance }: { readonly instance?: number }): number | undefined => instance;

const ofEngine = <Other extends { readonly engineInstance?: number }>(row: EngineRow, others: readonly Row<Other>[]) =>
  companionOf(row, messagesOf(engineParametersRapid), others, engineOf, engineOf);

const ofBattery = <Other,>(
  row: BatteryRow,
  others: readonly Row<Other>[],
  batteryOfOther: (data: Other) => unknown,
): Row<Other> | undefined => companionOf(row, messagesOf(batteryStatus), others, batteryOf, batteryOfOther);

/** The highest speed seen of each engine without a known rated speed, by address and instance. */
const fastest = new Map<string, number>();
const SCALE_STEP_RPM = 1000;
const SHORTEST_SCALE_RPM = 3000;

/** End of the gauge: the rated speed if known, or else the next thousand above the highest speed seen. */
function fullSpeed(row: EngineRow): number {
  const { address, data } = row;
  const { engineInstance, engineSpeedRpm = 0 } = data;
  const rated = ofEngine(row, messagesOf(engineParametersStaticAlternate, ANY_AGE))?.data.ratedSpeedRpm;
  const key = `${address}/${engineInstance}`;
  const highest = Math.max(fastest.get(key) ?? 0, engineSpeedRpm);
  fastest.set(key, highest);
  if (rated !== undefined && rated > 0) return Math.max(rated, highest);
  return Math.max(SHORTEST_SCALE_RPM, SCALE_STEP_RPM * Math.ceil(highest / SCALE_STEP_RPM));
}

/** A link to the trend of a system, if the boat has a history. */
function TrendLink({ kind, row }: { readonly kind: KindName; readonly row: Row<object> }) {
  const value = firstValue(kind, row);
  if (value === undefined || pastState.value === "none") return null;
  return (
    <a class="trend-link" href={hashOf(value)}>
      <span class="spoken">{say("Trend of {name}", { name: systemName(value) })}</span>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M3 3V21H21M6 16L10 10L14 13L20 6" />
      </svg>
    </a>
  );
}

/** The devices whose faults are shown with an engine: its own, and that of its transmission. */
function faultAddresses(row: EngineRow): readonly number[] {
  const transmission = ofEngine(row, messagesOf(transmissionParametersDynamic));
  return [...new Set([row.address, ...(transmission === undefined ? [] : [transmission.address])])];
}

function Engine({ row, now }: { readonly row: EngineRow; readonly now: number }) {
  const { engineInstance, engineSpeedRpm: rpm } = row.data;
  const dynamic = ofEngine(row, messagesOf(engineParametersDynamic));
  const transmission = ofEngine(row, messagesOf(transmissionParametersDynamic));
  const dead = isDead(row, now);
  const isGearOld = transmission !== undefined && isDead(transmission, now);
  const isOld = dynamic !== undefined && isDead(dynamic, now);
  const full = fullSpeed(row);
  const mark = (field?: string): ActiveAlarm | undefined => systemMark("engine", engineInstance, field, now);
  const thing = { address: row.address, data: row.data };
  const needle = -120 + 240 * Math.min(1, (rpm ?? 0) / full);
  return (
    <section class={`unit engine ${dead ? "dead" : ""} ${markClass(mark())}`} data-id={`engine-${engineInstance ?? 0}`}>
      <h2>
        <AlarmMark alarm={mark()} />
        <ThingName {...thing} />
        <TrendLink kind="engine" row={row} />
      </h2>
      <ThingKind {...thing} />
      <div class="engine-face">
        <svg viewBox="-100 -100 200 164" aria-hidden="true">
          <path class="scale" d={arc(-120, 120, 86)} />
          {needle > -119 && <path class="scale-value" d={arc(-120, needle, 86)} />}
          <text class="scale-end" x="74" y="58" text-anchor="middle" data-id="full-speed">
            {full}
          </text>
        </svg>
        <p class="figure">
          <span class="number">
            <Numerals text={rpm === undefined ? "––" : rpm.toFixed(0)} />
          </span>
          <span class="unit">{engineParametersRapid.fields.engineSpeedRpm.unit}</span>
        </p>
        <p class={`gear ${isGearOld ? "dead" : ""}`}>
          {transmission?.data.gear === undefined ? say("gear unknown") : said(String(transmission.data.gear))}
        </p>
      </div>
      {dynamic && (
        <Facts
          rows={[
            factOf(engineParametersDynamic, "oilPressureKpa", dynamic.data, isOld, mark("oilPressureKpa")),
            factOf(engineParametersDynamic, "coolantTempC", dynamic.data, isOld, mark("coolantTempC")),
            factOf(engineParametersDynamic, "oilTempC", dynamic.data, isOld),
            factOf(engineParametersDynamic, "alternatorVoltage", dynamic.data, isOld),
            factOf(engineParametersDynamic, "fuelRateLh", dynamic.data, isOld),
            factOf(engineParametersDynamic, "loadPercent", dynamic.data, isOld),
            factOf(engineParametersDynamic, "engineHours", dynamic.data, isOld),
          ]}
        />
      )}
      <FaultsOf addresses={faultAddresses(row)} now={now} />
      <Maintenance engine={engineInstance ?? 0} hours={dynamic?.data.engineHours} />
      <Origin row={row} now={now} />
    </section>
  );
}

/** The maintenance of an engine, with the engine hours until it is due. */
function Maintenance({ engine, hours }: { readonly engine: number; readonly hours: number | undefined }) {
  const rows = maintenance.value.filter((row) => row.engine === engine);
  if (rows.length === 0) return null;
  return (
    <ul class="maintenance">
      {rows.map((row) => {
        const due = hours === undefined ? undefined : dueOf(row, hours);
        return (
          <li key={row.what} class={due?.state} data-id={`due-${row.what}`}>
            <a href="#/boat">{row.what}</a> <b>{due === undefined ? say("hours not known") : dueText(due)}</b>
          </li>
        );
      })}
    </ul>
  );
}

function Battery({ row, now }: { readonly row: BatteryRow; readonly now: number }) {
  const { instance, voltageV, currentA } = row.data;
  const more = ofBattery(row, messagesOf(dcDetailedStatus), batteryOf);
  const charger = ofBattery(row, messagesOf(chargerStatus), (data) => data.batteryInstance);
  const limits = ofBattery(row, messagesOfPgn(CHARGER_CONFIGURATION, ANY_AGE), (data) => data.batteryInstance);
  const charge = more?.data.stateOfChargePercent;
  const configured = ofBattery(row, messagesOf(batteryConfigurationStatus, ANY_AGE), batteryOf);
  const hours = hoursToGo({ ...more?.data, capacityAh: configured?.data.capacityAh, currentA });
  const isMoreOld = more !== undefined && isDead(more, now);
  const { fields } = batteryStatus;
  const mark = (field: string): ActiveAlarm | undefined => systemMark("battery", instance, field, now);
  const lowVoltage = mark("voltageV");
  const thing = { address: row.address, data: row.data };
  return (
    <section class={`unit battery ${isDead(row, now) ? "dead" : ""}`} data-id={`battery-${instance ?? 0}`}>
      <h2>
        <ThingName {...thing} />
        <TrendLink kind="battery" row={row} />
      </h2>
      <ThingKind {...thing} />
      <p class={`figure ${markClass(lowVoltage)}`}>
        <AlarmMark alarm={lowVoltage} />
        <span class="number">
          <Numerals text={voltageV === undefined ? "––" : voltageV.toFixed(2)} />
        </span>
        <span class="unit">{fields.voltageV.unit}</span>
      </p>
      {charge !== undefined && (
        <div
          class={`bar ${isMoreOld ? "dead" : ""}`}
          role="img"
          aria-label={say("Charge {charge} percent", { charge })}
        >
          <span style={{ width: `${Math.min(100, charge)}%` }} />
        </div>
      )}
      <Facts
        rows={[
          factOf(dcDetailedStatus, "stateOfChargePercent", more?.data ?? {}, isMoreOld, mark("stateOfChargePercent")),
          [
            say(currentA === undefined ? "Current" : currentA < 0 ? "Discharging" : "Charging"),
            fieldText(fields.currentA, currentA === undefined ? undefined : Math.abs(currentA)),
          ],
          factOf(batteryStatus, "temperatureC", row.data),
          ...(more?.data.timeRemainingMin === undefined
            ? hours === undefined
              ? []
              : [[say("To go, computed"), hoursText(hours), isMoreOld || isDead(row, now)] as const]
            : [[say("Remaining"), hoursText(more.data.timeRemainingMin / 60), isMoreOld] as const]),
          ...(charger
            ? [[say("Charger"), said(String(charger.data.operatingState ?? "–")), isDead(charger, now)] as const]
            : []),
          ...(typeof limits?.data.chargeCurrentLimitPercent === "number"
            ? [[say("Charge limit"), `${limits.data.chargeCurrentLimitPercent}\u202f%`, isDead(limits, now)] as const]
            : []),
        ]}
      />
      <Origin row={row} now={now} />
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
  const { units } = settings.value;
  const isFilling = wasteTanks.has(kind);
  const thing = { address: row.address, data: row.data };
  const cannotBe = isImplausible(fluidLevel.pgn, "levelPercent", row.data);
  const low = !cannotBe && levelPercent !== undefined && (isFilling ? levelPercent > 80 : levelPercent < 20);
  return (
    <section
      class={`tank ${isDead(row, now) ? "dead" : cannotBe ? "implausible" : ""} ${low ? "low" : ""}`}
      data-id={`tank-${kind}-${instance ?? 0}`}
    >
      <div class="vessel" aria-hidden="true">
        <span style={{ height: `${Math.max(0, Math.min(100, levelPercent ?? 0))}%` }} />
      </div>
      <div>
        <h3>
          <ThingName {...thing} />
        </h3>
        <ThingKind {...thing} />
        <p class="figure">
          <span class="number">
            <Numerals text={levelPercent === undefined ? "––" : levelPercent.toFixed(0)} />
          </span>
          <span class="unit">{fluidLevel.fields.levelPercent.unit}</span>
          <TrendLink kind="tank" row={row} />
        </p>
        <p class="source">
          {litres === undefined
            ? ""
            : say("{litres} of {capacity}", {
                litres: numberText(measureText("volume", units, litres)),
                capacity: withUnit("volume", units, capacityLiters!),
              })}
          {low ? ` · ${say(isFilling ? "nearly full" : "low")}` : ""}
          {cannotBe ? ` · ${say("implausible")}` : ""}
        </p>
        <Origin row={row} now={now} />
      </div>
    </section>
  );
}

type TemperatureRow = Row<Message<typeof temperature>>;

/** The place of a thermometer, or its device and instance if the place is unknown. */
function placeOf({ address, data: { source, instance } }: TemperatureRow): string {
  const place = typeof source === "string" ? said(source.replace(/ Temperature$/, "")) : nameAt(address);
  return instance === undefined ? place : `${place} ${instance}`;
}

function Temperatures({ rows, now }: { readonly rows: readonly TemperatureRow[]; readonly now: number }) {
  if (rows.length === 0) return null;
  return (
    <section class="unit" aria-label={say("Temperatures")} data-id="temperatures">
      <h2>{say("Temperatures")}</h2>
      <Facts
        rows={rows.map((row): Fact => {
          const dead = isDead(row, now);
          const lost = dead ? `, ${say("lost {duration} ago", { duration: durationText(ageOf(row.stamp, now)) })}` : "";
          const place = placeOf(row);
          const text = fieldText(temperature.fields.actualTempC, row.data.actualTempC);
          const label = (
            <>
              <ThingName address={row.address} data={row.data} short={place} />
              {lost}
            </>
          );
          return [
            `${row.address} ${place}`,
            text,
            dead || struck(row.data.pgn, "actualTempC", row.data),
            undefined,
            label,
          ];
        })}
      />
    </section>
  );
}

/** Adds engines and batteries that do not send the message of their panel: another message gives their instance. */
function withOthers<Data, Other>(
  rows: readonly Row<Data>[],
  others: readonly Row<Other>[],
  instanceOf: (data: Data | Other) => number | undefined,
  dataOf: (instance: number | undefined) => Data,
): readonly Row<Data>[] {
  const known = new Set(rows.map(({ data }) => instanceOf(data)));
  const missing = others.filter(({ data }) => !known.has(instanceOf(data)));
  return [...rows, ...missing.map((row) => ({ ...row, data: dataOf(instanceOf(row.data)) }))];
}

/** Scrolls once to the panel of the address, `#/systems/engine-0`, as soon as it exists. */
function useTarget(): void {
  const reached = useRef("");
  useEffect(() => {
    const { hash } = location;
    const [, , panel] = hash.split("/");
    if (panel === undefined || reached.current === hash) return;
    const element = document.querySelector(`.systems [data-id="${CSS.escape(panel)}"]`);
    if (element === null) return;
    reached.current = hash;
    element.scrollIntoView({ block: "nearest" });
  });
}

/** How long the fuel lasts, and how far; computed, because no device measures it. */
function Fuel({ tanks, now }: { readonly tanks: readonly Row<Message<typeof fluidLevel>>[]; readonly now: number }) {
  const litres = tanks
    .filter((row) => fuels.has(row.data.fluidType) && !isDead(row, now))
    .filter(({ data }) => !isImplausible(data.pgn, "levelPercent", data))
    .map(({ data: { levelPercent, capacityLiters } }) => ((levelPercent ?? Number.NaN) * (capacityLiters ?? 0)) / 100)
    .filter((volume) => volume > 0)
    .reduce((sum, volume) => sum + volume, 0);
  const litresAnHour = messagesOf(engineParametersDynamic)
    .filter((row) => !isDead(row, now) && !isImplausible(row.data.pgn, "fuelRateLh", row.data))
    .reduce((sum, { data }) => sum + (data.fuelRateLh ?? 0), 0);
  const sog = latest.read("sog", now);
  const left = fuelLeft({ litres, litresAnHour, knots: sog.kind === "live" ? sog.value : undefined });
  if (left === undefined || litres === 0) return null;
  const { units } = settings.value;
  const time = sailHoursText(left.hours);
  const volume = withUnit("volume", units, litres);
  const rate = `${numberText(fixed(convert("volume", units, litresAnHour), 1))}\u202f${units.volume}/h`;
  return (
    <p class="endurance" data-id="fuel-left">
      {say("Fuel for")}{" "}
      <b>
        {left.miles === undefined
          ? time
          : say("{time} and {distance}", { time, distance: withUnit("distance", units, left.miles) })}
      </b>
      <small>
        {sog.kind === "live"
          ? say("computed: {volume} at {rate} and {speed}, as now; no reserve", {
              ...{ volume, rate },
              speed: withUnit("speed", units, sog.value),
            })
          : say("computed: {volume} at {rate}, as now; no reserve", { volume, rate })}
      </small>
    </p>
  );
}

export function Systems() {
  const now = secondTick.value;
  useTarget();
  const engines = withOthers(
    messagesOf(engineParametersRapid),
    messagesOf(engineParametersDynamic),
    engineOf,
    (engineInstance): Message<typeof engineParametersRapid> => ({
      pgn: 127488,
      ...(engineInstance !== undefined && { engineInstance }),
    }),
  );
  const batteries = withOthers(
    messagesOf(batteryStatus),
    messagesOf(dcDetailedStatus),
    batteryOf,
    (instance): Message<typeof batteryStatus> => ({ pgn: 127508, ...(instance !== undefined && { instance }) }),
  );
  const tanks = messagesOf(fluidLevel);
  const banks = messagesOf(binarySwitchBankStatus);
  const temperatures = [
    ...messagesOf(temperature),
    ...(messagesOf(temperatureExtendedRange) as readonly unknown[] as readonly TemperatureRow[]),
  ].filter(({ data }) => isReading(temperature.fields.actualTempC, data.actualTempC));
  const panels = [...mains(now), ...lights(now)];
  if (
    faultRows().length +
      engines.length +
      batteries.length +
      tanks.length +
      banks.length +
      temperatures.length +
      panels.length ===
    0
  )
    return <p class="nothing">{noDataText(linkNow(now)) ?? say("No engine, battery, tank or switch is heard.")}</p>;
  return (
    <div class="systems">
      {engines.map((row) => (
        <Engine key={`${row.address}/${row.data.engineInstance}`} row={row} now={now} />
      ))}
      <OtherFaults shown={engines.flatMap(faultAddresses)} now={now} />
      <Energy now={now} />
      {batteries.map((row) => (
        <Battery key={`${row.address}/${row.data.instance}`} row={row} now={now} />
      ))}
      {tanks.length > 0 && (
        <section class="unit tanks" aria-label={say("Tanks")}>
          <h2>{say("Tanks")}</h2>
          {tanks.map((row) => (
            <Tank key={`${row.address}/${row.data.fluidType}/${row.data.instance}`} row={row} now={now} />
          ))}
          <Fuel tanks={tanks} now={now} />
        </section>
      )}
      {panels}
      <Temperatures rows={temperatures} now={now} />
      {banks.map((row) => (
        <section
          key={`${row.address}/${row.data.instance}`}
          class={`unit ${isDead(row, now) ? "dead" : ""}`}
          data-id={`switches-${row.data.instance ?? 0}`}
        >
          <h2>
            <ThingName address={row.address} data={row.data} />
          </h2>
          <ul class="switches">
            {(row.data.switches ?? []).map((one) => (
              <li key={one.switch} class={String(one.status).toLowerCase()}>
                <ThingName
                  address={row.address}
                  data={{ ...row.data, switch: one.switch }}
                  short={String(one.switch)}
                />{" "}
                {said(String(one.status ?? "–"))}
              </li>
            ))}
          </ul>
          <Origin row={row} now={now} />
        </section>
      ))}
    </div>
  );
}
