/** The values that the boat measures now, for limits of the crew's own. */
import { type LimitRow, watchedBy } from "../../../core/alarms/own-limits.ts";
import type { Definition } from "../../../core/n2k/definition.ts";
import type { Field } from "../../../core/n2k/field.ts";
import { fieldLabel, messageLabel } from "../../../core/n2k/label.ts";
import { publishedFields } from "../../../core/n2k/layout.ts";
import { chapters, definitions } from "../../../core/n2k/pgns/index.ts";
import { type ThingKey, thingOf } from "../../../core/n2k/thing.ts";
import type { UnitName } from "../../../core/n2k/units.ts";
import type { PgnData } from "../../../core/topics/pgn-data.ts";
import { isDead } from "../data/device-messages.ts";
import { nameAt } from "../data/device-names.ts";
import { isCounter } from "../data/message-keys.ts";
import { nameOf } from "../data/names.ts";
import { type DeviceMessage, latest, store } from "../data/store.ts";
import { instrumentOf, isInstrument } from "../instruments/instruments.ts";
import { quantities } from "../instruments/quantities.ts";
import { said, say } from "../languages/say.ts";
import { settingText } from "../languages/setting-texts.ts";
import { kindOfThing } from "../systems/thing-kinds.ts";

export type Chosen = Pick<LimitRow, "pgn" | "member" | "switch" | "key" | "device">;

export interface MeasuredValue {
  /** The members of a row that choose it. */
  readonly row: Chosen;
  /** The texts by which a row may name its device: NAME, the crew's name, model. */
  readonly devices: readonly string[];
  /** In the crew's words: "Oil pressure", and whose it is: "Engine, port · Engine Gateway". */
  readonly name: string;
  readonly of: string;
  readonly value: number | string;
  /** The states that it may have; none for a number. */
  readonly states: readonly string[];
}

/** The values of the navigation report, of the sources in use. */
function measuredInReport(now: number): readonly MeasuredValue[] {
  return (Object.keys(quantities) as (keyof typeof quantities)[]).flatMap((name) => {
    const quantity = quantities[name];
    const reading = latest.read(name, now);
    if (!("member" in quantity) || !isInstrument(name) || reading.kind !== "live") return [];
    if (typeof reading.value !== "number") return [];
    return {
      row: { member: `${quantity.group}.${quantity.member}` },
      ...{ devices: [], name: said(instrumentOf(name).name), of: say("In use by the boat") },
      ...{ value: reading.value, states: [] },
    };
  });
}

/** Dates and times of day are no values to watch. */
const momentUnits: ReadonlySet<string | undefined> = new Set<UnitName>([
  "days since 1970-01-01",
  "s since midnight",
  "min from UTC",
]);

const statesOf = (field: Field | undefined): readonly string[] =>
  field?.kind === "choice"
    ? [...Object.values(field.choices), ...(field.otherwise === undefined ? [] : [field.otherwise])].map(String)
    : [];

/** Whether a value of this field is a number or a state that a limit may have. */
function isWatchable(pgn: number, name: string, field: Field, value: unknown): value is number | string {
  if (field.key === true || isCounter(pgn, name)) return false;
  return field.kind === "number"
    ? typeof value === "number" && !momentUnits.has(field.unit)
    : field.kind === "choice" && typeof value === "string";
}

/** Chapters about others, alerts, which are alarms already, and lists. */
const withoutValues: ReadonlySet<string> = new Set([
  ...["AIS", "Alerts", "DSC", "Routes and waypoints", "Targets", "Title only"],
]);
/** Messages with properties and set-up of a device, commands to it, and what it has received from others. */
const settledPgns: ReadonlySet<number> = new Set([
  ...[127490, 127494, 127498, 127512, 127513, 127745, 127746, 127749, 127750, 128521, 128522],
]);

/** The messages of which limits may be made. */
const offered: readonly Definition[] = Object.entries(chapters)
  .filter(([chapter]) => !withoutValues.has(chapter))
  .flatMap(([, ofChapter]) => ofChapter.filter(({ pgn }) => !settledPgns.has(pgn)));

/** A label among those of all messages about things of the same kind. */
const labelKey = (pgn: number, label: string): string => `${thingOf(pgn, {})?.pgn} ${label}`;

/** The first message that has a label. */
const firstWith = new Map<string, number>();
for (const definition of definitions)
  for (const { name, field } of publishedFields(definition)) {
    const key = labelKey(definition.pgn, fieldLabel(name, field));
    if (!firstWith.has(key)) firstWith.set(key, definition.pgn);
  }

/** Cog is COG. */
const inCapitals = (label: string): string =>
  label.replace(/^(Cog|Sog|Xte|Gnss|Rms|[HPVT]dop)\b/, (letters) => letters.toUpperCase());

/** A member in words, with its message where another one about the same thing has them first: two oil pressures. */
function labelOf(definition: Definition, name: string, field: Field): string {
  const label = fieldLabel(name, field);
  const isFirst = firstWith.get(labelKey(definition.pgn, label)) === definition.pgn;
  const text = settingText(inCapitals(label));
  return isFirst ? text : `${text} (${settingText(messageLabel(definition))})`;
}

