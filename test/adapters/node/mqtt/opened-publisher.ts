/** Publishers of a test and what they talk to; all are closed after each test, the last first. */
import { onTestFinished } from "vitest";
import { type MqttPublisherOptions, mqttPublisher } from "../../../../src/adapters/node/mqtt/publisher.ts";
import type { Publisher } from "../../../../src/core/ports/publisher.ts";
import { type MemoryClock, memoryClock } from "../../../support/memory/clock.ts";
import { type MemoryLog, memoryLog } from "../../../support/memory/log.ts";
import { type Mosquitto, type MosquittoOptions, mosquitto, until } from "../../../support/mosquitto.ts";

export const identityTopic = "app/can-can0/info";

export async function startBroker(options?: MosquittoOptions): Promise<Mosquitto> {
  const broker = await mosquitto(options);
  onTestFinished(() => broker.stop());
  return broker;
}

export interface Opened {
  readonly publisher: Publisher;
  /** A clock that only the test moves, so that the test decides when a connection is tried again. */
  readonly clock: MemoryClock;
  readonly log: MemoryLog;
}

export async function open(port: number, options: Partial<MqttPublisherOptions> = {}): Promise<Opened> {
  const clock = memoryClock({ wall: Date.UTC(2026, 10, 21) });
  const log = memoryLog();
  const publisher = await mqttPublisher({
    broker: { secure: false, host: "127.0.0.1", port },
    clientId: "hub-cand-can0",
    identity: { topic: identityTopic, payload: (online) => JSON.stringify({ online, at: clock.wall() }) },
    clock,
    log,
    ...options,
  });
  onTestFinished(async () => {
    const closed = publisher.close();
    const timer = setInterval(() => clock.advance(100), 10);
    await closed;
    clearInterval(timer);
  });
  return { publisher, clock, log };
}

/** The last state of the connection in the log. */
export const isConnected = ({ log }: Opened): boolean =>
  log.lines.findLast(({ message }) => !message.includes("too slow"))?.message === "connected to the broker";

export async function connected(port: number, options?: Partial<MqttPublisherOptions>): Promise<Opened> {
  const opened = await open(port, options);
  await until(() => isConnected(opened));
  return opened;
}
