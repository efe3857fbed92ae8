/**
 * A replay or a simulation does not publish where a hub-cand on the boat's bus does: both have the same client id, and
 * the crew would see and hear the recording as the boat.
 */
import { randomBytes } from "node:crypto";
import { mqttSubscriber } from "../adapters/node/mqtt/subscriber.ts";
import { systemClock } from "../adapters/node/system-clock.ts";
import type { Log } from "../core/ports/log.ts";
import { readIdentity } from "../core/topics/read-message.ts";
import { topics } from "../core/topics/topics.ts";
import { jsonIn } from "../core/util/json-in.ts";
import type { BrokerTarget, HubCandSettings } from "./hub-cand-options.ts";
import { readBrokerFiles } from "./program/broker-files.ts";
import { started } from "./program/errors.ts";

/** Time for the retained identity to arrive. */
const IDENTITY_MS = 300;
const MAX_PAYLOAD_BYTES = 65_536;
/** Time within which one that is online publishes its interface. */
const ALIVE_MS = topics.interface.repeatMs + 1000;

/** Failures are those of the connection that follows. */
const silent: Log = { error() {}, warn() {}, info() {}, debug() {} };

/** Whether another one is at work at this broker; false if the broker is away. */
export async function isBesideLive(
  target: BrokerTarget,
  { interface: name, prefix }: HubCandSettings,
): Promise<boolean> {
  const [identity, alive] = [topics.info.name({ interface: name }), topics.interface.name({ prefix })];
  const files = await started(readBrokerFiles(target));
  let resolve = (_isBeside: boolean): void => {};
  const answer = new Promise<boolean>((resolved) => {
    resolve = resolved;
  });
  let isSaidOnline = false;
  const subscriber = await mqttSubscriber({
    broker: target.broker,
    clientId: `hub-cand-${randomBytes(6).toString("hex")}`,
    filters: [identity, alive],
    maxPayloadBytes: MAX_PAYLOAD_BYTES,
    ...files,
    clock: systemClock,
    log: silent,
    onMessage(topic, payload, isRetained) {
      if (topic === identity) isSaidOnline ||= isOnline(payload);
      // Of a broker that has lost power an identity may say so for a day.
      else if (!isRetained) resolve(true);
    },
    onConnect: () => systemClock.after(IDENTITY_MS, () => isSaidOnline || resolve(false)),
    onClose: () => resolve(false),
  });
  const cancel = systemClock.after(ALIVE_MS, () => resolve(false));
  const isBeside = await answer;
  cancel();
  subscriber.close();
  return isBeside;
}

const isOnline = (payload: Uint8Array | undefined): boolean =>
  readIdentity(jsonIn(new TextDecoder().decode(payload)))?.online === true;
