/** A disk that fills up is an alarm of hub-cand. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import type { AlarmsData } from "../../src/core/alarms/report.ts";
import { onDisk, withoutDisk } from "../support/disk.ts";
import { linesOf, startHubCand } from "../support/hub-cand.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

test.skipIf(withoutDisk !== undefined)(
  `the disk of the configuration, recordings or data ${withoutDisk ?? ""}`,
  async () => {
    const folder = temporaryFolder("cand-disk");
    await onDisk(join(folder, "d"), "1m", async () => {
      const config = join(folder, "d/deploy.json");
      writeFileSync(config, JSON.stringify({ settings: [{ name: "alarms", disk: { limit: 2, delay: 0 } }] }));
      const child = startHubCand(["--simulate", "--stdout", "--config", config]);
      const exit = once(child, "exit");
      for await (const line of createInterface({ input: child.stdout! })) {
        const [message] = linesOf(`${line}\n`);
        if (message?.topic !== "can/can0/alarms") continue;
        const { alarms } = message.payload.data as unknown as AlarmsData;
        const alarm = alarms.find(({ id }) => id === "disk");
        if (alarm === undefined) continue;
        expect(alarm).toMatchObject({ severity: "warning", limit: 2, unit: "MB" });
        expect(alarm.value).toBeLessThanOrEqual(1.05);
        expect(alarm.text).toContain(`free on the disk of ${join(folder, "d")}`);
        break;
      }
      child.kill("SIGKILL");
      await exit;
    });
  },
);
