/** The panel of a battery: voltage, charge, current, and what its monitor and charger say. */
import type { Message } from "../../../core/n2k/definition.ts";
import {
  batteryConfigurationStatus,
  batteryStatus,
  chargerStatus,
  dcDetailedStatus,
} from "../../../core/n2k/pgns/electrical.ts";
import { AlarmMark } from "../alarms/alarm-mark.tsx";
import type { ActiveAlarm } from "../alarms/alarms.ts";
import { markClass, systemMark } from "../alarms/places.ts";
import { ANY_AGE, isDead, isUnheard, messagesOf, messagesOfPgn } from "../data/device-messages.ts";
import type { DeviceMessage as Row } from "../data/store.ts";
import { said, say } from "../languages/say.ts";
import { Facts } from "../parts/facts.tsx";
import { Numerals } from "../parts/numerals.tsx";
import { Origin } from "../parts/origin.tsx";
import { ThingKind, ThingName } from "../parts/thing-name.tsx";
import { companionOf } from "./companion.ts";
import { hoursText, hoursToGo } from "./endurance.ts";
import { factOf, fieldText, TrendLink } from "./panel-parts.tsx";
import { CHARGER_CONFIGURATION } from "./public-systems.ts";

type BatteryRow = Row<Message<typeof batteryStatus>>;

export const batteryOf = ({ instance }: { readonly instance?: number }): number | undefined => instance;

const ofBattery = <Other,>(
  row: BatteryRow,
  others: readonly Row<Other>[],
  batteryOfOther: (data: Other) => unknown,
): Row<Other> | undefined => companionOf(row, messagesOf(batteryStatus), others, batteryOf, batteryOfOther);

export function Battery({ row, now }: { readonly row: BatteryRow; readonly now: number }) {
  const { instance, voltageV, currentA } = row.data;
  const more = ofBattery(row, messagesOf(dcDetailedStatus), batteryOf);
  const charger = ofBattery(row, messagesOf(chargerStatus), (data) => data.batteryInstance);
  const limits = ofBattery(row, messagesOfPgn(CHARGER_CONFIGURATION, ANY_AGE), (data) => data.batteryInstance);
  const charge = more?.data.stateOfChargePercent;
  const configured = ofBattery(row, messagesOf(batteryConfigurationStatus, ANY_AGE), batteryOf);
  const hours = hoursToGo({ ...more?.data, capacityAh: configured?.data.capacityAh, currentA });
  const isMoreOld = more !== undefined && isDead(more, now);
  const { fields } = batteryStatus;
  const senders = [row.address, more?.address];
  const mark = (field: string): ActiveAlarm | undefined =>
    systemMark({ panel: "battery", instance, senders }, field, now);
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
              : [
                  [
                    say("To go, computed"),
                    hoursText(hours),
                    [row, more].some((each) => each && isUnheard(each, now)),
                  ] as const,
                ]
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
