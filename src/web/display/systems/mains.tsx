/** Mains, inverters and lights on the page of systems, from the document's PGNs and from public ones. */

import type { ComponentChildren } from "preact";
import type { Message } from "../../../core/n2k/definition.ts";
import { acInputStatus, acOutputStatus, inverterStatus } from "../../../core/n2k/pgns/electrical.ts";
import { exceedsVoltAmperes, isImplausible } from "../../../core/n2k/plausible.ts";
import { fixed } from "../../../core/text/quantity.ts";
import type { PgnData } from "../../../core/topics/pgn-data.ts";
import { ANY_AGE, isDead, messagesOf, messagesOfPgn } from "../data/device-messages.ts";
import { ageOf } from "../data/freshness.ts";
import type { DeviceMessage as Row } from "../data/store.ts";
import { numberText } from "../languages/formats.ts";
import { said, say } from "../languages/say.ts";
import { type Fact, Facts } from "../parts/facts.tsx";
import { Origin } from "../parts/origin.tsx";
import { ThingName } from "../parts/thing-name.tsx";
import { companionOf } from "./companion.ts";
import { type AcSource, acSources, INVERTER_CONFIGURATION, lightPgns, pgnsOf } from "./public-systems.ts";

/** Known numbers with their units: `230.1 V · 4.2 A`. */
const joined = (...parts: readonly (readonly [value: unknown, unit: string, decimals: number])[]): string =>
  parts
    .flatMap(([value, unit, decimals]) =>
      typeof value === "number" ? [`${numberText(fixed(value, decimals))}\u202f${unit}`] : [],
    )
    .join(" · ") || "–";

function Panel(props: {
  readonly id: string;
  readonly title: ComponentChildren;
  readonly rows: readonly Row<unknown>[];
  readonly facts: readonly Fact[];
  readonly now: number;
}) {
  const { rows, now } = props;
  const newest = rows.reduce((one, other) => (ageOf(other.stamp, now) < ageOf(one.stamp, now) ? other : one));
  return (
    <section class={`unit ${isDead(newest, now) ? "dead" : ""}`} data-id={props.id}>
      <h2>{props.title}</h2>
      <Facts rows={props.facts} />
      <Origin row={newest} now={now} />
    </section>
  );
}

type LineStatus = Message<typeof acInputStatus> | Message<typeof acOutputStatus>;

function acLine(kind: string, row: Row<LineStatus>, now: number) {
  const { instance, line1VoltageV, line1CurrentA, line1FrequencyHz, line1RealPowerW } = row.data;
  return (
    <Panel
      key={`${kind} ${row.address} ${instance}`}
      id={`ac-${kind}-${instance ?? 0}`}
      title={<ThingName address={row.address} data={row.data} />}
      rows={[row]}
      now={now}
      facts={[
        [
          say("Line {number}", { number: 1 }),
          joined([line1VoltageV, "V", 1], [line1CurrentA, "A", 1]),
          isDead(row, now),
        ],
        [
          say("Power"),
          joined([line1RealPowerW, "W", 0]),
          isDead(row, now) || (isImplausible(row.data.pgn, "line1RealPowerW", row.data) && "implausible"),
        ],
        [say("Frequency"), joined([line1FrequencyHz, "Hz", 1]), isDead(row, now)],
      ]}
    />
  );
}

function inverter(row: Row<Message<typeof inverterStatus>>, now: number) {
  const { inverterInstance: instance, operatingState, inverterEnable } = row.data;
  const settings = companionOf(
    row,
    messagesOf(inverterStatus),
    messagesOfPgn(INVERTER_CONFIGURATION, ANY_AGE),
    ({ inverterInstance }) => inverterInstance,
    (data) => data.instance,
  );
  return (
    <Panel
      key={`inverter ${row.address} ${instance}`}
      id={`inverter-${instance ?? 0}`}
      title={<ThingName address={row.address} data={row.data} />}
      rows={[row]}
      now={now}
      facts={[
        [say("State"), said(String(operatingState ?? "–")), isDead(row, now)],
        [say("Enabled"), said(String(inverterEnable ?? "–")), isDead(row, now)],
        ...(settings === undefined
          ? []
          : [[say("Mode"), said(String(settings.data.inverterMode ?? "–")), isDead(settings, now)] as const]),
      ]}
    />
  );
}

const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
const power = (watts: unknown) => [watts, "W", 0] as const;

