import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromCanId } from "../../../../src/core/can/can-id.ts";
import { decoderOf } from "../../../../src/core/n2k/decode.ts";
import { describeName, deviceNameBytes, readDeviceName } from "../../../../src/core/n2k/device-name.ts";
import { heartbeat, pgnList, productInformation } from "../../../../src/core/n2k/pgns/system.ts";
import { Packet } from "../../../../src/core/ports/packet-batch.ts";
import { nothingKnown } from "../../../../src/services/bridge/boat.ts";
import { BusNode, nodeName } from "../../../../src/services/bridge/node/bus-node.ts";
import { RateLimitedLog } from "../../../../src/services/bridge/rate-limited-log.ts";
import { memoryLog } from "../../../support/memory/log.ts";
import { boatOf } from "../boat.ts";

interface Sent {
  readonly at: number;
  readonly pgn: number;
  readonly source: number;
  readonly destination: number;
  readonly priority: number;
  readonly data: Uint8Array;
}

const UNIQUE = 4711;
const own = nodeName(UNIQUE);
const lower = own - 1n;
const higher = own + 1n;
const CLAIM = 60928;
const REQUEST = 59904;
const requestBytes = (pgn: number): Uint8Array => Uint8Array.of(pgn & 255, (pgn >> 8) & 255, pgn >> 16);

const packetOf = (members: Pick<Packet, "pgn" | "source" | "destination" | "bytes" | "arrived">): Packet =>
  Object.assign(new Packet(), { ...members, end: members.bytes.length });

/** A node on a bus that takes every frame while `takes` is true, with a clock that `until` advances. */
const setUp = ({ unique = UNIQUE, known = [] as readonly number[], isDevice = false } = {}) => {
  const sent: Sent[] = [];
  const peers = new Map(known.map((address) => [address, { name: undefined, heard: 0 }]));
  const log = memoryLog();
  const bus = { takes: true };
  let now = 0;
  const limited = new RateLimitedLog(log, () => now);
  const sender = {
    isDevice,
    send(id: number, data: Uint8Array): boolean {
      if (bus.takes) sent.push({ at: now, ...fromCanId(id), data });
      return bus.takes;
    },
  };
  const node = new BusNode(boatOf({ log: limited, devices: { ...nothingKnown.devices, addresses: peers } }), {
    uniqueNumber: unique,
    softwareVersion: "1.2.3",
    sender,
  });
  const until = (end: number): void => {
    for (let steps = 0; node.due <= end; steps++) {
      now = Math.max(now, node.due);
      node.advance(now, now);
      if (steps > 100_000) throw new Error(`stands still at ${now}`);
    }
    now = end;
  };
  const hear = (source: number, pgn: number, bytes: Uint8Array, destination = 255): void => {
    const packet = packetOf({ pgn, source, destination, bytes, arrived: now });
    if (source < 254) peers.set(source, { name: undefined, heard: 0 });
    node.hear(packet);
  };
  const claim = (source: number, name: bigint): void => hear(source, CLAIM, deviceNameBytes(name));
  const online = (at = 1000): void => {
    node.busUp(now);
    until(now + at);
  };
  const of = (pgn: number): Sent[] => sent.filter((frame) => frame.pgn === pgn);
  return { node, sent, peers, log, bus, until, hear, claim, online, of };
};

/** The payload of a fast packet. */
const payloadOf = (frames: readonly Sent[]): Uint8Array => {
  const [first] = frames;
  const bytes = frames.flatMap(({ data }, index) => [...data.subarray(index === 0 ? 2 : 1)]);
  return Uint8Array.from(bytes.slice(0, first!.data[1]));
};

test("nodeName is a PC gateway of the marine industry that takes any address", () => {
  expect(describeName(own)).toMatchObject({
    identityNumber: UNIQUE,
    manufacturerCode: 2046,
    classCode: 25,
    functionCode: 130,
    industryGroupCode: 4,
    arbitraryAddressCapable: true,
  });
});

