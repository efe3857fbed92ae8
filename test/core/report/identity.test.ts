import { expect, test } from "vitest";
import { identityMessage, identityPayload } from "../../../src/core/report/identity.ts";

const wall = Date.UTC(2026, 10, 21, 8, 14, 26, 123);
const publisher = { name: "hub", version: "1", hostname: "Åland", features: ["a", "b"] };

test("identityPayload is the message of its schema, in ASCII", () => {
  const text = identityPayload(publisher, true, wall);
  expect(text).toBe(
    '{"name":"hub","version":"1","hostname":"\\u00c5land","features":["a","b"],"online":true,' +
      '"metadata":{"rxDate":"2026-11-21T08:14:26.123Z","rxTimestamp":1795248866,"expireAfterSec":3124137600}}',
  );
  expect(identityMessage.parse(JSON.parse(text))).toMatchObject({ ...publisher, online: true });
});

test("the spelling of rxDate is all that differs between the documents", () => {
  const text = identityPayload(publisher, false, wall);
  expect(identityPayload(publisher, false, wall, "rxdate")).toBe(text.replace("rxDate", "rxdate"));
});
