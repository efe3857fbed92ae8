/** The report of hub-config-fetch in the health and on its topic. */
import { expect, test } from "vitest";
import { appTopics } from "../../../src/core/topics/topics.ts";
import { publishFetchReports } from "../../../src/services/api/fetch-report.ts";
import { memoryClock } from "../../support/memory/clock.ts";
import { memoryPublisher } from "../../support/memory/publisher.ts";
import { newApp } from "./harness.ts";

const report = { channel: "hull-42", result: "deployed", version: 7, checkedAt: "2026-11-22T21:39:00.000Z" };
const bytesOf = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

const health = async (file: Uint8Array | undefined): Promise<unknown> =>
  (await newApp({ fetchReport: async () => file }).json("GET", "/health"))[1];

test("GET /health has the report, and is as without one where there is none", async () => {
  expect(await health(bytesOf(report))).toEqual({ status: "ready", fetch: report });
  expect(await health(undefined)).toEqual({ status: "ready" });
});

test.each([
  ["", "no JSON"],
  ["[]", "no object"],
  [JSON.stringify({ ...report, result: "other" }), "another result"],
  [JSON.stringify({ ...report, secret: "x" }), "a member that no report has"],
])("GET /health leaves out %j: %s", async (text) => {
  expect(await health(new TextEncoder().encode(text))).toEqual({ status: "ready" });
});

test("a report is published once, retained, and again when it has changed", async () => {
  let file: Uint8Array | undefined;
  const [clock, publisher] = [memoryClock(), memoryPublisher()];
  const services = { ...newApp({ fetchReport: async () => file }).services, clock };
  const end = publishFetchReports(services, publisher);
  const look = async (): Promise<void> => {
    clock.advance(5000);
    await new Promise((resolve) => setImmediate(resolve));
  };
  await look();
  expect(publisher.messages).toEqual([]);
  file = bytesOf({ ...report, result: "refused", reason: "für ein anderes Boot" });
  await look();
  await look();
  const data = { ...report, result: "refused", reason: "für ein anderes Boot" };
  const metadata = { rxDate: report.checkedAt, rxTimestamp: 1_795_383_540, expireAfterSec: 10_800 };
  expect(publisher.messages).toHaveLength(1);
  expect(publisher.messages[0]).toMatchObject({ topic: "app/config/fetch", retain: true });
  expect(publisher.payloads(appTopics.configFetch)).toEqual([{ data, metadata }]);
  file = bytesOf(report);
  await look();
  expect(publisher.payloads(appTopics.configFetch)).toMatchObject([{ data }, { data: report }]);
  end();
  file = bytesOf({ ...report, version: 8 });
  await look();
  expect(publisher.messages).toHaveLength(2);
  expect(clock.timers).toBe(0);
});
