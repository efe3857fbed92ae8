/** hub.txt, the settings of a card as its owner writes them: read line by line, so that a wrong line costs itself alone. */
import { hubCandCommand } from "../../src/daemons/hub-cand-options.ts";
import { readGatewayUrl } from "../../src/formats/gateway/table.ts";
import { clocks, overlayOf, overlays } from "./overlays.ts";

export interface CardSettings {
  readonly name?: string;
  /** Two letters of ISO 3166, by which Wi-Fi knows its channels. */
  readonly country?: string;
  readonly wifi?: WiFi;
  readonly timeZone?: string;
  /** Lines of OpenSSH's authorized_keys. */
  readonly sshKeys: readonly string[];
  readonly bus?: Bus;
  /** Further options of hub-cand. */
  readonly options?: string;
  /** The chip of a battery-backed clock on the HAT. */
  readonly clock?: string;
  /** The display is shown on a screen of this computer. */
  readonly screen?: boolean;
}

/** `own`: the boat is the access point. */
export interface WiFi {
  readonly own: boolean;
  readonly network: string;
  /** Absent for an open network of others. */
  readonly password?: string;
}

/** Options of hub-cand for the bus, and the device tree overlay of a HAT. */
export interface Bus {
  readonly options: string;
  readonly overlay?: string;
}

/** HATs by the names under which they are sold. */
export const hats: Readonly<Record<string, string>> = {
  "pican-m": "mcp2515-16-25",
  pican2: "mcp2515-16-25",
  "waveshare-rs485-can": "mcp2515-12-25",
  "waveshare-rs485-can-8mhz": "mcp2515-8-25",
  "pican-fd": "mcp251xfd-40-25",
  "seeed-can-fd": "mcp251xfd-40-25",
  "waveshare-2ch-can-fd": "mcp251xfd-40-25",
};

/** The keys of hub.txt. */
export const keys = [
  ...[
    "name",
    "country",
    "wifi",
    "wifi-name",
    "wifi-password",
    "time-zone",
    "ssh-key",
    "bus",
    "options",
    "clock",
    "screen",
  ],
] as const;
export type Key = (typeof keys)[number];

export interface Reading {
  readonly settings: CardSettings;
  /** A sentence for each line that is wrong. */
  readonly faults: readonly string[];
  /** Whether any line has a value. Without one the card asks. */
  readonly isWritten: boolean;
}

interface Line {
  readonly number: number;
  readonly value: string;
}

const LONGEST_QUOTE = 40;
export const LARGEST_HUB_TXT = 65_536;

const KEY_TYPES =
  /^(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(256|384|521)|sk-(ssh-ed25519|ecdsa-sha2-nistp256)@openssh\.com) [A-Za-z0-9+/]{40,}={0,2}( [\x20-\x7e]*)?$/;

/** The time zones and countries that this computer has, by which hub.txt is checked. */
export interface Places {
  isZone(name: string): boolean;
  /** By its two letters in capitals. */
  isCountry(letters: string): boolean;
}

/**
 * The text of a file as editors write it: Windows' may take UTF-16 or its own letters of one byte, Windows-1252. The
 * decoders take a byte order mark away.
 */
