/** Names of hosts that are on the boat, and requests that DNS rebinding made. */

/** Domains that no public name can be in, and the names of Debian's /etc/hosts. */
const localName = /(?:^|\.)(?:local|lan|home\.arpa|internal|localhost|localhost\.localdomain)\.?$/i;

/**
 * True for an address, a local name, or the machine's own name. An address of IPv6 may stand in brackets.
 *
 * @example isLocalHost("boat.local", "boat") // true
 */
export function isLocalHost(name: string, hostname: string): boolean {
  const isAddress = name.includes(":") || /^[\d.]+$/.test(name);
  return !name.includes(".") || isAddress || localName.test(name) || name.toLowerCase() === hostname.toLowerCase();
}

/**
 * True for DNS rebinding: a page of `evil.example`, whose name was pointed at this machine, would be its own origin here. Its
 * requests have a public name and our own port in Host. Addresses, local names and the machine's own name are ours; through a
 * proxy any name comes, with the proxy's port or none.
 */
export function isRebound(host: string | undefined, port: number | undefined, hostname: string): boolean {
  if (port === undefined || !host?.endsWith(`:${port}`)) return false;
  return !isLocalHost(host.slice(0, -`:${port}`.length), hostname);
}
