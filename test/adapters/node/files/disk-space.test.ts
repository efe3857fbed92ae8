import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DiskWatch } from "../../../../src/adapters/node/files/disk-space.ts";
import { onDisk, withoutDisk } from "../../../support/disk.ts";
import { memoryClock } from "../../../support/memory/clock.ts";
import { until } from "../../../support/mosquitto.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

test.skipIf(withoutDisk !== undefined)(`the disk with the least space is told ${withoutDisk ?? ""}`, async () => {
  const folder = temporaryFolder("disk");
  await onDisk(join(folder, "d"), "1m", async () => {
    const clock = memoryClock();
    const disks = new DiskWatch([folder, join(folder, "d"), join(folder, "none")], [], clock);
    await disks.measure();
    expect(disks.least).toEqual({ path: join(folder, "d"), freeBytes: 2 ** 20 });
    writeFileSync(join(folder, "d/file"), new Uint8Array(600_000));
    clock.advance(30_000);
    await until(() => disks.least!.freeBytes < 500_000);
    disks.close();
    expect(clock.timers).toBe(0);
  });
});

test.skipIf(withoutDisk !== undefined)(`a log in memory is no disk ${withoutDisk ?? ""}`, async () => {
  const folder = temporaryFolder("disk");
  await onDisk(join(folder, "log"), "1m", async () => {
    const disks = new DiskWatch([folder], [join(folder, "log")], memoryClock());
    await disks.measure();
    expect(disks.least?.path).toBe(folder);
    disks.close();
  });
});

test("folders that are not there have none", async () => {
  const disks = new DiskWatch(["/none"], ["/none"], memoryClock());
  await disks.measure();
  expect(disks.least).toBeUndefined();
});
