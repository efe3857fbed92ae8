/** Bytes of gateways: the same records wherever the bytes are cut; unknown messages are counted. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Session } from "../../../src/formats/gateway/gateway.ts";
import { gateways, gatewayUrls, readGatewayUrl } from "../../../src/formats/gateway/table.ts";
import { stampArrival } from "../../../src/formats/recording/arrival.ts";
import { RecordWriter } from "../../../src/formats/recording/record-writer.ts";
import { type Recorded, recordsOf } from "../recording/reading.ts";
import { bst, bytesOfHex as bytes } from "./bst.ts";

const text = (value: string): Uint8Array => Buffer.from(value, "latin1");

interface Heard {
  readonly records: readonly Recorded[];
  readonly malformed: number;
  readonly answers: number;
  /** Commands sent to the gateway. */
  readonly told: readonly string[];
  readonly session: Session;
}

/** Opens a session of a scheme and gives it the pieces. */
function hear(scheme: string, pieces: readonly Uint8Array[]): Heard {
  const gateway = gateways.find(({ endpoints }) => endpoints.some((each) => each.scheme === scheme))!;
  const told: string[] = [];
  const send = (command: Uint8Array): number => told.push(Buffer.from(command).toString("latin1"));
  const session = gateway.open({ send, busName: "can0" });
  const writer = new RecordWriter();
  const records: Recorded[] = [];
  for (const piece of pieces) {
    session.read(piece.slice(), false, writer);
    for (const batch of writer.drain()) records.push(...recordsOf(batch));
  }
  return { records, malformed: session.malformed, answers: session.answers ?? 0, told, session };
}

/** Reads bytes whole, in two pieces cut anywhere, and byte by byte; expects the same result each time. */
function hearAnyhow(scheme: string, all: Uint8Array): Heard {
  const { session, ...whole } = hear(scheme, [all]);
  for (let cut = 0; cut <= all.length; cut++) {
    const { session: _, ...cutOnce } = hear(scheme, [all.subarray(0, cut), all.subarray(cut)]);
    expect(cutOnce, `cut at ${cut}`).toEqual(whole);
  }
  const { session: _, ...single } = hear(
    scheme,
    Array.from(all, (byte) => Uint8Array.of(byte)),
  );
  expect(single).toEqual(whole);
  return { ...whole, session };
}

