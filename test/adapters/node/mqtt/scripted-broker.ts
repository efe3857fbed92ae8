/** A broker of a test's own, which keeps what its clients send. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { createServer as createSecureServer, type TlsOptions } from "node:tls";
import { generate, type Packet, parser } from "mqtt-packet";
import { onTestFinished } from "vitest";

export interface Session {
  readonly packets: readonly Packet[];
  readonly isOver: boolean;
  /** Set by the test. */
  answersPings: boolean;
  send(packet: Packet): void;
  end(): void;
}

/**
 * Accepts all clients of these versions of MQTT, or answers each with a code, and all subscriptions except the `refused`
 * filters; by TLS with a key. It ends with the test.
 */
export async function scriptedBroker(
  refused: readonly string[] = [],
  tls?: TlsOptions,
  returnCode = 0,
  versions: readonly number[] = [3, 4, 5],
) {
  const sessions: Session[] = [];
  const serve = (socket: Socket): void => {
    const packets: Packet[] = [];
    const read = parser();
    let protocolVersion = 4;
    const send = (packet: Packet): void => void socket.write(generate(packet, { protocolVersion }));
    const session: Session = {
      packets,
      answersPings: true,
      get isOver() {
        return socket.destroyed;
      },
      send,
      end: () => void socket.destroy(),
    };
    sessions.push(session);
    socket.on("error", () => {});
    socket.on("data", (bytes) => read.parse(bytes));
    read.on("packet", (packet) => {
      packets.push(packet);
      if (packet.cmd === "connect") {
        protocolVersion = packet.protocolVersion ?? 4;
        if (!versions.includes(protocolVersion)) {
          // As a broker that does not know the version: the answer of MQTT 3.1.1.
          socket.end(generate({ cmd: "connack", returnCode: 1, sessionPresent: false }));
          return;
        }
        send({ cmd: "connack", returnCode, reasonCode: returnCode, sessionPresent: false });
      }
      if (packet.cmd === "subscribe") {
        const notAuthorized = protocolVersion === 5 ? 0x87 : 0x80;
        const granted = packet.subscriptions.map(({ topic }) => (refused.includes(topic) ? notAuthorized : 0));
        send({ cmd: "suback", messageId: packet.messageId!, granted });
      }
      if (packet.cmd === "pingreq" && session.answersPings) send({ cmd: "pingresp" });
      if (packet.cmd === "publish" && packet.qos === 1) send({ cmd: "puback", messageId: packet.messageId! });
    });
  };
  const server = tls === undefined ? createServer(serve) : createSecureServer(tls, serve);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    for (const { end } of sessions) end();
  });
  return { port: (server.address() as AddressInfo).port, sessions };
}

/** The filters of a session, each with its QoS. */
export const subscriptionsOf = ({ packets }: Session): unknown[] =>
  packets.flatMap((packet) =>
    packet.cmd === "subscribe" ? packet.subscriptions.map(({ topic, qos }) => [topic, qos]) : [],
  );
