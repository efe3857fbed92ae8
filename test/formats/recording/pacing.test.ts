import fc from "fast-check";
import { expect, test } from "vitest";
import { Pace } from "../../../src/formats/recording/pacing.ts";
import { RecordWriter } from "../../../src/formats/recording/record-writer.ts";
import { recordsOf } from "./reading.ts";

test("Pace gives what is due, with the stamps of now", () => {
  const writer = new RecordWriter();
  for (const [index, milliseconds] of [0, 0, 10, 30].entries()) writer.frame(1e15 + milliseconds * 1000, index, 0);
  const [batch] = [...writer.drain()];
  const pace = new Pace(batch!, 2);
  expect(pace.due()).toBe(0);
  expect(recordsOf(pace.take(0, 5000, 700)!)).toMatchObject([
    { wall: 5e6, identifier: 0 },
    { wall: 5e6, identifier: 1 },
  ]);
  expect(pace.due()).toBe(5);
  expect(pace.take(4.9, 5004.9, 704.9)).toBeUndefined();
  const stretch = pace.take(5, 5005, 705)!;
  expect(recordsOf(stretch)).toMatchObject([{ wall: 5.005e6, identifier: 2 }]);
  expect(new Float64Array(stretch.frames!.bytes.buffer, stretch.frames!.bytes.byteOffset, 2)[1]).toBe(705_000);
  expect(pace.due()).toBe(15);
  expect(recordsOf(pace.take(100, 5100, 800)!)).toMatchObject([{ identifier: 3 }]);
  expect(pace.due()).toBeUndefined();
  expect(pace.take(1000, 6000, 1700)).toBeUndefined();
});

test("Pace gives every record once and in order, none before it is due, of frames and of messages", () => {
  const payload = new Uint8Array(1785);
  fc.assert(
    fc.property(
      fc.array(fc.record({ step: fc.integer({ min: 0, max: 50_000 }), length: fc.integer({ min: 1, max: 1785 }) }), {
        maxLength: 30,
      }),
      fc.boolean(),
      fc.constantFrom(0.5, 1, 10),
      fc.array(fc.integer({ min: 1, max: 100 })),
      (records, whole, speed, waits) => {
        const writer = new RecordWriter();
        let stamp = 0;
        const due = records.map(({ step, length }, index) => {
          stamp += index === 0 ? 0 : step;
          if (whole) writer.packet(stamp, 3, 65536 + index, 1, 255, payload, length);
          else writer.frame(stamp, 65536 + index, 0);
          return stamp / 1000 / speed;
        });
        const given: number[] = [];
        let elapsed = 0;
        let wait = 0;
        for (const batch of writer.drain()) {
          const pace = new Pace(batch, speed);
          while (pace.due() !== undefined) {
            const stretch = pace.take(elapsed, elapsed, elapsed);
            for (const record of stretch ? recordsOf(stretch) : []) {
              const index = ("pgn" in record ? record.pgn : record.identifier) - 65536;
              expect(due[index]).toBeLessThanOrEqual(elapsed);
              given.push(index);
            }
            if (!stretch) elapsed += waits[wait++] ?? 1000;
          }
        }
        expect(given).toEqual(records.map((_, index) => index));
      },
    ),
  );
});