describe("actisense", () => {
  const message = { pgn: 127250, priority: 2, source: 3, destination: 255, payload: "01ff100210037fff" };
  const record = { wall: 0, ...message };

  const receiveAll = bytes("10 02 A1 03 11 02 00 49 10 03").toString("latin1");

  test("is told to receive all, as its users know the command, until it answers", () => {
    const heard = hear("actisense", []);
    heard.session.advance!(1000);
    expect(heard.told).toEqual([receiveAll, receiveAll]);
    heard.session.read(bst("A0 0E 11 01 0E 00 78 56 34 12 00 00 00 00 02 00"), false, new RecordWriter());
    heard.session.advance!(1000);
    expect(heard.told).toHaveLength(2);
    expect(heard.session.answers).toBe(1);
  });

  test("is told again when it has lost power and starts, until it answers again", () => {
    const answer = bst("A0 0E 11 01 0E 00 78 56 34 12 00 00 00 00 02 00");
    const startup = bst("A0 10 F0 01 0E 00 78 56 34 12 00 00 00 00 01 00 00 00");
    const { told, session } = hear("actisense", [answer, startup]);
    expect(told).toEqual([receiveAll, receiveAll]);
    session.advance!(1000);
    expect(told).toHaveLength(3);
    session.read(answer, false, new RecordWriter());
    session.advance!(1000);
    expect(told).toHaveLength(3);
  });

  test("a whole message with every byte that frames use", () => {
    const { records, malformed } = hearAnyhow(
      "actisense",
      bst("93 13 02 12 F1 01 FF 03 10 02 10 03 08 01 FF 10 02 10 03 7F FF"),
    );
    expect({ records, malformed }).toEqual({ records: [record], malformed: 0 });
  });

  test("a message of an addressed PGN, whose low byte is the destination or zero", () => {
    for (const low of ["00", "24"]) {
      const { records } = hear("actisense", [bst(`93 0E 06 ${low} EA 00 24 03 00 00 00 00 03 14 F0 01`)]);
      expect(records).toMatchObject([{ pgn: 59904, priority: 6, source: 3, destination: 36, payload: "14f001" }]);
    }
  });

  test("a frame, by the example of the manufacturer", () => {
    const { records } = hearAnyhow("actisense+tcp", bst("95 0E 01 20 30 02 F8 09 FF FC 37 0A 00 10 FF FF"));
    expect(records).toEqual([{ wall: 0, identifier: 0x89f80230, data: "fffc370a0010ffff" }]);
  });

  test("a long message with a length of two bytes", () => {
    const payload = "10".repeat(300);
    const { records, malformed } = hear("actisense+tcp", [bst(`D0 39 01 FF 24 14 F0 19 20 01 02 03 04 ${payload}`)]);
    expect({ records, malformed }).toEqual({
      records: [{ wall: 0, pgn: 126996, priority: 6, source: 36, destination: 255, payload }],
      malformed: 0,
    });
  });

  const good = bst("93 13 02 12 F1 01 FF 03 10 02 10 03 08 01 FF 10 02 10 03 7F FF");
  const faults: readonly [string, Uint8Array][] = [
    ["a wrong checksum", bytes("10 02 93 0C 02 12 F1 01 FF 03 00 00 00 00 01 55 00 10 03")],
    ["a message cut off by the next", good.subarray(0, 12)],
    ["an unknown byte behind DLE", bytes("10 02 93 0C 10 44")],
    ["garbage, once", bytes("00 FF 80 10 99 7E 03")],
    ["an empty message", bytes("10 02 10 03")],
    ["a message of a checksum only", bytes("10 02 00 10 03")],
    [
      "a length of the message that is not its own",
      bst("93 14 02 12 F1 01 FF 03 00 00 00 00 08 01 02 03 04 05 06 07 08"),
    ],
    [
      "a length of the payload that is not its own",
      bst("93 13 02 12 F1 01 FF 03 00 00 00 00 07 01 02 03 04 05 06 07 08"),
    ],
    ["a message that is too short", bst("93 03 02 12 F1")],
    ["a message without payload", bst("93 0B 02 12 F1 01 FF 03 00 00 00 00 00")],
    ["a frame of nine bytes", bst("95 0F 01 20 30 02 F8 09 00 01 02 03 04 05 06 07 08")],
    ["a long length that is not its own", bst("D0 0F 00 FF 24 14 F0 19 20 01 02 03 04 05")],
    ["more than a message has", bytes(`10 02 ${"77".repeat(5000)} 10 03`)],
  ];
  test.each(faults)("%s is counted, and the messages around it are read", (name, fault) => {
    const { records, malformed } = (
      fault.length > 1000
        ? (all: Uint8Array) => hear("actisense", [all])
        : (all: Uint8Array) => hearAnyhow("actisense", all)
    )(Buffer.concat([good, fault, good]));
    expect({ name, records, malformed }).toEqual({ name, records: [record, record], malformed: 1 });
  });

  test("the system status is read as the manufacturer describes it, and as a real NGT-1 sends it", () => {
    const figures = (data: string): object | undefined => {
      const length = (data.split(" ").length + 12).toString(16).padStart(2, "0");
      const { session, malformed } = hearAnyhow(
        "actisense",
        bst(`A0 ${length} F2 01 0E 00 E7 B3 02 00 00 00 00 00 ${data}`),
      );
      expect(malformed).toBe(0);
      return session.figures;
    };
    // Two ports and two buffers; the second one deletes 4 %.
    const real = "02 2B 04 00 00 00 00 00 00 00 00 61 61 02 18 00 01 01 26 04 40 5A";
    expect(figures(real)).toEqual({ busLoadPercent: 43, droppedPercent: 4 });
    expect(figures(`${real} 07 60 08`)).toEqual({
      busLoadPercent: 43,
      droppedPercent: 4,
      receiveErrorCounter: 7,
      transmitErrorCounter: 96,
    });
    expect(figures(`${real} 07 60 08 02 00`)).toMatchObject({ receiveErrorCounter: 7 });
    expect(figures("01 64 00 00 09 00 00 00 00 00 08")).toEqual({
      busLoadPercent: 100,
      droppedPercent: 9,
      receiveErrorCounter: 0,
      transmitErrorCounter: 0,
    });
    for (const broken of ["00 00 00 00", "02 2B 04 00 00", "01 01 01 01 01 01 01 02 01 01", "FF"])
      expect(figures(broken), broken).toBeUndefined();
  });

  test("a request of a node goes out from the address of the gateway", () => {
    const { session } = hear("actisense", []);
    const request = session.encode!(0x18ea24ff, bytes("14 F0 01"));
    expect(Buffer.from(request!)).toEqual(Buffer.from(bst("94 09 06 00 EA 00 24 03 14 F0 01")));
  });
});

