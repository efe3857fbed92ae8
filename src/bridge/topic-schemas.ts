/** Every topic with its schema: for the schemas that the package ships, for `--schema`, and for the AsyncAPI document. */
import type * as z from "zod";
import { alarmAnswer, anchorWatchCommand } from "../alarms/commands.ts";
import { alarmsMessage } from "../alarms/report.ts";
import { assumed } from "../n2k/pgns/assumed.ts";
import { definitions, reportOnly } from "../n2k/pgns/index.ts";
import { titleOf } from "../n2k/public-names.ts";
import type { PublicPgns } from "../n2k/public-pgns.ts";
import { messageSchema, messagesSchema } from "../n2k/schema.ts";
import { aisReport } from "../nav/ais-report.ts";
import { navigationReport } from "../nav/navigation-report.ts";
import { DRAFT, type JsonSchema, jsonSchemaOf } from "../report/json-schema.ts";
import type { TopicDescription } from "./async-api.ts";
import { devicesMessage, informationMessage } from "./device-reports.ts";
import { healthMessage } from "./health.ts";
import { identityMessage } from "./identity.ts";
import { interfaceMessage } from "./interface-report.ts";
import { laneAis, laneNavigation, lanePgn, pgnPath } from "./lane-messages.ts";
import { layoutsMessage } from "./layout-report.ts";
import { topicsBelow } from "./topics.ts";

const publicMessages = new Map(assumed.map((each) => [each.definition.pgn, each.public?.definition]));

/** The schema of a PGN's topic; undefined when it is not published. */
function pgnSchema(pgn: number): JsonSchema | undefined {
  const definition = definitions.find((each) => each.pgn === pgn);
  return definition === undefined ? undefined : messageSchema(definition, publicMessages.get(pgn));
}

const pgnTopic = (pgn: number, title: string, schema: JsonSchema): TopicDescription => ({
  id: `pgn-${pgn}`,
  address: `{prefix}/device/{addr}/pgn/${pgn}`,
  title: `PGN ${pgn}: ${title}`,
  qos: 0,
  retain: false,
  schema,
});

const streams = definitions.map(({ pgn, title }) => pgnTopic(pgn, title, pgnSchema(pgn)!));

/** The topics of the PGNs that are published when the public ones are asked for: those of the reports, and of the table. */
export function publicTopicSchemas({ pgns, variants }: PublicPgns): readonly TopicDescription[] {
  const own = reportOnly.map((definition) => pgnTopic(definition.pgn, definition.title, messageSchema(definition)));
  const others = pgns.map((pgn) => {
    const [first, ...rest] = variants(pgn).map(({ definition }) => definition);
    const schema = rest.length === 0 ? messageSchema(first!) : messagesSchema([first!, ...rest], titleOf(pgn));
    return pgnTopic(pgn, titleOf(pgn), schema);
  });
  return [...own, ...others].sort((one, other) => one.id.localeCompare(other.id));
}

const state = { qos: 1, retain: true } as const;
const stream = { qos: 0, retain: false } as const;

const report = (
  id: string,
  title: string,
  schema: z.ZodType,
  kind: Pick<TopicDescription, "qos" | "retain">,
  address = `{prefix}/${id}`,
): TopicDescription => ({
  id,
  address,
  title,
  ...kind,
  schema: { $schema: DRAFT, $id: `${id}.schema.json`, title, ...jsonSchemaOf(schema) },
});

const command = (id: string, title: string, schema: z.ZodType, alarm: string, retain: boolean): TopicDescription => ({
  ...report(id, title, schema, { qos: 0, retain }, topicsBelow("{prefix}").alarmCommand(alarm)),
  received: true,
});

/** The topic of a slow lane; `path` is that of the repeated topic below the prefix. */
const lane = (id: string, title: string, schema: z.ZodType, path: string): TopicDescription =>
  report(id, title, schema, state, topicsBelow("{prefix}").lane("{seconds}", path));

/** All topics, PGNs first. */
export const topicSchemas: readonly TopicDescription[] = [
  ...streams,
  report("interface", "Interface status", interfaceMessage, state),
  report("devices", "Devices on the bus", devicesMessage, state),
  report("infos", "Device information", informationMessage, state, "{prefix}/device/{addr}/infos"),
  report("navigation", "Navigation report", navigationReport, stream),
  report("ais", "AIS report", aisReport, stream),
  report("alarms", "Alarms", alarmsMessage, state),
  report("layouts", "Layouts of assumed PGNs", layoutsMessage, stream),
  report("health", "Health of bus and bridge", healthMessage, state),
  lane("every-navigation", "Navigation report in a slow lane", laneNavigation, "navigation"),
  lane("every-ais", "AIS report in a slow lane", laneAis, "ais"),
  lane("every-pgn", "PGN in a slow lane", lanePgn, pgnPath("{addr}", "{pgn}", "")),
  lane("every-pgn-instance", "Instance of a PGN in a slow lane", lanePgn, pgnPath("{addr}", "{pgn}", "{instance}")),
  report("info", "Identity", identityMessage, state, "app/can-{interface}/info"),
  command("alarm-answer", "Acknowledge or silence alarms", alarmAnswer, "{alarm}", false),
  command("anchor-watch", "Set and end the anchor watch", anchorWatchCommand, "anchorWatch", true),
];
