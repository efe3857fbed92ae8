/** Hosts and serial ports of the networks of a configuration, in words for people. Pure. */
import { networkSettings } from "../../../core/settings/networks.ts";

/** `nmea0183+tcp://192.168.4.1:10110?x` without its options; the host in front of a name and a password that it may have. */
const URL_PARTS = /^[\w+.-]+:\/\/(?:[^/?#]*@)?([^/?#]*)([^?#]*)/;

/** A host with its port, a path, an interface; `mqtt:` is the broker that hub is connected to already. */
function connectionOf(network: string): string | undefined {
  if (/^(j1939\+)?mqtt:$/.test(network)) return undefined;
  const [, host, path] = URL_PARTS.exec(network) ?? [];
  if (host === undefined) return network.replace(/^j1939\+/, "");
  // A URL without a host has the path of a serial port; one without the other listens at a port.
  return host === "" ? path : host.startsWith(":") ? `its own port ${host.slice(1)}` : host;
}

/** Hosts and ports in the entry `networks` of `after` that are not in that of `before`. */
export function newConnections(before: unknown, after: unknown): readonly string[] {
  const of = (entry: unknown): readonly string[] =>
    networkSettings.read(entry).settings.also.flatMap((network) => connectionOf(network) ?? []);
  const known = of(before);
  return [...new Set(of(after))].filter((each) => !known.includes(each));
}
