/**
 * The published status of a CAN controller, compared with the output of `ip`.
 *
 * The controller is that of the guest, or the one that HUB_CAN names; it is taken down and set up again.
 */
import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { skipIdleTime } from "../../guest/idle-time.ts";
import { WatchedDaemon } from "../watched-daemon.ts";

const IF = process.env.HUB_CAN ?? "can0";

const ip = (...words: string[]): string => execFileSync("ip", words, { encoding: "utf8", stdio: "pipe" });
const setUp = (...how: string[]): void => {
  ip("link", "set", IF, "down");
  ip("link", "set", IF, "type", "can", ...how);
  ip("link", "set", IF, "up");
};

/** The same message, made from the output of `ip`. */
function asIpSaysIt(): object {
  const [link] = JSON.parse(ip("-details", "-statistics", "-json", "link", "show", IF));
  const { info_data: data, info_xstats: counters } = link.linkinfo;
  const { bitrate, sample_point, tq, prop_seg, phase_seg1, phase_seg2, sjw, brp } = data.bittiming;
  const { rx, tx } = link.stats64;
  return {
    interface: IF,
    state: data.state,
    up: link.flags.includes("UP"),
    stats: {
      tx_frames: tx.packets,
      tx_bytes: tx.bytes,
      rx_frames: rx.packets,
      rx_bytes: rx.bytes,
      tx_errors: tx.errors,
      rx_errors: rx.errors,
      bus_errors: counters.bus_error,
      restarts: counters.restarts,
    },
    config: {
      bitrate,
      sample_point: Math.round(Number(sample_point) * 1000),
      tq,
      prop_seg,
      phase_seg1,
      phase_seg2,
      sjw,
      brp,
      restart_ms: data.restart_ms,
      // `ip` prints the names of the flags.
      ctrlmode: (data.ctrlmode ?? []).reduce((word: number, name: string) => word + flags[name]!, 0),
    },
  };
}

const flags: Readonly<Record<string, number>> = {
  LOOPBACK: 1,
  "LISTEN-ONLY": 2,
  "TRIPLE-SAMPLING": 4,
  "ONE-SHOT": 8,
  "BERR-REPORTING": 16,
};

const within = { timeout: 60_000, interval: 10 };

describe("interface", () => {
  /** All tests share one daemon, because its start takes longer in a guest than everything else. */
  let daemon: WatchedDaemon;
  beforeAll(async () => {
    setUp("bitrate", "250000", "restart-ms", "100", "listen-only", "off");
    daemon = new WatchedDaemon(IF);
    await expect.poll(() => daemon.latest, within).toMatchObject({ up: true });
  });
  afterAll(() => daemon.stop());

  test("is published as ip describes it, retained, counters and all", async () => {
    expect(daemon.published[0]!.retain).toBe(true);
    expect(daemon.published[0]!.data).toEqual(asIpSaysIt());
    expect(daemon.stderr).not.toContain("not set up");
  });

  test("its counters follow within ten seconds", async () => {
    for (let count = 0; count < 5; count++) execFileSync("cansend", [IF, "09F10DFE#0102030405060708"]);
    const { stats } = asIpSaysIt() as { stats: object };
    expect(stats).toMatchObject({ tx_frames: expect.any(Number) });
    onTestFinished(skipIdleTime());
    await expect.poll(() => daemon.latest?.stats, { ...within, interval: 100 }).toEqual(stats);
  });

  test("going down and coming up is published at once, in the order in which it happens", async () => {
    ip("link", "set", IF, "down");
    await expect.poll(() => daemon.latest, within).toMatchObject({ up: false, state: "STOPPED" });
    expect(daemon.latest).toEqual(asIpSaysIt());
    ip("link", "set", IF, "up");
    await expect.poll(() => daemon.latest, within).toMatchObject({ up: true, state: "ERROR-ACTIVE" });
    expect(daemon.latest).toEqual(asIpSaysIt());
  });

  test("another bitrate, restart and mode are published, with one warning", async () => {
    setUp("bitrate", "125000", "restart-ms", "0", "listen-only", "on");
    await expect
      .poll(() => daemon.latest, within)
      .toMatchObject({ up: true, config: { bitrate: 125000, restart_ms: 0, ctrlmode: 2 } });
    expect(daemon.latest).toEqual(asIpSaysIt());
    expect(daemon.stderr.match(/not set up for NMEA 2000/g)).toHaveLength(1);
  });
});
