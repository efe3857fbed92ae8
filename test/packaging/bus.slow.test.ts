/** The package of hub-cand on a boat with a bus: in a guest, whose kernel has CAN, as this one's may not. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { simulatedCandump } from "../../src/services/simulation/candump-text.ts";
import { bundled } from "../support/bundled.ts";
import { withoutEmulation as obstacle, titled } from "../support/size.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import type { Seen } from "./boat-with-bus.ts";
import { packages } from "./packages.ts";
import { boatRoot } from "./roots.ts";

describe(titled("installed on a boat with a bus", obstacle), { skip: obstacle !== undefined }, () => {
  let folder: string;
  let seen: Seen;

  beforeAll(async () => {
    folder = temporaryFolder("bus");
    const { current } = await packages();
    await boatRoot();
    copyFileSync(current.get("hub-cand_amd64")!, join(folder, "hub-cand.deb"));
    // Repeated for as long as it takes; every topic is there in the first seconds.
    writeFileSync(join(folder, "trip.log"), [...simulatedCandump(10_000, Date.UTC(2026, 10, 21, 8))].join(""));
    const program = await bundled(folder, 'import "./test/packaging/boat-with-bus.ts";');
    // The layer that a container writes to lies in memory, not on another layer.
    const command = ["env", "TMPDIR=/run", "node", program, folder];
    const child = spawn(process.execPath, ["test/guest/run.mjs", "--timeout", "840", "--", ...command], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk;
      });
    }
    const [code] = await once(child, "close");
    const line = output.split("\n").find((text) => text.startsWith('{"can0"'));
    if (code !== 0 || line === undefined) throw new Error(`${code}\n${output}`);
    seen = JSON.parse(line);
  }, 900_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  test("networkd sets up can0 by the example", () => {
    expect(seen.can0).toMatchObject({
      flags: expect.arrayContaining(["UP", "LOWER_UP"]),
      linkinfo: { info_data: { restart_ms: 100, bittiming: { bitrate: 250_000 } } },
    });
  });

  test("hub-cand@can0, which the package enables, hears a device on can0", () => {
    expect(JSON.parse(seen.messages["can/can0/device/7/pgn/127250"]!).data).toMatchObject({
      pgn: 127250,
      headingDeg: 57.296,
      reference: "Magnetic",
    });
  });

  test("it hears a whole boat", () => {
    const { position } = JSON.parse(seen.messages["can/can0/navigation"]!).data;
    expect(position).toMatchObject({ hasFix: true });
    for (const pgn of [129029, 129038]) {
      expect(JSON.parse(seen.messages[`can/can0/device/+/pgn/${pgn}`]!).data).toMatchObject({ pgn });
    }
    expect(seen.messages["can/can0/device/+/infos"]).toContain("functionName");
    expect(seen.messages["can/can0/ais"]).toContain("mmsi");
  });

  test("it does so in its sandbox, without a capability, and nothing has failed", () => {
    expect(seen.status).toMatch(/^CapEff:\t0+$/m);
    expect(seen.status).toMatch(/^Seccomp:\t2$/m);
    expect(seen.status).toMatch(/^NoNewPrivs:\t1$/m);
    expect(seen.status).not.toMatch(/^Uid:\t0/m);
    expect(seen.failed).toBe("");
  });
});
