/**
 * Sockets to an MQTT broker, over TCP or TLS. `incoming-packets.ts` reads their input before MQTT.js reads the rest.
 */
import { connect as connectTcp, isIP, type Socket } from "node:net";
import type { SecureContext } from "node:tls";
import type { MqttClient } from "mqtt";
import { type MqttVersion, type OnMessage, PacketReader } from "./incoming-packets.ts";

const READ_BYTES = 64 << 10;
/** Maximum bytes of waiting acknowledgements; a broker that sends messages and reads nothing would fill the memory. */
const MAX_REPLY_BYTES = 64 << 10;

export interface BrokerAddress {
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
}

export interface BrokerSocketOptions {
  readonly broker: BrokerAddress;
  /** Certificates for a secure broker (`tls-files.ts`); without it the authorities of Node count. */
  readonly secureContext?: SecureContext | undefined;
  /** Bytes of the longest payload of the subscription; without one, 0. */
  readonly maxPayloadBytes: number;
  readonly onMessage: OnMessage;
}

/** Starts connecting, to speak this version of MQTT; throws for an address that no socket can have. */
export type OpenSocket = (version: MqttVersion) => Socket;

export const brokerUrl = ({ secure, host, port }: BrokerAddress): string =>
  `${secure ? "mqtts" : "mqtt"}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;

/**
 * Options of a client, which is used for one connection. A cache of all 65536 packet numbers takes megabytes, which a
 * few states do not need.
 */
export const clientOptions = {
  clean: true,
  keepalive: 30,
  connectTimeout: 10_000,
  reconnectPeriod: 0,
  writeCache: false,
} as const;

/** Keeps the reason why a connection has failed; of two failures that of the socket is the cause. */
export function keepFailure(kept: { failure: Error | undefined }, client: MqttClient, socket: Socket): void {
  client.on("error", (error) => {
    kept.failure ??= error;
    socket.destroy();
  });
  socket.on("error", (error) => {
    kept.failure = error;
  });
}

/** Lowest reason code of a refusal. */
export const REFUSED = 0x80;

/** Subscribes with QoS 0; `onRefused` is called if the broker does not permit it. Other failures end the connection. */
export const subscribe = (client: MqttClient, filter: string, onRefused: () => void): void =>
  void client.subscribe(filter, { qos: 0 }, (_error, _granted, packet) => {
    if (packet?.granted.some((code) => Number(code) >= REFUSED)) onRefused();
  });

/** Resolves when the broker has answered all subscriptions so far and has sent what it retains: it answers in order. */
export const answered = (client: MqttClient): Promise<void> =>
  new Promise((resolve) => {
    const hear = ({ cmd }: { readonly cmd: string }): void => {
      if (cmd !== "pingresp") return;
      client.off("packetreceive", hear);
      resolve();
    };
    client.on("packetreceive", hear);
    client.sendPing();
  });

/** Makes the function that opens a socket for each connection. */
export async function brokerSockets(options: BrokerSocketOptions): Promise<OpenSocket> {
  const { broker, secureContext, maxPayloadBytes, onMessage } = options;
  const { host, port } = broker;
  // mqtt:// needs no TLS.
  const tls = broker.secure ? await import("node:tls") : undefined;
  return (version) => {
    const reader = new PacketReader({ version, maxPayloadBytes, onMessage });
    let waiting = 0;
    /** Returns whether more may be read at once. */
    const receive = (count: number, buffer: Uint8Array): boolean => {
      const { passed, replies, fault } = reader.read(buffer.subarray(0, count));
      if (replies.length > 0) {
        waiting += replies.length;
        socket.write(replies, () => {
          waiting -= replies.length;
        });
      }
      const failure = fault ?? (waiting > MAX_REPLY_BYTES ? "the broker reads no acknowledgements" : undefined);
      if (failure !== undefined) socket.destroy(new Error(failure));
      return failure !== undefined || passed.length === 0 || socket.push(passed);
    };
    const reading = { onread: { buffer: Buffer.allocUnsafe(READ_BYTES), callback: receive } };
    const socket = tls
      ? tls.connect({
          host,
          port,
          ...reading,
          rejectUnauthorized: true,
          ...(isIP(host) === 0 && { servername: host }),
          secureContext,
        })
      : connectTcp({ host, port, ...reading });
    // A burst is one write, so that Nagle's algorithm would only delay it.
    return socket.setNoDelay(true);
  };
}