describe("BusNode takes an address", () => {
  test("sends nothing before the bus is up", () => {
    const { sent, until, node, claim } = setUp();
    claim(100, lower);
    until(100_000);
    expect(sent).toEqual([]);
    expect(node.due).toBe(Number.POSITIVE_INFINITY);
  });

  test("claims 100 and sends nothing else for 250 ms", () => {
    const { sent, until, node } = setUp();
    node.busUp(0);
    until(249);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ at: 0, pgn: CLAIM, source: 100, destination: 255, priority: 6 });
    expect(readDeviceName(sent[0]!.data, 0, 8)).toBe(own);
    expect(node.address).toBeUndefined();
    until(250);
    expect(node.address).toBe(100);
    until(400);
    // The request to all, its heartbeat, and its own answer.
    expect(sent.slice(1).map(({ pgn, source }) => [pgn, source])).toEqual([
      [REQUEST, 100],
      [126993, 100],
      [CLAIM, 100],
    ]);
  });

  test("the 250 ms count from the claim that the bus has taken", () => {
    const { until, node, bus, sent } = setUp();
    bus.takes = false;
    node.busUp(0);
    until(5000);
    expect(node.address).toBeUndefined();
    bus.takes = true;
    until(5100);
    expect(sent).toHaveLength(1);
    until(sent[0]!.at + 249);
    expect(node.address).toBeUndefined();
    until(sent[0]!.at + 250);
    expect(node.address).toBe(100);
    expect(node.counters().notSent).toBeGreaterThan(100);
  });

  test.each([
    ["while it claims", 100],
    ["when it has it", 5000],
  ])("defends it against a higher NAME %s, at most every 20 ms", (_, at) => {
    const { until, node, claim, of } = setUp();
    node.busUp(0);
    until(at);
    const before = of(CLAIM).length;
    for (let time = at; time < at + 1000; time++) {
      claim(100, higher);
      until(time + 1);
    }
    expect(of(CLAIM).length - before).toBeGreaterThanOrEqual(49);
    expect(of(CLAIM).length - before).toBeLessThanOrEqual(51);
    until(at + 5000);
    expect(node.address).toBe(100);
  });

  test.each([
    ["while it claims", 100],
    ["when it has it", 5000],
  ])("leaves it to a lower NAME %s, and claims the next one at which no device was heard", (_, at) => {
    const { until, node, claim, of, sent, log } = setUp({ known: [101, 103] });
    node.busUp(0);
    until(at);
    sent.length = 0;
    claim(100, lower);
    expect(node.address).toBeUndefined();
    until(at + 249);
    expect(sent.map(({ pgn, source }) => [pgn, source])).toEqual([[CLAIM, 102]]);
    until(at + 1000);
    expect(node.address).toBe(102);
    expect(of(CLAIM).every(({ source }) => source === 102)).toBe(true);
    expect(log.lines.map(({ message }) => message)).toContain("the address belongs to a lower NAME, taking another");
  });

  test("goes round from 251 to 0, and never to 252 or beyond", () => {
    const taken = Array.from({ length: 252 }, (_, address) => address).filter(
      (address) => address > 100 || address < 7,
    );
    const { until, node, claim } = setUp({ known: taken });
    node.busUp(0);
    until(1000);
    claim(100, lower);
    until(2000);
    expect(node.address).toBe(7);
  });

  test("without a free address sends that it cannot claim one, answers requests for its claim, and waits for one", () => {
    const all = Array.from({ length: 252 }, (_, address) => address);
    const { until, node, claim, hear, sent, peers, log } = setUp({ known: all });
    node.busUp(0);
    until(1000);
    sent.length = 0;
    claim(100, lower);
    until(10_000);
    expect(sent.map(({ pgn, source }) => [pgn, source])).toEqual([[CLAIM, 254]]);
    expect(sent[0]!.at - 1000).toBeLessThan(154);
    expect(readDeviceName(sent[0]!.data, 0, 8)).toBe(own);
    expect(log.lines.at(-1)).toMatchObject({ level: "warn", message: expect.stringContaining("no address") });

    hear(7, REQUEST, requestBytes(CLAIM));
    hear(7, REQUEST, requestBytes(126996));
    until(10_500);
    expect(sent.map(({ pgn, source }) => [pgn, source])).toEqual([
      [CLAIM, 254],
      [CLAIM, 254],
    ]);

    peers.delete(42);
    until(22_000);
    expect(node.address).toBe(42);
  });

  test("does not answer claims of its own NAME, and warns of them once", () => {
    const { until, online, claim, of, log } = setUp();
    online();
    const before = of(CLAIM).length;
    for (let count = 0; count < 50; count++) claim(100, own);
    until(10_000);
    expect(of(CLAIM)).toHaveLength(before);
    expect(log.lines.filter(({ level }) => level === "warn")).toHaveLength(1);
  });

  test("is not moved by a commanded address", () => {
    const { until, online, hear, node } = setUp();
    online();
    hear(7, 65240, Uint8Array.of(...deviceNameBytes(own), 55), 100);
    until(10_000);
    expect(node.address).toBe(100);
  });

  test("sends nothing while the bus is gone; when it is back, claims the address it had and asks all again", () => {
    const { until, online, claim, node, sent, hear } = setUp();
    online();
    claim(100, lower);
    until(2000);
    expect(node.address).toBe(101);
    node.busDown();
    sent.length = 0;
    hear(7, REQUEST, requestBytes(126996));
    until(200_000);
    expect(sent).toEqual([]);
    node.busUp(200_000);
    until(200_400);
    expect(sent.map(({ pgn, source }) => [pgn, source])).toEqual([
      [CLAIM, 101],
      [REQUEST, 101],
      [126993, 101],
      [CLAIM, 101],
    ]);
  });
});

