import { expect, test } from "vitest";
import { identityPayload } from "../../../src/core/topics/identity.ts";

test("identityPayload has the shape of app/config/info", () => {
  const wall = Date.UTC(2026, 10, 21, 8, 14, 26, 123);
  expect(identityPayload({ version: "0.1.0", hostname: "boat", online: true, wall })).toBe(
    '{"name":"hub-cand","version":"0.1.0","hostname":"boat",' +
      '"features":["pgn","interface","devices","infos","navigation","ais"],"online":true,' +
      '"metadata":{"rxDate":"2026-11-21T08:14:26.123Z","rxTimestamp":1795248866,"expireAfterSec":3124137600}}',
  );
});
