/** Sends lines as UDP datagrams to one address, which may be a broadcast address. */
import { createSocket, type Socket } from "node:dgram";
import { isIPv6 } from "node:net";
import type { Log } from "../../../core/ports/log.ts";
import type { ListenAddress } from "./line-server.ts";

/** The payload of a datagram that fits into one Ethernet frame. */
const MAX_DATAGRAM_BYTES = 1400;

export interface LineDatagrams {
  /** Datagrams that could not be sent since the start. */
  readonly failed: number;
  /** Sends whole lines, with their line ends; a datagram has as many as fit. */
  send(lines: string): void;
  close(): void;
}

/** Opens the socket; the host is looked up for each datagram, because its name may still be unknown. */
export async function lineDatagrams({
  host,
  port,
  log,
}: ListenAddress & { readonly log: Log }): Promise<LineDatagrams> {
  const socket = createSocket(isIPv6(host) ? "udp6" : "udp4");
  await opened(socket);
  let failed = 0;
  const sent = (error: Error | null): void => {
    if (error === null) return;
    failed += 1;
    log.warn("a datagram cannot be sent", { code: "DATAGRAM_FAILED", host, port, reason: error.message });
  };
  return {
    get failed() {
      return failed;
    },
    send(lines) {
      for (const datagram of datagramsOf(lines)) socket.send(datagram, port, host, sent);
    },
    close: () => socket.close(),
  };
}

const opened = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.bind(0, () => {
      socket.setBroadcast(true);
      resolve();
    });
  });

function* datagramsOf(lines: string): Generator<string> {
  let datagram = "";
  for (const line of lines.split(/(?<=\n)/)) {
    if (datagram.length + line.length > MAX_DATAGRAM_BYTES) {
      yield datagram;
      datagram = "";
    }
    datagram += line;
  }
  if (datagram !== "") yield datagram;
}
