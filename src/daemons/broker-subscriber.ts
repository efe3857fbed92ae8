/** The subscription of a daemon that only reads from the broker. */
import { randomBytes } from "node:crypto";
import { readCredentials } from "../adapters/node/credentials.ts";
import { type MqttSubscriber, mqttSubscriber } from "../adapters/node/mqtt-subscriber.ts";
import { systemClock } from "../adapters/node/system-clock.ts";
import { readTlsFiles } from "../adapters/node/tls-files.ts";
import type { Log } from "../ports/log.ts";
import type { BrokerSettings } from "./broker-options.ts";
import { StartupError } from "./errors.ts";

/** What hears the messages of a broker. */
interface Hearer {
  readonly filters: readonly string[];
  hear(topic: string, payload: Uint8Array, isRetained: boolean): void;
}

/** Connects now and again. Throws a StartupError for a file of credentials or certificates that cannot be read. */
export async function openSubscriber(
  program: string,
  { broker, credentials, tls }: BrokerSettings,
  hearer: Hearer,
  log: Log,
): Promise<MqttSubscriber> {
  try {
    return await mqttSubscriber({
      broker,
      // A second instance with the same name would end the connection of the first.
      clientId: `${program}-${randomBytes(6).toString("hex")}`,
      filters: hearer.filters,
      ...(credentials !== undefined && {
        credentials: await readCredentials(credentials, process.env.CREDENTIALS_DIRECTORY),
      }),
      ...(broker.secure && { secureContext: await readTlsFiles(tls) }),
      clock: systemClock,
      log,
      onMessage: (topic, payload, isRetained) => hearer.hear(topic, payload, isRetained),
    });
  } catch (error) {
    throw new StartupError((error as Error).message);
  }
}
