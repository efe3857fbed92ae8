/** Alarms about hub itself. */
import { expect, test } from "vitest";
import { setUp } from "../alarm-bus.ts";

test("another hub-cand of the same name at the broker is an alarm until it has gone", () => {
  const { publisher, rung } = setUp();
  expect(rung(2)).toEqual([]);
  publisher.rival = "hub-cand-can0";
  expect(rung(2)).toEqual([
    "fault-rival warning active two programs are hub-cand-can0 at the broker and displace one another",
  ]);
  publisher.rival = undefined;
  expect(rung(5)).toEqual([]);
});
