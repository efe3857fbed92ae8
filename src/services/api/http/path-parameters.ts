/** The parameters of paths, one schema per name. Hono has decoded a segment once before it is checked. */
import { z } from "@hono/zod-openapi";
import { decimal, dottedName, legendZone, parseLegendKey, projectId, shortName } from "../../../core/project/names.ts";
import { updateRequests } from "../../../core/report/update.ts";
import { entryOf } from "../../../core/util/grouped.ts";

const text = (pattern: RegExp, description: string, message: string) =>
  z.string().regex(pattern, message).openapi({ description });

/** A number: decimal digits alone, canonical, in range. */
const integer = (maximum: number, description: string, message: string) =>
  z
    .string()
    .regex(decimal, message)
    .transform(Number)
    .refine((value) => value <= maximum, message)
    .openapi({ type: "integer", minimum: 0, maximum, description });

export const pathParameters = {
  id: text(projectId, "Project id", "malformed project id"),
  newId: text(projectId, "Project id that is not taken", "malformed project id"),
  name: text(shortName, "Name of the entry", "malformed name"),
  setting: text(dottedName, "Name of the setting", "malformed name"),
  parameter: text(dottedName, "Name of the parameter", "malformed name"),
  instanceId: text(shortName, "Id of the synapse instance", "malformed name"),
  groupId: text(shortName, "Id of the group", "malformed name"),
  application: text(shortName, "Id of the application", "malformed name"),
  deviceId: integer(4095, "Function x 64 + instance", "malformed device id"),
  index: integer(Number.MAX_SAFE_INTEGER, "Place in the list, from 0", "malformed index"),
  backup: text(/^\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d(?:-\d{1,6})?$/, "Name of the copy", "malformed name"),
  chart: text(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,62}\.pmtiles$/, "Name of the chart's file", "malformed name"),
  size: integer(Number.MAX_SAFE_INTEGER, "Bytes of the whole chart", "malformed size"),
  from: integer(Number.MAX_SAFE_INTEGER, "Where the part begins, from 0", "malformed place"),
  request: z
    .enum(updateRequests, "unknown request")
    .openapi({ description: "check: look; install; back: the former one; nightly, asked: when it is installed" }),
  zone: text(legendZone, "Zone 16 to 35, optionally with a region: 16.FR", "malformed zone").transform(
    (value) => parseLegendKey(value)!,
  ),
} as const;

export type ParameterName = keyof typeof pathParameters;

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** The values of a path's parameters: `Parameters<"/device/{deviceId}">` is `{ deviceId: number }`. */
export type Parameters<Path extends string> = {
  readonly [Name in NamesIn<Path> & ParameterName]: z.output<(typeof pathParameters)[Name]>;
};

const schemas = new Map<string, z.ZodObject>();

/** The schema of a path's parameters, in the order of the path; paths with the same names share one. */
export function parametersOf(path: string): z.ZodObject {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as ParameterName);
  return entryOf(schemas, names.join(), () =>
    z.object(Object.fromEntries(names.map((name) => [name, pathParameters[name]]))),
  );
}
