/** Tanks, and how long their fuel lasts. */
import type { Message } from "../../../core/n2k/definition.ts";
import { fuels, type TankType } from "../../../core/n2k/lookups.ts";
import { fluidLevel } from "../../../core/n2k/pgns/electrical.ts";
import { engineParametersDynamic } from "../../../core/n2k/pgns/propulsion.ts";
import { isImplausible } from "../../../core/n2k/plausible.ts";
import { fixed } from "../../../core/text/quantity.ts";
import { isCounted, isDead, isUnheard, messagesOf } from "../data/device-messages.ts";
import { keyOf } from "../data/message-keys.ts";
import { settings } from "../data/settings.ts";
import { isFilling, latest, type DeviceMessage as Row } from "../data/store.ts";
import { convert, measureText, withUnit } from "../instruments/units.ts";
import { numberText } from "../languages/formats.ts";
import { say } from "../languages/say.ts";
import { Numerals } from "../parts/numerals.tsx";
import { Origin } from "../parts/origin.tsx";
import { ThingKind, ThingName } from "../parts/thing-name.tsx";
import { fuelLeft, sailHoursText } from "./endurance.ts";
import { TrendLink } from "./panel-parts.tsx";

/** Tanks that are emptied when they are full. */
const wasteTanks: ReadonlySet<string> = new Set<(typeof TankType)[number]>(["Gray water", "Black water"]);

export function Tank({ row, now }: { readonly row: Row<Message<typeof fluidLevel>>; readonly now: number }) {
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

/** The sum of values of things; of several devices that tell of one, the value counts that `choose` takes. */
function sumOfThings(
  values: readonly (readonly [thing: string, value: number])[],
  choose: (one: number, other: number) => number,
): number {
  const things = new Map<string, number>();
  for (const [thing, value] of values) things.set(thing, choose(things.get(thing) ?? value, value));
  return [...things.values()].reduce((sum, value) => sum + value, 0);
}

/**
 * Litres of fuel, and litres an hour. Two devices of one number may be two gateways to one tank or engine: the least fuel
 * and the greatest rate are on the safe side.
 */
export function fuelNow(tanks: readonly Row<Message<typeof fluidLevel>>[], now: number) {
  const litres = tanks
    .filter((row) => fuels.has(row.data.fluidType) && isCounted(row, now))
    .filter(({ data }) => !isImplausible(data.pgn, "levelPercent", data))
    .map(
      ({ data }) =>
        [keyOf(data), ((data.levelPercent ?? Number.NaN) * (data.capacityLiters || Number.NaN)) / 100] as const,
    )
    .filter(([, volume]) => volume >= 0);
  const rates = messagesOf(engineParametersDynamic)
    .filter((row) => isCounted(row, now) && !isImplausible(row.data.pgn, "fuelRateLh", row.data))
    .map(({ data }) => [keyOf(data), data.fuelRateLh ?? 0] as const);
  return { litres: sumOfThings(litres, Math.min), litresAnHour: sumOfThings(rates, Math.max) };
}

/** How long the fuel lasts, and how far; computed, because no device measures it. */
export function Fuel({
  tanks,
  now,
}: {
  readonly tanks: readonly Row<Message<typeof fluidLevel>>[];
  readonly now: number;
}) {
  const isAwaited = [...tanks, ...messagesOf(engineParametersDynamic)].some((row) => isUnheard(row, now));
  const { litres, litresAnHour } = fuelNow(tanks, now);
  const sog = latest.read("sog", now);
  const left = fuelLeft({ litres, litresAnHour, knots: sog.kind === "live" ? sog.value : undefined });
  if (left === undefined || litres === 0) return null;
  const { units } = settings.value;
  const time = sailHoursText(left.hours);
  const volume = withUnit("volume", units, litres);
  const rate = `${numberText(fixed(convert("volume", units, litresAnHour), 1))}\u202f${units.volume}/h`;
  return (
    <p class={`endurance ${isAwaited && isFilling(now) ? "dead" : ""}`} data-id="fuel-left">
      {say("Fuel for")}{" "}
      <b>
        {left.miles === undefined
          ? time
          : say("{time} and {distance}", { time, distance: withUnit("distance", units, left.miles) })}
      </b>
      <small>
        {say("computed: {volume} at {rate}, as now; no reserve", {
          volume,
          rate: sog.kind === "live" ? `${rate}, ${withUnit("speed", units, sog.value)}` : rate,
        })}
      </small>
    </p>
  );
}
