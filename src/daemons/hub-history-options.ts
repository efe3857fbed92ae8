/** The command line of hub-history: its options, and the settings that they give. */

import { laneSeconds } from "../core/settings/lanes.ts";
import {
  brokerOptions,
  logLevelOption,
  pathOf,
  prefixOption,
  type ReaderSettings,
  readerSettingsOf,
  SIGNALS_NOTE,
  wholeOf,
} from "./program/broker-options.ts";
import { UsageError } from "./program/errors.ts";
import { type Command, commandOf, type Given, optionTable, standardOptions, type Values } from "./program/options.ts";

export const hubHistoryOptions = optionTable({
  usage: "Usage: hub-history [OPTION]...",
  column: 28,
  options: [
    ...standardOptions,
    prefixOption,
    { long: "lane", value: "SECONDS", help: "interval of the slow lane to write (default 10)" },
    ...brokerOptions,
    {
      short: "u",
      long: "url",
      value: "URL",
      help: "where the engine takes line protocol (default http://127.0.0.1:8428/write); none: nowhere",
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
    { long: "voyages", value: "DIR", help: "keep the voyages in this folder, and serve them on the loopback address" },
    { long: "voyages-port", value: "PORT", help: "port at which the voyages are served (default 12010)" },
    {
      long: "voyages-interval",
      value: "MINUTES",
      help: "minutes between the entries of a voyage under way (default 60)",
    },
    logLevelOption,
  ],
  notes: [SIGNALS_NOTE],
});

export interface HubHistorySettings extends ReaderSettings {
  /** Interval of the lane, seconds. */
  readonly lane: number;
  /** Absent: there is no engine. */
  readonly url?: string | undefined;
  /** Path of a file with the value of the header. */
  readonly authorization?: string | undefined;
  readonly queue: string;
  readonly queueBytes: number;
  readonly voyages?: VoyagesSettings | undefined;
}

export interface VoyagesSettings {
  readonly folder: string;
  readonly port: number;
  readonly intervalMinutes: number;
}

export type HubHistoryCommand = Command<HubHistorySettings>;

type Name = Given<typeof hubHistoryOptions.options>["name"];

export const hubHistoryCommand = (args: readonly string[]): HubHistoryCommand =>
  commandOf(hubHistoryOptions, args, settingsOf);

function settingsOf(values: Values<Name>): HubHistorySettings {
  const url = values.get("url") ?? "http://127.0.0.1:8428/write";
  const voyages = voyagesOf(values);
  if (url === "none" && voyages === undefined)
    throw new UsageError("--url none: there is nothing to do without --voyages");
  return {
    lane: laneOf(values.get("lane") ?? "10"),
    ...readerSettingsOf(values),
    url: url === "none" ? undefined : urlOf(url),
    authorization: pathOf(values, "authorization"),
    queue: pathOf(values, "queue") ?? "/var/lib/hub-history",
    queueBytes: 2 ** 20 * wholeOf(values, "queue-limit", { standard: 256, least: 2, most: 9_999_999 }),
    voyages,
  };
}

function voyagesOf(values: Values<Name>): VoyagesSettings | undefined {
  const folder = pathOf(values, "voyages");
  const port = wholeOf(values, "voyages-port", { standard: 12010, most: 65_535 });
  const intervalMinutes = wholeOf(values, "voyages-interval", { standard: 60, most: 1440 });
  return folder === undefined ? undefined : { folder, port, intervalMinutes };
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
    throw new UsageError(`--url ${text}: must be http:// or https://, or none`);
  return url.href;
}