describe("yd-raw+tcp", () => {
  // A gateway may have letters of its own.
  const echo = text("17:33:21.107 T 18ea24ff 14 f0 01\r\n");
  const heardBy = (session: Session, times: number): number => {
    const writer = new RecordWriter();
    for (let time = 0; time < times; time++) session.read(echo.slice(), false, writer);
    return [...writer.drain()].flatMap(recordsOf).length;
  };

  test("each frame that was sent comes back once, and the next like it is another program's", () => {
    const { session } = hear("yd-raw+tcp", []);
    for (let time = 0; time < 2; time++) session.encode!(0x18ea24ff, bytes("14 F0 01"));
    expect(heardBy(session, 2)).toBe(0);
    expect(heardBy(session, 1)).toBe(1);
  });

  test("of frames that do not come back the last 64 are known", () => {
    const { session } = hear("yd-raw+tcp", []);
    for (let time = 0; time < 100; time++) session.encode!(0x18ea24ff, bytes("14 F0 01"));
    expect(heardBy(session, 100)).toBe(36);
  });
});

describe("ikonvert", () => {
  const off = text("$PDGY,000000,,,,,,\r\n");
  const on = text("$PDGY,000000,17,4,9,3600,23,0\r\n");
  const message = text("!PDGY,127250,2,3,255,481.734,2C20AAAAAAE=\r\n");

  test("is told to leave the bus, and to receive all whenever it is off the bus", () => {
    const { told, answers, session } = hearAnyhow("ikonvert", Buffer.concat([off, on, message, on, off]));
    expect(told).toEqual(["$PDGY,N2NET_OFFLINE\r\n", "$PDGY,N2NET_INIT,ALL\r\n", "$PDGY,N2NET_INIT,ALL\r\n"]);
    expect(answers).toBe(4);
    expect(session.waitsFor).toBe("the gateway is off the bus");
  });

  test("reports load and errors of the bus", () => {
    const { records, malformed, session } = hearAnyhow("ikonvert", Buffer.concat([message, on, message]));
    expect({ malformed, waitsFor: session.waitsFor, figures: session.figures }).toEqual({
      malformed: 0,
      waitsFor: undefined,
      figures: { busLoadPercent: 17, busErrors: 4 },
    });
    expect(records).toHaveLength(2);
  });
});

describe("socketcand", () => {
  const stamp = "1675349980.504289";
  const opened = "< hi >< ok >< ok >";

  test("opens the bus, switches to raw mode, and reads frames of both lengths in both spellings", () => {
    const { told, records, malformed, session } = hearAnyhow(
      "socketcand",
      text(`${opened}< frame 09F11203 ${stamp} 01 02 FF >\n<frame 123 ${stamp} 0102ff>< frame 123 ${stamp} >`),
    );
    expect(told).toEqual(["< open can0 >", "< rawmode >"]);
    expect(session.waitsFor).toBeUndefined();
    const wall = 1_675_349_980_504_289;
    expect({ records, malformed }).toEqual({
      records: [
        { wall, identifier: 0x89f11203, data: "0102ff" },
        { wall, identifier: 0x123, data: "0102ff" },
        { wall, identifier: 0x123, data: "" },
      ],
      malformed: 0,
    });
  });

  test("an error frame is a record, any other error a refusal", () => {
    const { records, session } = hear("socketcand", [text(`${opened}< error 004 ${stamp} >`)]);
    expect(records).toMatchObject([{ identifier: 0x20000004 }]);
    expect(session.refusal).toBeUndefined();
    expect(hear("socketcand", [text("< hi >< error could not open bus >")]).session.refusal).toBe("could not open bus");
  });

  test("anything but an element is counted", () => {
    const bad = [
      "frame 1",
      `frame 20000000 ${stamp} 00`,
      `frame 123 ${stamp} 0`,
      `frame 800 ${stamp}`,
      "frame 123 x",
      "what",
      "x".repeat(400),
    ];
    const { records, malformed } = hearAnyhow(
      "socketcand",
      text(`${opened}${bad.map((each) => `<${each}>`).join("")}<half<frame 123 ${stamp} >`),
    );
    expect(records).toHaveLength(1);
    expect(malformed).toBe(bad.length + 1);
  });
});

