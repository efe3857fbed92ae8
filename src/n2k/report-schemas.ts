/**
 * JSON Schemas of the topics that are no PGN: interface, devices, device information, and who publishes.
 * Members and their order are the document's.
 */
import { DRAFT, envelopeSchema, type JsonSchema, metadataSchema } from "./schema.ts";

const string: JsonSchema = { type: "string" };
const boolean: JsonSchema = { type: "boolean" };
const counter: JsonSchema = { type: "integer", minimum: 0 };

const described = (schema: JsonSchema, description: string): JsonSchema => ({ ...schema, description });

type Members = Readonly<Record<string, JsonSchema>>;

/** An object of which all members are listed; those in `optional` may be absent. */
const object = (required: Members, optional: Members = {}): JsonSchema => ({
  type: "object",
  properties: { ...required, ...optional },
  ...(Object.keys(required).length > 0 && { required: Object.keys(required) }),
  additionalProperties: false,
});

const topic = (name: string, title: string, schema: JsonSchema): JsonSchema => ({
  $schema: DRAFT,
  $id: `${name}.schema.json`,
  title,
  ...schema,
});

const all = (names: readonly string[], schema: JsonSchema): Members =>
  Object.fromEntries(names.map((name) => [name, schema]));

export const interfaceSchema = topic(
  "interface",
  "Interface status",
  envelopeSchema(
    object(
      { interface: string },
      {
        state: {
          type: "string",
          enum: ["ERROR-ACTIVE", "ERROR-WARNING", "ERROR-PASSIVE", "BUS-OFF", "STOPPED", "SLEEPING", "UNKNOWN"],
        },
        up: boolean,
        stats: object(
          {},
          all(
            ["tx_frames", "tx_bytes", "rx_frames", "rx_bytes", "tx_errors", "rx_errors", "bus_errors", "restarts"],
            counter,
          ),
        ),
        config: object(
          {},
          all(
            [
              "bitrate",
              "sample_point",
              "tq",
              "prop_seg",
              "phase_seg1",
              "phase_seg2",
              "sjw",
              "brp",
              "restart_ms",
              "ctrlmode",
            ],
            counter,
          ),
        ),
      },
    ),
  ),
);

const address: JsonSchema = { type: "integer", minimum: 0, maximum: 253 };
/** Beyond what a double counts exactly, so that a reader needs a parser that keeps such integers. */
const deviceName = described(
  { type: "integer", minimum: 0 },
  "the NAME, unsigned 64 bits with all digits; 0 while it is unknown",
);

export const devicesSchema = topic(
  "devices",
  "Devices on the bus",
  envelopeSchema(
    object({ count: counter, peers: { type: "array", items: object({ addr: address, name: deviceName }) } }),
  ),
);

const pgnList: JsonSchema = { type: "array", items: object({ id: counter, name: string }) };

export const infosSchema = topic(
  "infos",
  "Device information",
  envelopeSchema(
    object(
      {
        addr: address,
        name: deviceName,
        identityNumber: { ...counter, maximum: 2 ** 21 - 1 },
        manufacturerCode: { ...counter, maximum: 2 ** 11 - 1 },
        manufacturer: string,
        ecuInstance: { ...counter, maximum: 7 },
        functionInstance: { ...counter, maximum: 31 },
        deviceInstance: { ...counter, maximum: 255 },
        functionCode: { ...counter, maximum: 255 },
        functionName: string,
        classCode: { ...counter, maximum: 127 },
        vehicleSystemInstance: { ...counter, maximum: 15 },
        industryGroupCode: { ...counter, maximum: 7 },
        industryGroup: string,
        arbitraryAddressCapable: boolean,
      },
      {
        productInfo: object(
          {},
          {
            nmeaVersion: described(counter, "2100 is version 2.100"),
            productCode: counter,
            modelId: string,
            softwareVersion: string,
            productName: string,
            serialNumber: string,
            certLevel: counter,
            loadEquiv: described(counter, "steps of 50 mA"),
          },
        ),
        txPgns: pgnList,
        rxPgns: pgnList,
      },
    ),
  ),
);

/** Of `app/can-<interface>/info`; flat, without the envelope. */
export const infoSchema = topic(
  "info",
  "Who publishes",
  object({
    name: { const: "hub-cand" },
    version: string,
    hostname: string,
    features: { type: "array", items: string },
    online: boolean,
    metadata: metadataSchema(3_124_137_600),
  }),
);
