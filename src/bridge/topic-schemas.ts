/** Every topic with what is on it: for the schemas that the package ships, for `--schema`, and for the AsyncAPI document. */
import * as z from "zod";
import type { TopicDescription } from "../n2k/async-api.ts";
import { assumed } from "../n2k/pgns/assumed.ts";
import { definitions } from "../n2k/pgns/index.ts";
import { devicesSchema, infoSchema, infosSchema, interfaceSchema } from "../n2k/report-schemas.ts";
import { DRAFT, type JsonSchema, messageSchema } from "../n2k/schema.ts";
import { aisReport } from "../nav/ais-report-schema.ts";
import { navigationReport } from "../nav/report.ts";
import { healthMessage } from "./health-schema.ts";

const publicMessages = new Map(assumed.map((each) => [each.definition.pgn, each.public?.definition]));

/** The schema of a PGN's topic; undefined when it is not published. */
export function pgnSchema(pgn: number): JsonSchema | undefined {
  const definition = definitions.find((each) => each.pgn === pgn);
  return definition === undefined ? undefined : messageSchema(definition, publicMessages.get(pgn));
}

/** Integers have no other limits than those that were written down. */
const withoutSafeLimits = ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void => {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  // The format says it, at a tenth of the length.
  if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
};

const reportSchema = (id: string, title: string, schema: z.ZodType): JsonSchema => ({
  $schema: DRAFT,
  $id: `${id}.schema.json`,
  title,
  ...(z.toJSONSchema(schema, { override: withoutSafeLimits }) as JsonSchema),
});

const streams = definitions.map(
  ({ pgn, title }): TopicDescription => ({
    id: `pgn-${pgn}`,
    address: `{prefix}/device/{addr}/pgn/${pgn}`,
    title: `PGN ${pgn}: ${title}`,
    qos: 0,
    retain: false,
    schema: pgnSchema(pgn)!,
  }),
);

const state = { qos: 1, retain: true } as const;
const stream = { qos: 0, retain: false } as const;

const report = (
  id: string,
  title: string,
  schema: z.ZodType,
  kind: typeof state | typeof stream,
): TopicDescription => ({
  id,
  address: `{prefix}/${id}`,
  title,
  ...kind,
  schema: reportSchema(id, title, schema),
});

/** All topics, PGNs first. */
export const topicSchemas: readonly TopicDescription[] = [
  ...streams,
  { id: "interface", address: "{prefix}/interface", title: "Interface status", ...state, schema: interfaceSchema },
  { id: "devices", address: "{prefix}/devices", title: "Devices on the bus", ...state, schema: devicesSchema },
  { id: "infos", address: "{prefix}/device/{addr}/infos", title: "Device information", ...state, schema: infosSchema },
  report("navigation", "Navigation report", navigationReport, stream),
  report("ais", "AIS report", aisReport, stream),
  report("health", "How bus and bridge are", healthMessage, state),
  { id: "info", address: "app/can-{interface}/info", title: "Who publishes", ...state, schema: infoSchema },
];
