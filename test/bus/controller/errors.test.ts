/**
 * A controller with errors and an adapter that is unplugged, with the driver of the kernel and an adapter that is a
 * program (`gs-usb.ts`). "Within a second" is by the clock of the guest, which counts instructions.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FindingKind } from "../../../src/core/findings/definitions.ts";
import { fastFrames } from "../../adapters/node/can/frames.ts";
import { skipIdleTime } from "../../guest/idle-time.ts";
import { ip, WatchedDaemon } from "../watched-daemon.ts";
import { GsUsb } from "./gs-usb.ts";

const SECOND = 1000;
/** Sooner than the probe of the interface, which comes once a second. */
const AT_ONCE_MS = 500;
const within = { timeout: 60_000, interval: 10 };
const RUDDER = 0x80000000 + 0x0df10d07;
const SAFETY_MESSAGE = 0x80000000 + 0x19fb0a07;

const networkd = "/lib/systemd/systemd-networkd";
const hasNetworkd = existsSync(networkd);

/** Runs networkd with the examples, for these names; returns a function that ends it. */
function startNetworkd(names: readonly string[]): () => void {
  mkdirSync("/run/systemd/network", { recursive: true });
  for (const file of readdirSync("packaging/examples").filter((each) => each.endsWith(".network"))) {
    const text = readFileSync(`packaging/examples/${file}`, "utf8").replace("Name=can0", `Name=${names.join(" ")}`);
    writeFileSync(`/run/systemd/network/${file}`, text);
  }
  // Where /sys cannot be written, as in a container, networkd does not wait for udev.
  const program = spawn("unshare", ["-m", "sh", "-c", `mount -o remount,bind,ro /sys && exec ${networkd}`]);
  return () => void program.kill();
}

const interfaces = (): string[] => readdirSync("/sys/class/net");

