/**
 * A controller with errors and an adapter that is unplugged, with the driver of the kernel and an adapter that is a program
 * (`gs-usb.ts`). "Within a second" is by the clock of the guest, which counts instructions.
 */
import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ip, WatchedDaemon } from "../watched-daemon.ts";
import { GsUsb } from "./gs-usb.ts";

const SECOND = 1000;
/** Sooner than the probe of the interface, which comes once a second. */
const AT_ONCE_MS = 500;
const within = { timeout: 20_000, interval: 10 };
const RUDDER = 0x80000000 + 0x0df10d07;

const interfaces = (): string[] => readdirSync("/sys/class/net");

describe("hub-cand on a USB adapter", () => {
  const adapter = new GsUsb();
  let name: string;
  /** One for all tests: to start it takes longer in a guest than all else. */
  let daemon: WatchedDaemon;

  /** Plugs it in and sets its interface up; returns the name that the kernel has given it. */
  async function plug(): Promise<string> {
    const before = interfaces();
    await adapter.plug();
    await expect.poll(() => interfaces().filter((other) => !before.includes(other)), within).toHaveLength(1);
    const [made] = interfaces().filter((other) => !before.includes(other));
    await ip("link", "set", made!, "up", "type", "can", "bitrate", "250000");
    return made!;
  }
  /** Does something to the adapter; resolves with the milliseconds until the expected message was published. */
  async function publishedAfter(act: () => void, expected: object): Promise<number> {
    const before = daemon.published.length;
    const at = Date.now();
    act();
    await expect
      .poll(() => daemon.published.slice(before).map(({ data }) => data), within)
      .toContainEqual(expect.objectContaining(expected));
    const found = daemon.published.slice(before).find(({ data }) => {
      return Object.entries(expected).every(([key, value]) => data[key] === value);
    });
    return found!.at - at;
  }
  /** Sends a frame of another node, with `again` until it is heard, and waits for its message. */
  async function isHeard({ again = false } = {}): Promise<void> {
    const before = daemon.others.length;
    const send = (): void => adapter.hear(RUDDER, [0, 0, 0, 0, 0, 0, 0, 0]);
    if (!again) send();
    await expect
      .poll(() => {
        if (again) send();
        return daemon.others.slice(before).join("\n");
      }, within)
      .toContain("/device/7/pgn/127245");
  }
  const index = async (): Promise<number> => JSON.parse(await ip("-json", "link", "show", name))[0].ifindex;

  beforeAll(async () => {
    name = await plug();
    daemon = new WatchedDaemon(name);
    await expect.poll(() => daemon.latest, within).toMatchObject({ up: true, state: "ERROR-ACTIVE" });
  });
  afterAll(async () => {
    await daemon.stop();
    adapter.unplug();
    await expect.poll(interfaces, within).not.toContain(name);
  });

  test("every state of the controller is published within a second, as ip says it, and the restart with its count", async () => {
    for (const state of ["ERROR-WARNING", "ERROR-PASSIVE", "ERROR-WARNING", "ERROR-ACTIVE", "BUS-OFF"] as const) {
      const took = await publishedAfter(() => adapter.become(state), { state, up: true });
      expect(took, state).toBeLessThan(AT_ONCE_MS);
      const [link] = JSON.parse(await ip("-details", "-json", "link", "show", name));
      expect(link.linkinfo.info_data.state).toBe(state);
    }
    expect(daemon.stderr).toContain("off the bus");
    const took = await publishedAfter(() => adapter.restart(), { state: "ERROR-ACTIVE" });
    expect(took, "restart").toBeLessThan(AT_ONCE_MS);
    expect(daemon.latest).toMatchObject({ stats: { restarts: 1 } });
    await isHeard();
  });

  test("an adapter that is unplugged and back under another index is published within a second, and heard again", async () => {
    const before = await index();
    const gone = await publishedAfter(() => adapter.unplug(), { up: false });
    expect(gone).toBeLessThan(SECOND);
    expect(daemon.latest).toMatchObject({ interface: name, up: false, state: "UNKNOWN" });
    await expect.poll(interfaces, within).not.toContain(name);

    expect(await plug()).toBe(name);
    const up = Date.now();
    await expect.poll(() => daemon.latest, within).toMatchObject({ up: true, state: "ERROR-ACTIVE" });
    expect(daemon.published.at(-1)!.at - up).toBeLessThan(SECOND);
    expect(await index()).not.toBe(before);
    await isHeard({ again: true });
    expect(adapter.sent).toBe(0);
  });

  test("an adapter that is unplugged during bus-off is heard again when it is back", async () => {
    await publishedAfter(() => adapter.become("BUS-OFF"), { state: "BUS-OFF" });
    await publishedAfter(() => adapter.unplug(), { up: false, state: "UNKNOWN" });
    await expect.poll(interfaces, within).not.toContain(name);
    await plug();
    await expect.poll(() => daemon.latest, within).toMatchObject({ up: true, state: "ERROR-ACTIVE" });
    await isHeard();
  });
});
