/** The command line of hub-config-fetch: its options, and the settings that they give. */
import { channelName } from "../adapters/node/http/signed-release.ts";
import type { TlsFiles } from "../adapters/node/tls-files.ts";
import type { LogLevel } from "../core/ports/log.ts";
import { logLevelOf, logLevelOption, pathOf, tlsFilesOf, wholeOf } from "./program/broker-options.ts";
import { UsageError } from "./program/errors.ts";
import { type Command, commandOf, type Given, optionTable, standardOptions, type Values } from "./program/options.ts";

export const hubConfigFetchOptions = optionTable({
  usage: "Usage: hub-config-fetch --url URL --channel NAME [OPTION]...",
  column: 25,
  options: [
    ...standardOptions,
    { short: "u", long: "url", value: "URL", help: "https:// address of the release" },
    { short: "c", long: "channel", value: "NAME", help: "channel whose releases this boat takes" },
    {
      long: "public-key",
      value: "FILE",
      help: "Ed25519 public keys that verify releases, PEM (default /etc/hub-config-fetch.pem)",
    },
    { long: "ca", value: "FILE" },
    { long: "cert", value: "FILE" },
    { long: "key", value: "FILE", help: "TLS for https://; the server is always verified" },
    { long: "timeout", value: "SECONDS", help: "time for the whole download (default 120)" },
    { long: "api", value: "URL", help: "address of hub-configd (default http://127.0.0.1:12000)" },
    { long: "state", value: "DIR", help: "folder for the state (default /var/lib/hub-config-fetch)" },
    logLevelOption,
  ],
});

export interface HubConfigFetchSettings {
  readonly url: URL;
  readonly channel: string;
  /** Path of the PEM file. */
  readonly publicKey: string;
  readonly tls: TlsFiles;
  readonly timeoutMs: number;
  /** Its path ends with a slash. */
  readonly api: URL;
  readonly state: string;
  readonly logLevel: LogLevel;
}

type Name = Given<typeof hubConfigFetchOptions.options>["name"];

export const hubConfigFetchCommand = (args: readonly string[]): Command<HubConfigFetchSettings> =>
  commandOf(hubConfigFetchOptions, args, settingsOf);

function settingsOf(values: Values<Name>): HubConfigFetchSettings {
  const url = urlOf(values, "url");
  return {
    url,
    channel: channelOf(values.get("channel")),
    publicKey: pathOf(values, "public-key") ?? "/etc/hub-config-fetch.pem",
    tls: tlsFilesOf(values, { secure: url.protocol === "https:", scheme: "https://" }),
    timeoutMs: 1000 * wholeOf(values, "timeout", { standard: 120, most: 9999 }),
    api: apiOf(urlOf(values, "api", "http://127.0.0.1:12000")),
    state: pathOf(values, "state") ?? "/var/lib/hub-config-fetch",
    logLevel: logLevelOf(values),
  };
}

/** Plain HTTP stays on this machine. */
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

function urlOf(values: Values<Name>, name: Name, preset?: string): URL {
  const text = values.get(name) ?? preset;
  if (text === undefined) throw new UsageError(`--${name} is missing, see --help`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The URL is not repeated, because there may be a password in it.
  if (url !== undefined && (url.username !== "" || url.password !== ""))
    throw new UsageError(`--${name}: name and password are not sent; a client is known by --cert and --key`);
  if (url?.protocol === "https:" || (url?.protocol === "http:" && loopback.test(url.hostname))) return url;
  throw new UsageError(`--${name} ${text}: must be https://, or http:// on this machine`);
}

const apiOf = (url: URL): URL => (url.pathname.endsWith("/") ? url : new URL(`${url.pathname}/`, url));

function channelOf(text: string | undefined): string {
  if (text === undefined) throw new UsageError("--channel is missing, see --help");
  if (!channelName.test(text)) throw new UsageError(`--channel ${text}: must be 1 to 32 letters, digits and hyphens`);
  return text;
}
