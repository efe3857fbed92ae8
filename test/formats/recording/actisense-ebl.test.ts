import { expect, test } from "vitest";
import { actisenseEbl } from "../../../src/formats/recording/formats/actisense-ebl.ts";
import { RecordWriter } from "../../../src/formats/recording/record-writer.ts";
import { bst, eblEscaped, eblTag, eblTime, frameBst, bytesOfHex as hex, messageBst } from "../gateway/bst.ts";
import { expectReading, modified, read } from "./reading.ts";

const begin = 1_745_600_721_993_000;
const frame = { id: 0x09f80124, data: hex("a0 1b 10 01") };
const asFrame = { identifier: 0x89f80124, data: "a01b1001" };
const rawFrame = (counter: number): Buffer => eblTag(7, frameBst(frame, counter));
const said = { pgn: 127250, source: 3, priority: 2, payload: hex("ff 1b 10 02 00 00 ff fd"), wall: begin };
const asMessage = { pgn: 127250, priority: 2, source: 3, destination: 255, payload: "ff1b10020000fffd" };
const stream = eblEscaped(bst(messageBst(said)));
const version = eblTag(1, hex("ea 03 00 00"));

test("actisenseEbl reads the example of the manufacturer: the time, and the bytes of a gateway", () => {
  // "Reading an EBL file" of Actisense's SDK, with the checksum of the message put right.
  const bytes = hex(
    "1B 01 03 40 1B 1B E1 60 CE 40 DA 01 1B 0A 1B 01 01 EA 03 00 00 1B 0A 1B 01 03 80 24 E2 60 CE 40 DA 01 1B 0A" +
      "10 02 93 0C 02 00 EE 01 FF EE 00 00 00 00 01 42 40 10 03",
  );
  const wall = Number((0x01da40ce60e22480n - 116_444_736_000_000_000n) / 10n);
  expectReading(actisenseEbl, bytes, {
    records: [{ wall, pgn: 126464, priority: 2, source: 0xee, destination: 255, payload: "42" }],
  });
});

test("actisenseEbl reads frames without framing, which count from the last time, with a checksum or without it", () => {
  const checked = Buffer.from([...frameBst(frame, 10), 0]);
  checked[checked.length - 1] = -checked.reduce((sum, byte) => sum + byte) & 0xff;
  const frames = [65_000, 65_530].map(rawFrame);
  const bytes = Buffer.concat([
    eblTime(begin),
    version,
    ...frames,
    eblTag(7, checked),
    eblTime(begin + 1_000_000),
    rawFrame(500),
  ]);
  expectReading(actisenseEbl, bytes, {
    records: [0, 530_000, 546_000, 1_000_000].map((after) => ({ wall: begin + after, ...asFrame })),
  });
});

test("actisenseEbl reads messages whose tag is their first byte, and a tag within the bytes of a message", () => {
  const own = messageBst(said);
  const checked = Buffer.from([...own.subarray(1), -own.reduce((sum, byte) => sum + byte) & 0xff]);
  const cut = bst(messageBst(said));
  const bytes = [eblTime(begin), eblTag(own[0]!, checked), eblEscaped(cut.subarray(0, 9)), eblTag(2, hex("41 1b"))];
  const whole = Buffer.concat([...bytes, eblEscaped(cut.subarray(9))]);
  expectReading(actisenseEbl, whole, { records: [1, 2].map(() => ({ wall: begin, ...asMessage })) });
});

test("actisenseEbl leaves out what the host sends and what the gateway says about itself", () => {
  const answer = eblEscaped(bst("A0 0E 11 01 0E 00 78 56 34 12 00 00 00 00 02 00"));
  const toGateway = [eblTag(5, hex("01")), stream, rawFrame(1), eblTag(5, hex("00"))];
  const bytes = Buffer.concat([eblTime(begin), answer, ...toGateway, stream]);
  expectReading(actisenseEbl, bytes, { records: [{ wall: begin, ...asMessage }], internal: 2 });
});

test("actisenseEbl skips tags that it does not know, and counts damaged ones", () => {
  const skipped = [eblTag(4, hex("00")), eblTag(9, hex("01 02"))];
  const damaged = [
    eblTag(3, hex("01 02")),
    eblTag(3, hex("ff ff ff ff ff ff ff ff")),
    eblTag(1, hex("01")),
    eblTag(5, hex("")),
    eblTag(7, hex("95 0e 01")),
    hex("1b 01 1b 0a"),
    hex("1b 01 03 00 1b 77"),
    hex("1b 42"),
    eblTag(2, new Uint8Array(5000)),
    Buffer.concat([hex("1b 01 07 95"), version]),
    eblEscaped(bst("93 03 02 12 F1")),
  ];
  const bytes = Buffer.concat([eblTime(begin), ...skipped, ...damaged, stream]);
  expect(read(actisenseEbl, [bytes])).toMatchObject({
    records: [{ wall: begin, ...asMessage }],
    malformed: damaged.length,
  });
});

test("actisenseEbl says when a log breaks off, or has a version that may be another format", () => {
  expectReading(actisenseEbl, Buffer.concat([eblTime(begin), stream, version.subarray(0, 5)]), {
    records: [{ wall: begin, ...asMessage }],
    problem: "ends within a record",
  });
  const later = eblTag(1, hex("d0 07 00 00"));
  expectReading(actisenseEbl, Buffer.concat([eblTime(begin), later, stream]), {
    problem: "has version 2 of EBL, which is not known",
  });
});

test("actisenseEbl without a time begins at the time of the file, and says so", () => {
  const reader = actisenseEbl.createReader({ modified });
  reader.read(Buffer.concat([version, stream, rawFrame(7)]), true, new RecordWriter());
  expect(reader.times).toBe("none");
  expect(read(actisenseEbl, [Buffer.concat([version, rawFrame(7), rawFrame(9)])]).records).toMatchObject([
    { wall: modified * 1000 },
    { wall: modified * 1000 + 2000 },
  ]);
});
