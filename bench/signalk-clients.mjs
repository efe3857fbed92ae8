/**
 * Forked by `beside.mjs`: clients of Signal K that read and count, in a process of their own. A message from the parent
 * sets how many WebSockets and pollers each server has, after which the reply has the bytes by server since the last one.
 */
import { once } from "node:events";
import { Agent, get } from "node:http";
import { WebSocket } from "ws";

const POLL_MS = 1000;

/** Bytes by port. */
const bytes = {};
/** @type {(() => void)[]} */
let closers = [];

async function openStream(port) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/signalk/v1/stream?subscribe=all`);
  socket.on("message", (/** @type {Buffer} */ { length }) => (bytes[port] += length)).on("error", () => {});
  await once(socket, "open");
  return () => socket.terminate();
}

/** Asks for the whole boat once a second. */
function openPoller(port) {
  const agent = new Agent({ keepAlive: true });
  const options = { port, host: "127.0.0.1", agent, path: "/signalk/v1/api/vessels/self" };
  const ask = () =>
    get(options, (response) => {
      response.on("data", ({ length }) => (bytes[port] += length));
    }).on("error", () => {});
  const timer = setInterval(ask, POLL_MS);
  return () => {
    clearInterval(timer);
    agent.destroy();
  };
}

process.on("message", async (/** @type {any} */ { ports, streams, pollers }) => {
  if (ports !== undefined) {
    for (const close of closers) close();
    const each = (count, open) => Array.from({ length: count }, () => ports.map(open)).flat();
    closers = await Promise.all([...each(streams, openStream), ...each(pollers, openPoller)]);
  }
  process.send?.({ ...bytes });
  for (const port of ports ?? Object.keys(bytes)) bytes[port] = 0;
});
