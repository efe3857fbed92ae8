/**
 * What may stand in a path: each variable segment of an endpoint is one of these, by the name its path template gives it.
 * A segment has been percent-decoded once before it comes here.
 */
import { Refusal } from "./refusal.ts";

/** One kind of path segment: how to read it, and what to say when it cannot be read. */
export interface Segment<Value> {
  readonly about: string;
  /** JSON Schema of the text, for the console. */
  readonly schema: Readonly<Record<string, string | number>>;
  readonly complaint: string;
  /** The value, or undefined for a malformed text. */
  read(text: string): Value | undefined;
}

/** Zone of a front panel's label and, for one region only, which. */
export interface LegendKey {
  readonly zone: number;
  readonly region?: string;
}

const matching = (pattern: RegExp, about: string, complaint: string): Segment<string> => ({
  about,
  complaint,
  schema: { type: "string", pattern: pattern.source },
  read: (text) => (pattern.test(text) ? text : undefined),
});

const decimal = (text: string, least: number, most: number): number | undefined => {
  const value = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : undefined;
};

const shortName = (about: string): Segment<string> => matching(/^[a-zA-Z0-9-]+$/, about, "malformed name");

// A name of dots only would be a step in the folder tree for many a tool that handles URLs.
const dottedName = (about: string): Segment<string> => matching(/^(?!\.+$)[a-zA-Z0-9.-]+$/, about, "malformed name");

const projectId = (about: string): Segment<string> => matching(/^[a-zA-Z0-9-]{1,63}$/, about, "malformed project id");

const deviceId: Segment<number> = {
  about: "function x 64 + instance",
  complaint: "malformed device id",
  schema: { type: "integer", minimum: 0, maximum: 4095 },
  read: (text) => decimal(text, 0, 4095),
};

const zone: Segment<LegendKey> = {
  about: "zone 16 to 35, optionally with a region: 16.FR",
  complaint: "malformed zone",
  schema: { type: "string", pattern: "^(1[6-9]|2[0-9]|3[0-5])(\\.[a-zA-Z0-9-]+)?$" },
  read(text) {
    const [, digits, region] = /^([0-9]+)(?:\.([a-zA-Z0-9-]+))?$/.exec(text) ?? [];
    const value = decimal(digits ?? "", 16, 35);
    if (value === undefined) return undefined;
    return region === undefined ? { zone: value } : { zone: value, region };
  },
};

const index: Segment<number> = {
  about: "place in the list, from 0",
  complaint: "malformed index",
  schema: { type: "integer", minimum: 0 },
  read: (text) => decimal(text, 0, Number.MAX_SAFE_INTEGER),
};

/** Every name that path templates use in braces. */
export const segments = {
  id: projectId("project id"),
  newId: projectId("project id that is not taken"),
  name: shortName("name of the entry"),
  setting: dottedName("name of the setting"),
  parameter: dottedName("name of the parameter"),
  instanceId: shortName("id of the synapse instance"),
  groupId: shortName("id of the group"),
  application: shortName("id of the application"),
  deviceId,
  zone,
  index,
} as const;

export type SegmentName = keyof typeof segments;

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** The values a path template captures: `Params<"/project/{id}/device/{deviceId}">` is `{ id: string; deviceId: number }`. */
export type Params<Path extends string> = {
  readonly [Name in NamesIn<Path> & SegmentName]: NonNullable<ReturnType<(typeof segments)[Name]["read"]>>;
};

/** Cuts a path at its slashes and decodes each segment once; undefined stands for one with a bad escape. */
export function splitPath(path: string): readonly (string | undefined)[] {
  const segments = path.slice(1).split("/");
  return path.includes("%") ? segments.map(decoded) : segments;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** Reads one captured segment or refuses it. */
export function readSegment(name: SegmentName, text: string | undefined): string | number | LegendKey {
  const segment: Segment<string | number | LegendKey> = segments[name];
  const value = text === undefined ? undefined : segment.read(text);
  if (value === undefined) throw new Refusal(400, segment.complaint);
  return value;
}
