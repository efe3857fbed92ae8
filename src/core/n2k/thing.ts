/**
 * A definition read as a thing: the tank, battery, engine, switch or sensor that a message is about. The crew names
 * things, and every outlet finds a name by the message that it shows. Pure functions, free of zod, because the display
 * uses them too.
 */
import type { Definition } from "./definition.ts";
import { publishedFields } from "./layout.ts";
import { batteryConfigurationStatus, batteryStatus, dcDetailedStatus } from "./pgns/electrical.ts";
import { temperature, temperatureExtendedRange } from "./pgns/environment.ts";
import { definitions } from "./pgns/index.ts";
import {
  engineParametersDynamic,
  engineParametersRapid,
  engineParametersStaticAlternate,
  transmissionParametersDynamic,
  tripParametersEngine,
} from "./pgns/propulsion.ts";

/**
 * Values of the key fields of a message, by their names; for an item of a numbered list, such as a switch, its number
 * too.
 */
export type ThingKey = Readonly<Record<string, number | string>>;

export interface Thing {
  readonly pgn: number;
  readonly key: ThingKey;
}

export interface NamedThing extends Thing {
  readonly name: string;
}

type Data = Readonly<Record<string, unknown>>;

/** PGNs about the things of another PGN, which stands for all of them; `when`: only messages with these values. */
const sameThings: readonly {
  readonly of: Definition;
  readonly also: readonly Definition[];
  readonly when?: Data;
}[] = [
  {
    of: engineParametersRapid,
    also: [
      engineParametersDynamic,
      transmissionParametersDynamic,
      tripParametersEngine,
      engineParametersStaticAlternate,
    ],
  },
  { of: batteryStatus, also: [batteryConfigurationStatus] },
  { of: batteryStatus, also: [dcDetailedStatus], when: { dcType: "Battery" } },
  { of: temperature, also: [temperatureExtendedRange] },
];

const standIns: ReadonlyMap<number, { readonly pgn: number; readonly when: Data }> = new Map(
  sameThings.flatMap(({ of, also, when = {} }) => also.map(({ pgn }) => [pgn, { pgn: of.pgn, when }] as const)),
);

/** Names of the key fields, and of the number of an item in a numbered list. */
const keyNamesOf = (definition: Definition): readonly string[] =>
  publishedFields(definition).flatMap(({ name, field }) => {
    if (field.key) return [name];
    return field.kind === "repeat" && field.numbered !== undefined ? [field.numbered] : [];
  });

const keyNames: ReadonlyMap<number, readonly string[]> = new Map(
  definitions.map((definition) => [definition.pgn, keyNamesOf(definition)]),
);

/** The members that the key of a thing may have; undefined for a PGN without a definition. */
export const thingKeyNames = (pgn: number): readonly string[] | undefined => keyNames.get(pgn);

const isKeyValue = (value: unknown): value is number | string => typeof value === "number" || typeof value === "string";

/**
 * The thing that a message is about; undefined for a PGN without a definition. An item of a list stands beside the
 * other members.
 *
 * @example thingOf(127506, { instance: 1, dcType: "Battery", … }) // { pgn: 127508, key: { instance: 1 } }
 * @example thingOf(127501, { instance: 0, switch: 3 })           // { pgn: 127501, key: { instance: 0, switch: 3 } }
 */
export function thingOf(pgn: number, data: Data): Thing | undefined {
  const standIn = standIns.get(pgn);
  const isMeant = standIn !== undefined && Object.entries(standIn.when).every(([name, value]) => data[name] === value);
  const of = isMeant ? standIn.pgn : pgn;
  const key = keyNames.get(of)?.flatMap((name): [string, number | string][] => {
    const value = data[name];
    return isKeyValue(value) ? [[name, value]] : [];
  });
  return key && { pgn: of, key: Object.fromEntries(key) };
}

/** The same text for the same thing, whatever the order of the members of its key. */
export const thingId = ({ pgn, key }: Thing): string =>
  [pgn, ...(keyNames.get(pgn) ?? []).map((name) => key[name] ?? "")].join("/");

/** The name of the thing that a message is about among those of its device. */
export function nameOfThing(names: readonly NamedThing[] | undefined, pgn: number, data: Data): string | undefined {
  if (names === undefined || names.length === 0) return undefined;
  const thing = thingOf(pgn, data);
  if (thing === undefined) return undefined;
  const id = thingId(thing);
  return names.find((each) => each.pgn === thing.pgn && thingId(each) === id)?.name;
}
