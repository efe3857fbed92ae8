/**
 * hub-cand without an interface, without a broker, and with both coming and going: it neither ends nor grows.
 *
 * HUB_FLAP_SECONDS: how long they come and go, by the clock of the guest, which skips idle time.
 */
import { type ChildProcess, execFileSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { skipIdleTime } from "../../guest/idle-time.ts";
import { startHubCand } from "../../support/hub-cand.ts";
import { type Mosquitto, mosquitto, subscriber, withoutMosquitto } from "../../support/mosquitto.ts";
import { type Vcan, vcan } from "./vcan.ts";

const seconds = Number(process.env.HUB_FLAP_SECONDS ?? 60);
const within = { timeout: 60_000, interval: 50 };
/** Allowed variation of the heap: some two megabytes for each broker that is lost between the samples compared. */
const BREATHING = 12 << 20;

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe.skipIf(withoutMosquitto !== undefined)(`hub-cand where nothing stays ${withoutMosquitto ?? ""}`, () => {
  let bus: Vcan;
  let daemon: ChildProcess;
  let stderr: string;
  let runOnTheClock: () => void;

  const start = (port: number): void => {
    stderr = "";
    daemon = startHubCand(["-i", bus.name, "-c", "/nonexistent", "-b", `mqtt://127.0.0.1:${port}`]);
    daemon.stdout!.resume();
    daemon.stderr!.on("data", (chunk: Buffer) => {
      stderr += chunk;
    });
  };
  const send = (): void => void execFileSync("cansend", [bus.name, "09F10D23#FFFFFFFFE803FFFF"]);
  const connections = (): number => stderr.split("connected to the broker").length - 1;
  const isListening = (): boolean => stderr.lastIndexOf("info listening") > stderr.lastIndexOf("INTERFACE_");
  const descriptors = (): number => readdirSync(`/proc/${daemon.pid}/fd`).length;
  const memory = (): number =>
    Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${daemon.pid}/status`, "utf8"))![1]) * 1024;

  beforeEach(() => {
    bus = vcan("hublast0");
    runOnTheClock = skipIdleTime();
  });
  afterEach(async () => {
    runOnTheClock();
    if (daemon.exitCode === null && daemon.signalCode === null) {
      daemon.kill("SIGKILL");
      await once(daemon, "close");
    }
    bus.remove();
  });

  test(
    "an interface that is absent at first, then interface and broker that come and go: it is there at the end, of the same size",
    async () => {
      const broker: Mosquitto = await mosquitto();
      const times = { interface: 0, broker: 0 };
      bus.remove();
      start(broker.port);
      await expect.poll(() => stderr, within).toContain("no such interface");
      bus.make();
      await expect.poll(() => stderr, within).toContain("listening");

      const end = Date.now() + seconds * 1000;
      const interfaces = (async () => {
        for (; Date.now() < end; times.interface++) {
          await pause(1300);
          bus.down();
          await pause(200);
          bus.remove();
          await pause(300);
          bus.make();
        }
      })();
      const samples: { descriptors: number; memory: number }[] = [];
      const brokers = (async () => {
        for (; Date.now() < end; times.broker++) {
          // Longer than the pause between two attempts to connect.
          await pause(5300);
          // Few samples are comparable only if each has both.
          await expect.poll(() => isListening() && connections() > times.broker, within).toBe(true);
          samples.push({ descriptors: descriptors(), memory: memory() });
          await broker.signal("SIGKILL");
          await pause(700);
          await broker.restart();
        }
      })();
      await Promise.all([interfaces, brokers]);

      const listener = await subscriber(broker.port);
      await expect
        .poll(() => {
          send();
          return listener.messages.some(({ topic }) => topic === `can/${bus.name}/device/35/pgn/127245`);
        }, within)
        .toBe(true);
      await listener.close();
      // The maximum of each phase, because the daemon may not have reported its last losses yet.
      const quarter = Math.floor(samples.length / 4);
      const most = (from: number, what: "descriptors" | "memory"): number =>
        Math.max(...samples.slice(from, from + quarter).map((sample) => sample[what]));
      const [early, late] = [quarter, samples.length - quarter].map((from) => ({
        descriptors: most(from, "descriptors"),
        memory: most(from, "memory"),
      }));
      console.log(
        `${seconds} s, interface gone ${times.interface} times, broker ${times.broker}, connected ${connections()} times:` +
          ` descriptors ${early!.descriptors} to ${late!.descriptors},` +
          ` memory ${(early!.memory / 2 ** 20).toFixed(1)} to ${(late!.memory / 2 ** 20).toFixed(1)} MB`,
      );
      expect(connections()).toBeGreaterThanOrEqual(times.broker);
      expect(daemon.exitCode).toBe(null);
      expect(late!.descriptors).toBe(early!.descriptors);
      expect(late!.memory - early!.memory).toBeLessThan(BREATHING);
      daemon.kill("SIGTERM");
      expect(await once(daemon, "close")).toEqual([0, null]);
      await broker.stop();
    },
    (seconds + 240) * 1000,
  );
});
