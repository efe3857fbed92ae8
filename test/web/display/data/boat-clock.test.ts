/** The estimate of the boat's clock, and of the delay of each message, over links and clocks that are computed here. */
import { describe, expect, test } from "vitest";
import { BoatClock } from "../../../../src/web/display/data/boat-clock.ts";

/** The boat's clock minus this device's monotonic one. */
const OFFSET = Date.UTC(2026, 10, 24);

interface Link {
  /** Milliseconds on the way of a report that is made at `at`, of this device's clock. */
  readonly delay: (at: number) => number;
  /** Error of the boat's clock at a time. */
  readonly error?: (at: number) => number;
  /** Times of questions. */
  readonly questions?: readonly number[];
  readonly seconds: number;
}

/** True and estimated delays of ten reports a second, which arrive in their order, and the clock after them. */
function heardOver({ delay, error = () => 0, questions = [], seconds }: Link) {
  const clock = new BoatClock();
  const waiting = [...questions];
  let last = 0;
  const delays = Array.from({ length: 10 * seconds }, (_, index) => {
    const at = 100 * index;
    const arrived = Math.max(last, at + delay(at));
    last = arrived;
    // The answer waits in the same queue.
    while (waiting.length > 0 && waiting[0]! <= at) clock.noteAnswer(waiting.shift()!);
    return { at, real: arrived - at, told: clock.hear(at + OFFSET + error(at), arrived, arrived) };
  });
  return { clock, delays };
}

/** The largest error of the computed delays from a time on, milliseconds. */
const errorFrom = ({ delays }: ReturnType<typeof heardOver>, begin: number): number =>
  Math.max(...delays.filter(({ at }) => at >= begin).map(({ real, told }) => Math.abs(real - told)));

const hiccups = (at: number): number => [5, 80, 20, 40][(at / 100) % 4]!;
const stall =
  (from: number, to: number) =>
  (at: number): number =>
    at >= from && at < to ? to - at : hiccups(at);

describe("BoatClock", () => {
  test("tells the delay of each report over a fast link within its hiccups, whatever the clocks say", () => {
    const heard = heardOver({ delay: hiccups, seconds: 10 });
    expect(errorFrom(heard, 500)).toBeLessThan(10);
    expect(Math.abs(heard.clock.offset! - OFFSET)).toBeLessThan(10);
  });

  test("is not confirmed by the answer of an earlier connection", () => {
    const clock = new BoatClock();
    clock.noteAnswer(100);
    clock.begin(200);
    clock.hear(OFFSET + 300, 310, 310);
    expect(clock.isConfirmed).toBe(false);
  });

  test("tells a queue that grows", () =>
    expect(
      errorFrom(heardOver({ delay: (at) => Math.max(hiccups(at), 0.6 * (at - 5000)), seconds: 30 }), 500),
    ).toBeLessThan(50));

  test("tells a stall, and that the burst after it ends in time", () => {
    const heard = heardOver({ delay: stall(5000, 17_000), seconds: 25 });
    expect(errorFrom(heard, 500)).toBeLessThan(20);
  });

  test("a queue that lasts for ten minutes is not taken for the clock", () => {
    const heard = heardOver({ delay: (at) => (at < 5000 ? hiccups(at) : 12_000), seconds: 600 });
    expect(errorFrom(heard, 500)).toBeLessThan(400);
  });

  test("begun in a queue, it is right when the queue is empty", () => {
    const heard = heardOver({ delay: (at) => Math.max(hiccups(at), 8000 - at), seconds: 20 });
    expect(errorFrom(heard, 8500)).toBeLessThan(20);
  });

  test.each([
    ["an hour ahead", 3_600_000],
    ["an hour back", -3_600_000],
    ["three seconds back", -3000],
    ["three seconds ahead", 3000],
  ])("a clock of the boat that is set %s makes no report late", (_, step) => {
    const heard = heardOver({ delay: hiccups, error: (at) => (at < 5000 ? 0 : step), seconds: 20 });
    expect(errorFrom(heard, 500)).toBeLessThan(100);
  });

  test.each([3_600_000, -3_600_000])("a clock that is set by %d ms while reports wait leaves them late", (step) => {
    const heard = heardOver({
      delay: (at) => (at < 5000 ? hiccups(at) : 12_000),
      error: (at) => (at < 20_000 ? 0 : step),
      seconds: 60,
    });
    expect(errorFrom(heard, 500)).toBeLessThan(100);
  });

  test("a clock that is set back by less than nothing came is noticed with the next answer of the broker", () => {
    const heard = heardOver({
      delay: stall(5000, 17_000),
      error: (at) => (at < 10_000 ? 0 : -5000),
      questions: [1000, 18_000],
      seconds: 30,
    });
    // UPSTREAM_MS remains.
    expect(errorFrom(heard, 18_500)).toBeLessThan(1200);
  });

  test("a device that slept hears on as if nothing had been", () => {
    const clock = new BoatClock();
    for (let at = 0; at < 5000; at += 100) clock.hear(at + OFFSET, at + 10, at);
    // The boat's clock stood still for ten minutes, in which nothing was received.
    for (let at = 605_000; at < 610_000; at += 100)
      expect(clock.hear(at + OFFSET, at - 600_000 + 10, at)).toBeLessThan(50);
  });

  test("one report with a time far ahead, which any client may have published, does not make the next one late", () => {
    const clock = new BoatClock();
    clock.hear(OFFSET, 10, 10);
    clock.hear(OFFSET + 9e9, 110, 110);
    expect(clock.hear(OFFSET + 200, 210, 210)).toBeLessThan(20);
  });

  test("the time since a moment follows no clock that is set, and goes on while this device sleeps", () => {
    const clock = new BoatClock();
    let [arrived, own] = [0, 0];
    const hear = (error: number): void => {
      for (let count = 0; count < 50; count += 1) {
        arrived += 100;
        own += 100;
        clock.hear(own + OFFSET + error, arrived, own);
      }
    };
    clock.noteAnswer(0);
    hear(0);
    const fell = own + OFFSET;
    const elapsed = (): number => Math.round((arrived + clock.offset! - clock.asSetNow(fell)) / 1000);
    expect(elapsed()).toBe(0);
    hear(1_800_000);
    expect(elapsed()).toBe(5);
    hear(-3_000_000);
    expect(elapsed()).toBe(10);
    own += 600_000;
    hear(-3_000_000);
    expect(elapsed()).toBe(615);
    expect(clock.asSetNow(fell + 1)).toBe(fell + 1);
  });

  test("another message is not older than the queue can be, whatever its sender's clock says", () => {
    const clock = new BoatClock();
    expect(clock.delayOf(OFFSET, 10)).toBe(0);
    clock.hear(OFFSET, 10, 10);
    expect(clock.delayOf(OFFSET - 3_600_000, 20)).toBeLessThan(1100);
    expect(clock.delayOf(OFFSET - 200, 20)).toBeCloseTo(210);
    expect(clock.delayOf(OFFSET + 3_600_000, 20)).toBe(0);
  });

  test("no message is older than the connection over which it came, also if the boat's clock was set before that", () => {
    const clock = new BoatClock();
    clock.hear(OFFSET, 0, 0);
    clock.begin(600_000);
    expect(clock.delayOf(OFFSET - 3_600_000, 600_500)).toBe(1500);
  });
});
