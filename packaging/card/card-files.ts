/** The files that the settings of a card become: text by path, or `undefined` where a setting leaves none. */
import type { CardSettings, WiFi } from "./hub-txt.ts";

export interface CardFile {
  readonly path: string;
  /** Absent: there is no such file. */
  readonly text?: string | undefined;
  readonly mode: number;
}

/** The address of the boat's computer in the network that it makes. */
export const OWN_ADDRESS = "192.168.77.1";

/** A value of a key file of NetworkManager: GLib takes white space at its ends away, and reads backslashes. */
const keyFileValue = (text: string): string =>
  text.replaceAll("\\", "\\\\").replace(/^ +| +$/g, (spaces) => "\\s".repeat(spaces.length));

/** The name of a network as the list of its bytes, which no character of it can end. */
const bytesOf = (text: string): string => [...new TextEncoder().encode(text)].map((byte) => `${byte};`).join("");

/** The UUID is the same for every card, as the name of the file is. */
const connection = ({ own, network, password }: WiFi): string => `[connection]
id=hub-wifi
uuid=6f0f0a3c-5d5e-4c7c-9d0b-68756263a4d1
type=wifi
autoconnect=true

[wifi]
mode=${own ? "ap" : "infrastructure"}
ssid=${bytesOf(network)}
${own ? "band=bg\n" : ""}powersave=2
${password === undefined ? "" : `\n[wifi-security]\nkey-mgmt=wpa-psk\npsk=${keyFileValue(password)}\n`}
[ipv4]
${own ? `method=shared\naddress1=${OWN_ADDRESS}/24` : "method=auto"}

[ipv6]
method=${own ? "disabled" : "auto"}
`;

/** The files of a card that has been told nothing: an open access point with the page, and no bus. */
export const askingSettings = (serial: string): CardSettings => ({
  sshKeys: [],
  wifi: { own: true, network: `hub-${serial}` },
});

/** All files that hub-card owns. `boot` is the folder of the FAT partition. */
export function filesOf(settings: CardSettings, boot: string): readonly CardFile[] {
  const { country, wifi, sshKeys, bus, options, clock } = settings;
  const overlays = [bus?.overlay, clock && `clock-${clock}`].filter((name) => name !== undefined);
  return [
    {
      path: "/etc/NetworkManager/system-connections/hub-wifi.nmconnection",
      text: wifi && connection(wifi),
      mode: 0o600,
    },
    {
      path: "/etc/modprobe.d/hub-country.conf",
      text: country && `options cfg80211 ieee80211_regdom=${country}\n`,
      mode: 0o644,
    },
    {
      path: "/etc/ssh/hub-card.keys",
      text: sshKeys.length > 0 ? `${sshKeys.join("\n")}\n` : undefined,
      mode: 0o644,
    },
    {
      path: "/etc/default/hub-cand-can0",
      text: `# By hub.txt of the card, which replaces this file at each start.\nHUB_CAND_OPTIONS="${[bus?.options, options].filter((each) => each).join(" ")}"\n`,
      mode: 0o644,
    },
    {
      path: `${boot}/hub-hat.txt`,
      text: overlays.map((name) => `dtoverlay=hub-${name}\n`).join(""),
      mode: 0o755,
    },
  ];
}
