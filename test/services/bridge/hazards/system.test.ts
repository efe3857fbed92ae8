/** Alarms about hub itself. */
import { expect, test } from "vitest";
import { setUp } from "../alarm-bus.ts";

test("another hub-cand of the same name at the broker is an alarm until it has gone", () => {
  const { publisher, sail, ringing } = setUp();
  sail(2);
  expect(ringing()).toEqual([]);
  publisher.rival = "hub-cand-can0";
  sail(2);
  expect(ringing()).toEqual([
    "fault-rival warning active two programs are hub-cand-can0 at the broker and displace one another",
  ]);
  publisher.rival = undefined;
  sail(5);
  expect(ringing()).toEqual([]);
});
