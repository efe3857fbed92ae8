/** Addresses in options, and servers that listen there. */
import { isIPv4, isIPv6 } from "node:net";
import type { ListenAddress } from "../../adapters/node/streams/line-server.ts";
import { StartupError, UsageError } from "./errors.ts";
import type { Values } from "./options.ts";

/** Reads `[HOST:]PORT`, the loopback address without a host; an IPv6 address is in brackets. */
export function listenAddressOf<Name extends string>(values: Values<Name>, name: Name): ListenAddress | undefined {
  const text = values.get(name);
  if (text === undefined) return undefined;
  const address = addressOf(/^\d+$/.test(text) ? `127.0.0.1:${text}` : text);
  if (address === undefined) throw new UsageError(`--${name} ${text}: must be PORT or HOST:PORT`);
  return address;
}

/** `HOST:PORT`, the value of an option. */
export function destinationOf(text: string, name: string): ListenAddress {
  const address = addressOf(text);
  if (address === undefined) throw new UsageError(`--${name} ${text}: must be HOST:PORT`);
  return address;
}

function addressOf(text: string): ListenAddress | undefined {
  const [, host, digits] = /^(\[[\da-f:.]+\]|[^\s/:?#[\]@]+):(\d{1,5})$/i.exec(text) ?? [];
  const port = Number(digits);
  if (host === undefined || port < 1 || port > 65_535) return undefined;
  const bare = host.replace(/^\[|\]$/g, "");
  return isPossible(bare) ? { host: bare, port } : undefined;
}

/** A name, or an address that exists: 999.1.1.1 would be looked up as a name with each datagram, in vain. */
function isPossible(host: string): boolean {
  if (host.includes(":")) return isIPv6(host);
  return !/^\d+(?:\.\d+){3}$/.test(host) || isIPv4(host);
}

/** Waits for a server; throws a StartupError with the name of its option if it cannot listen. */
export async function orTaken<Server>(
  option: string,
  { host, port }: ListenAddress,
  opening: Promise<Server>,
): Promise<Server> {
  try {
    return await opening;
  } catch (error) {
    throw new StartupError(`--${option}: cannot listen on ${host}:${port}: ${(error as NodeJS.ErrnoException).code}`);
  }
}
