/** The strip below the instruments: position, time and other values that are read rarely. */

import type { ComponentChildren } from "preact";
import { AlarmMark } from "../alarms/alarm-mark.tsx";
import type { ActiveAlarm } from "../alarms/alarms.ts";
import { markClass, positionMark } from "../alarms/places.ts";
import { nameOfSource } from "../data/device-names.ts";
import { frameTick } from "../data/frame-tick.ts";
import type { Reading } from "../data/freshness.ts";
import { settings } from "../data/settings.ts";
import { latest } from "../data/store.ts";
import { coordinateText, dateTimeText } from "../instruments/units.ts";
import { dayText } from "../languages/formats.ts";
import { said, say } from "../languages/say.ts";
import type { PlainText } from "../languages/texts.ts";
import { lengthStyle, stateText } from "./cell.tsx";

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly reading: Reading<unknown>;
  readonly alarm?: ActiveAlarm | undefined;
  /** Shown beside the label of a live value. */
  readonly note?: ComponentChildren;
  readonly texts: readonly string[];
}

export function Field({ id, label, reading, alarm, note, texts }: FieldProps) {
  const state = stateText(reading);
  return (
    <div class={`mini readout ${reading.kind} ${markClass(alarm)}`} data-id={id} data-kind={reading.kind}>
      <h2 class="label">
        <AlarmMark alarm={alarm} />
        <span class="label-name">{label}</span>
        {state === "" ? <span class="note">{note}</span> : <span class="value-state">{state}</span>}
      </h2>
      <p class="mini-value" style={lengthStyle(texts.join(" "))}>
        {texts.map((text) => (
          <span class="worth" key={text}>
            {text}
          </span>
        ))}
      </p>
    </div>
  );
}

const fixNames: Readonly<Record<string, PlainText | "GNSS" | "DGNSS">> = {
  no_fix: "no fix",
  gnss: "GNSS",
  dgnss: "DGNSS",
  precise_gnss: "precise GNSS",
  rtk_fixed: "RTK fixed",
  rtk_float: "RTK float",
  estimated: "dead reckoning",
  manual: "manual",
  simulator: "simulator",
  unknown: "fix unknown",
};

export function Position() {
  const now = frameTick.value;
  const place = latest.read("place", now);
  const fix = latest.read("fix", now);
  const source = latest.source("fix", now);
  const note = fix.kind === "live" && (
    <span data-id="fix" title={fix.value.hdop === undefined ? undefined : `HDOP ${fix.value.hdop}`}>
      <b class={fix.value.hasFix ? "" : "warn"}>{said(fixNames[fix.value.fixType ?? "unknown"] ?? "")}</b>
      {(fix.value.numSatellites ?? 0) > 0 && ` ${say("{count} sat", { count: fix.value.numSatellites! })}`}
      {source && (
        <span class="source" data-source="fix">
          {nameOfSource(source)}
        </span>
      )}
    </span>
  );
  const texts =
    "value" in place
      ? [coordinateText(place.value.latitude, "latitude"), coordinateText(place.value.longitude, "longitude")]
      : ["––"];
  // Without coordinates the kind of fix is still known and gives the reason.
  const reading = place.kind === "none" && fix.kind === "live" ? ({ kind: "live" } as typeof fix) : place;
  return (
    <Field id="place" label={say("Position")} reading={reading} alarm={positionMark(now)} note={note} texts={texts} />
  );
}

export function Time() {
  const reading = latest.read("date", frameTick.value);
  const { timeZone } = settings.value;
  const value =
    "value" in reading && reading.value.date !== undefined && reading.value.time !== undefined
      ? dateTimeText(reading.value.date, reading.value.time, timeZone)
      : undefined;
  return (
    <Field
      id="date"
      label={timeZone === "UTC" ? "UTC" : say("Local time")}
      reading={reading}
      note={value && dayText(value.date)}
      texts={[value?.time ?? "––:––:––"]}
    />
  );
}
