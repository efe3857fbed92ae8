/**
 * Rows of the table of paths: the member of a message or report, its path in Signal K, and its unit. Deltas, the tree,
 * `meta` and the reference are readings of them. The table has three parts: `pgn-paths.ts`, `navigation-paths.ts` and
 * `target-paths.ts`.
 *
 * The paths are those of the Signal K specification 1.7 (npm package @signalk/signalk-schema); the few that its schema
 * does not have are marked `beyondSchema` and follow the practice of signalk-server.
 */
import type { NavigationData } from "../../core/nav/navigation-report.ts";
import { conversionOf, type HubUnit, toSi } from "./si.ts";

/** A value of Signal K; an object is one value, such as a position. */
export type Value = number | string | boolean | { readonly [member: string]: Value | undefined } | readonly Value[];

/** The `meta` of a path. */
export interface Meta {
  readonly description: string;
  readonly units?: string;
  /** The crew's name of the thing, and the quantity. */
  readonly displayName?: string;
}

/** Facts beside a message of a PGN that its paths depend on. */
export interface Known {
  /** Code of the manufacturer of its device. */
  readonly manufacturer?: number | undefined;
  /** The waypoint that the boat is steered to, of PGN 129284. */
  readonly waypointId?: number | undefined;
  /** Course over ground, its speed and the variation, as hub has chosen them: degrees, true, and knots. */
  readonly motion?: NavigationData["speed_course"];
}

/** A row of the table. `Data` is the message or the part of a report it reads. */
export interface Row<Data = never> {
  /** Path below the vessel; `{name}` stands for a member of the message. */
  readonly path: string;
  readonly meta: Meta;
  /** The quantity, for a thing that the crew may have named; absent: the thing itself. */
  readonly label?: string;
  /** The member, for the reference. */
  readonly member: string;
  /** The value; undefined if the message does not have it. */
  readonly value: (data: Data, known: Known) => Value | undefined;
  readonly beyondSchema?: true;
  /** The tree has the value alone, as the schema requires. */
  readonly isBare?: true;
  /** Its values replace those of other rows of the path at once, and are replaced by them after silence only. */
  readonly isPreferred?: true;
}

export const quantity = (number: number | null | undefined, unit: HubUnit): number | undefined =>
  number == null ? undefined : toSi(number, conversionOf(unit));

/** Metres, seconds, radians: names of the units that an object's description states. */
export const metaOf = (description: string, units: string | undefined): Meta => ({
  description,
  ...(units !== undefined && { units }),
});

/** Texts of Signal K by those of hub. */
export type Texts = Readonly<Record<string, string>>;

export const textIn = (texts: Texts, text: unknown): string | undefined =>
  typeof text === "string" && Object.hasOwn(texts, text) ? texts[text] : undefined;

export const row = <Data>(
  path: string,
  member: string,
  [description, units]: readonly [description: string, units?: string | undefined],
  value: Row<Data>["value"],
): Row<Data> => ({ path, member, meta: metaOf(description, units), value });

/** A row that is one number of a group, in a unit of hub. */
export const numberIn =
  <Data>() =>
  (path: string, member: keyof Data & string, unit: HubUnit, description: string): Row<Data> => {
    const conversion = conversionOf(unit);
    return row<Data>(path, member, [description, conversion.units], (data) => {
      const number = data[member];
      return typeof number === "number" ? toSi(number, conversion) : undefined;
    });
  };
