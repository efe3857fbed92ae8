/** What hub adds to Mosquitto under systemd, for the file of retained messages: it may be damaged, or old. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withoutDebian as obstacle, titled } from "../support/size.ts";
import { asWritten, type Container, openContainer } from "./container.ts";

const examples = "/usr/share/doc/hub-config/examples";
const database = "/var/lib/mosquitto/mosquitto.db";

describe.skipIf(obstacle !== undefined)(titled("Mosquitto on a boat's computer", obstacle), () => {
  let boat: Container;
  beforeAll(async () => {
    boat = await openContainer();
    mkdirSync(boat.file(examples), { recursive: true });
    for (const name of ["mosquitto-database.conf", "mosquitto-calls.service"])
      copyFileSync(join("packaging/examples", name), boat.file(join(examples, name)));
    await boat.boot();
    await asWritten(boat, `${examples}/mosquitto-database.conf`);
  });
  afterAll(() => boat?.close());

  const kept = async (): Promise<string> =>
    (await boat.attempt("timeout 5 mosquitto_sub -t 'boat/#' --retained-only -C 1")).stdout.trim();
  const asideOnes = async (): Promise<readonly string[]> =>
    (await boat.run(`ls /var/lib/mosquitto`)).split("\n").filter((name) => name.includes("damaged"));

  test.each([
    ["whole", (bytes: Buffer) => bytes, "berth", 0],
    ["of null bytes", (bytes: Buffer) => Buffer.alloc(bytes.length), "", 1],
    ["cut", (bytes: Buffer) => bytes.subarray(0, 40), "", 1],
    ["empty", () => Buffer.alloc(0), "", 0],
  ] as const)(
    "a file that is %s",
    async (_what, damage, found, aside) => {
      // Systemd counts the starts of ten seconds.
      await boat.run("systemctl reset-failed mosquitto; systemctl start mosquitto");
      await boat.until("mosquitto_pub -q 1 -r -t boat/place -m berth");
      await boat.run("systemctl stop mosquitto");
      const before = await asideOnes();
      writeFileSync(boat.file(database), damage(readFileSync(boat.file(database))));
      const since = (await boat.run("date +@%s.%N")).trim();
      await boat.attempt("systemctl reset-failed mosquitto; systemctl start mosquitto");
      await boat.until("mosquitto_pub -q 1 -t boat/any -m x");
      expect(await kept()).toBe(found);
      const after = await asideOnes();
      expect(after.length - before.length).toBe(aside);
      const said = await boat.run(`journalctl -u mosquitto --since ${since} -p err -o cat | grep damaged || true`);
      const named = after.filter((name) => !before.includes(name)).map((name) => `/var/lib/mosquitto/${name}`);
      expect(said.trim()).toBe(named.map((name) => `${database} is damaged and set aside as ${name}`).join(""));
    },
    300_000,
  );

  test("calls, watches and berths outlast a kill, and so a power cut, two seconds after each change", async () => {
    await asWritten(boat, `${examples}/mosquitto-calls.service`);
    await boat.run("systemctl reset-failed mosquitto; systemctl start mosquitto");
    // Its own connection is there once a first call has been saved.
    await boat.until(
      `mosquitto_pub -q 1 -r -t app/can-can0/calls/first -m $(date +%N); sleep 2; grep -q calls/first ${database}`,
    );
    await boat.run("mosquitto_pub -q 1 -r -t can/can0/alarms/anchorWatch/set -m watch");
    await boat.run("mosquitto_pub -q 1 -r -t boat/alarms/berth/set -m berth; sleep 2");
    await boat.run(
      "systemctl kill --signal=KILL mosquitto; systemctl reset-failed mosquitto; systemctl start mosquitto",
    );
    const watches = "timeout 5 mosquitto_sub -t +/alarms/+/set -t +/+/alarms/+/set --retained-only -C 2";
    expect((await boat.until(watches)).trim().split("\n").sort()).toEqual(["berth", "watch"]);
    expect(await boat.run("journalctl -u mosquitto-calls -o cat | grep sync: || true")).toBe("");
  });
});
