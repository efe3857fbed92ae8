/** What one sentence lacks does not blank what another of the same talker has said: every pair, in both orders. */
import { expect, test } from "vitest";
import { Devices } from "../../../../src/core/nav/devices.ts";
import { createNavigatorReaders } from "../../../../src/core/nav/messages.ts";
import { Navigator } from "../../../../src/core/nav/navigator.ts";
import { readLine } from "../../../../src/formats/nmea0183/input/line.ts";
import { Listener } from "../../../../src/formats/nmea0183/input/listener.ts";

const START = Date.UTC(2026, 10, 21, 12);
const DAY = Math.floor(START / 86_400_000);
const readers = createNavigatorReaders();

/** Sentences of one boat, and the fields without which a sentence says that it is not valid, or nothing at all. */
const sentences: readonly (readonly [text: string, needed?: number])[] = [
  ["IIRMC,120000.00,A,5213.0000,N,00454.0000,E,5.4,010.0,211126,2.0,E,A", 1],
  ["IIGGA,120000.00,5213.0000,N,00454.0000,E,1,09,0.9,4.0,M,46.0,M,,", 5],
  ["IIGNS,120000.00,5213.0000,N,00454.0000,E,AA,09,0.9,4.0,46.0,,", 5],
  ["IIGLL,5213.0000,N,00454.0000,E,120000.00,A,A"],
  ["IIVTG,010.0,T,008.0,M,5.4,N,10.0,K,A"],
  ["IIZDA,120000.00,21,11,2026,00,00"],
  ["IIHDG,008.0,1.0,E,2.0,E"],
  ["IIHDM,009.0,M"],
  ["IIHDT,011.0,T"],
  ["IITHS,011.0,A"],
  ["IIROT,2.0,A"],
  ["IIVHW,011.0,T,009.0,M,5.0,N,9.3,K"],
  ["IIDPT,4.2,0.5,100"],
  ["IIDBT,13.8,f,4.2,M,2.3,F"],
  ["IIDBS,15.4,f,4.7,M,2.6,F"],
  ["IIDBK,10.5,f,3.2,M,1.7,F"],
  ["IIMWV,040.0,R,10.0,N,A", 1],
  ["IIMWV,050.0,T,8.0,N,A", 1],
  ["IIVWR,040.0,R,10.0,N,5.1,M,18.5,K"],
  ["IIVWT,050.0,R,8.0,N,4.1,M,14.8,K"],
  ["IIMWD,061.0,T,059.0,M,8.0,N,4.1,M"],
  ["IIMDA,30.0,I,1.016,B,20.0,C,15.0,C,60.0,,10.0,C,061.0,T,059.0,M,8.0,N,4.1,M"],
  ["IIMMB,30.0,I,1.016,B"],
  ["IIMTA,20.0,C"],
  ["IIMTW,15.0,C"],
  ["IIXDR,C,20.0,C,TempAir,P,1.016,B,Barometer"],
];

type Leaves = ReadonlyMap<string, unknown>;

/** The values of the report behind sentences, by their paths. */
function leavesAfter(...bodies: readonly string[]): Leaves {
  const [listener, navigator] = [new Listener("test"), new Navigator()];
  const devices = new Devices();
  bodies.forEach((body, index) => {
    const at = 1000 + index * 100;
    listener.hear(readLine(`$${body}`), at / 1000, DAY, (source, said) => {
      for (const { pgn, payload } of said) {
        const message = readers.get(pgn)?.(payload, 0, payload.length, source);
        if (message !== undefined) {
          const device = devices.at(source, undefined, at);
          navigator.hear(message, { device, arrived: at, received: START + at });
        }
      }
    });
  });
  const { data } = navigator.report(1000 + bodies.length * 100, START);
  const leaves = new Map<string, unknown>();
  for (const [group, members] of Object.entries(data))
    for (const [name, value] of Object.entries(members ?? {}))
      if (name !== "source" && value !== undefined && value !== null) leaves.set(`${group}.${name}`, value);
  return leaves;
}

/** A sentence with each of its fields empty in turn, and with all but one. */
const poorer = ([text, needed]: (typeof sentences)[number]): readonly string[] => {
  const [letters, ...values] = text.split(",");
  const without = (isGone: (at: number) => boolean): string =>
    [letters, ...values.map((value, at) => (isGone(at) && at !== needed ? "" : value))].join(",");
  return values.flatMap((_, at) => [without((each) => each === at), without((each) => each !== at)]);
};

/** Members that are absent at zero, or belong to the value beside them, which may come from another sentence. */
const passed = new Set(["date.fraction", "speed_course.deviation", "depth_water.offset"]);

test.each(sentences.map(([text]) => text))("%s keeps what others of its talker lack", (text) => {
  const alone = leavesAfter(text);
  for (const other of sentences) {
    for (const poor of poorer(other)) {
      for (const order of [
        [text, poor, text, poor],
        [poor, text, poor, text],
      ]) {
        const after = leavesAfter(...order);
        const lost = [...alone.keys()].filter((name) => !after.has(name) && !passed.has(name));
        expect(lost, order.join("\n")).toEqual([]);
      }
    }
  }
});

test("a wind whose side is no side, as a converter of Signal K wrote it, keeps its angle", () => {
  const leaves = leavesAfter("IIHDT,285.9,T", "IIMWV,264.67,T,5.21,M,A", "IIVWT,-95.33,a,10.13,N,5.21,M,18.75,K");
  expect(leaves.get("wind_true.angle")).toBeCloseTo(-95.33, 1);
  expect(leaves.get("wind_true.direction")).toBeCloseTo(190.6, 1);
});
