/** The topics read as an AsyncAPI 3 document. */
import type { JsonSchema } from "./schema.ts";

export interface TopicDescription {
  /** A word for keys and file names: `pgn-127250`, `devices`. */
  readonly id: string;
  /** The topic, with parameters in braces. */
  readonly address: string;
  readonly title: string;
  readonly qos: 0 | 1;
  readonly retain: boolean;
  readonly schema: JsonSchema;
}

const parameters = {
  prefix: { description: "chosen by the operator; can/<interface> unless said otherwise" },
  addr: { description: "bus address of the device, 0 to 253" },
  interface: { description: "name of the CAN interface" },
} as const;

const parametersOf = (address: string): object =>
  Object.fromEntries(
    Object.entries(parameters)
      .filter(([name]) => address.includes(`{${name}}`))
      .map(([name]) => [name, { $ref: `#/components/parameters/${name}` }]),
  );

/** Nested in the document a schema needs no dialect and no address of its own. */
const nested = ({ $schema: _, $id: __, ...schema }: JsonSchema): JsonSchema => schema;

const byId = <Value>(topics: readonly TopicDescription[], of: (topic: TopicDescription) => Value) =>
  Object.fromEntries(topics.map((topic) => [topic.id, of(topic)]));

/** The document, as a value. */
export const asyncApiDocument = (topics: readonly TopicDescription[], version: string): object => ({
  asyncapi: "3.0.0",
  info: {
    title: "hub-cand",
    version,
    description:
      "NMEA 2000 on MQTT. The bridge publishes and subscribes to nothing. What is not available is absent; retained messages tell their age by their expiry.",
    license: { name: "Apache-2.0" },
  },
  defaultContentType: "application/json",
  channels: byId(topics, ({ id, address, title }) => ({
    address,
    title,
    messages: { [id]: { $ref: `#/components/messages/${id}` } },
    parameters: parametersOf(address),
  })),
  operations: byId(topics, ({ id, qos, retain }) => ({
    action: "send",
    channel: { $ref: `#/channels/${id}` },
    messages: [{ $ref: `#/channels/${id}/messages/${id}` }],
    bindings: { mqtt: { qos, retain, bindingVersion: "0.2.0" } },
  })),
  components: {
    parameters,
    messages: byId(topics, ({ id, title }) => ({
      name: id,
      title,
      payload: { $ref: `#/components/schemas/${id}` },
    })),
    schemas: byId(topics, ({ schema }) => nested(schema)),
  },
});
