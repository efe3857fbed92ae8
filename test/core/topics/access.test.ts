/**
 * The access lists of the examples against the table of topics: hub's programs may write what they publish, displays
 * only commands.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { appTopics, linkAnswer, topics } from "../../../src/core/topics/topics.ts";

/** Whether a topic filter admits a topic (MQTT 5, section 4.7). */
function admits(filter: string, topic: string): boolean {
  const [levels, asked] = [filter.split("/"), topic.split("/")];
  return (
    levels.every((level, index) => level === "#" || level === "+" || level === asked[index]) &&
    (levels.at(-1) === "#" || levels.length === asked.length)
  );
}

const writable = (file: string): readonly string[] =>
  [...readFileSync(`packaging/examples/${file}`, "utf8").matchAll(/^topic write (.+)$/gm)].map(([, filter]) => filter!);

const values = {
  prefix: "can/can0",
  addr: 4,
  pgn: 127_508,
  seconds: 60,
  instance: "1",
  interface: "can0",
  alarm: "all",
};

describe.each(Object.entries(topics))("%s", (_, topic) => {
  const name = topic.filter(values);
  const isCommand = "received" in topic;

  test(`hub-cand may ${isCommand ? "retain" : "publish"} it`, () => {
    expect(writable("hub.acl").some((filter) => admits(filter, name))).toBe(true);
  });

  /** A display answers alarms, and raises none; calls and the history are kept by hub-cand alone. */
  const isOthers = (file: string): boolean =>
    "memory" in topic || (topic === topics.externalAlarm && file === "hub-displays.acl");

  test.each(["hub-displays.acl", "other-computers.acl"])(
    `by %s clients may ${isCommand ? "" : "not "}write it, but a display no alarm`,
    (file) => {
      expect(writable(file).some((filter) => admits(filter, name))).toBe(isCommand && !isOthers(file));
    },
  );
});

test("hub-configd may write its topics", () => {
  for (const name of [appTopics.configFetch, appTopics.configInfo])
    expect(writable("hub.acl").some((filter) => admits(filter, name))).toBe(true);
});

test.each([
  ["the access requests of apps, and displays the answers", appTopics.linkAccess, linkAnswer("id")],
  ["the destination, and displays the command", appTopics.linkCourse, appTopics.linkCourseSet],
])("hub-link may write %s, which others may not", (_, report, command) => {
  const mayWrite = (file: string, name: string): boolean => writable(file).some((filter) => admits(filter, name));
  expect(mayWrite("hub.acl", report)).toBe(true);
  expect(mayWrite("hub-displays.acl", command)).toBe(true);
  expect(mayWrite("hub-displays.acl", report)).toBe(false);
  for (const file of ["hub.acl", "other-computers.acl"]) expect(mayWrite(file, command)).toBe(false);
});
