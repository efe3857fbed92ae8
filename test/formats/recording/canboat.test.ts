import fc from "fast-check";
import { expect, test } from "vitest";
import { ReassembledSource } from "../../../src/adapters/node/can/reassembled-source.ts";
import { createCatalogue } from "../../../src/core/n2k/catalogue.ts";
import { fastPacketTable } from "../../../src/core/n2k/fast-packets.ts";
import { detectFormat } from "../../../src/formats/recording/detect-format.ts";
import { canboatFast, canboatMixed, canboatPlain } from "../../../src/formats/recording/formats/canboat.ts";
import { RecordWriter } from "../../../src/formats/recording/record-writer.ts";
import { packetsOf } from "../../support/packets.ts";
import { message } from "./arbitrary.ts";
import { expectMalformed, expectReading, read, text } from "./reading.ts";

const wall = Date.UTC(2016, 3, 9, 16, 41, 9, 78) * 1000;
const short = "2016-04-09T16:41:09.078Z,3,127257,17,255,8,00,ff,7f,52,00,21,fe,ff";
const long = "2016-04-09-16:41:09.078,2,129029,1,255,9,FF,DE,48,48,af,94,32,70,eb";
const addressed = "2016-04-09 16:41:09,6,59904,1,36,3,14,f0,01";

test("canboatPlain reads frames", () => {
  expectReading(canboatPlain, text("# comment", short, "", addressed, "2016-04-09T16:41:09.078Z,3,127257,17,255,0"), {
    records: [
      { wall, identifier: 0x8df11911, data: "00ff7f520021feff" },
      { wall: wall - 78_000, identifier: 0x98ea2401, data: "14f001" },
      { wall, identifier: 0x8df11911, data: "" },
    ],
  });
});

test("canboatPlain takes lines for messages from the first long one on", () => {
  expectReading(canboatPlain, text(addressed, long, addressed), {
    records: [
      { wall: wall - 78_000, identifier: 0x98ea2401, data: "14f001" },
      { wall, priority: 2, pgn: 129029, source: 1, destination: 255, payload: "ffde4848af943270eb" },
      { wall: wall - 78_000, priority: 6, pgn: 59904, source: 1, destination: 36, payload: "14f001" },
    ],
  });
});

test("canboatFast reads messages and passes on those of the transport protocol", () => {
  expectReading(canboatFast, text(short, long, short.replace("127257", "60416")), {
    records: [
      { wall, priority: 3, pgn: 127257, source: 17, destination: 255, payload: "00ff7f520021feff" },
      { wall, priority: 2, pgn: 129029, source: 1, destination: 255, payload: "ffde4848af943270eb" },
      { wall, priority: 3, pgn: 60416, source: 17, destination: 255, payload: "00ff7f520021feff" },
    ],
  });
});

test.each([canboatPlain, canboatFast, canboatMixed])(
  "$name counts what gateways say about themselves apart",
  (format) => {
    const gateway = ["2016-04-09T16:41:09.092Z,0,262144,255,1,0", "2016-04-09T16:41:09.078Z,0,262161,0,0,3,01,0e,00"];
    expectReading(format, text(...gateway), { internal: 2 });
  },
);

test("canboatMixed takes short lines for frames and long ones for messages, in any order", () => {
  expectReading(canboatMixed, text("# format=PLAIN_MIX_FAST", long, short, addressed, long), {
    records: [
      { wall, priority: 2, pgn: 129029, source: 1, destination: 255, payload: "ffde4848af943270eb" },
      { wall, identifier: 0x8df11911, data: "00ff7f520021feff" },
      { wall: wall - 78_000, identifier: 0x98ea2401, data: "14f001" },
      { wall, priority: 2, pgn: 129029, source: 1, destination: 255, payload: "ffde4848af943270eb" },
    ],
  });
});

test("the frames of a fast packet among messages are joined to one message", async () => {
  const stamp = "2016-04-09T16:41:09.078Z,7,130824,20,255";
  const lines = text(
    "# format=PLAIN_MIX_FAST",
    `${stamp},8,a0,0a,7d,99,64,20,a8,00`,
    long,
    `${stamp},8,a1,0d,21,00,00,ff,ff,ff`,
  );
  const batches = async function* () {
    const writer = new RecordWriter();
    canboatMixed.createReader({ modified: 0 }).read(lines, true, writer);
    yield* writer.drain();
  };
  const source = new ReassembledSource({ name: "recording", batches: batches() });
  const messages: string[] = [];
  for await (const batch of source.packets(fastPacketTable(createCatalogue().fastPackets())))
    for (const { pgn, bytes, at, end } of packetsOf(batch))
      messages.push(`${pgn} ${Buffer.from(bytes.subarray(at, end)).toString("hex")}`);
  expect(messages.toSorted()).toEqual(["129029 ffde4848af943270eb", "130824 7d996420a8000d210000"]);
});

