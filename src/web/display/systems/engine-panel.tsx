/** The panel of an engine: its speed, gear, values, faults and maintenance. */
import type { Message } from "../../../core/n2k/definition.ts";
import {
  engineParametersDynamic,
  engineParametersRapid,
  engineParametersStaticAlternate,
  transmissionParametersDynamic,
} from "../../../core/n2k/pgns/propulsion.ts";
import { AlarmMark } from "../alarms/alarm-mark.tsx";
import type { ActiveAlarm } from "../alarms/alarms.ts";
import { markClass, systemMark } from "../alarms/places.ts";
import { ANY_AGE, isDead, messagesOf } from "../data/device-messages.ts";
import type { DeviceMessage as Row } from "../data/store.ts";
import { said, say } from "../languages/say.ts";
import { arc } from "../parts/angles.ts";
import { Facts } from "../parts/facts.tsx";
import { Numerals } from "../parts/numerals.tsx";
import { Origin } from "../parts/origin.tsx";
import { ThingKind, ThingName } from "../parts/thing-name.tsx";
import { companionOf } from "./companion.ts";
import { FaultsOf } from "./faults.tsx";
import { dueOf, dueText, maintenance } from "./maintenance.ts";
import { factOf, TrendLink } from "./panel-parts.tsx";

type EngineRow = Row<Message<typeof engineParametersRapid>>;

export const engineOf = ({ engineInstance }: { readonly engineInstance?: number }): number | undefined =>
  engineInstance;

const ofEngine = <Other extends { readonly engineInstance?: number }>(row: EngineRow, others: readonly Row<Other>[]) =>
  companionOf(row, messagesOf(engineParametersRapid), others, engineOf, engineOf);

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

/** The devices whose faults are shown with an engine: its own, and that of its transmission. */
export function faultAddresses(row: EngineRow): readonly number[] {
  const transmission = ofEngine(row, messagesOf(transmissionParametersDynamic));
  return [...new Set([row.address, ...(transmission === undefined ? [] : [transmission.address])])];
}

export function Engine({ row, now }: { readonly row: EngineRow; readonly now: number }) {
  const { engineInstance, engineSpeedRpm: rpm } = row.data;
  const dynamic = ofEngine(row, messagesOf(engineParametersDynamic));
  const transmission = ofEngine(row, messagesOf(transmissionParametersDynamic));
  const dead = isDead(row, now);
  const isGearOld = transmission !== undefined && isDead(transmission, now);
  const isOld = dynamic !== undefined && isDead(dynamic, now);
  const full = fullSpeed(row);
  const senders = [row.address, dynamic?.address, transmission?.address];
  const mark = (field?: string): ActiveAlarm | undefined =>
    systemMark({ panel: "engine", instance: engineInstance, senders }, field, now);
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
          <span class="unit">{say("rpm")}</span>
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
