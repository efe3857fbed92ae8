/** The topics as an AsyncAPI 3 document, which refers to the schema files. */
import type { JsonSchema } from "../report/json-schema.ts";
import type { Delivery } from "./topics.ts";

export interface TopicDescription extends Delivery {
  /** Key of the topic in the document and name of its schema file: `pgn-127250`, `devices`. */
  readonly id: string;
  /** The topic, with parameters in braces. */
  readonly address: string;
  readonly title: string;
  /** The title of the public database, if it is another. */
  readonly publicTitle?: string;
  readonly schema: JsonSchema;
}

/** The interval of an unchanged message and its expiry, as text; undefined for commands and slow lanes. */
export const timingOf = ({ repeatMs, expireAfterSec }: Delivery): string | undefined =>
  expireAfterSec === undefined
    ? undefined
    : `${repeatMs === undefined ? "" : `published every ${repeatMs / 1000} s without a change, `}expires after ${expireAfterSec} s`;

const parameters = {
  prefix: { description: "chosen by the operator; can/<interface> by default" },
  addr: { description: "bus address of the device, 0 to 253, plus 256 for each further network" },
  seconds: { description: "interval of the slow lane in seconds: at most one message of a topic in each" },
  pgn: { description: "number of the PGN" },
  instance: { description: "values of the key fields of the PGN, such as its instance, joined by a hyphen" },
  interface: { description: "name of the CAN interface" },
  alarm: { description: "id of an active alarm, or all; of an alarm of another program; of a call that is kept" },
} as const;

const parametersOf = (address: string): object =>
  Object.fromEntries(
    Object.entries(parameters)
      .filter(([name]) => address.includes(`{${name}}`))
      .map(([name]) => [name, { $ref: `#/components/parameters/${name}` }]),
  );

const byId = <Value>(topics: readonly TopicDescription[], of: (topic: TopicDescription) => Value) =>
  Object.fromEntries(topics.map((topic) => [topic.id, of(topic)]));

/**
 * The name of a message, of which generators of code make the name of a type.
 *
 * @example nameOfType("every-pgn-instance") // "EveryPgnInstance"
 */
const nameOfType = (id: string): string => id.replaceAll(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase());

/**
 * The document, as a value; `schemas` is the folder of the schema files, relative to the document: "" or ending with a
 * slash.
 */
export const asyncApiDocument = (topics: readonly TopicDescription[], version: string, schemas: string): object => ({
  asyncapi: "3.1.0",
  info: {
    title: "hub-cand",
    version,
    description:
      "NMEA 2000 on MQTT. The bridge publishes, and subscribes to the commands to its alarms alone. Values that are not available are absent; the age of a retained message is checked against its expiry.",
    license: { name: "Apache-2.0" },
  },
  defaultContentType: "application/json",
  channels: byId(topics, ({ id, address, title, publicTitle, ...delivery }) => ({
    address,
    title,
    summary: publicTitle && `Public title: ${publicTitle}`,
    description: timingOf(delivery),
    messages: { [id]: { $ref: `#/components/messages/${id}` } },
    parameters: parametersOf(address),
  })),
  operations: byId(topics, ({ id, qos, retain, received }) => ({
    action: received ? "receive" : "send",
    channel: { $ref: `#/channels/${id}` },
    messages: [{ $ref: `#/channels/${id}/messages/${id}` }],
    bindings: { mqtt: { qos, retain, bindingVersion: "0.2.0" } },
  })),
  components: {
    parameters,
    messages: byId(topics, ({ id, title, publicTitle, schema }) => ({
      name: nameOfType(id),
      title,
      summary: publicTitle && `Public title: ${publicTitle}`,
      payload: { $ref: `${schemas}${schema.$id}` },
    })),
  },
});
