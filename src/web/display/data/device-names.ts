/** Devices of the boat and programs on its broker, with the names that the crew sees. */
import { NO_MANUFACTURER } from "../../../core/n2k/no-manufacturer.ts";
import type { Identity } from "../../../core/topics/read-message.ts";
import { interfaceOf, topics } from "../../../core/topics/topics.ts";
import type { SourceReading } from "../instruments/quantities.ts";
import { say } from "../languages/say.ts";
import { type DeviceInformation, store } from "./store.ts";

/** Name of a device: the configured one, or else its model, or else its manufacturer and function, as hub-cand calls it. */
export const nameOfDevice = (device: DeviceInformation): string => device.friendlyName || modelOfDevice(device);

/** Undefined for a device without one, such as a sensor that publishes by MQTT. */
export const manufacturerOf = ({ manufacturerCode, manufacturer }: DeviceInformation): string | undefined =>
  manufacturerCode === NO_MANUFACTURER ? undefined : manufacturer;

export const modelOfDevice = (device: DeviceInformation): string =>
  device.productInfo?.modelId || [manufacturerOf(device), device.functionName].filter(Boolean).join(" ");

/** The NAMEs by which settings may name the device that has a NAME among them, its own first. */
export function namesOf(name: string): readonly string[] {
  for (const { data } of store.infos.values()) {
    const names = [data.name, ...(data.otherNames ?? [])];
    if (names.includes(name)) return names;
  }
  return [name];
}

/** Name of the device at an address, also of one that has fallen silent; undefined until it has been identified. */
export function knownNameAt(address: number): string | undefined {
  const information = store.infos.get(address)?.data;
  if (information !== undefined) return nameOfDevice(information);
  return store.knownDevices?.data.devices.find(({ addr }) => addr === address)?.label;
}

export const nameAt = (address: number): string => knownNameAt(address) ?? say("unnamed device");

/** The devices on the bus: the broker also keeps those that have left it while hub-cand was off. */
export function presentDevices(): readonly DeviceInformation[] {
  const peers = store.devices?.data.peers;
  const addresses = new Set(peers?.map(({ addr }) => addr));
  const known = [...store.infos.values()].map(({ data }) => data);
  return peers === undefined ? known : known.filter(({ addr }) => addresses.has(addr));
}

/** The only device that lists one of these PGNs as sent, "one of 2 devices", or empty if none does. */
export function onlySender(pgns: readonly number[]): string {
  const senders = presentDevices().filter(({ txPgns = [] }) => txPgns.some(({ id }) => pgns.includes(id)));
  if (senders.length > 1) return say("one of {count} devices", { count: senders.length });
  return senders[0] === undefined ? "" : nameOfDevice(senders[0]);
}

/**
 * Name of the source of a quantity; never the digits of its NAME. A device that has claimed no address since hub-cand
 * began is named if only one lists the PGN.
 */
export function nameOfSource({ name, friendlyName, pgn }: SourceReading): string {
  if (friendlyName !== undefined) return friendlyName;
  if (name === "0") return onlySender([pgn]) || say("unnamed device");
  const known = [...store.infos.values()].find(({ data }) => data.name === name);
  return known === undefined ? say("unnamed device") : nameOfDevice(known.data);
}

/**
 * Identity of the displayed boat's bridge: the one named like the last level of the prefix, or else the only hub-cand.
 */
export function bridgeOf(prefix: string): Identity | undefined {
  const named = store.identities.get(topics.info.name({ interface: interfaceOf(prefix) }));
  if (named !== undefined) return named;
  const bridges = [...store.identities.values()].filter(({ name }) => name === "hub-cand");
  return bridges.length === 1 ? bridges[0] : undefined;
}
