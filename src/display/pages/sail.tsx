/** The instruments: rose, speed, depth, wind, position, time, weather. */
import { frameTick } from "../frame-tick.ts";
import { Quantity, Source } from "../readout.tsx";
import { Rose } from "../rose.tsx";
import { settings } from "../settings.ts";
import { histories, latest } from "../store.ts";
import { Trend } from "../trend.tsx";
import { bearingText, coordinateText, depthIn, offBow, sideOf, tenths, windIn } from "../units.ts";

/** The side of an angle off the bow, as text because colour alone does not tell it at night. */
function Side({ name }: { readonly name: "apparentAngle" | "trueAngle" }) {
  const reading = latest.read(name, frameTick.value);
  const side = reading.kind === "live" ? sideOf(reading.value) : undefined;
  return side === undefined ? null : <span class={`side ${side}`}>{side === "port" ? "port" : "stbd"}</span>;
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

function Position() {
  const now = frameTick.value;
  const place = latest.read("place", now);
  const fix = latest.read("fix", now);
  const lines =
    "value" in place
      ? [coordinateText(place.value.latitude, "latitude"), coordinateText(place.value.longitude, "longitude")]
      : ["––"];
  return (
    <section class={`readout place ${place.kind}`} data-id="place" data-kind={place.kind} aria-label="Position">
      <h3>Position</h3>
      {lines.map((line) => (
        <p class="coordinate" key={line.at(-1)}>
          {line}
        </p>
      ))}
      {place.kind !== "live" && <p class="fate">{place.kind === "dead" ? "lost" : "no position"}</p>}
      {fix.kind === "live" && (
        <p class="fix" data-id="fix">
          <b class={fix.value.hasFix ? "" : "warn"}>{fixNames[fix.value.fixType]}</b>
          {` ${fix.value.numSatellites} sat`}
          {fix.value.hdop !== undefined && ` · HDOP ${fix.value.hdop}`}
        </p>
      )}
      <Source name="fix" />
    </section>
  );
}

function Time() {
  const reading = latest.read("date", frameTick.value);
  const value = "value" in reading ? reading.value : undefined;
  return (
    <section class={`readout time ${reading.kind}`} data-id="date" data-kind={reading.kind} aria-label="Time">
      <h3>Time UTC</h3>
      <p class="clock">{value?.time ?? "––:––:––"}</p>
      <p class="fix">{value?.date ?? (reading.kind === "none" ? "no data" : "")}</p>
      <Source name="date" />
    </section>
  );
}

export function Sail() {
  const { depthUnit, windUnit } = settings.value;
  const wind = (knots: number) => tenths(windIn(windUnit, knots));
  return (
    <div class="sail">
      <Rose />
      <div class="panel motion">
        <Quantity name="sog" label="SOG" unit="kn" text={tenths} size="large" withSource={false} />
        <Quantity name="cog" label="COG" unit="°T" text={bearingText} size="large" withSource={false} />
        <Quantity name="stw" label="STW" unit="kn" text={tenths} size="large" withSource={false} />
        <Source name="sog" />
      </div>
      <div class="panel deep">
        <Quantity
          name="depth"
          label="Depth"
          unit={depthUnit}
          text={(metres) => tenths(depthIn(depthUnit, metres))}
          size="huge"
        />
        <Trend
          id="depth-trend"
          label="Depth over the last ten minutes"
          lines={[histories.depth]}
          convert={(metres) => depthIn(depthUnit, metres)}
          isDepth
        />
      </div>
      <div class="panel winds">
        <Quantity name="apparentSpeed" label="Apparent" unit={windUnit} text={wind} size="large" withSource={false} />
        <Quantity
          name="apparentAngle"
          label="Angle"
          unit="°"
          text={offBow}
          size="large"
          mark={<Side name="apparentAngle" />}
          withSource={false}
        />
        <div class="wind-sources">
          <Source name="apparentSpeed" />
          <Source
            name="trueSpeed"
            note={latest.data.wind_true?.computed === true ? "true wind computed" : "true wind measured"}
          />
        </div>
        <Quantity name="trueSpeed" label="True" unit={windUnit} text={wind} size="large" withSource={false} />
        <Quantity
          name="trueAngle"
          label="Angle"
          unit="°"
          text={offBow}
          size="large"
          mark={<Side name="trueAngle" />}
          withSource={false}
        />
        <Quantity name="trueDirection" label="From" unit="°T" text={bearingText} size="large" withSource={false} />
        <div class="trends">
          <Trend
            id="speed-trend"
            label="True and apparent wind speed over the last ten minutes"
            lines={[histories.trueSpeed, histories.apparentSpeed]}
            convert={(knots) => windIn(windUnit, knots)}
          />
          <Trend
            id="direction-trend"
            label="True wind direction over the last ten minutes"
            lines={[histories.trueDirection]}
            isDirection
          />
        </div>
      </div>
      <div class="panel where">
        <Position />
        <Time />
        <section class="readout weather" aria-label="Weather">
          <h3>Water · Air</h3>
          <Small name="waterTemperature" unit="°C" text={tenths} />
          <Small name="outsideTemperature" unit="°C" text={tenths} />
          <Small name="pressure" unit="hPa" text={(pascal) => (pascal / 100).toFixed(0)} />
        </section>
      </div>
    </div>
  );
}

function Small({
  name,
  unit,
  text,
}: {
  readonly name: "waterTemperature" | "outsideTemperature" | "pressure";
  readonly unit: string;
  readonly text: (value: number) => string;
}) {
  const reading = latest.read(name, frameTick.value);
  return (
    <p class={`small ${reading.kind}`} data-id={name} data-kind={reading.kind}>
      <span>{"value" in reading ? text(reading.value) : "––"}</span> {unit}
    </p>
  );
}
