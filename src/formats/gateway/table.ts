/** All gateways, and the URLs by which they are named. */

import { actisense } from "./actisense.ts";
import { canboat } from "./canboat.ts";
import { candump } from "./candump.ts";
import type { Endpoint, Gateway } from "./gateway.ts";
import { gpsd } from "./gpsd.ts";
import { ikonvert } from "./ikonvert.ts";
import { n2kAscii } from "./n2k-ascii.ts";
import { nmea0183 } from "./nmea0183.ts";

import { socketcand } from "./socketcand.ts";
import { yachtDevices } from "./yacht-devices.ts";

export const gateways: readonly Gateway[] = [
  yachtDevices,
  actisense,
  n2kAscii,
  ikonvert,
  candump,
  socketcand,
  canboat,
  nmea0183,
  gpsd,
];

/** The place of a gateway; it has those of `host`, `port`, `path` and `baud` that its transport needs. */
export interface GatewayAddress {
  readonly url: string;
  readonly gateway: Gateway;
  readonly endpoint: Endpoint;
  /** For UDP the multicast group, or empty: datagrams of every sender are taken. */
  readonly host: string;
  readonly port: number;
  readonly busName?: string;
  /** Device file of a serial gateway. */
  readonly path: string;
  /** Bits a second. */
  readonly baud: number;
}

const LONGEST_BUS_NAME = 15;

/** The form of the URLs of an endpoint, for a message. */
function formOf({ hasBusName }: Gateway, { scheme, transport, port, baud, hasGroup }: Endpoint): string {
  if (transport === "serial") return `${scheme}:///dev/DEVICE[?baud=${baud}]`;
  const place = transport !== "udp" ? "HOST" : hasGroup ? "[GROUP]" : "";
  return `${scheme}://${place}${port === undefined ? ":PORT" : `[:${port}]`}${hasBusName ? "/BUS" : ""}`;
}

/** The form of every URL. */
export const gatewayUrls = gateways.flatMap((gateway) =>
  gateway.endpoints.map((endpoint) => ({ form: formOf(gateway, endpoint), gateway })),
);

/** Reads the URL of a gateway; returns its fault as the rest of a sentence. */
export function readGatewayUrl(url: string): GatewayAddress | string {
  const [, scheme, rest] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/s.exec(url) ?? [];
  for (const gateway of gateways) {
    const endpoint = gateway.endpoints.find((each) => each.scheme === scheme);
    if (endpoint === undefined) continue;
    const place =
      endpoint.transport === "serial" ? serialPlace(rest!, endpoint) : networkPlace(rest!, gateway, endpoint);
    return place === undefined ? `must be ${formOf(gateway, endpoint)}` : { url, gateway, endpoint, ...place };
  }
  return `must be one of ${gatewayUrls.map(({ form }) => form).join(", ")}`;
}

/** Scheme, host, port and path of an address as one text, the same for all URLs of one gateway. */
export function destinationOf({ endpoint, host, port, path, busName = "" }: GatewayAddress): string {
  return [endpoint.scheme, host === "localhost" ? "127.0.0.1" : host.toLowerCase(), port, path, busName].join(" ");
}

/** An IPv4 address for many receivers. */
const isMulticast = (host: string): boolean => /^(22[4-9]|23\d)(\.(0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])){3}$/.test(host);

type Place = Omit<GatewayAddress, "url" | "gateway" | "endpoint">;

function serialPlace(rest: string, { baud = 0 }: Endpoint): Place | undefined {
  const [, path, given] = /^(\/[^?#\0]+)(?:\?baud=(\d{1,7}))?$/.exec(rest) ?? [];
  const rate = given === undefined ? baud : Number(given);
  if (path === undefined || rate === 0) return undefined;
  return { host: "", port: 0, path, baud: rate };
}

function networkPlace(
  rest: string,
  { hasBusName }: Gateway,
  { transport, port, hasGroup }: Endpoint,
): Place | undefined {
  const [, host, given, path = ""] =
    /^(\[[\da-f:.]+(?:%25[^\s/?#[\]@%]+)?\]|[^\s/:?#[\]@%]*)(?::(\d{1,5}))?(?:\/([^/?#\s<>]*))?$/i.exec(rest) ?? [];
  const number = given === undefined ? port : Number(given);
  if (host === undefined || number === undefined || number < 1 || number > 65_535) return undefined;
  const isGroup = hasGroup === true && isMulticast(host);
  if ((host === "" || isGroup) !== (transport === "udp")) return undefined;
  if (hasBusName ? path === "" || path.length > LONGEST_BUS_NAME : path !== "") return undefined;
  const busName = hasBusName ? { busName: path } : {};
  // A link-local address has its interface after `%25` (RFC 6874).
  const plain = host.replace(/^\[|\]$/g, "").replace("%25", "%");
  return { host: plain, port: number, path: "", baud: 0, ...busName };
}