/** The lines of a source at one device; undefined if it sends none. */
function acSource({ name, lines, energy }: AcSource, address: number, now: number) {
  const at = (pgn: number | undefined): Row<PgnData> | undefined =>
    pgn === undefined ? undefined : messagesOfPgn(pgn).find((row) => row.address === address);
  const heard: Row<PgnData>[] = [];
  const facts: Fact[] = [];
  for (const line of lines) {
    const rows = [at(line.quantities), at(line.power)].filter((row) => row !== undefined);
    if (rows.length === 0) continue;
    // biome-ignore lint/plugin: two rows at most
    heard.push(...rows);
    const values: Readonly<Record<string, unknown>> = Object.assign({}, ...rows.map(({ data }) => data));
    const volts = values.lineNeutralAcRmsVoltageV ?? values.lineLineAcRmsVoltageV;
    const { acRmsCurrentA: amperes, acFrequencyHz: hertz, realPowerW: watts } = values;
    const isOld = rows.every((row) => isDead(row, now));
    const cannotBe = exceedsVoltAmperes(Number(watts), numberOf(volts), numberOf(amperes));
    const quantities = joined(
      [volts, "V", 0],
      [amperes, "A", 1],
      [hertz, "Hz", 1],
      ...(cannotBe ? [] : [power(watts)]),
    );
    facts.push([said(line.name), quantities, isOld]);
    if (cannotBe) facts.push([`${said(line.name)}, ${say("power")}`, joined(power(watts)), isOld || "implausible"]);
  }
  const meter = at(energy);
  if (meter !== undefined) {
    heard.push(meter);
    facts.push([say("Energy"), joined([meter.data.totalEnergyImportKwh, "kWh", 0]), isDead(meter, now)]);
  }
  if (heard.length === 0) return null;
  const id = `${name.toLowerCase().replaceAll(" ", "-")}-${address}`;
  return <Panel key={id} id={id} title={said(name)} rows={heard} facts={facts} now={now} />;
}

/** All panels of alternating current. */
export function mains(now: number) {
  const addresses = (source: AcSource): readonly number[] => [
    ...new Set(pgnsOf(source).flatMap((pgn) => messagesOfPgn(pgn).map(({ address }) => address))),
  ];
  return [
    ...messagesOf(acInputStatus).map((row) => acLine("input", row, now)),
    ...messagesOf(acOutputStatus).map((row) => acLine("output", row, now)),
    ...messagesOf(inverterStatus).map((row) => inverter(row, now)),
    ...acSources.flatMap((source) => addresses(source).map((address) => acSource(source, address, now))),
  ];
}

/** One panel with every light. */
export function lights(now: number) {
  const rows = Object.entries(lightPgns).flatMap(([pgn, members]) =>
    messagesOfPgn(Number(pgn)).map((row) => ({ row, members })),
  );
  if (rows.length === 0) return [];
  const newest = rows
    .map(({ row }) => row)
    .reduce((one, other) => (ageOf(other.stamp, now) < ageOf(one.stamp, now) ? other : one));
  return [
    <section
      key="lights"
      class={`unit ${isDead(newest, now) ? "dead" : ""}`}
      data-id="lights"
      aria-label={say("Lights")}
    >
      <h2>{say("Lights")}</h2>
      <ul class="switches lights">
        {rows.map(({ row, members }) => (
          <Light
            key={`${row.data.pgn} ${row.address} ${row.data[members.key]}`}
            row={row}
            members={members}
            now={now}
          />
        ))}
      </ul>
      <Origin row={newest} now={now} />
    </section>,
  ];
}

interface LightProps {
  readonly row: Row<PgnData>;
  readonly members: (typeof lightPgns)[keyof typeof lightPgns];
  readonly now: number;
}

/** A light that is on has its brightness as a bar. */
function Light({ row, members: { key, name, brightness, state }, now }: LightProps) {
  const { data } = row;
  const called = (name !== undefined && data[name]) || say("Light {number}", { number: String(data[key] ?? "") });
  const percent = numberOf(data[brightness]);
  const isOn = data[state] === "On" || data[state] === "Yes";
  const text = [
    data[state] && said(String(data[state])),
    percent === undefined ? undefined : `${fixed(percent, 0)}\u202f%`,
  ];
  return (
    <li class={`${isOn ? "on" : ""} ${isDead(row, now) ? "dead" : ""}`}>
      {String(called)} <b>{text.filter((part) => part !== undefined).join(" · ") || "–"}</b>
      {isOn && percent !== undefined && (
        <span class="brightness" aria-hidden="true" style={{ width: `${Math.min(100, percent)}%` }} />
      )}
    </li>
  );
}
