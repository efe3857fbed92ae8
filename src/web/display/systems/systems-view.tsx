/** Engines, batteries, tanks, switches and temperatures, one panel for each device and instance. */
import { useEffect, useRef } from "preact/hooks";
import type { Message } from "../../../core/n2k/definition.ts";
import {
  batteryStatus,
  binarySwitchBankStatus,
  dcDetailedStatus,
  fluidLevel,
} from "../../../core/n2k/pgns/electrical.ts";
import { temperature, temperatureExtendedRange } from "../../../core/n2k/pgns/environment.ts";
import { engineParametersDynamic, engineParametersRapid } from "../../../core/n2k/pgns/propulsion.ts";
import { lostText } from "../data/device-memory.ts";
import { isDead, messagesOf } from "../data/device-messages.ts";
import { frameTick, secondTick } from "../data/frame-tick.ts";
import { linkNow, noDataText } from "../data/link.ts";
import { isFilling, type DeviceMessage as Row } from "../data/store.ts";
import { said, say } from "../languages/say.ts";
import { type Fact, Facts } from "../parts/facts.tsx";
import { Origin } from "../parts/origin.tsx";
import { ThingName } from "../parts/thing-name.tsx";
import { Battery, batteryOf } from "./battery-panel.tsx";
import { Energy } from "./energy-panel.tsx";
import { Engine, engineOf, faultAddresses } from "./engine-panel.tsx";
import { faultRows, OtherFaults } from "./faults.tsx";
import { lights, mains } from "./mains.tsx";
import { fieldText, isReading, struck } from "./panel-parts.tsx";
import { Fuel, Tank } from "./tank-panel.tsx";
import { type TemperatureRow, thermometerNames } from "./thermometers.ts";

function Temperatures({ rows, now }: { readonly rows: readonly TemperatureRow[]; readonly now: number }) {
  if (rows.length === 0) return null;
  const names = thermometerNames(rows);
  return (
    <section class="unit" aria-label={say("Temperatures")} data-id="temperatures">
      <h2>{say("Temperatures")}</h2>
      <Facts
        rows={rows.map((row, at): Fact => {
          const dead = isDead(row, now);
          const lost = dead && !isFilling(now) ? `, ${lostText(row, now)}` : "";
          const place = names[at]!;
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

function Switches({ row, now }: { readonly row: Row<Message<typeof binarySwitchBankStatus>>; readonly now: number }) {
  return (
    <section class={`unit ${isDead(row, now) ? "dead" : ""}`} data-id={`switches-${row.data.instance ?? 0}`}>
      <h2>
        <ThingName address={row.address} data={row.data} />
      </h2>
      <ul class="switches">
        {(row.data.switches ?? []).map((one) => (
          <li key={one.switch} class={String(one.status).toLowerCase()}>
            <ThingName address={row.address} data={{ ...row.data, switch: one.switch }} short={String(one.switch)} />{" "}
            {said(String(one.status ?? "–"))}
          </li>
        ))}
      </ul>
      <Origin row={row} now={now} />
    </section>
  );
}

export function Systems() {
  const filling = isFilling(performance.now());
  const now = filling ? frameTick.value : secondTick.value;
  useTarget();
  const engines = withOthers(
    messagesOf(engineParametersRapid),
    messagesOf(engineParametersDynamic),
    engineOf,
    (engineInstance): Message<typeof engineParametersRapid> => ({
      pgn: engineParametersRapid.pgn,
      ...(engineInstance !== undefined && { engineInstance }),
    }),
  );
  const batteries = withOthers(
    messagesOf(batteryStatus),
    messagesOf(dcDetailedStatus),
    batteryOf,
    (instance): Message<typeof batteryStatus> => ({
      pgn: batteryStatus.pgn,
      ...(instance !== undefined && { instance }),
    }),
  );
  const tanks = messagesOf(fluidLevel);
  const banks = messagesOf(binarySwitchBankStatus);
  const temperatures = [
    ...messagesOf(temperature),
    ...(messagesOf(temperatureExtendedRange) as readonly unknown[] as readonly TemperatureRow[]),
  ].filter(({ data }) => isReading(temperature.fields.actualTempC, data.actualTempC));
  const panels = [...mains(now), ...lights(now)];
  if ([faultRows(), engines, batteries, tanks, banks, temperatures, panels].every(({ length }) => length === 0))
    return <p class="nothing">{noDataText(linkNow(now)) ?? say("No engine, battery, tank or switch is heard.")}</p>;
  return (
    <div class={`systems ${filling ? "filling" : ""}`}>
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
        <Switches key={`${row.address}/${row.data.instance}`} row={row} now={now} />
      ))}
    </div>
  );
}
