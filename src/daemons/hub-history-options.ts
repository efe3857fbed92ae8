/** The command line of hub-history: its options, and the settings that they give. */

import type { LogLevel } from "../core/ports/log.ts";
import { laneSeconds } from "../core/settings/lanes.ts";
import {
  type BrokerSettings,
  brokerOptions,
  brokerTargetOf,
  logLevelOf,
  logLevelOption,
  pathOf,
  prefixOf,
} from "./program/broker-options.ts";
import { UsageError } from "./program/errors.ts";
import { type Command, commandOf, type Given, optionTable, type Values } from "./program/options.ts";

export const hubHistoryOptions = optionTable({
  usage: "Usage: hub-history [OPTION]...",
  column: 28,
  options: [
    { short: "h", long: "help", help: "print this help and exit" },
    { short: "V", long: "version", help: "print the version and exit" },
    { short: "t", long: "prefix", value: "PREFIX", help: "prefix of hub-cand's topics (default can/can0)" },
    { long: "lane", value: "SECONDS", help: "interval of the slow lane to write (default 10)" },
    ...brokerOptions,
    {
      short: "u",
      long: "url",
      value: "URL",
      help: "address at which the engine takes line protocol (default http://127.0.0.1:8428/write)",
    },
    {
      long: "authorization",
      value: "FILE",
      help: "file with the value of the header Authorization: Token …, Bearer …, Basic …",
    },
    {
      short: "q",
      long: "queue",
      value: "DIR",
      help: "folder where points wait while the engine is away (default /var/lib/hub-history)",
    },
    {
      long: "queue-limit",
      value: "MIB",
      help: "size of the queue in MiB; the oldest points are dropped first (default 256)",
    },
    logLevelOption,
  ],
  notes: ["SIGUSR1 makes the log more verbose by one level, SIGUSR2 less verbose."],
});

export interface HubHistorySettings extends BrokerSettings {
  readonly prefix: string;
  /** Interval of the lane, seconds. */
  readonly lane: number;
  readonly url: string;
  /** Path of a file with the value of the header. */
  readonly authorization?: string;
  /** Path of the folder. */
  readonly queue: string;
  readonly queueBytes: number;
  readonly logLevel: LogLevel;
}

export type HubHistoryCommand = Command<HubHistorySettings>;

type Name = Given<typeof hubHistoryOptions.options>["name"];

export const hubHistoryCommand = (args: readonly string[]): HubHistoryCommand =>
  commandOf(hubHistoryOptions, args, settingsOf);

function settingsOf(values: Values<Name>): HubHistorySettings {
  const authorization = pathOf(values, "authorization");
  return {
    prefix: prefixOf(values.get("prefix") ?? "can/can0", "prefix"),
    lane: laneOf(values.get("lane") ?? "10"),
    ...brokerTargetOf(values),
    url: urlOf(values.get("url") ?? "http://127.0.0.1:8428/write"),
    ...(authorization !== undefined && { authorization }),
    queue: pathOf(values, "queue") ?? "/var/lib/hub-history",
    queueBytes: mebibytesOf(values.get("queue-limit") ?? "256"),
    logLevel: logLevelOf(values.get("log-level") ?? "info"),
  };
}

function laneOf(text: string): number {
  const { success, data } = laneSeconds.safeParse(/^\d+$/.test(text) ? Number(text) : Number.NaN);
  if (!success) throw new UsageError(`--lane ${text}: must be a whole number of seconds, 1 to 3600`);
  return data;
}

function urlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The URL is not repeated, because there may be a password in it.
  if (url !== undefined && (url.username !== "" || url.password !== ""))
    throw new UsageError("--url: name and password belong into the file of --authorization");
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--url ${text}: must be http:// or https://`);
  return url.href;
}

function mebibytesOf(text: string): number {
  const count = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (count < 2) throw new UsageError(`--queue-limit ${text}: must be a number of MiB, 2 or more`);
  return count * 2 ** 20;
}
