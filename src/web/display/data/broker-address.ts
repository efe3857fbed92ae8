/** Where the broker is, and the WebSocket to it. */

/** Whether a WebSocket may be opened there: an encrypted page may open only encrypted ones. */
export function isBrokerUrl(text: string): boolean {
  try {
    const { protocol } = new URL(text);
    return protocol === "wss:" || (protocol === "ws:" && location.protocol !== "https:");
  } catch {
    return false;
  }
}

/** URL of the broker: the query parameter `broker`, or else the setting, or else `/mqtt` of this host. */
export function brokerUrlOf(setting: string): string {
  const override = new URLSearchParams(location.search).get("broker") ?? "";
  const ownHost = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/mqtt`;
  return [override, setting].find(isBrokerUrl) ?? ownHost;
}

/** User and password may stand in the URL; browsers refuse them in that of a WebSocket. */
export function withoutNames(url: string) {
  if (!URL.canParse(url)) return { href: url };
  const parts = new URL(url);
  const [username, password] = [parts.username, parts.password].map((text) => decodeURIComponent(text) || undefined);
  parts.username = parts.password = "";
  return { username, password, href: parts.href };
}

declare global {
  /** Until the first connection has taken it. */
  var firstSocket: WebSocket | undefined;
}

const open = (href: string): WebSocket => new WebSocket(href, ["mqtt"]);

/** Opens the socket of the first connection, which a page does before its other scripts are read. */
export function openFirstSocket(url: string): void {
  globalThis.firstSocket = open(withoutNames(url).href);
}

/** A socket that is open or opens. */
export function socketTo(href: string): WebSocket {
  const { firstSocket } = globalThis;
  globalThis.firstSocket = undefined;
  if (firstSocket?.url === href && firstSocket.readyState <= WebSocket.OPEN) return firstSocket;
  firstSocket?.close();
  return open(href);
}