/** The texts of all values that may be offered, and of their states. */
export const offeredTexts = (): readonly string[] =>
  offered.flatMap((definition) => {
    const { pgn } = definition;
    const members = publishedFields(definition).flatMap(({ name, field }) =>
      field.kind === "repeat" && field.numbered !== undefined
        ? Object.entries(field.group).map(([member, its]) => ({ name: member, field: its }))
        : { name, field },
    );
    return members
      .filter(({ name, field }) => isWatchable(pgn, name, field, field.kind === "number" ? 0 : ""))
      .flatMap(({ name, field }) => {
        const label = fieldLabel(name, field);
        const isFirst = firstWith.get(labelKey(pgn, label)) === pgn;
        return [inCapitals(label), ...(isFirst ? [] : [messageLabel(definition)]), ...statesOf(field)];
      });
  });

function measuredIn({ data, address }: DeviceMessage, definition: Definition): readonly MeasuredValue[] {
  const { pgn } = definition;
  const fields = publishedFields(definition);
  const key = Object.fromEntries(
    fields.flatMap(({ name, field }) => (field.key && data[name] !== undefined ? [[name, data[name]]] : [])),
  ) as ThingKey;
  const device = store.infos.get(address)?.data;
  const shared = {
    devices: [device?.name, device?.friendlyName, device && nameAt(address)].filter((each) => each !== undefined),
  };
  const whose = (about: PgnData): string => {
    const thing = thingOf(pgn, about);
    return [nameOf(address, about).name ?? (thing && kindOfThing(thing)), nameAt(address)].filter(Boolean).join(" · ");
  };
  const row = { pgn, ...(Object.keys(key).length > 0 && { key }) };
  return fields.flatMap(({ name, field }): readonly MeasuredValue[] => {
    const value = data[name];
    if (field.kind === "repeat" && field.numbered !== undefined && Array.isArray(value)) {
      const numbered = field.numbered;
      return (value as readonly PgnData[]).flatMap((item) =>
        Object.entries(field.group).flatMap(([member, its]) => {
          const [number, state] = [item[numbered], item[member]];
          if (its.kind !== "choice" || typeof number !== "number" || typeof state !== "string") return [];
          return {
            row: { ...row, member, switch: number },
            ...{ ...shared, name: settingText(fieldLabel(member, its)), of: whose({ ...data, [numbered]: number }) },
            ...{ value: state, states: statesOf(its) },
          };
        }),
      );
    }
    if (!isWatchable(pgn, name, field, value)) return [];
    return [
      {
        row: { ...row, member: name },
        ...{ ...shared, name: labelOf(definition, name, field), of: whose(data), value, states: statesOf(field) },
      },
    ];
  });
}

const byPgn = (all: readonly Definition[]): ReadonlyMap<number, Definition> =>
  new Map(all.map((each) => [each.pgn, each]));
const [definitionsByPgn, offeredByPgn] = [byPgn(definitions), byPgn(offered)];

/** All values that are heard now, those in use first. One of several devices with the same key is named by its NAME. */
export function measuredNow(now: number): readonly MeasuredValue[] {
  const heard = [...store.messages.values()]
    .filter((message) => !isDead(message, now))
    .toSorted((one, other) => one.address - other.address || one.data.pgn - other.data.pgn)
    .flatMap((message) => {
      const definition = offeredByPgn.get(message.data.pgn);
      return definition === undefined ? [] : measuredIn(message, definition);
    });
  const texts = heard.map(({ row }) => JSON.stringify(row));
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [
    ...measuredInReport(now),
    ...heard.map((each, index) => {
      const [name] = each.devices;
      const isAlone = counts.get(texts[index]!) === 1;
      return isAlone || name === undefined ? each : { ...each, row: { ...each.row, device: name } };
    }),
  ];
}

export function isOf(row: LimitRow, { row: its, devices, of }: MeasuredValue): boolean {
  const [wanted, watched] = [watchedBy(row), watchedBy(its)];
  const { instance, key = {}, device } = row;
  return (
    wanted.pgn === watched.pgn &&
    wanted.member === watched.member &&
    (typeof wanted.item === "string" ? of.startsWith(`${wanted.item} · `) : wanted.item === watched.item) &&
    (instance === undefined || Object.values(its.key ?? {}).includes(instance)) &&
    Object.entries(key).every(([name, value]) => its.key?.[name] === value) &&
    (device === undefined || devices.includes(device))
  );
}

/**
 * The name of what a row watches, heard or not.
 *
 * @example nameOfWatched({ pgn: 127505, member: "levelPercent", key: { instance: 1, fluidType: "Water" } }) // "Level, Water 1"
 */
export function nameOfWatched(row: Omit<LimitRow, "severity">): string {
  const { pgn, member, item } = watchedBy(row);
  const definition = pgn === undefined ? undefined : definitionsByPgn.get(pgn);
  if (definition === undefined) {
    const name = Object.keys(quantities).find((each) => reportMember(each) === member);
    return name !== undefined && isInstrument(name) ? said(instrumentOf(name).name) : member;
  }
  const fields = publishedFields(definition);
  const list = fields.find(({ field }) => field.kind === "repeat" && field.numbered !== undefined)?.field;
  const field = fields.find(({ name }) => name === member)?.field;
  const numbered = list?.kind === "repeat" && typeof item === "number" ? { [list.numbered!]: item } : {};
  const { instance, key = instance === undefined ? {} : { instance } } = row;
  const thing = thingOf(definition.pgn, { ...key, ...numbered });
  const whose = typeof item === "string" ? item : thing && kindOfThing(thing);
  return [field === undefined ? "" : labelOf(definition, member, field), whose].filter(Boolean).join(", ");
}

const reportMember = (name: string): string | undefined => {
  const quantity = quantities[name as keyof typeof quantities];
  return "member" in quantity ? `${quantity.group}.${quantity.member}` : undefined;
};
