/** The kernel's tables of the sockets of this machine, in /proc/self/net; empty if there is no such file. */
import { readFileSync } from "node:fs";
import { SocketAddress } from "node:net";
import { attempt } from "../../core/util/attempt.ts";

/** The fields of the lines of a table with this local port. */
function socketsOf(table: "tcp" | "tcp6" | "udp", port: number): string[][] {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const lines = attempt(() => readFileSync(`/proc/self/net/${table}`, "latin1").split("\n")) ?? [];
  return lines.map((line) => line.trim().split(/\s+/)).filter(([, local]) => local?.endsWith(wanted));
}

/** Datagrams so far for which sockets on a UDP port had no room. */
export const droppedDatagrams = (port: number): number =>
  socketsOf("udp", port).reduce((sum, fields) => sum + Number(fields.at(-1)), 0);

/** An address as the tables have it, words of four bytes in host order, in the form of `Socket.remoteAddress`. */
function addressOf(hex: string): string {
  const bytes = Buffer.from(hex, "hex").swap32();
  if (bytes.length === 4) return bytes.join(".");
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(2 * index).toString(16));
  return new SocketAddress({ address: groups.join(":"), family: "ipv6" }).address;
}

export interface Unsent {
  readonly address: string;
  readonly port: number;
  /** Bytes written and not yet acknowledged. */
  readonly bytes: number;
}

/** The TCP connections to a port of this machine with more than `least` unsent bytes, by their remote ends. */
export function connectionsWithUnsent(port: number, least: number): Unsent[] {
  return [...socketsOf("tcp", port), ...socketsOf("tcp6", port)].flatMap(([, , remote = "", , queues = ""]) => {
    const bytes = Number.parseInt(queues, 16);
    const [address = "", digits = ""] = remote.split(":");
    return bytes > least ? [{ address: addressOf(address), port: Number.parseInt(digits, 16), bytes }] : [];
  });
}
