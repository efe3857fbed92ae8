/** The strip below the instruments: position, time and other things that are read, not watched. */
import type { ComponentChildren } from "preact";
import { fateOf } from "./cell.tsx";
import { frameTick } from "./frame-tick.ts";
import type { Reading } from "./freshness.ts";
import { settings } from "./settings.ts";
import { latest, nameOfSource } from "./store.ts";
import { coordinateText, dateTimeText } from "./units.ts";

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly reading: Reading<unknown>;
  /** Beside the label of a live value. */
  readonly note?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A text with its label. */
export function Field({ id, label, reading, note, children }: FieldProps) {
  const fate = fateOf(reading);
  return (
    <div class={`mini readout ${reading.kind}`} data-id={id} data-kind={reading.kind}>
      <h2 class="label">
        <span class="label-name">{label}</span>
        {fate === "" ? <span class="note">{note}</span> : <span class="fate">{fate}</span>}
      </h2>
      <p class="mini-value">{children}</p>
    </div>
  );
}

const fixNames: Readonly<Record<string, string>> = {
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
      <b class={fix.value.hasFix ? "" : "warn"}>{fixNames[fix.value.fixType]}</b>
      {fix.value.numSatellites > 0 && ` ${fix.value.numSatellites} sat`}
      {source && (
        <span class="source" data-source="fix">
          {nameOfSource(source)}
        </span>
      )}
    </span>
  );
  // Without coordinates the kind of fix is still known and says why.
  const reading = place.kind === "none" && fix.kind === "live" ? ({ kind: "live" } as typeof fix) : place;
  return (
    <Field id="place" label="Position" reading={reading} note={note}>
      {"value" in place ? (
        <>
          <span class="worth">{coordinateText(place.value.latitude, "latitude")}</span>{" "}
          <span class="worth">{coordinateText(place.value.longitude, "longitude")}</span>
        </>
      ) : (
        <span class="worth">––</span>
      )}
    </Field>
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
    <Field id="date" label={timeZone === "UTC" ? "UTC" : "Local time"} reading={reading} note={value?.date}>
      <span class="worth">{value?.time ?? "––:––:––"}</span>
    </Field>
  );
}
