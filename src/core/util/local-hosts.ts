/** Names of hosts that are on the boat, origins of pages, and requests that DNS rebinding made. */

/** Domains that no public name can be in, and the names of Debian's /etc/hosts. */
const localName = /(?:^|\.)(?:local|lan|home|home\.arpa|internal|localhost|localhost\.localdomain)\.?$/i;

/** An address; that of IPv6 stands in brackets. */
export const isAddress = (name: string): boolean => /^(?:\[.*\]|[\d.]+)$/.test(name);

/**
 * Loopback, private networks, and addresses of a link (RFC 1122, 1918, 3927, 4193, 4291), and those of 100.64.0.0/10
 * (RFC 6598), which a network of a VPN has.
 */
const localAddress = new RegExp(
  [
    String.raw`^(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01])|169\.254|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+$`,
    String.raw`^\[(?:::1\]|f[cd][\da-f]{2}:|fe[89ab][\da-f]:)`,
  ].join("|"),
  "i",
);

/**
 * True for a name or an address that no host of the Internet has, and for the machine's own name.
 *
 * @example isLocalHost("boat.local", "boat") // true
 */
export function isLocalHost(name: string, hostname: string): boolean {
  if (isAddress(name)) return localAddress.test(name);
  return !name.includes(".") || localName.test(name) || name.toLowerCase() === hostname.toLowerCase();
}

/** The first value of a header that each proxy appends to. */
export const firstOf = (value: string | undefined): string | undefined => value?.split(",")[0]?.trim() || undefined;

/**
 * Whether a page comes from the host, with its port, that it asks: by Host, or as a proxy in front has heard it
 * (X-Forwarded-Host). No page can set either in a request that needs no permission of ours.
 */
export function isAsked(origin: string, host: string | undefined, forwarded: string | undefined): boolean {
  // Browsers leave out the port of a scheme, proxies may add it.
  const own = /^(?:http|ws)s:/i.test(origin) ? /:443$/ : /:80$/;
  const page = hostOfOrigin(origin)?.replace(own, "");
  return [host, firstOf(forwarded)].some(
    (asked) => asked !== undefined && page === asked.toLowerCase().replace(own, ""),
  );
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
  return asked === port && !isAddress(name) && !isLocalHost(name, hostname);
}
