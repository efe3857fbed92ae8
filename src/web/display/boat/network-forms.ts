/** Ready forms of further networks: what the crew has, what has to be typed, and the text that the settings get. Pure. */
import { OWN_BROKER } from "../../../core/settings/networks.ts";
import type { PlainText } from "../languages/texts.ts";

export type Filled = Readonly<Record<string, string>>;

interface Field {
  readonly label: PlainText;
  /** The initial text of the field. */
  readonly first?: string;
  /** Whether a text can be used; `why` says what it has to be. */
  readonly pattern: RegExp;
  readonly why: PlainText;
}

export interface NetworkForm {
  readonly title: PlainText;
  /** Instructions for the device at the other end. */
  readonly about: PlainText;
  readonly fields: Readonly<Record<string, Field>>;
  readonly network: (filled: Filled) => string;
}

const host = (first = ""): Field => ({
  label: "Address of it in the boat's network",
  first,
  pattern: /^([\w-]+(\.[\w-]+)*|\[[\da-fA-F:.]+\])$/,
  why: "an address such as 192.168.4.1, or a name",
});

const port = (first: string): Field => ({
  label: "Port",
  first,
  pattern: /^([1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])$/,
  why: "a number from 1 to 65535",
});

const serial: Field = {
  label: "Serial port",
  first: "/dev/serial/by-id/",
  pattern: /^\/dev\/(?!(.*\/)?\.{1,2}(\/|$))[^?#\s]*[^?#\s/]$/,
  why: "a path below /dev: ls /dev/serial/by-id lists them",
};

const baud = (first: string): Field => ({
  label: "Bits a second",
  first,
  pattern: /^[1-9]\d{0,6}$/,
  why: "a number such as 4800 or 38400",
});

const bus = (first: string): Field => ({
  label: "Interface",
  first,
  pattern: /^[a-zA-Z][\w-]{0,14}$/,
  why: "a name such as can1",
});

export const networkForms: readonly NetworkForm[] = [
  {
    title: "NMEA 0183 over TCP",
    about: "An AIS receiver, a multiplexer or instruments with a server in the boat's network.",
    fields: { host: host(), port: port("10110") },
    network: ({ host, port }) => `nmea0183+tcp://${host}:${port}`,
  },
  {
    title: "NMEA 0183 over UDP",
    about: "Whatever sends sentences to this port of the boat's computer, or to all.",
    fields: { port: port("10110") },
    network: ({ port }) => `nmea0183+udp://:${port}`,
  },
  {
    title: "NMEA 0183 on a serial port",
    about:
      "4800 bits a second, 38400 for an AIS receiver. The service needs leave to open the port: serial-gateway.conf.",
    fields: { path: serial, baud: baud("4800") },
    network: ({ path, baud }) => `nmea0183+serial://${path}${baud === "4800" ? "" : `?baud=${baud}`}`,
  },
  {
    title: "GPS or AIS receiver at gpsd",
    about: "gpsd on the boat's computer, or on another one.",
    fields: { host: host("localhost"), port: port("2947") },
    network: ({ host, port }) => `gpsd://${host}:${port}`,
  },
  {
    title: "Second NMEA 2000 bus",
    about: "A CAN interface of the boat's computer. hub listens there and sends nothing.",
    fields: { bus: bus("can1") },
    network: ({ bus = "" }) => bus,
  },
  {
    title: "NMEA 2000 gateway of Yacht Devices",
    about: "YDWG-02, YDEN-02, YDNR-02: a server with the protocol RAW, TCP.",
    fields: { host: host("192.168.4.1"), port: port("1457") },
    network: ({ host, port }) => `yd-raw+tcp://${host}:${port}`,
  },
  {
    title: "Engine on SAE J1939",
    about: "A CAN interface at the bus of the engine.",
    fields: { bus: bus("can2") },
    network: ({ bus }) => `j1939:${bus}`,
  },
  {
    title: "Signal K server",
    about: "Its plugin signalk-to-nmea0183, with the sentences that you want, and its NMEA 0183 server on port 10110.",
    fields: { host: host(), port: port("10110") },
    network: ({ host, port }) => `nmea0183+tcp://${host}:${port}`,
  },
  {
    title: "Sensors at the boat's broker",
    about: "Ruuvi, Mopeka, zigbee2mqtt, ESPHome. What is heard is listed below, to be chosen from.",
    fields: {},
    network: () => OWN_BROKER,
  },
  {
    title: "Sensors at another broker",
    about: "A Victron GX device with MQTT turned on, without a password.",
    fields: { host: host("venus.local"), port: port("1883") },
    network: ({ host, port }) => `mqtt://${host}${port === "1883" ? "" : `:${port}`}`,
  },
  {
    title: "Another one, by its URL",
    about: "The manual lists the URLs: Connect your boat.",
    fields: {
      url: { label: "URL or interface", pattern: /^\S{1,250}$/, why: "a text without spaces" },
    },
    network: ({ url = "" }) => url,
  },
];

/** The fields without blanks around them; of an address with a port, `host:port`, each goes to its own field. */
export function readFilled({ fields }: NetworkForm, filled: Filled): Filled {
  const trimmed = Object.fromEntries(Object.entries(filled).map(([name, text]) => [name, text.trim()]));
  const [, host, port] = /^([^:[\]]+|\[.+\]):(\d+)$/.exec(trimmed.host ?? "") ?? [];
  return fields.port === undefined || host === undefined || port === undefined ? trimmed : { ...trimmed, host, port };
}

/** The kind of a network, for the crew: the title of the form that adds one. */
export function kindOfNetwork(network: string): string {
  const scheme = /^(j1939(?=[:+])|mqtt:(?=\/)|[^:]+:?)/.exec(network)?.[0] ?? "";
  const kinds: Readonly<Record<string, string>> = {
    "nmea0183+tcp:": "NMEA 0183 over TCP",
    "nmea0183+udp:": "NMEA 0183 over UDP",
    "nmea0183+serial:": "NMEA 0183 on a serial port",
    "gpsd:": "GPS or AIS receiver at gpsd",
    j1939: "Engine on SAE J1939",
    "mqtt:": network === OWN_BROKER ? "Sensors at the boat's broker" : "Sensors at another broker",
  };
  return kinds[scheme] ?? (network.includes(":") ? "NMEA 2000 at a gateway" : "NMEA 2000");
}
