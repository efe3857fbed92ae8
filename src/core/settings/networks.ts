/**
 * The networks in addition to the first: the entry `networks` of `settings` in deploy.json.
 *
 *     {"name": "networks", "also": ["can1", "nmea0183+tcp://192.168.4.1:10110"]}
 */
import * as z from "zod";
import { MAX_FURTHER_NETWORKS } from "../can/networks.ts";
import { entry } from "../report/read-entry.ts";

/** The network of sensors at the broker to which hub-cand publishes; the URLs of other brokers begin with it too. */
export const OWN_BROKER = "mqtt:";

const MAX_URL = 250;

const schema = z.object({
  also: z
    .array(z.string().min(1).max(MAX_URL))
    .max(MAX_FURTHER_NETWORKS)
    .optional()
    .describe(
      "interfaces, URLs of gateways and brokers with sensors, as the option --also takes them; they follow those of the option",
    ),
});

export interface NetworkSettings {
  readonly also: readonly string[];
}

export const networkSettings = entry<NetworkSettings>("networks", {
  title: "Networks",
  schema,
  byDefault: { also: [] },
  members: { also: schema.shape.also.unwrap() },
});
