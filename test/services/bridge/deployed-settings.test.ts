/** Settings that are not understood, in the health report. */
import { expect, test } from "vitest";
import { deviceNameBytes } from "../../../src/core/n2k/device-name.ts";
import { noCounts } from "../../../src/core/ports/packet-source.ts";
import type { Health } from "../../../src/core/topics/health.ts";
import { memoryBridge } from "../../support/memory-bridge.ts";
import { createBursts } from "./bursts.ts";
import { named } from "./named.ts";

const setUp = () => {
  const bus = () => noCounts;
  const machine = () => ({ publishRefused: 0, dropped: 0, backlogBytes: 0, memoryBytes: 1 });
  const { bridge, publisher, log } = memoryBridge({ prefix: "boat", vitals: { bus, machine } });
  const burst = createBursts();
  let now = 0;
  const sail = (seconds: number): void => {
    for (let tick = 0; tick < seconds * 20; tick++, now += 50) bridge.advance(now, now);
  };
  return {
    bridge,
    log,
    sail,
    claim: (source: number, name: bigint): void => {
      const hex = Buffer.from(deviceNameBytes(name)).toString("hex");
      bridge.take(burst([{ source, pgn: 60928, hex, at: now }]));
    },
    deploy: (entries: Readonly<Record<string, unknown>>): void => {
      bridge.configure(new Map(Object.entries(entries)));
      bridge.settingsFile("/etc/hub/deploy.json", undefined);
    },
    ignored: (): Health["ignoredSettings"] =>
      (publisher.payloads("boat/health").at(-1) as { readonly data: Health }).data.ignoredSettings,
  };
};

const file = "/etc/hub/deploy.json";

test("a broken entry is in the health at once, with file, entry and reason, until a good one is deployed", () => {
  const { deploy, sail, ignored } = setUp();
  deploy({ navigation: { windDamping: "fast", damping: 3 }, can: { pgn: 7 }, alarms: { depth: { limit: "3" } } });
  sail(2);
  const told = (entry: string, path: readonly string[], problem: string) => ({
    ...{ file, entry, path, problem, reason: `${path.join(" ")}: ${problem}` },
  });
  expect(ignored()).toEqual([
    told("navigation", ["windDamping"], "must be a number of seconds"),
    told("navigation", ["damping"], "is no member"),
    told("can", ["pgn"], "is not an object of modes by PGN"),
    told("alarms", ["depth", "limit"], "must be a number of metres"),
  ]);
  deploy({ navigation: { windDamping: 3 } });
  sail(1);
  expect(ignored()).toEqual([]);
});

test("a file that cannot be used is there without an entry", () => {
  const { bridge, sail, ignored } = setUp();
  sail(2);
  bridge.settingsFile(file, "not an object");
  sail(1);
  expect(ignored()).toEqual([{ file, entry: "", path: [], problem: "not an object", reason: "not an object" }]);
  bridge.settingsFile(file, undefined);
  sail(1);
  expect(ignored()).toEqual([]);
});

test("a name in the priorities that nothing has is told after a minute, and logged once", () => {
  const { deploy, sail, ignored, log, claim } = setUp();
  claim(3, named(3));
  deploy({
    navigation: {
      friendlyNames: { [String(named(9))]: "Bow" },
      priority: { position: [String(named(3)), "Bow", "nobody"], wind: [String(named(4))] },
    },
  });
  sail(30);
  expect(ignored()).toEqual([]);
  for (let second = 0; second < 100; second++) {
    sail(1);
    claim(3, named(3));
  }
  const reasons = [
    "priority position: no device has the name nobody",
    `priority wind: no device has the name ${named(4)}`,
  ];
  expect(ignored()).toMatchObject(reasons.map((reason) => ({ file, entry: "navigation", reason })));
  const logged = log.lines.filter(({ fields }) => fields?.code === "SETTING_IGNORED");
  expect(logged.map(({ fields }) => fields!.reason)).toEqual(reasons);
  claim(4, named(4));
  sail(31);
  expect(ignored()).toHaveLength(1);
});