test("canboatFast leaves out messages without a source address, except address claims", () => {
  const withoutSource = [short.replace(",17,", ",254,"), short.replace(",17,", ",255,")];
  const claim = short.replace("127257,17", "60928,254");
  expectReading(canboatFast, text(...withoutSource, claim), {
    records: [{ wall, priority: 3, pgn: 60928, source: 254, destination: 255, payload: "00ff7f520021feff" }],
    unaddressed: 2,
  });
});

test("canboatFast counts a message without a byte as malformed", () => {
  expectReading(canboatFast, text("2016-04-09T16:41:09.092Z,3,126208,32,255,0"), { malformed: 1 });
});

test.each([canboatPlain, canboatFast, canboatMixed])("$name counts and skips what is no line of canboat", (format) => {
  expectMalformed(format, short, [
    "2016-04-09T16:41:09.078Z",
    "2016-04-09T16:41:09.078Z,3,127257,17,255",
    "2016-04-09T16:41:09.078Z,3,127257,17,255,2,00",
    "2016-04-09T16:41:09.078Z,3,127257,17,255,2,00,",
    "2016-04-09T16:41:09.078Z,3,127257,17,255,2,00,f",
    "2016-04-09T16:41:09.078Z,3,127257,17,255,2,00,fg",
    "2016-04-09T16:41:09.078Z,3,127257,17,255,2,00,ff,00",
    "2016-04-09T16:41:09.078Z,8,127257,17,255,2,00,ff",
    "2016-04-09T16:41:09.078Z,3,99999999,17,255,2,00,ff",
    "2016-04-09T16:41:09.078Z,3,127257,256,255,2,00,ff",
    "2016-04-09T16:41:09.078Z,3,127257,17,256,2,00,ff",
    "2016-04-09T16:41:09.078Z,3,127257,17,255,1786,00,ff",
    "2016-04-09T16:41:09.078Z,3,,17,255,2,00,ff",
    "2016-04-09T16:41:09.078Z,3,-127257,17,255,2,00,ff",
    "2016-04-09X16:41:09.078Z,3,127257,17,255,2,00,ff",
    "2016-04-32T16:41:09.078Z,3,127257,17,255,2,00,ff",
    "2016-00-09T16:41:09.078Z,3,127257,17,255,2,00,ff",
    "2015-02-29T16:41:09.078Z,3,127257,17,255,2,00,ff",
    "2016-04-31T16:41:09.078Z,3,127257,17,255,2,00,ff",
    "16-04-09T16:41:09.078Z,3,127257,17,255,2,00,ff",
    "2016-04-09T24:41:09.078Z,3,127257,17,255,2,00,ff",
    "2016-04-09T16:60:09.078Z,3,127257,17,255,2,00,ff",
    "2016-04-09T16:41:09.Z,3,127257,17,255,2,00,ff",
    "nonsense",
  ]);
});

test("a line of more than 8 bytes or a first comment tells FAST from PLAIN", () => {
  expect(detectFormat(text(short, ""), false)).toBeUndefined();
  expect(detectFormat(text(short, ""), true)?.name).toBe("canboat PLAIN");
  expect(detectFormat(text(short, long, ""), false)?.name).toBe("canboat FAST");
  expect(detectFormat(text("# format=FAST", short, ""), false)?.name).toBe("canboat FAST");
  expect(detectFormat(text("# format=PLAIN", short, ""), false)?.name).toBe("canboat PLAIN");
  expect(detectFormat(text("# format=PLAIN_MIX_FAST", long, ""), false)?.name).toBe("canboat PLAIN_MIX_FAST");
});

test("canboatPlain gives back frames with the identifier that priority, PGN and addresses make", () => {
  const single = message.map((of) => ({ ...of, payload: of.payload.slice(0, 16) }));
  fc.assert(
    fc.property(single, (of) => {
      const bytes = of.payload.match(/../g)!;
      const line = `2016-04-09T16:41:09.078Z,${[of.priority, of.pgn, of.source, of.destination, bytes.length, ...bytes]}`;
      const [frame] = read(canboatPlain, [text(line)]).records;
      const group = ((of.pgn >> 8) & 0xff) < 240 ? of.pgn + of.destination : of.pgn;
      const identifier = 0x80000000 + of.priority * 2 ** 26 + group * 256 + of.source;
      expect(frame).toEqual({ wall, identifier, data: of.payload });
    }),
  );
});
