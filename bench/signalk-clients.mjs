/**
 * Forked by `beside.mjs`: clients of Signal K that read and count, in a process of their own. A message from the parent
 * sets how many WebSockets and pollers each server has. The reply comes when they are open, or not within half a minute:
 * the number of open WebSockets, and the bytes since the last reply, by server.
 */
import { once } from "node:events";
import { Agent, get } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { WebSocket } from "ws";

const POLL_MS = 1000;
const RETRY_MS = 200;
const OPENING_MS = 30_000;

/** @type {Record<string, number>} */
let bytes = {};
/** @type {Record<string, number>} */
let open = {};
/** @type {(() => void)[]} */
let closers = [];
let isOver = { value: false };

/** A server that has not noticed yet that earlier clients are gone may refuse it at first. */
async function openStream(port, isOver) {
  while (!isOver.value) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/signalk/v1/stream?subscribe=all`);
    closers.push(() => socket.terminate());
    socket.on("message", (/** @type {Buffer} */ { length }) => (bytes[port] += length)).on("error", () => {});
    try {
      await once(socket, "open");
      open[port] += 1;
      return;
    } catch {
      await delay(RETRY_MS);
    }
  }
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
  closers.push(() => {
    clearInterval(timer);
    agent.destroy();
  });
}

const noughts = (ports) => Object.fromEntries(ports.map((port) => [port, 0]));

/** Ends all clients, and opens others. */
async function change(ports, streams, pollers) {
  isOver.value = true;
  for (const close of closers) close();
  [closers, isOver, open, bytes] = [[], { value: false }, noughts(ports), noughts(ports)];
  for (let count = 0; count < pollers; count++) ports.forEach(openPoller);
  const openings = Array.from({ length: streams }, () => ports.map((port) => openStream(port, isOver))).flat();
  await Promise.race([Promise.all(openings), delay(OPENING_MS)]);
}

process.on("message", async (/** @type {any} */ { ports, streams, pollers }) => {
  if (ports !== undefined) await change(ports, streams, pollers);
  process.send?.({ bytes, open });
  bytes = noughts(Object.keys(bytes));
});
