import { expect, test } from "vitest";
import { topicsBelow } from "../../../../src/core/topics/topics.ts";
import { connectionState } from "../../../../src/web/display/data/connection.ts";
import { linkNow } from "../../../../src/web/display/data/link.ts";
import { lastHeard, reportLife } from "../../../../src/web/display/data/store.ts";
import { PREFIX, publish, usePageMemory } from "./page-memory.ts";

usePageMemory();

test("the boat is silent two seconds behind the life of her last report", () => {
  connectionState.value = "connected";
  publish(topicsBelow(PREFIX).navigation(), {});
  const end = lastHeard() + 1000 * (reportLife() + 2);
  expect([linkNow(end), linkNow(end + 1)]).toEqual(["live", "silent"]);
});
