/** hub-cand and an engine on J1939, by a gateway: BAM and RTS/CTS overheard, fast packets that are none, names. */
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { type CanIdParts, toCanId } from "../../src/core/can/can-id.ts";
import { tcpStandIn } from "../formats/gateway/stand-ins.ts";
import { startHubCand } from "../support/hub-cand.ts";

interface Message {
  readonly topic: string;
  readonly payload: { readonly data: Readonly<Record<string, unknown>> };
}

const line = (parts: Partial<CanIdParts> & { readonly pgn: number }, hex: string): string => {
  const id = toCanId({ priority: 6, source: 0, destination: 255, ...parts });
  return `00:00:00.000 R ${id.toString(16).padStart(8, "0")} ${hex.replace(/(..)(?=.)/g, "$1 ")}\r\n`;
};

/** A gateway that sends these lines again and again; whatever it receives is kept. */
async function gateway(lines: readonly string[]) {
  const received: Buffer[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const standIn = await tcpStandIn((socket) => {
    const timer = setInterval(() => socket.write(lines.join("")), 200);
    timers.add(timer);
    socket.on("data", (bytes) => received.push(bytes));
    socket.on("close", () => clearInterval(timer));
  });
  onTestFinished(() => {
    for (const timer of timers) clearInterval(timer);
    return standIn.close();
  });
  return { url: `yd-raw+tcp://127.0.0.1:${standIn.port}`, received };
}

/** The last message of each topic, once all of these are there. */
async function topicsOf(args: readonly string[], wanted: readonly string[]): Promise<Map<string, Message>> {
  const child = startHubCand([...args, "--stdout"]);
  child.stderr!.resume();
  const last = new Map<string, Message>();
  await new Promise<void>((found) => {
    createInterface({ input: child.stdout! }).on("line", (text) => {
      const message = JSON.parse(text) as Message;
      last.set(message.topic.replace("can/boat/", ""), message);
      if (wanted.every((topic) => last.has(topic))) found();
    });
  });
  return last;
}

const TP_CONTROL = 60416;
const TP_DATA = 60160;

test("an engine is a device of its own, whose frames are read as those of J1939 only, and nothing is sent", async () => {
  const { url, received } = await gateway([
    line({ pgn: 61444 }, "ff82877032ffffff"),
    line({ pgn: 65263 }, "5affff05ffff3cff"),
    // Two faults in a message to all: 10 bytes in 2 packets.
    line({ pgn: TP_CONTROL }, "200a0002ffcafe00"),
    line({ pgn: TP_DATA }, "0110ff640001036e"),
    line({ pgn: TP_DATA }, "02001005ffffffff"),
    // The faults of before, from the transmission to address 39, as that has asked for them.
    line({ pgn: TP_CONTROL, source: 3, destination: 39 }, "100a0002ffcbfe00"),
    line({ pgn: TP_CONTROL, source: 39, destination: 3 }, "110201ffffcbfe00"),
    line({ pgn: TP_DATA, source: 3, destination: 39 }, "0100ff7f00010381"),
    line({ pgn: TP_DATA, source: 3, destination: 39 }, "02000003ffffffff"),
    line({ pgn: TP_CONTROL, source: 39, destination: 3 }, "130a0002ffcbfe00"),
    // Messages whose numbers are others in NMEA 2000: a heading, a proprietary fast packet.
    line({ pgn: 127250 }, "0010270000000000"),
    line({ pgn: 130820 }, "0008aabbccddeeff"),
  ]);
  const wanted = [127488, 127489, 65226].map((pgn) => `device/256/pgn/${pgn}`);
  const args = ["-i", "boat", "--simulate", "--also", `j1939+${url}#1`];
  const heard = await topicsOf(args, [...wanted, "device/259/pgn/65227", "device/256/infos", "interface"]);
  const dataOf = (topic: string) => heard.get(topic)!.payload.data;
  expect(dataOf("device/256/pgn/127488")).toEqual({ pgn: 127488, engineInstance: 1, engineSpeedRpm: 1614 });
  expect(dataOf("device/256/pgn/127489")).toMatchObject({
    engineInstance: 1,
    oilPressureKpa: 20,
    discreteStatus1: 0b110,
    discreteStatus2: 0b10,
  });
  expect(dataOf("device/256/pgn/65226")).toMatchObject({
    redStopLamp: "On",
    faults: [
      { spn: 100, fmi: 1, occurrences: 3 },
      { spn: 110, fmi: 16, occurrences: 5 },
    ],
  });
  expect(dataOf("device/259/pgn/65227")).toMatchObject({
    faults: [
      { spn: 127, fmi: 1 },
      { spn: 129, fmi: 0 },
    ],
  });
  expect(dataOf("device/256/infos")).toMatchObject({
    functionName: "Engine",
    productInfo: { modelId: "J1939 engine 1", serialNumber: expect.stringMatching(/^j1939\+yd-raw/) },
  });
  expect(dataOf("interface").networks).toMatchObject([{ interface: `j1939+${url}#1`, firstAddr: 256 }]);
  const ofJ1939 = [...heard.keys()].filter((topic) => /^device\/2\d\d\/pgn/.test(topic));
  expect(ofJ1939).not.toContain("device/256/pgn/127250");
  expect(ofJ1939.every((topic) => /(12748[89]|127493|65226|65227|61444|65263)$/.test(topic))).toBe(true);
  expect(received).toEqual([]);
});
