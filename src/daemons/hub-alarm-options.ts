/** The command line of hub-alarm: its options, and the settings that they give. */
import type { LogLevel } from "../core/ports/log.ts";
import {
  type BrokerSettings,
  brokerOptions,
  brokerTargetOf,
  logLevelOf,
  logLevelOption,
  prefixOf,
} from "./program/broker-options.ts";
import { UsageError } from "./program/errors.ts";
import { type Command, commandOf, type Given, optionTable, type Values } from "./program/options.ts";

export const hubAlarmOptions = optionTable({
  usage: "Usage: hub-alarm --command COMMAND [OPTION]...",
  column: 25,
  options: [
    { short: "h", long: "help", help: "print this help and exit" },
    { short: "V", long: "version", help: "print the version and exit" },
    {
      short: "c",
      long: "command",
      value: "COMMAND",
      help: "line for /bin/sh that runs while an alarm has no answer; required",
    },
    { short: "w", long: "warnings", help: "run it also while a warning has no answer" },
    { short: "t", long: "prefix", value: "PREFIX", help: "prefix of hub-cand's topics (default can/can0)" },
    ...brokerOptions,
    logLevelOption,
  ],
  notes: ["SIGUSR1 makes the log more verbose by one level, SIGUSR2 less verbose."],
});

export interface HubAlarmSettings extends BrokerSettings {
  readonly command: string;
  readonly prefix: string;
  readonly warnings: boolean;
  readonly logLevel: LogLevel;
}

export type HubAlarmCommand = Command<HubAlarmSettings>;

type Name = Given<typeof hubAlarmOptions.options>["name"];

export const hubAlarmCommand = (args: readonly string[]): HubAlarmCommand =>
  commandOf(hubAlarmOptions, args, settingsOf);

function settingsOf(values: Values<Name>): HubAlarmSettings {
  const command = values.get("command")?.trim() ?? "";
  if (command === "") throw new UsageError("--command: says what is to run, for example 'aplay -q alarm.wav'");
  return {
    command,
    warnings: values.has("warnings"),
    prefix: prefixOf(values.get("prefix") ?? "can/can0", "prefix"),
    ...brokerTargetOf(values),
    logLevel: logLevelOf(values.get("log-level") ?? "info"),
  };
}
