import { expect, test } from "vitest";
import { matchesTopic } from "../../../src/core/sensors/topic-filter.ts";
import { forms } from "../../../src/core/topics/message-forms.ts";
import { readJson } from "../../../src/core/topics/messages.ts";
import { topicSchemas } from "../../../src/core/topics/schemas.ts";
import {
  interfaceOf,
  receivedFilters,
  type Topic,
  type TopicName,
  type TopicValues,
  topicReader,
  topics,
  topicsBelow,
} from "../../../src/core/topics/topics.ts";

const values: TopicValues = {
  prefix: "boats/hull.42/can/can0",
  addr: 252,
  pgn: 130306,
  seconds: 60,
  instance: "0-Sea",
  interface: "can0",
  alarm: "cpa-244660000",
  program: "config",
};

const names = Object.keys(topics) as TopicName[];
const read = topicReader(values.prefix);

test.each(names)("%s: its name is read as what it was made of", (name) => {
  const { template } = topics[name];
  const text = (topics[name].name as (all: TopicValues) => string)(values);
  const parameters = [...template.matchAll(/\{(\w+)\}/g)].map(([, each]) => each as keyof TopicValues);
  const own = parameters.filter((each) => each !== "prefix").map((each) => [each, values[each]] as const);
  expect(read(text)).toEqual({ topic: name, ...Object.fromEntries(own) });
  const below = topicsBelow(values.prefix)[name] as (all: TopicValues) => string;
  expect(below(values)).toBe(text);
});

test("names of the document", () => {
  const prefix = "can/can0";
  expect(topics.pgn.name({ prefix, addr: 20, pgn: 127250 })).toBe("can/can0/device/20/pgn/127250");
  expect(topics.infos.name({ prefix, addr: 20 })).toBe("can/can0/device/20/infos");
  expect(topics.info.name({ interface: "can0" })).toBe("app/can-can0/info");
  expect(["interface", "devices", "navigation", "ais"].map((name) => topicsBelow(prefix)[name as "ais"]())).toEqual([
    "can/can0/interface",
    "can/can0/devices",
    "can/can0/navigation",
    "can/can0/ais",
  ]);
});

test("a filter has + for what is left out", () => {
  expect(topics.pgn.filter({ prefix: "can/can0", pgn: 127250 })).toBe("can/can0/device/+/pgn/127250");
  expect(topics.everyPgnInstance.filter({ prefix: "p", seconds: 60 })).toBe("p/every/60/device/+/pgn/+/+");
  expect(topics.interface.filter({})).toBe("+/interface");
});

test.each([
  ...["", "can/can0", "can/can1/navigation", "can/can0/navigation/", "can/can0/device/20/pgn/"],
  ...["can/can0/device/20/pgn/127250/0", "can/can0/device/020/pgn/127250", "can/can0/device/x/infos"],
  ...["can/can0/device/-1/infos", "can/can0/device/12345678/infos", "canXcan0/navigation", "x/can/can0/navigation"],
  ...["can/can0/alarms/a/b/set", "app/can-can0/info/x"],
])("%s is no topic of hub-cand below can/can0", (name) => {
  expect(topicReader("can/can0")(name)).toBeUndefined();
});

test("a prefix is no pattern", () => {
  const reader = topicReader("a+b.c(d");
  expect(reader("a+b.c(d/ais")).toEqual({ topic: "ais" });
  expect(reader("aab.c(d/ais")).toBeUndefined();
});

test("the anchor watch is no alarm", () => {
  expect(topicReader("p")("p/alarms/anchorWatch/set")).toEqual({ topic: "anchorWatch" });
  expect(topicReader("p")("p/alarms/all/set")).toEqual({ topic: "alarmAnswer", alarm: "all" });
  expect(topicReader("p")("p/alarms/external/bilge/set")).toEqual({ topic: "externalAlarm", alarm: "bilge" });
  expect(topicReader("p")("app/can-can0/calls/distress-1")).toEqual({
    topic: "keptCall",
    interface: "can0",
    alarm: "distress-1",
  });
});

test.each([true, false])(
  "hub-cand subscribes to each topic that it reads once, to its memory on the boat's bus only (%s)",
  (own) => {
    const filters = receivedFilters(values.prefix, values.interface, own);
    for (const name of names) {
      const topic: Topic = topics[name];
      const text = (topics[name].name as (all: TopicValues) => string)(values);
      const isHeard = topic.received === true && (own || topic.memory === undefined);
      expect([name, filters.filter((filter) => matchesTopic(filter, text)).length]).toEqual([name, isHeard ? 1 : 0]);
    }
  },
);

test("the interface of a prefix is its last level", () => {
  expect(["can/can0", "can0", "boats/hull/can/can1"].map(interfaceOf)).toEqual(["can0", "can0", "can1"]);
});

test("NAMEs keep all their digits, in the topics that have them", () => {
  const payload = new TextEncoder().encode('{"data":{"peers":[{"addr":1,"name":13763109867557439489}]}}');
  expect(readJson("devices", payload)).toEqual({ data: { peers: [{ addr: 1, name: "13763109867557439489" }] } });
  expect(readJson("infos", new TextEncoder().encode('{"data":{"name":5}}'))).toEqual({ data: { name: "5" } });
  expect(readJson("health", new TextEncoder().encode('{"data":{"name":5}}'))).toEqual({ data: { name: 5 } });
});

test("the topics whose messages have NAMEs as numbers are marked", () => {
  const hasName = (form: object): boolean =>
    ("is" in form && form.is === "name") ||
    Object.values(form).some((each) => typeof each === "object" && hasName(each));
  const having = Object.entries(forms).flatMap(([name, form]) => (hasName(form) ? [name] : []));
  expect(having).toEqual(Object.keys(forms).filter((name) => (topics as Record<string, Topic>)[name]?.hasNames));
});

test.each(topicSchemas.filter(({ expireAfterSec }) => expireAfterSec !== undefined))(
  "$id: its messages say the expiry of the topic",
  ({ expireAfterSec, schema }) => {
    expect(schema).toMatchObject({
      properties: { metadata: { properties: { expireAfterSec: { const: expireAfterSec } } } },
    });
  },
);
