/** hub-alarm as its owner sees it: a broker, reports of alarms, and a command. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { connectAsync, type MqttClient } from "mqtt";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Mosquitto, mosquitto, until, withoutMosquitto } from "../support/mosquitto.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const skip = withoutMosquitto !== undefined && process.env.CI !== "true";

describe.skipIf(skip)(`hub-alarm ${withoutMosquitto ?? ""}`, () => {
  let broker: Mosquitto;
  let client: MqttClient;
  let folder: string;
  let child: ChildProcess | undefined;
  let log: string;

  beforeAll(async () => {
    broker = await mosquitto();
    client = await connectAsync(`mqtt://127.0.0.1:${broker.port}`);
    folder = temporaryFolder("alarm");
  });
  afterEach(() => void child?.kill("SIGKILL"));
  afterAll(async () => {
    await client?.endAsync();
    await broker?.stop();
  });

  /** Notes its runs in `runs` and its ends in `ends`, and stays as a relay does. */
  const relay = `echo "$HUB_ALARM_SEVERITY $HUB_ALARM_TITLE" >>runs; trap 'echo end >>ends; exit' TERM; while :; do sleep 0.05; done`;
  const noted = (name: string): string =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : "";
  const start = async (...args: readonly string[]): Promise<void> => {
    const bundle = resolve("dist/hub-alarm.mjs");
    const target = ["--broker", `mqtt://127.0.0.1:${broker.port}`, "--prefix", "can/boat"];
    const began = spawn(process.execPath, [bundle, ...target, ...args], {
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    child = began;
    log = "";
    began.stderr!.on("data", (chunk: Buffer) => {
      log += chunk;
    });
    await until(() => log.includes("connected to the broker"));
  };
  const report = async (...alarms: readonly object[]): Promise<void> => {
    const rxDate = new Date().toISOString();
    const metadata = { rxDate, rxTimestamp: Math.floor(Date.parse(rxDate) / 1000), expireAfterSec: 60 };
    await client.publishAsync("can/boat/alarms", JSON.stringify({ data: { alarms, watching: {} }, metadata }), {
      qos: 1,
      retain: true,
    });
  };
  const bilge = {
    id: "external-bilge",
    kind: "external",
    title: "Alarm of a program",
    severity: "alarm",
    state: "active",
    text: "Water in the bilge",
    since: "2026-11-21T08:14:26.000Z",
  };

  test("the command of --command runs while an alarm has no answer, and ends with it and with the program", async () => {
    await report({ ...bilge, unanswered: true });
    await start("--command", relay);
    await until(() => noted("runs") === "alarm Alarm of a program\n");
    await report({ ...bilge, state: "acknowledged" });
    await until(() => noted("ends") === "end\n");
    await report({ ...bilge, unanswered: true });
    await until(() => noted("runs").split("\n").length === 3);
    child!.kill("SIGTERM");
    const [code] = await once(child!, "exit");
    expect([code, noted("ends")]).toEqual([0, "end\nend\n"]);
  });

  test("a message that is no report ends nothing", async () => {
    await start("--command", "echo >>other");
    for (const payload of ["[]", "{}", '{"data":{"alarms":[{"unanswered":true}]}}', "x".repeat(2 << 20)])
      await client.publishAsync("can/boat/alarms", payload, { qos: 1 });
    await report({ ...bilge, unanswered: true });
    await until(() => noted("other") !== "");
  });
});
