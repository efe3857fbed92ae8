/**
 * JSON Schemas of the topics that are no PGN: interface, devices, device information, navigation, and who publishes.
 * Members and their order are the document's.
 */
import { DRAFT, envelopeSchema, type JsonSchema, metadataSchema } from "./schema.ts";

const string: JsonSchema = { type: "string" };
const integer: JsonSchema = { type: "integer" };
const number: JsonSchema = { type: "number" };
const boolean: JsonSchema = { type: "boolean" };
const orNull: JsonSchema = { type: ["number", "null"] };
const counter: JsonSchema = { type: "integer", minimum: 0 };

const described = (schema: JsonSchema, description: string): JsonSchema => ({ ...schema, description });
const between = (minimum: number, maximum: number): JsonSchema => ({ ...number, minimum, maximum });

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

const source = object(
  {
    name: described(string, "NAME in decimal digits, 0 while it is unknown"),
    pgn: counter,
    rxTimestamp: integer,
    age: { ...number, minimum: 0 },
  },
  { friendlyName: string },
);

const degrees = described(between(0, 360), "degrees");
const relative = {
  ...orNull,
  minimum: -180,
  maximum: 180,
  description: "degrees relative to the bow, starboard positive",
};
const knotsOrNull = { ...orNull, minimum: 0, description: "knots" };

const navigation = object(
  {},
  {
    position: object(
      {
        hasFix: boolean,
        fixType: {
          type: "string",
          enum: [
            "no_fix",
            "gnss",
            "dgnss",
            "precise_gnss",
            "rtk_fixed",
            "rtk_float",
            "estimated",
            "manual",
            "simulator",
            "unknown",
          ],
        },
        method: integer,
        numSatellites: integer,
      },
      {
        latitude: between(-90, 90),
        longitude: between(-180, 180),
        altitude: described(number, "m"),
        hdop: number,
        pdop: number,
        geoidalSeparation: described(number, "m"),
        integrity: integer,
        datum: string,
        source,
      },
    ),
    speed_course: object(
      {
        cog: { ...orNull, minimum: 0, maximum: 360, description: "degrees true" },
        sog: knotsOrNull,
      },
      {
        headingReference: { type: "string", enum: ["true", "magnetic"] },
        headingTrue: degrees,
        headingMagnetic: degrees,
        speedThroughWater: described(number, "knots"),
        rateOfTurn: described(number, "degrees per second, starboard positive"),
        deviation: described(number, "degrees, east positive"),
        variation: described(number, "degrees, east positive"),
        leeway: described(number, "degrees, positive to starboard"),
        source,
      },
    ),
    wind_apparent: object({ speed: knotsOrNull, angle: relative }, { source }),
    wind_true: object(
      {
        speed: knotsOrNull,
        angle: relative,
        direction: { ...orNull, minimum: 0, maximum: 360, description: "degrees true, where the wind comes from" },
        reference: { type: "string", enum: ["water", "ground"] },
        computed: described(boolean, "true when made from apparent wind"),
      },
      { source },
    ),
    wind: {
      ...object(
        {},
        {
          apparentSpeed: described(number, "m/s"),
          apparentAngle: described(between(-180, 180), "degrees"),
          trueSpeed: described(number, "m/s"),
          trueAngle: described(between(-180, 180), "degrees"),
          trueDirection: degrees,
          atmosphericPressure: described(number, "Pa"),
          source,
        },
      ),
      deprecated: true,
    },
    depth_water: object(
      {},
      {
        depth: described(number, "m below the transducer"),
        offset: described(number, "m, positive from transducer to waterline, negative to keel; not added to depth"),
        waterTemperature: described(number, "°C"),
        outsideTemperature: described(number, "°C"),
        atmosphericPressure: described(number, "Pa"),
        source,
      },
    ),
    date: object({}, { date: string, time: string, timeSource: string, source }),
  },
);

export const navigationSchema = topic(
  "navigation",
  "Navigation report",
  envelopeSchema(navigation, metadataSchema(2, { configLoaded: boolean })),
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
