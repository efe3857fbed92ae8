/** Which messages the clients of the stream get, and when. */
import { expect, test } from "vitest";
import { memoryClock } from "../../src/adapters/memory/clock.ts";
import { memoryLog } from "../../src/adapters/memory/log.ts";
import type { Heard } from "../../src/link/outlet.ts";
import { SignalKOutlet } from "../../src/link/signalk-outlet.ts";
import type { StreamListener } from "../../src/ports/text-stream.ts";

function setUp() {
  const clock = memoryClock();
  const self = "urn:mrn:imo:mmsi:299000001";
  const outlet = new SignalKOutlet({
    self,
    prefix: "can/can0",
    version: "1",
    clock,
    log: memoryLog(),
    hostname: () => "boat",
  });
  return {
    clock,
    outlet,
    /** Hears the voltage of a battery. */
    voltage: (voltageV: number, instance = 0): void =>
      outlet.hear({
        topic: "pgn",
        address: 20,
        pgn: 127508,
        message: { data: { instance, voltageV }, metadata: { rxDate: new Date(clock.wall()).toISOString() } },
        receivedMs: clock.monotonic(),
        isRetained: false,
      } satisfies Heard),
    /** Hears the headings, both of which change. */
    headings: (headingTrue: number): void =>
      outlet.hear({
        topic: "navigation",
        message: {
          data: {
            speed_course: { headingTrue, headingMagnetic: headingTrue + 2, source: { name: "0", pgn: 0, age: 0 } },
          },
          metadata: { rxDate: new Date(clock.wall()).toISOString() },
        },
        receivedMs: clock.monotonic(),
        isRetained: false,
      } satisfies Heard),
    /** Connects a client; returns what it is sent from now on, and its end of the conversation. */
    connect: (query = "") => {
      const sent: string[] = [];
      const client = { unreadBytes: 0, send: (text: string) => void sent.push(text) };
      const request = { target: `/signalk/v1/stream${query}`, port: 3000, header: () => undefined };
      const listener = outlet.open(request, client) as StreamListener;
      sent.length = 0;
      return { sent, listener };
    },
  };
}

const valuesOf = (texts: readonly string[]) =>
  texts.map((text) => JSON.parse(text).updates.flatMap(({ values }: { values: object[] }) => values));
const voltageOf = (battery: number, value: number) => ({ path: `electrical.batteries.${battery}.voltage`, value });

test("changes of fifty milliseconds are one message, with the last value of each path", () => {
  const { clock, connect, voltage } = setUp();
  const { sent } = connect();
  voltage(12);
  voltage(24, 1);
  clock.advance(30);
  voltage(13);
  clock.advance(19);
  expect(sent).toEqual([]);
  clock.advance(1);
  expect(valuesOf(sent)).toEqual([[voltageOf(0, 13), voltageOf(1, 24)]]);
  clock.advance(200);
  expect(sent).toHaveLength(1);
});

test("true and magnetic heading are never in one message, and both come while both change in every one", () => {
  const { clock, connect, headings } = setUp();
  headings(90);
  const { sent } = connect("?sendCachedValues=false");
  for (let degrees = 91; degrees < 95; degrees++) {
    headings(degrees);
    clock.advance(50);
  }
  clock.advance(50);
  const paths = sent.map((text) =>
    JSON.parse(text).updates.map(({ values }: { values: { path: string }[] }) => values),
  );
  const [heading, magnetic] = ["navigation.headingTrue", "navigation.headingMagnetic"];
  expect(paths.map((updates) => updates.flat().map(({ path }: { path: string }) => path))).toEqual([
    [heading],
    [magnetic],
    [heading],
    [magnetic],
    [heading],
  ]);
});

test("a value has the time at which it was heard", () => {
  const { clock, connect, voltage } = setUp();
  const { sent } = connect();
  voltage(12);
  clock.advance(30);
  voltage(13);
  clock.advance(20);
  expect(JSON.parse(sent[0]!).updates).toMatchObject([{ timestamp: "1970-01-01T00:00:00.030Z" }]);
});

test("a client that connects or subscribes gets a change once, and takes it from nobody", () => {
  const { clock, connect, voltage } = setUp();
  const first = connect();
  const second = connect("?subscribe=none");
  voltage(12);
  second.listener.receive('{"subscribe":[{"path":"electrical.*","policy":"instant"}]}');
  voltage(13);
  const third = connect();
  clock.advance(150);
  expect(valuesOf(first.sent)).toEqual([[voltageOf(0, 12)], [voltageOf(0, 13)]]);
  expect(valuesOf(second.sent)).toEqual([[voltageOf(0, 12)], [voltageOf(0, 13)]]);
  expect(third.sent).toEqual([]);
});

test("clients that get all changes of a context share one text", () => {
  const { clock, connect, voltage } = setUp();
  const all = [connect(), connect("?subscribe=all"), connect()].map(({ sent }) => sent);
  voltage(12);
  clock.advance(50);
  const [text, ...others] = all.map(([first]) => first);
  expect(others).toEqual([text, text]);
});

test("without clients no timer but that of the tree runs, and nothing is collected", () => {
  const { clock, connect, outlet, voltage } = setUp();
  expect(clock.timers).toBe(1);
  voltage(12);
  const [one, other] = [connect("?sendCachedValues=false"), connect()];
  expect(clock.timers).toBe(2);
  clock.advance(50);
  expect(one.sent).toEqual([]);
  one.listener.closed();
  expect(clock.timers).toBe(2);
  other.listener.closed();
  expect(clock.timers).toBe(1);
  voltage(13);
  const later = connect("?sendCachedValues=false");
  clock.advance(50);
  expect(later.sent).toEqual([]);
  voltage(14);
  clock.advance(50);
  expect(valuesOf(later.sent)).toEqual([[voltageOf(0, 14)]]);
  later.listener.closed();
  outlet.close();
  expect(clock.timers).toBe(0);
});
