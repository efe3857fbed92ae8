/** The destination by the broker: a display sets and ends it, and reads what hub-link holds. */
import { expect, test } from "vitest";
import { appTopics } from "../../../../src/core/topics/topics.ts";
import { CourseTopics } from "../../../../src/services/link/signalk-v2/course-topics.ts";
import { COURSE, setUp } from "./held.ts";

const MOB = { latitude: 52.1, longitude: 5, name: "MOB" };

function displayOf(boat: ReturnType<typeof setUp>) {
  const reports: unknown[] = [];
  const topics = new CourseTopics({
    course: boat.course,
    publish(topic, payload) {
      expect(topic).toBe(appTopics.linkCourse);
      reports.push(JSON.parse(payload));
      return true;
    },
  });
  topics.connected();
  return {
    last: () => reports.at(-1),
    count: () => reports.length,
    async send(payload: string, { isRetained = false, topic = appTopics.linkCourseSet as string } = {}) {
      const isTaken = topics.hear(topic, new TextEncoder().encode(payload), isRetained);
      await new Promise(setImmediate);
      return isTaken;
    },
  };
}

test("a display sets the destination, plotters get it by RMB and APB with its name, and the display ends it", async () => {
  const boat = setUp();
  boat.sail(52, 5);
  const display = displayOf(boat);
  expect(display.last()).toEqual({});
  expect(await display.send(JSON.stringify(MOB))).toBe(true);
  expect(display.last()).toEqual({ destination: MOB });
  boat.sail(52, 5);
  const sentences = boat.sail(52.01, 5);
  expect(sentences.find((each) => each.includes("RMB"))).toMatch(/,MOB,5206\.0\d*,N,00500\.0\d*,E,/);
  expect(sentences.find((each) => each.includes("APB"))).toContain(",MOB,");
  await display.send("null");
  expect(display.last()).toEqual({});
  expect(boat.sail(52.02, 5).some((each) => each.includes("RMB"))).toBe(false);
});

test("the destination of an app is shown, and the one that was set last counts", async () => {
  const boat = setUp();
  boat.sail(52, 5);
  const display = displayOf(boat);
  await boat.ask("PUT", `${COURSE}/destination`, { position: { latitude: 51, longitude: 4 } });
  expect(display.last()).toEqual({ destination: { latitude: 51, longitude: 4 } });
  await display.send(JSON.stringify(MOB));
  expect((await boat.ask("GET", COURSE)).body.nextPoint).toMatchObject({ position: { latitude: 52.1 }, name: "MOB" });
  await boat.ask("DELETE", COURSE);
  expect(display.last()).toEqual({});
});

test("without a position of the boat the report says why, until the next command", async () => {
  const boat = setUp();
  const display = displayOf(boat);
  await display.send(JSON.stringify(MOB));
  expect(display.last()).toEqual({ refused: "The position of the boat is not known." });
  boat.sail(52, 5);
  await display.send(JSON.stringify(MOB));
  expect(display.last()).toEqual({ destination: MOB });
});

test("the course to a person ends when hub-cand reports the release, and not by that of another one", async () => {
  const boat = setUp();
  boat.sail(52, 5);
  const display = displayOf(boat);
  const [one, other] = ["k3v9", "2026-11-24T11:59:20.000Z"];
  const until = "2026-11-24T12:30:00.000Z";
  const destination = { ...MOB, press: one };
  const reported = async (...persons: Parameters<typeof boat.overboard>) => {
    boat.overboard(...persons);
    await new Promise(setImmediate);
    return display.last();
  };
  await display.send(JSON.stringify(destination));
  expect(await reported({ press: one }, { press: other })).toEqual({ destination });
  expect(await reported({ press: one }, { press: other, until })).toEqual({ destination });
  // A beacon that is silent may still float.
  expect(await reported({ until, subject: 972_123_456 })).toEqual({ destination });
  // A hub-cand that has started knows of nobody, until the broker has told it.
  expect(await reported()).toEqual({ destination });
  expect(await reported({ press: one, until })).toEqual({});
  expect(boat.sail(52, 5).some((each) => each.includes("RMB"))).toBe(false);
});

test("what is no command changes nothing, and a retained one is of another voyage", async () => {
  const boat = setUp();
  boat.sail(52, 5);
  const display = displayOf(boat);
  const refusedWith = async (payload: string): Promise<unknown> => {
    await display.send(payload);
    return (display.last() as { refused?: string }).refused;
  };
  for (const payload of ["{", "7", "[]", "{}"])
    expect(await refusedWith(payload)).toMatch(/^The command cannot be read: /);
  expect(await refusedWith('{"latitude":95,"longitude":5}')).toContain("latitude Too big");
  expect(await refusedWith(JSON.stringify({ ...MOB, name: "M".repeat(21) }))).toContain("name Too big");
  expect(await refusedWith(JSON.stringify({ ...MOB, name: "M".repeat(300) }))).toBe(
    "The command is longer than 200 bytes.",
  );
  const count = display.count();
  await display.send("");
  await display.send(JSON.stringify(MOB), { isRetained: true });
  expect(display.count()).toBe(count);
  expect(boat.course.isHeld).toBe(false);
  expect(await display.send("null", { topic: appTopics.linkCourse })).toBe(false);
});
