/** Devices that move and are replaced, however often: what is known of them stays whole. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Traffic } from "../../../src/core/findings/traffic.ts";
import type { Packet } from "../../../src/core/ports/packet-batch.ts";

const CLAIM = 60928;
const pgns = [127250, 127505, 128267, 130312];

function bus() {
  const traffic = new Traffic(new Set());
  let now = 0;
  const hear = (pgn: number, source: number, bytes: Uint8Array): void => {
    now += 1;
    const times = { arrived: now, received: now };
    const packet = { pgn, source, destination: 255, priority: 6, transport: 0, bytes, at: 0, end: 8, incomplete: 0 };
    traffic.hear({ ...packet, ...times } as Packet);
  };
  const claim = (source: number, number: number): void => {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigUint64(0, 0xc0328200_00000000n + BigInt(number), true);
    hear(CLAIM, source, bytes);
  };
  const advance = (seconds = 1): void => {
    now += 1000 * seconds;
    traffic.advance(now);
  };
  return { traffic, hear, claim, advance };
}

test("the list of streams and those of each PGN are the same, through any claims", () => {
  const source = fc.integer({ min: 1, max: 4 });
  const step = fc.oneof(
    fc.record({ pgn: fc.constantFrom(...pgns), source, instance: fc.integer({ min: 0, max: 2 }) }),
    fc.record({ source, name: fc.integer({ min: 1, max: 4 }) }),
    fc.constant("advance" as const),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { traffic, hear, claim, advance } = bus();
      for (const one of steps) {
        if (one === "advance") advance();
        else if ("name" in one) claim(one.source, one.name);
        else hear(one.pgn, one.source, Uint8Array.of(one.instance, one.instance, 0, 0, 0, 0, 0, 0));
        const listed = traffic.streams();
        const found = pgns.flatMap((pgn) => [...traffic.streamsOf(pgn)]);
        expect(new Set(found)).toEqual(new Set(listed));
        expect(found.length).toBe(listed.length);
        for (const { device } of listed) expect(traffic.devices.get(device.address)).toBe(device);
      }
    }),
  );
});

test("a request that hub has sent waits for its answer as one that is heard, for that of its device alone", () => {
  const { traffic, claim } = bus();
  for (const source of [20, 21]) claim(source, source);
  traffic.noteRequest(20, 126_996, 5000);
  traffic.noteRequest(255, 126_464, 5000);
  const asked = [20, 21].map((address) => [...traffic.devices.get(address)!.asked]);
  expect(asked).toMatchObject([[[126_996, { waitsSince: 5000 }]], []]);
});

test("a claim counts for the device that makes it, also where it takes or defends an address", () => {
  const { traffic, claim } = bus();
  const counted = [1, 2, 1, 2].map((number) => {
    claim(20, number);
    const { name, packets, managed, last } = traffic.devices.get(20)!;
    return [Number(name! & 0xffn), packets, managed, traffic.last! - last];
  });
  expect(counted).toEqual([
    [1, 1, 1, 0],
    [2, 1, 1, 0],
    [1, 2, 2, 0],
    [2, 2, 2, 0],
  ]);
});

test("the streams of a device that comes back to the address that it has left begin anew", () => {
  const { traffic, hear, claim } = bus();
  claim(20, 1);
  hear(127250, 20, new Uint8Array(8));
  for (const address of [21, 20]) claim(address, 1);
  expect(traffic.streams()).toEqual([]);
});

test("a device that comes back to its address from another one has not started there", () => {
  const { traffic, hear, claim, advance } = bus();
  claim(20, 1);
  for (let count = 0; count < 30; count++) hear(127250, 20, new Uint8Array(8));
  for (const address of [21, 20, 20]) {
    for (let seconds = 0; seconds < 6; seconds++) advance();
    claim(address, 1);
  }
  // The last claim comes after a silence without another address.
  expect(traffic.devices.get(20)!.starts.recent(traffic.last!)).toMatchObject({ count: 1, from: traffic.last! });
});

test("a bus without power for days forgets no device; one that is silent beside others for a day is forgotten", () => {
  const { traffic, hear, claim, advance } = bus();
  for (const source of [20, 21]) claim(source, source);
  advance(200_000);
  expect([...traffic.devices.keys()]).toEqual([20, 21]);
  for (let hours = 0; hours < 49; hours++) {
    hear(127250, 21, new Uint8Array(8));
    advance(3600 / 2);
  }
  expect([...traffic.devices.keys()]).toEqual([21]);
});