describe("canboat", () => {
  test("short messages of fast packets' PGNs prove that those of eight bytes are messages", () => {
    const line = (pgn: number, ...bytes: readonly string[]) =>
      `2016-04-09T16:41:09.078Z,6,${pgn},20,255,${bytes.length},${bytes.join(",")}`;
    const inverter = line(127509, "00", "00", "00", "03");
    const battery = line(127513, "01", "00", "10", "64", "00", "00", "00", "00");
    const { records } = hearAnyhow("canboat+tcp", text(`${inverter}\n${inverter}\n${battery}\n`));
    expect(records).toMatchObject([{ pgn: 127509 }, { pgn: 127509 }, { pgn: 127513 }]);
  });

  test("a comment says that frames and messages come together", () => {
    const frame = "2016-04-09T16:41:09.078Z,3,127489,5,255,8,00,1a,00,ff,ff,ff,ff,ff";
    const message = "2016-04-09T16:41:09.078Z,3,129029,5,255,9,00,ff,7f,52,00,21,fe,ff,00";
    const { records } = hearAnyhow("canboat+tcp", text(`# format=PLAIN_MIX_FAST\n${message}\n${frame}\n`));
    expect(records).toMatchObject([{ pgn: 129029 }, { identifier: 0x8df20105 }]);
  });

  const line = "2026-11-21T08:14:26.123Z,2,129029,3,255,8,01,02,03,04,05,06,07,08\n";
  test("lines are frames unless a comment says that they are messages", () => {
    expect(hearAnyhow("canboat+tcp", text(line)).records).toMatchObject([{ identifier: 0x89f80503 }]);
    expect(hearAnyhow("canboat+tcp", text(`# from n2kd\n# format=FAST\n${line}`)).records).toMatchObject([
      { pgn: 129029 },
    ]);
    expect(hearAnyhow("canboat+tcp", text(`# format=PLAIN\n${line}`)).records).toMatchObject([
      { identifier: 0x89f80503 },
    ]);
  });
  test("a comment without an end does not fill the memory", () => {
    const { records, malformed } = hear("canboat+tcp", [text(`#${"x".repeat(9000)}`), text(`\n${line}`)]);
    expect({ records: records.length, malformed }).toEqual({ records: 1, malformed: 1 });
  });
});

test("arrival replaces the clock of records, and the wall clock where it is not theirs or impossible", () => {
  const date = Date.UTC(2026, 10, 21) * 1000;
  const writer = new RecordWriter();
  writer.frame(date, 0x89f11203, 0);
  writer.frame(date + 1, 0x89f11203, 8);
  writer.packet(7, 2, 129029, 3, 255, new Uint8Array(43), 43);
  writer.packet(date + 2, 2, 129029, 4, 255, new Uint8Array(9), 9);
  const batches = [...writer.drain()];
  for (const batch of batches) stampArrival(batch, 1234, 99_000, true);
  expect(batches.flatMap(recordsOf).map(({ wall }) => wall)).toEqual([date, date + 1, 99_000, date + 2]);
  for (const batch of batches) stampArrival(batch, 1234, 98_000, false);
  expect(batches.flatMap(recordsOf).map(({ wall }) => wall)).toEqual([98_000, 98_000, 98_000, 98_000]);
  for (const { frames, packets } of batches) {
    const { bytes: all } = (frames ?? packets)!;
    expect(new Float64Array(all.buffer, all.byteOffset)[1]).toBe(1234);
  }
  expect(batches.flatMap(recordsOf).at(-1)).toMatchObject({ source: 4, payload: "00".repeat(9) });
});

