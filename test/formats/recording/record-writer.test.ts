import { expect, test } from "vitest";
import { RecordWriter } from "../../../src/formats/recording/record-writer.ts";
import { packetsOf } from "../../support/packets.ts";
import { recordsOf } from "./reading.ts";

const payload = Uint8Array.from({ length: 1785 }, (_, index) => index & 0xff);

test("RecordWriter writes frames in batches of at most 2048", () => {
  const writer = new RecordWriter();
  for (let index = 0; index < 5000; index++) writer.frame(index, index, 0);
  const batches = Array.from(writer.drain(), recordsOf);
  expect(batches.map(({ length }) => length)).toEqual([2048, 2048, 904]);
  expect(batches.flat()).toEqual(
    Array.from({ length: 5000 }, (_, index) => ({ wall: index, identifier: index, data: "" })),
  );
});

test("RecordWriter fills what a frame does not use with zeros, whatever was there before", () => {
  const writer = new RecordWriter();
  for (let round = 0; round < 2; round++) {
    writer.packet(1, 3, 129029, 1, 255, payload, 1785);
    writer.frameOf(2, 0x8df80514, Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8]), 8);
    writer.frameOf(3, 0x8df80514, Uint8Array.from([9]), 1);
    const [, frames] = Array.from(writer.drain(), recordsOf);
    expect(frames).toMatchObject([{ data: "0102030405060708" }, { data: "09" }]);
  }
});

test("RecordWriter writes packets as packetsOf reads them", () => {
  const writer = new RecordWriter();
  for (const length of [1, 8, 9, 223, 224, 1785]) writer.packet(1e15 + length, 6, 126996, 7, 36, payload, length);
  const [batch] = Array.from(writer.drain());
  const packets = Array.from(
    packetsOf(batch!.packets!),
    ({ received, arrived, pgn, priority, source, destination, transport, at, end, bytes }) => ({
      received,
      arrived,
      pgn,
      priority,
      source,
      destination,
      transport,
      payload: [...bytes.subarray(at, end)],
    }),
  );
  expect(packets).toEqual(
    [
      [1, 0],
      [8, 0],
      [9, 1],
      [223, 1],
      [224, 2],
      [1785, 2],
    ].map(([length, transport]) => ({
      received: 1e12 + length! / 1000,
      arrived: (length! - 1) / 1000,
      pgn: 126996,
      priority: 6,
      source: 7,
      destination: 36,
      transport,
      payload: [...payload.subarray(0, length)],
    })),
  );
});

test("RecordWriter keeps the order of frames and messages, over many blocks and rounds", () => {
  const writer = new RecordWriter();
  for (let round = 0; round < 3; round++) {
    const written: number[] = [];
    for (let index = 0; index < 500; index++) {
      written.push(index);
      if (index % 3 === 0) writer.packet(index, 3, 129029, 1, 255, payload, 1 + ((index * 7) % 1785));
      else writer.frame(index, 0x123, 0);
    }
    const records = Array.from(writer.drain(), recordsOf).flat();
    expect(records.map(({ wall }) => wall)).toEqual(written);
    expect(records.map((record) => "pgn" in record)).toEqual(written.map((index) => index % 3 === 0));
  }
});

test("RecordWriter says no to a message without a byte and counts what it leaves out", () => {
  const writer = new RecordWriter();
  expect(writer.packet(1, 3, 129029, 1, 255, payload, 0)).toBe(false);
  expect(writer.packet(1, 3, 262144, 1, 255, payload, 0)).toBe(true);
  expect(writer.packet(1, 3, 129029, 254, 255, payload, 8)).toBe(true);
  expect(writer.packet(1, 3, 129029, 255, 255, payload, 8)).toBe(true);
  expect(writer.packet(1, 6, 60928, 254, 255, payload, 8)).toBe(true);
  expect([writer.internal, writer.unaddressed]).toEqual([1, 2]);
  expect(Array.from(writer.drain(), recordsOf).flat()).toHaveLength(1);
});

test("RecordWriter has nothing to give when nothing was written", () => {
  const writer = new RecordWriter();
  expect([...writer.drain()]).toEqual([]);
  writer.frame(1, 1, 0);
  expect([...writer.drain()]).toHaveLength(1);
  expect([...writer.drain()]).toEqual([]);
});
