/**
 * Every topic with its schema: for the schemas that the package ships, for `--schema`, and for the AsyncAPI document.
 */
import type * as z from "zod";
import {
  alarmAnswer,
  anchorWatchCommand,
  berthCommand,
  externalAlarmCommand,
  manOverboardCommand,
} from "../alarms/commands.ts";
import { keptCall } from "../alarms/kept-call.ts";
import { alarmKindsMessage } from "../alarms/kinds-report.ts";
import { alarmHistoryMessage, alarmsMessage } from "../alarms/report.ts";
import { keptSounding } from "../alarms/sounding.ts";
import { baselineCommand } from "../findings/baseline.ts";
import { findingsMessage } from "../findings/report.ts";
import { trafficMessage } from "../findings/traffic-report.ts";
import type { Definition } from "../n2k/definition.ts";
import { assumed } from "../n2k/pgns/assumed.ts";
import { definitions, reportOnly } from "../n2k/pgns/index.ts";
import { proprietaryRanges, titleOf } from "../n2k/public-names.ts";
import type { PublicPgns } from "../n2k/public-pgns.ts";
import { messageOf, messageSchema, messagesSchema, titleOfType } from "../n2k/schema.ts";
import { aisReport } from "../nav/ais-report.ts";
import { navigationReport } from "../nav/navigation-report.ts";
import { interfaceMessage } from "../report/interface-status.ts";
import { DRAFT, type JsonSchema, jsonSchemaOf } from "../report/json-schema.ts";
import type { TopicDescription } from "./async-api.ts";
import { devicesMessage, forgottenDevice, informationMessage, knownDevicesMessage } from "./device-reports.ts";
import { healthMessage } from "./health.ts";
import { identityMessage } from "./identity.ts";
import { laneAis, laneNavigation, lanePgn } from "./lane-messages.ts";
import { layoutsMessage } from "./layouts.ts";
import { type Topic, type TopicName, topics } from "./topics.ts";

const publicMessages = new Map(assumed.map((each) => [each.definition.pgn, each.public?.definition]));

/** The schema of a PGN's topic; undefined when it is not published. */
function pgnSchema(pgn: number): JsonSchema | undefined {
  const definition = definitions.find((each) => each.pgn === pgn);
  return definition === undefined ? undefined : messageSchema(definition, publicMessages.get(pgn));
}

const describe = (name: TopicName, schema: JsonSchema): TopicDescription => {
  const { template, name: _name, filter: _filter, hasNames: _hasNames, ...rest }: Topic = topics[name];
  return { id: idOf(name), address: template, schema, ...rest };
};

/** Name of a topic in the AsyncAPI document and of its schema file: `every-pgn`. */
const idOf = (name: TopicName): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const pgnTopic = (
  { pgn, publicTitle }: Pick<Definition, "pgn" | "publicTitle">,
  title: string,
  schema: JsonSchema,
): TopicDescription => ({
  ...describe("pgn", schema),
  id: `pgn-${pgn}`,
  address: topics.pgn.template.replace("{pgn}", String(pgn)),
  title: `PGN ${pgn}: ${title}`,
  ...(publicTitle !== undefined && { publicTitle }),
});

const streams = definitions.map((definition) => pgnTopic(definition, definition.title, pgnSchema(definition.pgn)!));

/** The topic of a PGN that is published with the public ones; undefined for a PGN without a public layout. */
export function publicTopicSchema({ variants }: PublicPgns, pgn: number): TopicDescription | undefined {
  const own = reportOnly.find((definition) => definition.pgn === pgn);
  const [first, ...rest] = own === undefined ? variants(pgn).map(({ definition }) => definition) : [own];
  if (first === undefined) return undefined;
  const schema = rest.length === 0 ? messageSchema(first) : messagesSchema([first, ...rest], titleOf(pgn));
  return pgnTopic({ pgn }, titleOf(pgn), schema);
}

/**
 * The topics of the PGNs that are published with the public ones: those of the reports, those of the table, and for the
 * rest of each proprietary range one for all of its PGNs. PGNs that are published as raw bytes have one too.
 */
export function publicTopicSchemas(pgns: PublicPgns): readonly TopicDescription[] {
  const numbers = [...reportOnly.map(({ pgn }) => pgn), ...pgns.pgns];
  const named = numbers.map((pgn) => publicTopicSchema(pgns, pgn)!);
  const rests = proprietaryRanges
    .filter(({ first, last }) => first < last)
    .map(({ first, last, transport, title }) =>
      anyPgnTopic(`proprietary-${transport}`, title, {
        pgn: { type: "integer", minimum: first, maximum: last },
        manufacturer: { type: "string", description: "name, or the digits of its code" },
        industryGroup: { type: "string", description: "name, or the digits of its code" },
        data: { type: "string", pattern: HEX },
      }),
    );
  const unknown = anyPgnTopic("unknown", "Unknown PGN, with --unknown", {
    pgn: { type: "integer", minimum: 0, maximum: HIGHEST_PGN },
    raw: { type: "string", pattern: HEX },
  });
  return [...named, ...rests, unknown].sort((one, other) => one.id.localeCompare(other.id));
}

const HEX = "^([0-9a-f]{2})*$";
/** 18 bits: frames of the extended data page are none of NMEA 2000, and are published as raw bytes too. */
const HIGHEST_PGN = 0x3ffff;

/** The topic of any PGN of a kind. */
const anyPgnTopic = (kind: string, title: string, properties: Readonly<Record<string, JsonSchema>>) => {
  const id = `pgn-${kind}`;
  const data = { type: "object", properties, required: ["pgn"], additionalProperties: false };
  const schema = { $schema: DRAFT, $id: `${id}.schema.json`, title: titleOfType(title), ...messageOf(data) };
  return { ...describe("pgn", schema), id, title };
};

/** The messages of all topics but those of the PGNs. */
const messages: Readonly<Record<Exclude<TopicName, "pgn">, z.ZodType>> = {
  interface: interfaceMessage,
  devices: devicesMessage,
  knownDevices: knownDevicesMessage,
  infos: informationMessage,
  navigation: navigationReport,
  ais: aisReport,
  alarms: alarmsMessage,
  alarmKinds: alarmKindsMessage,
  alarmHistory: alarmHistoryMessage,
  layouts: layoutsMessage,
  findings: findingsMessage,
  traffic: trafficMessage,
  health: healthMessage,
  everyNavigation: laneNavigation,
  everyAis: laneAis,
  everyPgn: lanePgn,
  everyPgnInstance: lanePgn,
  info: identityMessage,
  alarmAnswer,
  externalAlarm: externalAlarmCommand,
  anchorWatch: anchorWatchCommand,
  berth: berthCommand,
  sounding: keptSounding,
  manOverboard: manOverboardCommand,
  keptCall,
  formerCall: keptCall,
  baseline: baselineCommand,
  forgetDevice: forgottenDevice,
};

/** All topics, PGNs first. */
export const topicSchemas: readonly TopicDescription[] = [
  ...streams,
  ...(Object.keys(messages) as (keyof typeof messages)[]).map((name) => {
    const [id, { title }] = [idOf(name), topics[name]];
    return describe(name, {
      $schema: DRAFT,
      $id: `${id}.schema.json`,
      title: titleOfType(title),
      ...jsonSchemaOf(messages[name]),
    });
  }),
];