describe("BusNode describes itself", () => {
  test("its heartbeat every minute, counted", () => {
    const { online, until, of } = setUp();
    online();
    until(185_000);
    const beats = of(126993);
    expect(beats.map(({ at }) => at)).toEqual([250, 60_250, 120_250, 180_250]);
    const read = decoderOf(heartbeat);
    expect(beats.map(({ data }) => read(data, 0, 8, 100))).toMatchObject(
      [0, 1, 2, 3].map((sequenceCounter) => ({ intervalS: 60, sequenceCounter, controller1State: "Error Active" })),
    );
  });

  test.each([255, 100])("its product when %i is asked, in frames that leave room for others", (destination) => {
    const { online, until, hear, of } = setUp();
    online();
    hear(7, REQUEST, requestBytes(126996), destination);
    until(1500);
    const frames = of(126996);
    expect(frames).toHaveLength(20);
    for (const at of new Set(frames.map((frame) => frame.at))) {
      expect(frames.filter((frame) => frame.at === at).length).toBeLessThanOrEqual(4);
    }
    const payload = payloadOf(frames);
    expect(decoderOf(productInformation)(payload, 0, payload.length, 100)).toMatchObject({
      modelId: "hub-cand",
      softwareVersion: "1.2.3",
      serialNumber: "4711",
    });
  });

  test("its two lists of PGNs that it sends and receives", () => {
    const { online, until, hear, of, sent } = setUp();
    online();
    hear(7, REQUEST, requestBytes(126464), 100);
    hear(7, REQUEST, requestBytes(126996), 100);
    until(70_000);
    const frames = of(126464);
    const second = frames.findLastIndex(({ data }) => (data[0]! & 0x1f) === 0);
    const read = (part: readonly Sent[]) => decoderOf(pgnList)(payloadOf(part), 0, payloadOf(part).length, 100);
    const transmits = read(frames.slice(0, second));
    expect(transmits.function).toBe("Transmit PGN list");
    expect(transmits.pgns!.map(({ id }) => id).sort()).toEqual([...new Set(sent.map(({ pgn }) => pgn))].sort());
    expect(read(frames.slice(second))).toMatchObject({ function: "Receive PGN list", pgns: { length: 5 } });
    // The two packets differ in their sequence counter.
    expect(frames[0]!.data[0]! >> 5).not.toBe(frames[second]!.data[0]! >> 5);
  });

  test("its claim when it is asked for, also by one that has no address", () => {
    const { online, until, hear, of } = setUp();
    online();
    const before = of(CLAIM).length;
    hear(254, REQUEST, requestBytes(CLAIM));
    until(1100);
    expect(of(CLAIM)).toHaveLength(before + 1);
  });

  test("nothing to a request to others, for a PGN that it does not have, or that is cut off", () => {
    const { online, until, hear, sent } = setUp();
    online(2000);
    sent.length = 0;
    hear(254, REQUEST, requestBytes(126996), 101);
    hear(254, REQUEST, requestBytes(129029), 100);
    hear(254, REQUEST, Uint8Array.of(0x14, 0xf0), 100);
    until(10_000);
    expect(sent).toEqual([]);
  });

  test("each message once, however many devices request it at the same time", () => {
    const { online, until, hear, of } = setUp();
    online();
    for (let count = 0; count < 1000; count++) hear(254, REQUEST, requestBytes(126996));
    until(3000);
    expect(of(126996)).toHaveLength(20);
  });

  test("drops a message that the bus does not take for half a second", () => {
    const { online, until, hear, of, bus } = setUp();
    online();
    hear(254, REQUEST, requestBytes(126996));
    bus.takes = false;
    until(3000);
    bus.takes = true;
    until(10_000);
    expect(of(126996)).toEqual([]);
    hear(254, REQUEST, requestBytes(126996));
    until(11_000);
    expect(of(126996)).toHaveLength(20);
  });

  test("no frames from an address that it has lost", () => {
    const { online, until, hear, claim, of } = setUp();
    online();
    hear(254, REQUEST, requestBytes(126996));
    claim(100, lower);
    until(3000);
    expect(of(126996).filter(({ at }) => at >= 1000)).toEqual([]);
  });
});