describe("hub-cand on a USB adapter", () => {
  const adapter = new GsUsb();
  let name: string;
  /** All tests share one daemon, because its start takes longer in a guest than everything else. */
  let daemon: WatchedDaemon;

  /** Plugs it in and sets its interface up; returns the name that the kernel has given it. */
  async function plug(attach = () => adapter.plug()): Promise<string> {
    const before = interfaces();
    await attach();
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
  /** The texts of the safety messages since that line. */
  const textsSince = (line: number): string[] =>
    daemon.others
      .slice(line)
      .filter((message) => message.includes("/device/7/pgn/129802"))
      .map((message) => JSON.parse(message).payload.data.text);
  /** Packets and discarded packets by the latest health after this line. */
  async function healthSince(line: number): Promise<{ readonly fast: number; readonly discarded: number }> {
    const runOnTheClock = skipIdleTime();
    const latest = (): string | undefined =>
      daemon.others.slice(line).findLast((text) => text.startsWith(`{"topic":"can/${name}/health"`));
    await expect.poll(latest, { timeout: 60_000, interval: 100 }).toBeDefined();
    runOnTheClock();
    const { packets, packetsDiscarded } = JSON.parse(latest()!).payload.data;
    const reasons = Object.values(packetsDiscarded as Record<string, number>);
    return { fast: packets.fast, discarded: reasons.reduce((sum, count) => sum + count, 0) };
  }
  /** Waits until all these findings are published at once. */
  async function areFound(...kinds: FindingKind[]): Promise<void> {
    const runOnTheClock = skipIdleTime();
    const found = (): string[] => {
      const latest = daemon.others.findLast((text) => text.startsWith(`{"topic":"can/${name}/findings"`));
      const findings: { readonly kind: string }[] =
        latest === undefined ? [] : JSON.parse(latest).payload.data.findings;
      return findings.map(({ kind }) => kind);
    };
    await expect.poll(found, { timeout: 60_000, interval: 100 }).toEqual(expect.arrayContaining(kinds));
    runOnTheClock();
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

  test("bus-off, a cut wire and a wrong bit rate are findings", async () => {
    adapter.become("BUS-OFF");
    await areFound("busOff");
    adapter.restart();
    await areFound("restarts");
    // A controller that nothing answers becomes error-passive, and never goes off the bus.
    adapter.become("ERROR-PASSIVE");
    adapter.seeErrors("acknowledge", 30);
    await areFound("errorPassive", "notAcknowledged", "silent");

    // With the controllers of others at another bit rate, bits are where none may be; the own one says nothing.
    await ip("link", "set", name, "down");
    await ip("link", "set", name, "up", "type", "can", "bitrate", "125000");
    adapter.seeErrors("stuff", 30);
    adapter.seeErrors("form", 30);
    await areFound("bitRate", "stuffErrors", "formErrors", "silent");
    await ip("link", "set", name, "down");
    await ip("link", "set", name, "up", "type", "can", "bitrate", "250000");
    await expect.poll(() => daemon.latest, within).toMatchObject({ up: true, state: "ERROR-ACTIVE" });
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

  test("an adapter that goes and comes back on a busy bus is heard again each time, and what was cut off is counted", async () => {
    const beginning = daemon.others.length;
    let packets = 0;
    let frames: number[][] = [];
    /** Frames every 10 ms: 800 a second, of fast packets of 16 frames, whose text is one letter, repeated. */
    let rate = 8;
    const traffic = setInterval(() => {
      for (let frame = 0; frame < rate; frame++) {
        if (frames.length === 0) {
          const letters = Array<number>(100).fill(65 + (packets % 26));
          frames = fastFrames([14, 21, 205, 91, 7, 0, 102, 1, ...letters], packets++ % 8);
        }
        adapter.hear(SAFETY_MESSAGE, frames.shift()!);
      }
    }, 10);
    /** Each lets it go, and resolves with what brings it back. */
    const ways = {
      unplugged: async () => {
        adapter.unplug();
        return () => adapter.plug();
      },
      broken: async () => {
        adapter.break();
        return () => adapter.plug();
      },
      "without its driver": () => adapter.unbind(),
    };
    const isHeardAgain = async (): Promise<void> => {
      const line = daemon.others.length;
      await expect.poll(() => textsSince(line).length, within).toBeGreaterThan(2);
    };
    await isHeardAgain();
    for (const [way, go] of Object.entries(ways)) {
      const comeBack: Promise<() => Promise<void>>[] = [];
      const gone = await publishedAfter(() => comeBack.push(go()), { up: false, state: "UNKNOWN" });
      expect(gone, way).toBeLessThan(SECOND);
      await expect.poll(interfaces, within).not.toContain(name);
      expect(await plug(await comeBack[0])).toBe(name);
      await expect.poll(() => daemon.latest, within).toMatchObject({ up: true, state: "ERROR-ACTIVE" });
      await isHeardAgain();
    }
    for (const text of textsSince(beginning)) expect(text).toBe(text[0]!.repeat(100));
    const heard = textsSince(beginning).length;
    // The traffic goes on, with less for the emulated processor to do, until the health has counted what was cut off.
    rate = 1;
    const { fast, discarded } = await healthSince(daemon.others.length);
    clearInterval(traffic);
    expect(fast).toBeGreaterThanOrEqual(heard);
    expect(discarded).toBeGreaterThanOrEqual(Object.keys(ways).length);
  });

  test("an adapter whose driver has no restart says so, and comes back from bus-off when it is set down and up", async () => {
    await expect.poll(() => daemon.latest?.config, within).toMatchObject({ bitrate: 250_000 });
    expect(daemon.latest!.config).not.toHaveProperty("restart_ms");
    await publishedAfter(() => adapter.become("BUS-OFF"), { state: "BUS-OFF" });
    await ip("link", "set", name, "down");
    await ip("link", "set", name, "up");
    await expect.poll(() => daemon.latest, within).toMatchObject({ up: true, state: "ERROR-ACTIVE" });
    await isHeard({ again: true });
  });

  test.skipIf(!hasNetworkd)(
    "networkd brings it up by the examples, and a controller that restarts with its restart",
    async () => {
      await ip("link", "set", name, "down");
      await ip("link", "set", "can1", "down");
      const stop = startNetworkd(["can1", name]);
      try {
        for (const each of ["can1", name])
          await expect
            .poll(async () => (await ip("-details", "link", "show", each)) as string, within)
            .toMatch(/state UP[\s\S]* bitrate 250000/);
        expect(await ip("-details", "link", "show", "can1")).toContain("restart-ms 100");
        expect(await ip("-details", "link", "show", name)).not.toContain("restart-ms 100");
        await isHeard({ again: true });
      } finally {
        stop();
      }
    },
  );

  test("an adapter that is unplugged during bus-off is heard again when it is back", async () => {
    await publishedAfter(() => adapter.become("BUS-OFF"), { state: "BUS-OFF" });
    await publishedAfter(() => adapter.unplug(), { up: false, state: "UNKNOWN" });
    await expect.poll(interfaces, within).not.toContain(name);
    await plug();
    await expect.poll(() => daemon.latest, within).toMatchObject({ up: true, state: "ERROR-ACTIVE" });
    await isHeard();
  });
});
