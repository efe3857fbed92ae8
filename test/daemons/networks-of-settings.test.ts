/** The further networks of hub-cand, without any that is open. */
import { expect, test } from "vitest";
import type { Warning } from "../../src/core/report/read-entry.ts";
import { Networks, type NetworksOptions } from "../../src/daemons/hub-cand-networks.ts";

test.each([
  [true, [{ path: ["rows"], problem: expect.stringContaining("without a network: 1") }]],
  [false, []],
])("rows of sensors without a network are told, but not beside a simulation: %s", async (fromSettings, warnings) => {
  const told: Warning[] = [];
  const bridge = { settingIgnored: (_: string, more: readonly Warning[]) => void told.push(...more) };
  const networks = new Networks({
    ...{ also: [], fromSettings, taken: [], prefix: "can/can0" },
    bridge,
  } as unknown as NetworksOptions);
  const rows = [{ name: "Saloon", topic: "home/saloon", quantity: "temperature" }];
  await networks.configure(new Map([["sensors", { name: "sensors", rows }]]));
  expect(told).toEqual(warnings);
});
