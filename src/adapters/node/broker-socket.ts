/** Sockets to an MQTT broker, over TCP or TLS. What they receive is checked (`incoming-packets.ts`) before MQTT.js reads it. */
import { connect as connectTcp, isIP, type Socket } from "node:net";
import type { SecureContext } from "node:tls";
import { createPacketCheck, type MqttVersion } from "./incoming-packets.ts";

export interface BrokerAddress {
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
}

export interface BrokerSocketOptions {
  readonly broker: BrokerAddress;
  /** Certificates for a secure broker (`tls-files.ts`); without it the authorities that Node knows. */
  readonly secureContext?: SecureContext | undefined;
  /** The longest message of a subscription, topic included; none may come without it. */
  readonly maxMessageBytes?: number | undefined;
}

/** Starts connecting, to speak this version of MQTT (3.1.1 by default); throws for an address that no socket can have. */
export type OpenSocket = (version?: MqttVersion) => Socket;

export const brokerUrl = ({ secure, host, port }: BrokerAddress): string =>
  `${secure ? "mqtts" : "mqtt"}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;

/** Makes the function that opens a socket for each connection. */
export async function brokerSockets(options: BrokerSocketOptions): Promise<OpenSocket> {
  const { broker, secureContext, maxMessageBytes } = options;
  const { host, port } = broker;
  // mqtt:// needs no TLS.
  const tls = broker.secure ? await import("node:tls") : undefined;
  return (version) => {
    const socket = tls
      ? tls.connect({
          host,
          port,
          rejectUnauthorized: true,
          ...(isIP(host) === 0 && { servername: host }),
          ...(secureContext !== undefined && { secureContext }),
        })
      : connectTcp({ host, port });
    const check = createPacketCheck(maxMessageBytes, version);
    socket.on("data", (bytes: Uint8Array) => {
      const fault = check(bytes);
      if (fault === undefined) return;
      // MQTT.js is given the same bytes next, and would answer thousands of packets.
      bytes.fill(0);
      socket.destroy(new Error(fault));
    });
    // A burst is written whole, so that Nagle's algorithm would only delay it.
    return socket.setNoDelay(true);
  };
}