describe("URLs", () => {
  test.each([
    ["yd-raw+tcp://192.168.4.1:1457", { host: "192.168.4.1", port: 1457 }],
    ["yd-raw+tcp://ydwg.local", { host: "ydwg.local", port: 1457 }],
    ["yd-raw+udp://:1458", { host: "", port: 1458 }],
    ["actisense+tcp://[fe80::1]:60001", { host: "fe80::1", port: 60_001 }],
    ["yd-raw+tcp://[fe80::1%25eth0]:1457", { host: "fe80::1%eth0", port: 1457 }],
    ["socketcand://[fe80::1%25wlan0.2]/can0", { host: "fe80::1%wlan0.2", port: 29_536, busName: "can0" }],
    [
      "actisense:///dev/serial/by-id/usb-Actisense_NGT-1_1A2B-if00-port0",
      { path: "/dev/serial/by-id/usb-Actisense_NGT-1_1A2B-if00-port0", baud: 115_200 },
    ],
    ["actisense:///dev/ttyUSB0?baud=230400", { path: "/dev/ttyUSB0", baud: 230_400 }],
    ["n2k-ascii+tcp://10.0.0.2:60002", { port: 60_002 }],
    ["ikonvert:///dev/ttyUSB0", { path: "/dev/ttyUSB0", baud: 230_400 }],
    ["candump+tcp://10.0.0.2:2000", { port: 2000 }],
    ["socketcand://boat/can0", { host: "boat", port: 29_536, busName: "can0" }],
    ["canboat+tcp://boat:2598", { port: 2598 }],
  ])("%s", (url, expected) => {
    expect(readGatewayUrl(url)).toMatchObject({ url, ...expected });
  });

  test.each([
    ...["can0", "http://boat", "yd-raw://boat", "yd-raw+tcp://", "yd-raw+tcp://boat:0", "yd-raw+tcp://boat:65536"],
    ...["yd-raw+tcp://boat:1457/x", "yd-raw+tcp://boat:", "yd-raw+tcp://user@boat", "yd-raw+tcp://[fe80::1%eth0]:1457"],
    ...["yd-raw+tcp://[fe80::1%25]:1457", "yd-raw+tcp://[fe80::1%25%25]:1457", "yd-raw+tcp://boat%25eth0:1457"],
    ...["yd-raw+udp://boat:1457", "candump+tcp://boat", "socketcand://boat", "socketcand://boat/"],
    ...["socketcand://boat/a-name-too-long-", "socketcand://boat/a>", "actisense://dev/ttyUSB0"],
    ...["actisense:///dev/ttyUSB0?baud=0", "actisense:///dev/ttyUSB0?parity=even", "ikonvert://boat:1000", ""],
  ])("%j is none, and the answer says what one is", (url) => {
    expect(readGatewayUrl(url)).toMatch(/^must be (one of )?[a-z0-9+-]+:\/\//);
  });

  test("each scheme is in the table once, with its gateways", () => {
    const schemes = gatewayUrls.map(({ form }) => form.split(":")[0]);
    expect(new Set(schemes).size).toBe(schemes.length);
    for (const { gateway } of gatewayUrls) expect(gateway.title).not.toBe("");
  });

  test("each file that has a gateway is entered in the table", () => {
    const files = readdirSync("src/formats/gateway").filter((name) =>
      /: Gateway =/.test(readFileSync(`src/formats/gateway/${name}`, "utf8")),
    );
    const table = readFileSync("src/formats/gateway/table.ts", "utf8");
    expect(files.filter((name) => !table.includes(`"./${name}"`))).toEqual([]);
    expect(gateways).toHaveLength(files.length);
  });

  test("each scheme has a row in docs/connect.md", () => {
    const schemes = gatewayUrls.map(({ form }) => form.split(":")[0]!);
    const rows = readFileSync("docs/connect.md", "utf8")
      .split("\n")
      .filter((line) => line.startsWith("| "));
    const missing = schemes.filter((scheme) => !rows.some((row) => row.includes(`--source ${scheme}:`)));
    expect(missing, "no row of the tables of docs/connect.md has `--source SCHEME:`").toEqual([]);
  });
});
