/** The command line of hub-link: its options, and the settings that they give. */
import type { ListenAddress } from "../adapters/node/streams/line-server.ts";
import type { LogLevel } from "../ports/log.ts";
import {
  type BrokerSettings,
  brokerOptions,
  brokerTargetOf,
  logLevelOf,
  logLevelOption,
  prefixOf,
} from "./program/broker-options.ts";
import { UsageError } from "./program/errors.ts";
import { destinationOf, listenAddressOf } from "./program/listening.ts";
import { type Command, commandOf, type Given, optionTable, type Values } from "./program/options.ts";

export const hubLinkOptions = optionTable({
  usage: "Usage: hub-link [OPTION]...",
  column: 32,
  options: [
    { short: "h", long: "help", help: "print this help and exit" },
    { short: "V", long: "version", help: "print the version and exit" },
    { short: "t", long: "prefix", value: "PREFIX", help: "prefix of hub-cand's topics (default can/can0)" },
    ...brokerOptions,
    {
      short: "n",
      long: "nmea0183",
      value: "[HOST:]PORT",
      help: "serve NMEA 0183 over TCP (default HOST 127.0.0.1; 0.0.0.0: every address of this machine)",
    },
    { long: "nmea0183-udp", value: "HOST:PORT", help: "send NMEA 0183 as UDP datagrams, also to a broadcast address" },
    { short: "s", long: "signalk", value: "[HOST:]PORT", help: "serve Signal K over HTTP and WebSockets, read-only" },
    {
      long: "mmsi",
      value: "MMSI",
      help: "MMSI of the boat; without it the transponder marks own ship, and Signal K has a UUID",
    },
    logLevelOption,
  ],
  notes: [
    "Without --nmea0183, --nmea0183-udp and --signalk, hub-link serves NMEA 0183 on 127.0.0.1:10110 and Signal K on 127.0.0.1:3000.",
    "SIGUSR1 makes the log more verbose by one level, SIGUSR2 less verbose.",
  ],
});

export interface HubLinkSettings extends BrokerSettings {
  readonly prefix: string;
  /** TCP address on which NMEA 0183 is served. */
  readonly nmea0183?: ListenAddress;
  /** Address to which NMEA 0183 is sent as datagrams. */
  readonly nmea0183Udp?: ListenAddress;
  /** Address on which Signal K is served. */
  readonly signalK?: ListenAddress;
  /** MMSI of the boat, nine digits. */
  readonly mmsi?: string;
  readonly logLevel: LogLevel;
}

export type HubLinkCommand = Command<HubLinkSettings>;

type Name = Given<typeof hubLinkOptions.options>["name"];

export const hubLinkCommand = (args: readonly string[]): HubLinkCommand => commandOf(hubLinkOptions, args, settingsOf);

/** The MMSI of a boat begins with the three digits of its country, from 201 to 775 (ITU-R M.585). */
function mmsiOf(text: string | undefined): string | undefined {
  if (text !== undefined && !/^[2-7]\d{8}$/.test(text))
    throw new UsageError(`--mmsi ${text}: must be nine digits, the first 2 to 7`);
  return text;
}

/** The outlets if none is given. */
const defaultOutlets: Pick<HubLinkSettings, "nmea0183" | "signalK"> = {
  nmea0183: { host: "127.0.0.1", port: 10110 },
  signalK: { host: "127.0.0.1", port: 3000 },
};

function settingsOf(values: Values<Name>): HubLinkSettings {
  const nmea0183 = listenAddressOf(values, "nmea0183");
  const nmea0183Udp = destinationOf(values, "nmea0183-udp");
  const signalK = listenAddressOf(values, "signalk");
  const mmsi = mmsiOf(values.get("mmsi"));
  const outlets = {
    ...(nmea0183 && { nmea0183 }),
    ...(nmea0183Udp && { nmea0183Udp }),
    ...(signalK && { signalK }),
  };
  return {
    prefix: prefixOf(values.get("prefix") ?? "can/can0", "prefix"),
    ...brokerTargetOf(values),
    ...(Object.keys(outlets).length === 0 ? defaultOutlets : outlets),
    ...(mmsi !== undefined && { mmsi }),
    logLevel: logLevelOf(values.get("log-level") ?? "info"),
  };
}
