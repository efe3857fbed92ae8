/** Fingers on a plot, without a browser. */
import { expect, test } from "vitest";
import { followHands } from "../../../../src/web/display/chart/gestures.ts";

class Plot extends EventTarget {
  setPointerCapture(): void {}
}

function setUp() {
  const plot = new Plot();
  const moves: (readonly [string, ...numbers: number[]])[] = [];
  const stop = followHands(plot as unknown as Element, {
    drag: ({ x, y }) => void moves.push(["drag", x, y]),
    stretch: (factor) => void moves.push(["stretch", factor]),
    rest: () => void moves.push(["rest"]),
  });
  const finger =
    (pointerId: number, held: Partial<PointerEvent> = { button: 0, buttons: 1 }) =>
    (name: "down" | "move" | "up" | "cancel", clientX: number, clientY: number) =>
      plot.dispatchEvent(Object.assign(new Event(`pointer${name}`), { pointerId, clientX, clientY, ...held }));
  return { finger, stop, news: () => moves.splice(0) };
}

test("one finger moves the plot, but for a tremble; the way counts from where the finger was", () => {
  const { finger, news } = setUp();
  const one = finger(1);
  one("down", 100, 100);
  one("move", 105, 100);
  one("up", 105, 100);
  expect(news()).toEqual([]);
  one("down", 100, 100);
  one("move", 110, 100);
  one("move", 110, 95);
  one("up", 110, 95);
  expect(news()).toEqual([["drag", 10, 0], ["drag", 0, -5], ["rest"]]);
});

test("two fingers stretch it; the one that stays then moves it from where it is", () => {
  const { finger, news } = setUp();
  const [one, other] = [finger(1), finger(2)];
  one("down", 100, 100);
  other("down", 200, 100);
  other("move", 300, 100);
  other("move", 150, 100);
  expect(news()).toEqual([
    ["stretch", 2],
    ["stretch", 0.5],
  ]);
  other("up", 150, 100);
  one("move", 101, 100);
  expect(news()).toEqual([["rest"], ["drag", 1, 0]]);
  // The second finger again, and the first one is lifted.
  other("down", 301, 100);
  other("move", 501, 100);
  one("up", 101, 100);
  other("move", 503, 104);
  other("cancel", 503, 104);
  expect(news()).toEqual([["stretch", 2], ["rest"], ["drag", 2, 4], ["rest"]]);
});

test("a mouse that was released outside, or whose other button was pressed, does not move the plot", () => {
  const { finger, news } = setUp();
  finger(1)("down", 4, 100);
  const released = finger(1, { button: -1, buttons: 0 });
  released("move", 50, 100);
  released("move", 90, 100);
  finger(1, { button: 2, buttons: 2 })("down", 90, 100);
  finger(1, { button: -1, buttons: 2 })("move", 150, 100);
  expect(news()).toEqual([]);
  finger(1)("down", 100, 100);
  finger(1)("move", 120, 100);
  expect(news()).toEqual([["drag", 20, 0]]);
});

test("a third finger does nothing, and after the end no finger does", () => {
  const { finger, news, stop } = setUp();
  for (const [id, x] of [
    [1, 100],
    [2, 200],
    [3, 900],
  ] as const)
    finger(id)("down", x, 100);
  finger(3)("move", 1000, 500);
  finger(3)("up", 1000, 500);
  expect(news()).toEqual([]);
  stop();
  finger(1)("move", 500, 500);
  expect(news()).toEqual([]);
});
