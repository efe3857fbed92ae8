/**
 * A bad link between clients and a server of this machine: all connections share a number of bytes a second towards the
 * clients, in turns of a packet, and every packet takes half of the round-trip time. A connection costs a round trip.
 */
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

const PACKET_BYTES = 1460;
const PERIOD_MS = 5;
/** Bytes of a connection that wait here before the server notices. */
const BUFFER_BYTES = 65_536;

/** `withoutBrotli`: requests say that they take gzip alone, as those of a browser over http to another machine. */
export async function badLink(serverPort, { bytesPerSecond, roundTripMs, withoutBrotli = true }) {
  const lines = new Set();
  const server = createServer({ noDelay: true }, (client) => {
    const onward = connect(serverPort, "127.0.0.1");
    const line = { client, onward, waiting: Buffer.alloc(0), isLast: false };
    lines.add(line);
    const isReady = delay(roundTripMs);
    client.on("data", async (bytes) => {
      const request = withoutBrotli
        ? Buffer.from(bytes.toString("latin1").replace(/, br(, zstd)?/, ""), "latin1")
        : bytes;
      await isReady;
      await delay(roundTripMs / 2);
      onward.write(request);
    });
    onward.on("data", (bytes) => {
      line.waiting = Buffer.concat([line.waiting, bytes]);
      if (line.waiting.length > BUFFER_BYTES) onward.pause();
    });
    const end = () => {
      client.destroy();
      onward.destroy();
      lines.delete(line);
    };
    client.on("error", end).on("close", end);
    // The bytes that wait are still sent.
    onward.on("error", end).on("close", () => {
      if (line.waiting.length === 0) setTimeout(end, roundTripMs);
      else line.isLast = true;
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  let credit = 0;
  let paidAt = performance.now();
  const paying = setInterval(() => {
    const now = performance.now();
    credit += (bytesPerSecond * (now - paidAt)) / 1000;
    paidAt = now;
    while (credit > 0) {
      const line = [...lines].find(({ waiting }) => waiting.length > 0);
      if (line === undefined) break;
      // To the end of the order, so that the others have their turn.
      lines.delete(line);
      lines.add(line);
      const packet = line.waiting.subarray(0, PACKET_BYTES);
      line.waiting = line.waiting.subarray(packet.length);
      credit -= packet.length;
      setTimeout(() => line.client.write(packet), roundTripMs / 2);
      if (line.waiting.length < BUFFER_BYTES) line.onward.resume();
      if (line.isLast && line.waiting.length === 0) setTimeout(() => line.client.end(), roundTripMs);
    }
    // A link does not save what it does not use.
    if (credit > 0) credit = 0;
  }, PERIOD_MS);
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    port,
    close() {
      clearInterval(paying);
      server.close();
      for (const { client, onward } of lines) {
        client.destroy();
        onward.destroy();
      }
    },
  };
}
