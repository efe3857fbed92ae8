/** The drop-in for Mosquitto, beside a Mosquitto whose file of retained messages was cut. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectAsync } from "mqtt";
import { beforeAll, describe, expect, test } from "vitest";
import { untilListening, withoutMosquitto } from "../support/mosquitto.ts";
import { freePort } from "../support/ports.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const environment = { PATH: `${process.env.PATH}:/usr/sbin` };
const isRoot = process.getuid?.() === 0;

/** The command as systemd runs it, with another folder. */
function scriptOf(folder: string): string {
  const text = readFileSync("packaging/examples/mosquitto-database.conf", "utf8");
  const [, command] = /^ExecStopPost=\+\/bin\/sh -c '([^']*)'$/m.exec(text.replaceAll("\\\n", ""))!;
  const script = command!
    .replaceAll("\\\\", "\\")
    .replaceAll("$$", "$")
    .replaceAll("%%", "%")
    .replaceAll("/var/lib/mosquitto", folder)
    .replaceAll("/run/", `${folder}/`);
  return isRoot ? script : script.replace(/chown [^;]*;/, "");
}

function folderOf(): string {
  const folder = temporaryFolder("broker");
  chmodSync(folder, 0o755);
  return folder;
}

/** A file of some retained messages, as Mosquitto writes it when it ends. */
async function written(): Promise<Buffer> {
  const folder = folderOf();
  try {
    const port = await freePort();
    writeFileSync(
      join(folder, "conf"),
      `listener ${port} 127.0.0.1\nallow_anonymous true\npersistence true\npersistence_location ${folder}/\n` +
        (isRoot ? "user root\n" : ""),
    );
    const broker = spawn("mosquitto", ["-c", join(folder, "conf")], { env: environment, stdio: "ignore" });
    await untilListening(port, broker);
    const client = await connectAsync(`mqtt://127.0.0.1:${port}`);
    for (let count = 0; count < 50; count++)
      await client.publishAsync(`boat/${count}`, "x".repeat(100), { retain: true, qos: 1 });
    await client.endAsync();
    broker.kill();
    await once(broker, "exit");
    return readFileSync(join(folder, "mosquitto.db"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe.skipIf(withoutMosquitto !== undefined)("a file of retained messages", () => {
  let whole: Buffer;
  beforeAll(async () => {
    whole = await written();
  });

  test.each([
    ["that is whole", (bytes: Buffer) => bytes, "exit-code", false],
    ["of null bytes", (bytes: Buffer) => Buffer.alloc(bytes.length), "exit-code", true],
    ["cut in its head", (bytes: Buffer) => bytes.subarray(0, 10), "exit-code", true],
    ["cut in a message", (bytes: Buffer) => bytes.subarray(0, 4000), "exit-code", true],
    [
      "that Mosquitto reads to a point",
      (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 4000), Buffer.alloc(4000)]),
      "exit-code",
      false,
    ],
    ["that is empty", () => Buffer.alloc(0), "exit-code", false],
    ["of null bytes after a stop in order", (bytes: Buffer) => Buffer.alloc(bytes.length), "success", false],
  ] as const)("%s", (_what, damage, result, isAside) => {
    const folder = folderOf();
    const bytes = damage(whole);
    writeFileSync(join(folder, "mosquitto.db"), bytes);
    const { status, stdout } = spawnSync("sh", ["-c", scriptOf(folder)], {
      env: { ...environment, SERVICE_RESULT: result },
      encoding: "utf8",
    });
    expect(status).toBe(0);
    const names = readdirSync(folder);
    if (!isAside) return expect([names, stdout]).toEqual([["mosquitto.db"], ""]);
    const [aside] = names;
    expect(names).toHaveLength(1);
    expect(aside).toMatch(/^mosquitto\.db\.damaged-\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d$/);
    expect(readFileSync(join(folder, aside!)).equals(bytes)).toBe(true);
    expect(stdout).toBe(`<3>${folder}/mosquitto.db is damaged and set aside as ${folder}/${aside}\n`);
  });
});
