/** The command line of hub-alarm: its options, and the settings that they give. */
import {
  brokerOptions,
  logLevelOption,
  prefixOption,
  type ReaderSettings,
  readerSettingsOf,
  SIGNALS_NOTE,
} from "./program/broker-options.ts";
import { UsageError } from "./program/errors.ts";
import { type Command, commandOf, type Given, optionTable, standardOptions, type Values } from "./program/options.ts";

export const hubAlarmOptions = optionTable({
  usage: "Usage: hub-alarm --command COMMAND [OPTION]...",
  column: 25,
  options: [
    ...standardOptions,
    {
      short: "c",
      long: "command",
      value: "COMMAND",
      help: "line for /bin/sh that runs while an alarm has no answer; required",
    },
    { short: "w", long: "warnings", help: "run it also while a warning has no answer" },
    prefixOption,
    ...brokerOptions,
    logLevelOption,
  ],
  notes: [SIGNALS_NOTE],
});

export interface HubAlarmSettings extends ReaderSettings {
  readonly command: string;
  readonly warnings: boolean;
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
    ...readerSettingsOf(values),
  };
}
