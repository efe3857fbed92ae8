/** Instruments that speak NMEA 0183 are not judged by the rules of a bus of NMEA 2000; what holds for any sensor is told. */
import { expect, test } from "vitest";
import { FindingsMonitor, OBSERVE_MS } from "../../../src/core/findings/monitor.ts";
import { Packet } from "../../../src/core/ports/packet-batch.ts";
import { readLine } from "../../../src/formats/nmea0183/input/line.ts";
import { Listener } from "../../../src/formats/nmea0183/input/listener.ts";
import { START } from "./synthetic-bus.ts";

const DAYS = Math.floor(START / 86_400_000);

/** The kinds of all findings in five minutes of sentences that come once a second. */
function kindsOf(sentences: (second: number) => readonly string[]): ReadonlySet<string> {
  const [listener, monitor, packet] = [new Listener("test"), new FindingsMonitor(), new Packet()];
  const kinds = new Set<string>();
  for (let second = 0; second < 330; second++) {
    const at = second * 1000;
    if (at % OBSERVE_MS === 0) for (const { kind } of monitor.observe(at, START + at).findings) kinds.add(kind);
    for (const body of sentences(second)) {
      listener.hear(readLine(`$${body}`), second, DAYS, (source, said) => {
        for (const { pgn, payload } of said) {
          Object.assign(packet, { arrived: at, received: START + at, pgn, source, destination: 255 });
          Object.assign(packet, { transport: payload.length > 8 ? 1 : 0, bytes: payload, at: 0, end: payload.length });
          monitor.hear(packet);
        }
      });
    }
  }
  return kinds;
}

const voyage = (angle: (second: number) => number) => (second: number) => {
  const time = new Date(START + second * 1000).toISOString().slice(11, 19).replaceAll(":", "");
  const latitude = `52${(13 + second / 1000).toFixed(4)}`;
  return [
    `GPRMC,${time}.00,A,${latitude},N,00454.5678,E,5.4,000.4,211126,2.1,E,D`,
    `GPGGA,${time}.00,${latitude},N,00454.5678,E,1,09,0.9,4.0,M,46.0,M,,`,
    `IIMWV,${angle(second).toFixed(1)},R,${(8 + Math.sin(second / 5)).toFixed(1)},N,A`,
    `SDDPT,${(5.2 + Math.sin(second / 9)).toFixed(1)},0.3`,
    `IIVHW,,,2.0,M,5.1,N,,`,
    "IIMTW,17.2,C",
  ];
};

test("a boat with instruments of NMEA 0183 alone has no finding", () => {
  expect(kindsOf(voyage((second) => 40 + 8 * Math.sin(second / 3)))).toEqual(new Set());
});

test("a wind vane of NMEA 0183 that does not move is told", () => {
  expect(kindsOf(voyage(() => 40))).toEqual(new Set(["vaneStuck"]));
});
