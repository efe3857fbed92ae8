/**
 * Places of a server for its clients or their requests. Those of one host have at most a quarter of them, so that no
 * host locks out the others.
 */

const SHARE = 1 / 4;

/** Programs of this machine, and proxies, which speak for many. */
const loopback = /^(?:(?:::ffff:)?127\.|::1$)/;

export const isLoopback = (address: string): boolean => loopback.test(address);

/**
 * The name by which an address counts. A host may take any address of its network of IPv6, so that its first 64 bits
 * count; an address of IPv4 is the same in IPv6.
 *
 * @example hostOf("2001:db8:0:1::7") // "2001:db8:0:1"
 */
export function hostOf(address: string): string {
  if (!address.includes(":") || address === "::1") return address;
  const ipv4 = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (ipv4 !== undefined) return ipv4;
  const [before = "", behind] = address.split("::");
  const groups = before.split(":");
  const last = behind?.split(":") ?? [];
  // "::" stands for groups of zero.
  while (groups.length + last.length < 8) groups.push("0");
  return [...groups, ...last]
    .slice(0, 4)
    .map((group) => Number.parseInt(group || "0", 16).toString(16))
    .join(":");
}

interface PlacesOptions {
  /** Whether loopback may have all, where proxies of this machine speak for others. */
  readonly hasProxies?: boolean;
}

export class Places {
  readonly #most: number;
  readonly #share: number;
  readonly #hasProxies: boolean;
  readonly #taken = new Map<string, number>();
  #count = 0;

  constructor(most: number, { hasProxies = true }: PlacesOptions = {}) {
    this.#most = most;
    this.#share = Math.ceil(most * SHARE);
    this.#hasProxies = hasProxies;
  }

  /** The reason why `address` gets no place now: all are taken, or all that one host may have. */
  lacking(address: string): "all" | "share" | undefined {
    const isLimited = !(this.#hasProxies && isLoopback(address));
    if (isLimited && (this.#taken.get(hostOf(address)) ?? 0) >= this.#share) return "share";
    return this.#count >= this.#most ? "all" : undefined;
  }

  /** Takes a place; the returned function gives it back, and may be called again. */
  take(address: string): () => void {
    const host = hostOf(address);
    this.#add(host, 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.#add(host, -1);
      isTaken = false;
    };
  }

  #add(host: string, change: 1 | -1): void {
    const count = (this.#taken.get(host) ?? 0) + change;
    this.#count += change;
    if (count === 0) this.#taken.delete(host);
    else this.#taken.set(host, count);
  }
}
