import { expect, test } from "vitest";
import { hubAlarmCommand } from "../../src/daemons/hub-alarm-options.ts";

test("the help", async () => {
  const command = hubAlarmCommand(["--help"]);
  const text = command.kind === "help" ? command.text : "";
  await expect(text).toMatchFileSnapshot("../snapshots/hub-alarm.help.txt");
  expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(150);
});

test("the settings without and with options", () => {
  const settings = {
    command: "aplay -q alarm.wav",
    prefix: "can/can0",
    broker: { secure: false, host: "127.0.0.1", port: 1883 },
    tls: {},
    warnings: false,
    logLevel: "info",
  };
  expect(hubAlarmCommand(["--command", "aplay -q alarm.wav"])).toEqual({ kind: "run", settings });
  expect(hubAlarmCommand(["-c", "true", "--warnings", "-t", "can/boat/", "-b", "mqtt://boat", "-l", "warn"])).toEqual({
    kind: "run",
    settings: {
      ...{ command: "true", prefix: "can/boat", logLevel: "warn", warnings: true },
      ...{ broker: { secure: false, host: "boat", port: 1883 }, tls: {} },
    },
  });
});

test.each([[[]], [["--command", ""]], [["--command", " "]]])("%j says that a command is needed", (args) => {
  expect(hubAlarmCommand(args)).toEqual({
    kind: "usage-error",
    message: "--command: says what is to run, for example 'aplay -q alarm.wav'",
  });
});