describe("BusNode sends requests to the others", () => {
  const asked = (frames: readonly Sent[]) =>
    frames
      .filter(({ pgn, destination }) => pgn === REQUEST && destination !== 255)
      .map(({ destination, data }) => [destination, data[0]! | (data[1]! << 8) | (data[2]! << 16)]);

  test("three PGNs of each, one request every 100 ms, three times, and again after an hour", () => {
    const { online, until, sent } = setUp({ known: [7, 9] });
    online();
    until(60_000);
    const first = asked(sent);
    expect(first.slice(0, 6)).toEqual(
      [7, 9].flatMap((address) => [126996, 126464, 126998].map((pgn) => [address, pgn])),
    );
    expect(first).toHaveLength(18);
    const times = sent.filter(({ pgn, destination }) => pgn === REQUEST && destination !== 255).map(({ at }) => at);
    expect(Math.min(...times.slice(1).map((at, index) => at - times[index]!))).toBe(100);
    expect(times[0]).toBeGreaterThanOrEqual(1250);
    until(3_600_000);
    expect(asked(sent)).toHaveLength(18);
    until(3_700_000);
    expect(asked(sent)).toHaveLength(36);
    expect(sent.filter(({ pgn, destination }) => pgn === REQUEST && destination === 255)).toHaveLength(2);
  });

  test("none of a further network, whose addresses the bus does not have", () => {
    const { online, until, sent } = setUp({ known: [7, 300, 512] });
    online();
    until(60_000);
    expect(new Set(asked(sent).map(([destination]) => destination))).toEqual(new Set([7]));
  });

  test("not again for PGNs that were answered", () => {
    const { online, until, sent, hear } = setUp({ known: [7] });
    online();
    until(1700);
    for (const pgn of [126996, 126464, 126998]) hear(7, pgn, new Uint8Array(8));
    until(60_000);
    expect(asked(sent)).toHaveLength(3);
  });

  test("one that comes later, and each that has its address after it", () => {
    const { online, until, sent, hear, claim } = setUp();
    online(10_000);
    for (const device of [1, 2, 3]) {
      claim(7, higher + BigInt(device));
      until(device * 20_000 - 9000);
      for (const pgn of [126996, 126464, 126998]) hear(7, pgn, new Uint8Array(8));
      until(device * 20_000 + 10_000);
      expect(asked(sent)).toHaveLength(device * 3);
    }
  });
});

test("two nodes on one bus end with two addresses, and the lower NAME has the preferred one", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 0x1fffff }), { minLength: 2, maxLength: 2 }),
      fc.integer({ min: 0, max: 1000 }),
      fc.integer({ min: 0, max: 30 }),
      fc.boolean(),
      (uniques, apart, delay, firstIsUpFirst) => {
        interface Flying {
          readonly to: number;
          readonly at: number;
          readonly id: number;
          readonly data: Uint8Array;
        }
        const flying: Flying[] = [];
        let now = 0;
        const peers = [0, 1].map(() => new Map<number, { name: undefined; heard: number }>());
        const nodes = uniques.map(
          (uniqueNumber, index) =>
            new BusNode(boatOf({ devices: { ...nothingKnown.devices, addresses: peers[index]! } }), {
              uniqueNumber,
              softwareVersion: "1",
              sender: {
                send(id, data) {
                  flying.push({ to: 1 - index, at: now + delay, id, data });
                  return true;
                },
              },
            }),
        );
        const starts = firstIsUpFirst ? [0, apart] : [apart, 0];
        for (; now <= 4000; now++) {
          nodes.forEach((node, index) => {
            if (now === starts[index]) node.busUp(now);
          });
          for (let next = flying[0]; next !== undefined && next.at <= now; next = flying[0]) {
            flying.shift();
            const { pgn, source, destination } = fromCanId(next.id);
            if (source < 254) peers[next.to]!.set(source, { name: undefined, heard: 0 });
            nodes[next.to]!.hear(packetOf({ pgn, source, destination, bytes: next.data, arrived: now }));
          }
          for (const node of nodes) node.advance(now, now);
        }
        const [a, b] = nodes as [BusNode, BusNode];
        const [low, high] = a.name < b.name ? [a, b] : [b, a];
        expect(low.address).toBe(100);
        expect(high.address).toBe(101);
      },
    ),
    { numRuns: 200 },
  );
});

test("behind a gateway that is a device itself it requests, and neither claims nor answers", () => {
  const { node, sent, until, hear } = setUp({ isDevice: true, known: [3, 100] });
  node.busUp(0);
  hear(3, REQUEST, requestBytes(CLAIM));
  hear(3, REQUEST, requestBytes(productInformation.pgn));
  hear(100, CLAIM, deviceNameBytes(lower));
  until(200_000);
  expect(new Set(sent.map(({ pgn }) => pgn))).toEqual(new Set([REQUEST]));
  const asked = new Set(sent.map(({ destination }) => destination));
  expect(asked).toEqual(new Set([255, 3, 100]));
  node.busDown();
  const before = sent.length;
  until(400_000);
  expect(sent).toHaveLength(before);
});