export function textOfBytes(bytes: Uint8Array): string {
  const mark = bytes.length < 2 ? 0 : (bytes[0]! << 8) | bytes[1]!;
  if (mark === 0xfffe) return new TextDecoder("utf-16le").decode(bytes);
  if (mark === 0xfeff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Texts that configuration files hold in one line. */
const isPlain = (text: string): boolean => !/\p{Cc}/u.test(text);

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** Reads one of some words, which may have capitals. */
const oneOf =
  (allowed: readonly string[]) =>
  (value: string): { readonly is: string } | string => {
    const word = value.toLowerCase();
    const last = allowed.at(-1);
    return allowed.includes(word) ? { is: word } : `must be ${allowed.slice(0, -1).join(", ")} or ${last}`;
  };

/** The file of options is read by systemd, which knows quotes, variables and white space. */
const isSafe = (text: string): boolean => /^[!#%&()*+,./0-9:;=?@A-Z[\]^_a-z{|}~-]+$/.test(text);

/** Further options beside those of the bus, if hub-cand takes both; otherwise the end of a sentence. */
function readOptions(value: string, ofBus: string): { readonly is: string } | string {
  const words = value.split(/\s+/);
  if (!words.every(isSafe)) return "have characters that no option has";
  const command = hubCandCommand([...ofBus.split(" ").filter((word) => word !== ""), ...words]);
  if (command.kind === "usage-error") return `are refused by hub-cand: ${command.message}`;
  return command.kind === "run" ? { is: words.join(" ") } : "have one with which hub-cand only prints something";
}

/** The bus that a value names; for a wrong value, the end of a sentence that begins with "bus". */
function readBus(value: string): Bus | string {
  const word = value.toLowerCase();
  if (word === "none" || word === "usb") return { options: "" };
  if (word === "simulated") return { options: "--simulate" };
  const hat = /^hat +(\S+)$/.exec(word)?.[1];
  if (hat !== undefined) {
    const overlay = hats[hat] ?? hat;
    if (overlays.some((each) => overlayOf(each) === overlay)) return { options: "", overlay };
    return `the HAT ${hat} is not known; it must be one of ${Object.keys(hats).join(", ")}, or chip, megahertz and interrupt as in ${overlayOf(overlays[0]!)}`;
  }
  if (!value.includes("://")) return "must be none, usb, simulated, hat and its name, or the URL of a gateway";
  if (!isSafe(value)) return "has characters that no URL has";
  const address = readGatewayUrl(value);
  return typeof address === "string" ? address : { options: `--source ${value}` };
}

/** A line in a sentence about it; a file that was not written to its end may have anything. */
const quoted = (line: string): string => {
  const plain = line.replaceAll(/\p{Cc}+/gu, " ");
  return plain.length > LONGEST_QUOTE ? `${plain.slice(0, LONGEST_QUOTE)}…` : plain;
};

/** Reads hub.txt. */
export function readHubTxt(text: string, places: Places): Reading {
  const found: { readonly number: number; readonly sentence: string }[] = [];
  const lines = new Map<Key, Line[]>();
  const fault = (number: number, sentence: string): void => void found.push({ number, sentence });
  for (const [index, raw] of text.split(/\r\n|\r|\n/).entries()) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    const [, name = "", value = ""] = /^([^=]*?)\s*=\s*(.*)$/.exec(line) ?? [];
    const key = keys.find((each) => each === name.toLowerCase());
    if (key === undefined) fault(index + 1, `"${quoted(name || line)}" is no setting; there are ${keys.join(", ")}`);
    else if (!isPlain(value)) fault(index + 1, `the value of ${key} has a control character`);
    else if (value !== "") {
      lines.set(key, [...(lines.get(key) ?? []), { number: index + 1, value }]);
      if (/^(?:'.*'|["“”„«].*["“”»])$/.test(value))
        fault(index + 1, `the quotes around ${key} are a part of it; leave them out unless it has some`);
    }
  }

  /** The value of a key by `read`, which returns its fault as a text; of several lines the first right one counts. */
  function single<Value>(key: Key, read: (value: string) => { readonly is: Value } | string): Value | undefined {
    let found: { readonly is: Value } | undefined;
    for (const { number, value } of lines.get(key) ?? []) {
      const result = read(value);
      if (typeof result === "string") fault(number, `${key} ${result}`);
      else if (found === undefined) found = result;
      else fault(number, `${key} stands there twice; the first one counts`);
    }
    return found?.is;
  }

  const name = single("name", (value) =>
    bytesOf(value) <= 32 ? { is: value } : "has more than 32 bytes, the most that the name of a Wi-Fi network has",
  );
  const country = single("country", (value) =>
    /^[A-Za-z]{2}$/.test(value) && places.isCountry(value.toUpperCase())
      ? { is: value.toUpperCase() }
      : "must be the two letters of a country, such as NL; the United Kingdom has GB",
  );
  const kind = single("wifi", oneOf(["client", "access-point", "off"]));
  const network = single("wifi-name", (value) => (bytesOf(value) <= 32 ? { is: value } : "has more than 32 bytes"));
  const password = single("wifi-password", (value) =>
    /^[\x20-\x7e]{8,63}$/.test(value) ? { is: value } : "must have 8 to 63 letters, digits or signs of ASCII",
  );
  const timeZone = single("time-zone", (value) =>
    /^[A-Za-z0-9_+-]+(\/[A-Za-z0-9_+-]+)*$/.test(value) && places.isZone(value)
      ? { is: value }
      : "must be a name as Europe/Amsterdam",
  );
  const sshKeys = (lines.get("ssh-key") ?? []).flatMap(({ number, value }) => {
    if (KEY_TYPES.test(value)) return [value];
    fault(number, "ssh-key must be the line of a file that ends in .pub, and begins with ssh-ed25519 for example");
    return [];
  });
  const bus = single("bus", (value) => {
    const result = readBus(value);
    return typeof result === "string" ? result : { is: result };
  });
  const options = single("options", (value) => readOptions(value, bus?.options ?? ""));
  const clock = single("clock", oneOf(clocks));
  const screen = single("screen", oneOf(["yes", "no"]));

  const wifi = readWiFi();
  function readWiFi(): WiFi | undefined {
    const at = lines.get("wifi")?.[0]?.number ?? lines.get("wifi-name")?.[0]?.number ?? 0;
    if (kind === "off" || (kind === undefined && network === undefined)) return undefined;
    // A network of others with a password that cannot be its own is not tried as an open one.
    const isWrong = password === undefined && lines.has("wifi-password");
    if (kind === "access-point") {
      if (password !== undefined) return { own: true, network: network ?? name ?? "hub", password };
      if (!isWrong) fault(at, "the access point needs a wifi-password");
      return undefined;
    }
    if (network === undefined) fault(at, "a client needs the wifi-name of the network");
    else if (!isWrong) return { own: false, network, ...(password !== undefined && { password }) };
    return undefined;
  }

  const settings: CardSettings = {
    ...(name !== undefined && { name }),
    ...(country !== undefined && { country }),
    ...(wifi !== undefined && { wifi }),
    ...(timeZone !== undefined && { timeZone }),
    sshKeys,
    ...(bus !== undefined && { bus }),
    ...(options !== undefined && { options }),
    ...(clock !== undefined && { clock }),
    ...(screen !== undefined && { screen: screen === "yes" }),
  };
  const faults = found
    .sort((one, other) => one.number - other.number)
    .map(({ number, sentence }) => `Line ${number}: ${sentence}.`);
  return { settings, faults, isWritten: lines.size > 0 };
}

/** hub.txt with values in place of those of `template`, whose explanations stay. */
export function writeHubTxt(template: string, values: Readonly<Partial<Record<Key, string>>>): string {
  return template.replace(/^([a-z-]+) =.*$/gm, (line, key: string) => {
    const value = values[key as Key]?.replaceAll(/\p{Cc}+/gu, " ").trim() ?? "";
    return keys.some((each) => each === key) ? `${key} = ${value}`.trimEnd() : line;
  });
}

/** The names that the file of settings may have: Windows hides the ending `.txt`, so that a user may write it twice. */
export const namesOfHubTxt = ["hub.txt", "hub.txt.txt"] as const;

/** Reads the first of the files that has values, by their names; a file that is not there is `undefined`. */
export function readCard(bytesOf: (name: string) => Uint8Array | undefined, places: Places): Reading {
  const readings = namesOfHubTxt.map((name) => ({
    name,
    ...readHubTxt(textOfBytes((bytesOf(name) ?? new Uint8Array()).subarray(0, LARGEST_HUB_TXT)), places),
  }));
  const { name, settings, faults, isWritten } = readings.find((each) => each.isWritten) ?? readings[0]!;
  if (name === namesOfHubTxt[0]) return { settings, faults, isWritten };
  const sentence = `The lines are those of ${name}, because ${namesOfHubTxt[0]} has no values: give it this name.`;
  return { settings, faults: [sentence, ...faults], isWritten };
}
