/** The command line of hub-link: its options, and the settings that they give. */
import type { ListenAddress } from "../adapters/node/streams/line-server.ts";
import { nmea0183Ids, type Selection } from "../services/link/nmea0183-outlet.ts";
import {
  brokerOptions,
  logLevelOption,
  pathOf,
  prefixOption,
  type ReaderSettings,
  readerSettingsOf,
  SIGNALS_NOTE,
} from "./program/broker-options.ts";
import { UsageError } from "./program/errors.ts";
import { destinationOf, listenAddressOf } from "./program/listening.ts";
import { type Command, commandOf, type Given, optionTable, standardOptions, type Values } from "./program/options.ts";

export const hubLinkOptions = optionTable({
  usage: "Usage: hub-link [OPTION]...",
  column: 32,
  options: [
    ...standardOptions,
    prefixOption,
    ...brokerOptions,
    {
      short: "n",
      long: "nmea0183",
      value: "[HOST:]PORT",
      help: "serve NMEA 0183 over TCP (default HOST 127.0.0.1; 0.0.0.0: every address of this machine)",
    },
    {
      long: "nmea0183-udp",
      value: "HOST:PORT[,WHAT]...",
      help: "send NMEA 0183 as UDP datagrams, also to a broadcast address",
    },
    { short: "s", long: "signalk", value: "[HOST:]PORT", help: "serve Signal K over HTTP and WebSockets" },
    {
      long: "history",
      value: "URL",
      help: "VictoriaMetrics of hub-history, for the history of Signal K (default http://127.0.0.1:8428)",
    },
    {
      long: "voyages",
      value: "URL",
      help: "hub-history --voyages, for the track requests of Signal K (default http://127.0.0.1:12010)",
    },
    {
      long: "state",
      value: "DIR",
      help: "folder for tokens, waypoints, routes and course of Signal K; without it clients may not write",
    },
    {
      long: "mmsi",
      value: "MMSI",
      help: "MMSI of the boat; without it the transponder marks own ship, and Signal K has a UUID",
    },
    logLevelOption,
  ],
  notes: [
    "--nmea0183-udp may be repeated. WHAT is a sentence, such as VDM, and only those are sent; range=20: of AIS, only 20 miles around.",
    "Without --nmea0183, --nmea0183-udp and --signalk, hub-link serves NMEA 0183 on 127.0.0.1:10110 and Signal K on 127.0.0.1:3000.",
    SIGNALS_NOTE,
  ],
});

export interface HubLinkSettings extends ReaderSettings {
  /** TCP address on which NMEA 0183 is served. */
  readonly nmea0183?: ListenAddress | undefined;
  /** Where NMEA 0183 is sent as datagrams, and what of it. */
  readonly nmea0183Udp: readonly Datagrams[];
  readonly signalK?: ListenAddress | undefined;
  /** Address of the time series engine of hub-history. */
  readonly history: string;
  /** Address of the voyages of hub-history. */
  readonly voyages: string;
  /** Folder of the tokens, the resources and the course. */
  readonly state?: string | undefined;
  /** MMSI of the boat, nine digits. */
  readonly mmsi?: string | undefined;
}

export type Datagrams = ListenAddress & Selection;

export type HubLinkCommand = Command<HubLinkSettings>;

type GivenOption = Given<typeof hubLinkOptions.options>;
type Name = GivenOption["name"];

export const hubLinkCommand = (args: readonly string[]): HubLinkCommand => commandOf(hubLinkOptions, args, settingsOf);

/** The MMSI of a boat begins with the three digits of its country, from 201 to 775 (ITU-R M.585). */
function mmsiOf(text: string | undefined): string | undefined {
  if (text !== undefined && !/^[2-7]\d{8}$/.test(text))
    throw new UsageError(`--mmsi ${text}: must be nine digits, the first 2 to 7`);
  return text;
}

function urlOf(name: "history" | "voyages", text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The URL is not repeated, because there may be a password in it.
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    throw new UsageError(`--${name}: must be http:// or https://, without a name and a password`);
  return url.href;
}

/** A thousand miles are further than AIS reaches, by satellite too. */
const MAX_RANGE = 1000;

/** `HOST:PORT`, sentences, and a range, all after commas. */
function datagramsOf(text: string): Datagrams {
  const [address = "", ...wanted] = text.split(",");
  const ranges = wanted.filter((each) => each.startsWith("range="));
  const sentences = wanted.filter((each) => !each.startsWith("range="));
  const unknown = sentences.find((each) => !nmea0183Ids.has(each));
  if (unknown !== undefined) throw new UsageError(`--nmea0183-udp ${text}: hub-link sends no sentence ${unknown}`);
  const range = ranges.length === 0 ? undefined : Number(ranges.at(-1)!.slice("range=".length) || Number.NaN);
  if (range !== undefined && !(range > 0 && range <= MAX_RANGE))
    throw new UsageError(`--nmea0183-udp ${text}: range must be miles, above 0 and at most ${MAX_RANGE}`);
  return {
    ...destinationOf(address, "nmea0183-udp"),
    ...(sentences.length > 0 && { sentences: new Set(sentences) }),
    ...(range !== undefined && { range }),
  };
}

/** The outlets when none is given. */
const defaultOutlets: Pick<HubLinkSettings, "nmea0183" | "signalK"> = {
  nmea0183: { host: "127.0.0.1", port: 10110 },
  signalK: { host: "127.0.0.1", port: 3000 },
};

function settingsOf(values: Values<Name>, given: readonly GivenOption[]): HubLinkSettings {
  const nmea0183 = listenAddressOf(values, "nmea0183");
  const nmea0183Udp = given.flatMap(({ name, value }) => (name === "nmea0183-udp" ? [datagramsOf(value)] : []));
  const signalK = listenAddressOf(values, "signalk");
  const isGiven = nmea0183 !== undefined || signalK !== undefined || nmea0183Udp.length > 0;
  return {
    ...readerSettingsOf(values),
    ...(isGiven ? { nmea0183, signalK } : defaultOutlets),
    nmea0183Udp,
    history: urlOf("history", values.get("history") ?? "http://127.0.0.1:8428"),
    voyages: urlOf("voyages", values.get("voyages") ?? "http://127.0.0.1:12010"),
    state: pathOf(values, "state"),
    mmsi: mmsiOf(values.get("mmsi")),
  };
}
