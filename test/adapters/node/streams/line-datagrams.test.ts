/** Lines as datagrams, to one address and to all. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { lineDatagrams } from "../../../../src/adapters/node/streams/line-datagrams.ts";
import { memoryLog } from "../../../support/memory/log.ts";
import { until } from "../../../support/mosquitto.ts";

/** Sends to `host`, and collects the datagrams that arrive at any address of this machine. */
async function setUp(host: string) {
  const receiver = createSocket("udp4");
  const received: string[] = [];
  receiver.on("message", (bytes) => received.push(String(bytes)));
  receiver.bind(0, "0.0.0.0");
  await once(receiver, "listening");
  const log = memoryLog();
  const datagrams = await lineDatagrams({ host, port: receiver.address().port, log });
  onTestFinished(() => {
    receiver.close();
    datagrams.close();
  });
  return { datagrams, received, log };
}

test.each(["127.0.0.1", "127.255.255.255"])("lines reach %s", async (host) => {
  const { datagrams, received } = await setUp(host);
  datagrams.send("$GPGLL,1\r\n$GPGLL,2\r\n");
  await until(() => received.length === 1 || datagrams.failed > 0);
  expect([received, datagrams.failed]).toEqual([["$GPGLL,1\r\n$GPGLL,2\r\n"], 0]);
});

test("a datagram has whole lines, and fits into a frame of Ethernet", async () => {
  const { datagrams, received } = await setUp("127.0.0.1");
  const lines = Array.from({ length: 100 }, (_, index) => `!AIVDM,1,1,,A,${String(index).padStart(60, "0")},0*00\r\n`);
  datagrams.send(lines.join(""));
  await until(() => received.join("") === lines.join(""));
  for (const datagram of received) {
    expect(datagram.length).toBeLessThanOrEqual(1472);
    expect(datagram.endsWith("\r\n")).toBe(true);
  }
  expect(received.length).toBeLessThan(8);
});

test("a datagram that cannot be sent is counted and logged, and the next one is sent", async () => {
  const log = memoryLog();
  const datagrams = await lineDatagrams({ host: "no.such.host.invalid", port: 2000, log });
  onTestFinished(() => datagrams.close());
  datagrams.send("$GPGLL\r\n");
  datagrams.send("$GPGLL\r\n");
  await until(() => datagrams.failed === 2);
  expect(log.lines.map(({ fields }) => fields?.code)).toEqual(["DATAGRAM_FAILED", "DATAGRAM_FAILED"]);
});
