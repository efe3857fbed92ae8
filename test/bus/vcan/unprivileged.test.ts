/**
 * hub-cand as its unit runs it: without capabilities, so net.core.rmem_max limits the receive buffer of the kernel. The
 * process is stopped while four seconds of a full bus arrive, so the result does not depend on a clock.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { hubCand } from "../../support/hub-cand.ts";
import { burst, type Vcan, vcan, voyageFrames } from "./vcan.ts";

const RMEM_MAX = "/proc/sys/net/core/rmem_max";
/** The default of Linux. */
const DEFAULT_LIMIT = 212_992;
const packagedLimit = Number(
  /^net\.core\.rmem_max = (\d+)$/m.exec(readFileSync("packaging/sysctl/10-hub-cand.conf", "utf8"))![1],
);
const FOUR_SECONDS = 4 * 1910;
const frames = voyageFrames(FOUR_SECONDS);
const within = { timeout: 60_000, interval: 50 };

const withoutPrivileges = [
  ...["--reuid=65534", "--regid=65534", "--clear-groups"],
  ...["--inh-caps=-all", "--bounding-set=-all", "--no-new-privs"],
];

describe("hub-cand without capabilities", () => {
  let bus: Vcan;
  let limit: string;
  let daemon: ChildProcess;
  let stderr: string;

  beforeAll(() => {
    bus = vcan("hubpriv0");
    limit = readFileSync(RMEM_MAX, "utf8");
  });
  beforeEach(() => {
    stderr = "";
  });
  afterEach(() => {
    daemon.kill("SIGKILL");
  });
  afterAll(() => {
    bus.remove();
    writeFileSync(RMEM_MAX, limit);
  });

  /** Stops hub-cand for four seconds of a full bus; returns the counters of its last log line. */
  const countedAfterPause = async (bytes: number): Promise<Map<string, number>> => {
    writeFileSync(RMEM_MAX, String(bytes));
    const program = [process.execPath, hubCand, "-i", bus.name, "--stdout", "-c", "/nonexistent"];
    daemon = spawn("setpriv", [...withoutPrivileges, ...program], { stdio: ["ignore", "ignore", "pipe"] });
    daemon.stderr!.on("data", (chunk: Buffer) => {
      stderr += chunk;
    });
    await expect.poll(() => stderr, within).toContain("listening");
    expect(readFileSync(`/proc/${daemon.pid}/status`, "utf8")).toMatch(/^CapEff:\t0+$/m);
    daemon.kill("SIGSTOP");
    burst(bus.name, frames);
    daemon.kill("SIGCONT");
    // The kernel reports a loss with the next frame, which is read with or after the others.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    execFileSync("cansend", [bus.name, "09F11207#0010270000000001"]);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    daemon.kill("SIGTERM");
    await once(daemon, "close");
    const line = stderr.split("\n").find((text) => text.includes("counted"))!;
    return new Map([...line.matchAll(/(\w+)=(\d+)/g)].map(([, name, value]) => [name!, Number(value)]));
  };

  test("loses no frame with the limit that the package sets", async () => {
    const counted = await countedAfterPause(packagedLimit);
    expect(stderr).toMatch(/^info the kernel's receive buffer interface=hubpriv0 bytes=8388608$/m);
    expect(counted.get("frames")).toBe(FOUR_SECONDS + 1);
    expect(counted.get("lostInKernel") ?? 0).toBe(0);
  });

  test("warns of the limit of Linux, and counts every frame that it costs", async () => {
    const counted = await countedAfterPause(DEFAULT_LIMIT);
    expect(stderr).toMatch(
      /^warn the kernel's receive buffer .*code=RECEIVE_BUFFER_SMALL.* bytes=425984 wanted=8388608/m,
    );
    expect(counted.get("lostInKernel")).toBeGreaterThan(FOUR_SECONDS / 2);
    expect(counted.get("frames")! + counted.get("lostInKernel")!).toBe(FOUR_SECONDS + 1);
  });
});
