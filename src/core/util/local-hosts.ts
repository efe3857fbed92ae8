/** Names of hosts that are on the boat, origins of pages, and requests that DNS rebinding made. */

/** Domains that no public name can be in, and the names of Debian's /etc/hosts. */
const localName = /(?:^|\.)(?:local|lan|home\.arpa|internal|localhost|localhost\.localdomain)\.?$/i;

/**
 * True for an address, a local name, or the machine's own name. An address of IPv6 stands in brackets.
 *
 * @example isLocalHost("boat.local", "boat") // true
 */
export function isLocalHost(name: string, hostname: string): boolean {
  const isAddress = /^(?:\[.*\]|[\d.]+)$/.test(name);
  return !name.includes(".") || isAddress || localName.test(name) || name.toLowerCase() === hostname.toLowerCase();
}

/**
 * Host and port of an origin, as in the Host of a request to it. Undefined for a text that is not an HTTP origin as a
 * browser writes it: `null`, `chrome-extension://…`, or with a user or a path. OpenCPN sends that of its stream,
 * `ws://…`.
 */
export const hostOfOrigin = (origin: string): string | undefined =>
  /^(?:http|ws)s?:\/\/((?:\[[\da-f:.]+\]|[^\s:/?#@\\[\]]+)(?::\d+)?)$/.exec(origin.toLowerCase())?.[1];

/** The host without its port. */
export const nameOfHost = (host: string): string => host.replace(/:\d*$/, "");

/** Browsers leave out the port of HTTP. */
const DEFAULT_PORT = 80;

/**
 * True for DNS rebinding: a page of `evil.example`, whose name was changed to this machine's address, would be
 * same-origin here. Its requests have a public name and our own port in Host. Addresses, local names and the machine's
 * own name are ours; a proxy passes on any name, with its own port.
 */
export function isRebound(host: string | undefined, port: number | undefined, hostname: string): boolean {
  // HTTP/1.0 names no host.
  if (!host) return false;
  const name = nameOfHost(host);
  const asked = Number(host.slice(name.length + 1)) || DEFAULT_PORT;
  return asked === port && !isLocalHost(name, hostname);
}
