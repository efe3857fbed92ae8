import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { Connections } from "../../../../src/adapters/node/streams/connections.ts";

function connectionFrom(remoteAddress: string) {
  const socket = Object.assign(new EventEmitter(), {
    remoteAddress,
    writableLength: 0,
    destroyed: false,
    destroy() {
      socket.destroyed = true;
      socket.emit("close");
    },
  });
  return socket as typeof socket & Socket;
}

/** A request that has come whole, or in part. */
const ask = (connections: Connections, socket: Socket, complete: boolean): boolean =>
  connections.serve({ socket, complete } as IncomingMessage, new EventEmitter() as EventEmitter & ServerResponse);

test.each([
  ["an address", "192.168.4.20", "192.168.4.20"],
  ["an address, which a socket of IPv6 has otherwise", "192.168.4.20", "::ffff:192.168.4.20"],
  ["a network of IPv6", "fd00:4::20", "fd00:4::21"],
])("silent connections and half requests give way to a new one of %s, whole requests do not", (_of, one, other) => {
  let refused = 0;
  const connections = new Connections(12, () => {
    refused += 1;
  });
  const open = (address: string) => {
    const socket = connectionFrom(address);
    connections.admit(socket);
    return socket;
  };
  const whole = open(one);
  ask(connections, whole, true);
  const half = open(one);
  ask(connections, half, false);
  const silent = open(one);
  const first = open(other);
  expect([whole, half, silent, first].map(({ destroyed }) => destroyed)).toEqual([false, false, true, false]);
  expect(ask(connections, first, true)).toBe(true);
  const second = open(other);
  expect([whole, half, first, second].map(({ destroyed }) => destroyed)).toEqual([false, true, false, false]);
  expect(ask(connections, second, true)).toBe(true);
  expect(open(other).destroyed).toBe(true);
  expect(open("10.0.0.1").destroyed).toBe(false);
  expect(refused).toBe(3);
});

test("half requests give way to a new connection of any host where all places are taken", () => {
  const connections = new Connections(2, () => {});
  const half = connectionFrom("192.168.4.20");
  connections.admit(half);
  ask(connections, half, false);
  const whole = connectionFrom("192.168.4.21");
  connections.admit(whole);
  ask(connections, whole, true);
  const late = connectionFrom("192.168.4.22");
  connections.admit(late);
  expect([half, whole, late].map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
});

test("a host that is within its share keeps its connections, whatever others open", () => {
  const connections = new Connections(12, () => {});
  const kept = connectionFrom("192.168.4.21");
  connections.admit(kept);
  for (let count = 0; count < 20; count++) connections.admit(connectionFrom("192.168.4.20"));
  expect(kept.destroyed).toBe(false);
});
