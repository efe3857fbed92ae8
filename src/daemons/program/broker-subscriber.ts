/** The subscription of a daemon that reads from the broker. */
import { randomBytes } from "node:crypto";
import type { ExpectedTopic } from "../../adapters/node/mqtt/broker-silence.ts";
import { type MqttSubscriber, mqttSubscriber } from "../../adapters/node/mqtt/subscriber.ts";
import { systemClock } from "../../adapters/node/system-clock.ts";
import type { Log } from "../../core/ports/log.ts";
import { readBrokerFiles } from "./broker-files.ts";
import type { BrokerSettings } from "./broker-options.ts";
import { started } from "./errors.ts";

/** Maximum bytes of a payload: twice the longest report of hub-cand, that of a thousand AIS targets. */
const MAX_PAYLOAD_BYTES = 1 << 20;

/** A receiver of the broker's messages. */
interface Hearer {
  readonly filters: readonly string[];
  readonly expected: ExpectedTopic;
  /** The topic of a retained message that counts only while this program is connected. */
  readonly ownTopic?: string | undefined;
  /** `payload` is undefined if it is longer than `MAX_PAYLOAD_BYTES`. */
  hear(topic: string, payload: Uint8Array | undefined, isRetained: boolean): void;
  connected?(): void;
}

/**
 * Connects, and again after each loss. Throws a StartupError for a file of credentials or certificates that cannot be
 * read.
 */
export async function openSubscriber(
  program: string,
  settings: BrokerSettings,
  hearer: Hearer,
  log: Log,
): Promise<MqttSubscriber> {
  const files = await started(readBrokerFiles(settings));
  return mqttSubscriber({
    broker: settings.broker,
    // A second instance with the same name would end the connection of the first.
    clientId: `${program}-${randomBytes(6).toString("hex")}`,
    filters: hearer.filters,
    expected: hearer.expected,
    ownTopic: hearer.ownTopic,
    maxPayloadBytes: MAX_PAYLOAD_BYTES,
    ...files,
    clock: systemClock,
    log,
    onMessage: (topic, payload, isRetained) => hearer.hear(topic, payload, isRetained),
    onConnect: () => hearer.connected?.(),
  });
}
