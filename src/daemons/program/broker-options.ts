/** Options that daemons share: the broker, how to authenticate, the topics of hub-cand that they read, the log. */
import type { BrokerAddress } from "../../adapters/node/mqtt/broker-socket.ts";
import type { TlsFiles } from "../../adapters/node/tls-files.ts";
import type { LogLevel } from "../../core/ports/log.ts";
import { UsageError } from "./errors.ts";
import type { Values } from "./options.ts";

export const brokerOptions = [
  {
    short: "b",
    long: "broker",
    value: "URL",
    help: "address of the broker: mqtt:// or mqtts:// (default mqtt://127.0.0.1:1883)",
  },
  { short: "a", long: "credentials", value: "FILE", help: 'file with JSON {"username", "password"}' },
  { long: "ca", value: "FILE" },
  { long: "cert", value: "FILE" },
  { long: "key", value: "FILE", help: "TLS for mqtts://; the server is always verified" },
] as const;

/** The option of a program that reads the topics of hub-cand. */
export const prefixOption = {
  short: "t",
  long: "prefix",
  value: "PREFIX",
  help: "prefix of hub-cand's topics (default can/can0)",
} as const;

export const SIGNALS_NOTE = "SIGUSR1 makes the log more verbose by one level, SIGUSR2 less verbose.";

const logLevels = ["error", "warn", "info", "debug"] as const satisfies readonly LogLevel[];

export const logLevelOption = {
  short: "l",
  long: "log-level",
  value: "LEVEL",
  choices: logLevels,
  help: "level of the log: error, warn, info (default), debug",
} as const;

export interface BrokerSettings {
  readonly broker: BrokerAddress;
  readonly credentials?: string | undefined;
  readonly tls: TlsFiles;
}

/** Settings of a program that reads the topics of hub-cand. */
export interface ReaderSettings extends BrokerSettings {
  readonly prefix: string;
  readonly logLevel: LogLevel;
}

export const readerSettingsOf = (values: Values<string>): ReaderSettings => ({
  prefix: prefixOf(values.get("prefix") ?? "can/can0", "prefix"),
  ...brokerTargetOf(values),
  logLevel: logLevelOf(values),
});

export function brokerTargetOf(values: Values<string>): BrokerSettings {
  const broker = brokerOf(values.get("broker") ?? "mqtt://127.0.0.1:1883");
  return {
    broker,
    credentials: pathOf(values, "credentials"),
    tls: tlsFilesOf(values, { secure: broker.secure, scheme: "mqtts://" }),
  };
}

/** The files of `--ca`, `--cert` and `--key`, which are permitted for a secure connection only. */
export function tlsFilesOf(
  values: Values<string>,
  { secure, scheme }: { readonly secure: boolean; readonly scheme: string },
): TlsFiles {
  const [ca, cert, key] = [pathOf(values, "ca"), pathOf(values, "cert"), pathOf(values, "key")];
  if (!secure && (ca ?? cert ?? key) !== undefined) throw new UsageError(`--ca, --cert and --key need ${scheme}`);
  if ((cert === undefined) !== (key === undefined)) throw new UsageError("--cert and --key need each other");
  return { ca, cert, key };
}

/** Reads the URL of a broker, without name and password. */
export function readBrokerUrl(text: string): BrokerAddress | undefined {
  const [whole, s, host = "", port] =
    /^mqtt(s?):\/\/(\[[\da-f:.]+\]|[^\s/:?#[\]@]+)(?::(\d{1,5}))?\/?$/i.exec(text) ?? [];
  const number = port === undefined ? (s === "" ? 1883 : 8883) : Number(port);
  if (whole === undefined || number < 1 || number > 65_535) return undefined;
  return { secure: s !== "", host: host.replace(/^\[|\]$/g, ""), port: number };
}

function brokerOf(text: string): BrokerAddress {
  // The URL is not repeated, because there may be a password in it.
  if (text.includes("@")) throw new UsageError("--broker: name and password belong into the file of --credentials");
  const broker = readBrokerUrl(text);
  if (broker === undefined) throw new UsageError(`--broker ${text}: must be mqtt://HOST[:PORT] or mqtts://HOST[:PORT]`);
  return broker;
}

/** One or more levels, none empty, without wildcards; a slash at the end is dropped. */
export function prefixOf(text: string, option: string): string {
  const prefix = text.endsWith("/") ? text.slice(0, -1) : text;
  const refuse = (why: string): never => {
    throw new UsageError(`--${option} ${text}: ${why}`);
  };
  if (prefix.split("/").includes("")) refuse("a level is empty");
  if (/[+#\0]/.test(prefix)) refuse("must not contain +, # or NUL");
  if (prefix.startsWith("$")) refuse("must not begin with $, which belongs to the broker");
  // A topic has at most 65535 bytes; the part after the prefix is short.
  if (Buffer.byteLength(prefix) > 65_000) refuse("too long");
  return prefix;
}

export function logLevelOf(values: Values<string>): LogLevel {
  const text = values.get("log-level") ?? "info";
  const level = logLevels.find((level) => level === text);
  if (level === undefined) throw new UsageError(`--log-level ${text}: must be error, warn, info or debug`);
  return level;
}

/** The whole number given by an option, or its default. */
export function wholeOf<Name extends string>(
  values: Values<Name>,
  name: Name,
  { standard, least = 1, most }: { readonly standard?: number; readonly least?: number; readonly most: number },
): number {
  const text = values.get(name) ?? String(standard);
  const number = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`--${name} ${text}: must be a whole number, ${least} to ${most}`);
}

/** The path given by an option; undefined without the option. */
export function pathOf<Name extends string>(values: Values<Name>, name: Name): string | undefined {
  const path = values.get(name);
  if (path === "") throw new UsageError(`--${name}: empty file name`);
  return path;
}
