/** hub.txt of a card: each line read alone, the files that it becomes, and the page that asks for the same. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { askingSettings, type CardFile, filesOf } from "../../packaging/card/card-files.ts";
import {
  hats,
  keys,
  type Places,
  type Reading,
  readCard,
  readHubTxt,
  writeHubTxt,
} from "../../packaging/card/hub-txt.ts";
import { clocks, overlayOf, overlays } from "../../packaging/card/overlays.ts";
import { askingPage, saidPage } from "../../packaging/card/page.ts";

const template = readFileSync("packaging/card/hub.txt", "utf8");
const KEY = `ssh-ed25519 ${"A".repeat(68)} owner@home`;
const places: Places = {
  isZone: (name) => ["Europe/Amsterdam", "UTC", "Etc/GMT+5"].includes(name),
  isCountry: (letters) => ["NL", "GB"].includes(letters),
};
const read = (text: string): Reading => readHubTxt(text, places);
/** Reads files of the card by their names. */
const readFiles = (files: Readonly<Record<string, Uint8Array>>): Reading => readCard((name) => files[name], places);
const { settings: nothing } = read("");

const right: Readonly<Record<string, readonly [text: string, settings: object]>> = {
  "an empty file": ["", {}],
  "the file as the card has it": [template, {}],
  "the file of Windows": [template.replaceAll("\n", "\r\n"), {}],
  "a name, with spaces around the =": ["  name   =  Ella of Hindeloopen ", { name: "Ella of Hindeloopen" }],
  "a name with a =": ["name=a=b", { name: "a=b" }],
  "a key in capitals": ["NAME = Ella", { name: "Ella" }],
  "a country in small letters": ["country = nl", { country: "NL" }],
  "a client": [
    "wifi = client\nwifi-name = Harbour 5\nwifi-password = pass word",
    { wifi: { own: false, network: "Harbour 5", password: "pass word" } },
  ],
  "a client of an open network, by the name alone": [
    "wifi-name = Harbour",
    { wifi: { own: false, network: "Harbour" } },
  ],
  "an access point with the name of the boat": [
    "name = Ella\nwifi = access-point\nwifi-password = 12345678",
    { name: "Ella", wifi: { own: true, network: "Ella", password: "12345678" } },
  ],
  "no Wi-Fi, whatever else stands there": ["wifi = off\nwifi-name = x\nwifi-password = 12345678", {}],
  "a time zone": ["time-zone = Europe/Amsterdam", { timeZone: "Europe/Amsterdam" }],
  "two keys": [`ssh-key = ${KEY}\nssh-key = ${KEY}2`, { sshKeys: [KEY, `${KEY}2`] }],
  "no bus": ["bus = none", { bus: { options: "" } }],
  "a USB adapter": ["bus = usb", { bus: { options: "" } }],
  "a simulated boat": ["bus = simulated", { bus: { options: "--simulate" } }],
  "a gateway": ["bus = yd-raw+tcp://192.168.4.1:1457", { bus: { options: "--source yd-raw+tcp://192.168.4.1:1457" } }],
  "a gateway on USB": [
    "bus = actisense:///dev/serial/by-id/usb-Actisense_NGT-1-if00-port0",
    { bus: { options: "--source actisense:///dev/serial/by-id/usb-Actisense_NGT-1-if00-port0" } },
  ],
  "a HAT by its chip": ["bus = hat mcp2515-16-25", { bus: { options: "", overlay: "mcp2515-16-25" } }],
  options: ["options = --home-assistant  --node", { options: "--home-assistant --node" }],
  "words with capitals": [
    "wifi = Access-Point\nwifi-password = 12345678\nbus = Hat PiCAN-M\nclock = DS3231\nscreen = YES",
    {
      ...{ wifi: { own: true, network: "hub", password: "12345678" }, clock: "ds3231", screen: true },
      bus: { options: "", overlay: "mcp2515-16-25" },
    },
  ],
  "a password with quotes, spaces and signs": [
    `wifi-name = x\nwifi-password = "a # b" ; 'c' =`,
    { wifi: { own: false, network: "x", password: `"a # b" ; 'c' =` } },
  ],
  "a screen": ["screen = yes", { screen: true }],
  "no screen": ["screen = no", { screen: false }],
  "the clock of a HAT": ["clock = ds3231", { clock: "ds3231" }],
};

test.each(Object.entries(right))("hub.txt has %s", (_what, [text, settings]) => {
  expect(read(text)).toMatchObject({ settings: { ...nothing, ...settings }, faults: [] });
  expect(read(text).isWritten).toBe(Object.keys(settings).length > 0 || text.includes("wifi = off"));
});

const wrong: Readonly<Record<string, readonly [text: string, fault: RegExp]>> = {
  "an unknown key": ["colour = red", /"colour" is no setting; there are name, /],
  "a network in quotes": ['wifi-name = "Harbour"', /^Line 1: the quotes around wifi-name are a part of it/],
  "the quotes of a word processor": ["name = „Ella“", /the quotes around name/],
  "no =": ["name Ella", /"name Ella" is no setting/],
  "a name longer than that of a network": ["name = Schiffchen auf der grünen Wümme", /name has more than 32 bytes/],
  "a country as a word": ["country = Holland", /country must be the two letters of a country/],
  "two letters that are no country": ["country = UK", /the United Kingdom has GB/],
  "another kind of Wi-Fi": ["wifi = yes", /wifi must be client, access-point or off/],
  "a client without a network": ["wifi = client", /a client needs the wifi-name/],
  "an access point without a password": ["wifi = access-point", /the access point needs a wifi-password/],
  "a short password": ["wifi-name = x\nwifi-password = short", /^Line 2: wifi-password must have 8 to 63/],
  "a password that WPA cannot have": ["wifi = access-point\nwifi-password = geheimnüs", /^Line 2: wifi-password/],
  "a time zone that is not there": ["time-zone = Europe/Atlantis", /time-zone must be a name/],
  "a time zone above the folder": ["time-zone = ../../etc/passwd", /time-zone must be a name/],
  "a private key": [
    "ssh-key = -----BEGIN OPENSSH PRIVATE KEY-----",
    /ssh-key must be the line of a file that ends in .pub/,
  ],
  "a key with options, which run commands": [`ssh-key = command="reboot" ${KEY}`, /ssh-key must/],
  "another bus": ["bus = can0", /bus must be none, usb, simulated, hat and its name, or the URL/],
  "a HAT that is not known": ["bus = hat lidl", /the HAT lidl is not known; it must be one of pican-m, /],
  "a gateway that is not known": ["bus = ydwg://192.168.4.1", /bus must be one of yd-raw/],
  "a gateway without its host": ["bus = yd-raw+tcp://", /bus must be yd-raw\+tcp:\/\/HOST/],
  "further options of hub-cand": ["bus = yd-raw+tcp://a --node", /bus has characters that no URL has/],
  "a quote, which ends the options": ['bus = yd-raw+tcp://a"', /bus has characters that no URL has/],
  "a variable of systemd": ["bus = nmea0183+serial:///dev/$HOME", /bus has characters that no URL has/],
  "options beside which the bus is none": [
    "options = --node",
    /^Line 1: options are refused by hub-cand: --node and --simulate exclude each other\.$/,
  ],
  "an option that is not known": ["options = --nod", /options are refused by hub-cand: .*--nod/],
  "an option that only prints": ["options = --version", /options have one with which hub-cand only prints/],
  "a quote among options": ['options = --node"', /options have characters that no option has/],
  "a clock that is not known": ["clock = sundial", /clock must be ds3231, pcf8523 or /],
  "a screen as a number": ["screen = 1", /screen must be yes or no/],
  "two names": ["name = Ella\nname = Emma", /^Line 2: name stands there twice; the first one counts/],
  "a long line of something else": [`\u0000${"x".repeat(500)}`, /^Line 1: " x{39}…" is no setting/],
  "a control character": ["name = El\u0007la", /name has a control character/],
};

test("the sentences come in the order of the lines", () => {
  const { faults } = read("country = Holland\nscren = yes\nwifi = x");
  expect(faults.map((each) => each.slice(0, 7))).toEqual(["Line 1:", "Line 2:", "Line 3:"]);
});

test.each(Object.entries(wrong))("hub.txt has %s: a sentence, and the other lines count", (_what, [text, fault]) => {
  const { settings, faults } = read(`${text}\nbus = simulated\nclock = ds3231`);
  const [said, ...others] = faults;
  expect(said).toMatch(fault);
  // A second bus or clock, where the first one was right.
  expect(others).toEqual([]);
  expect([settings.bus?.options, settings.clock]).toEqual(["--simulate", "ds3231"]);
});

const file = "name = Möwe\r\ncountry = NL\r\n";
const little = Buffer.from(`\ufeff${file}`, "utf16le");
const encodings: Readonly<Record<string, Uint8Array>> = {
  "UTF-8": Buffer.from(file),
  "UTF-8 with a mark": Buffer.from(`\ufeff${file}`),
  "UTF-16, Unicode of Notepad": little,
  "UTF-16 with the high bytes first": Buffer.from(little).swap16(),
  "Windows-1252, ANSI of Notepad": Buffer.from(file, "latin1"),
};

test.each(Object.entries(encodings))("hub.txt may be of %s", (_name, bytes) => {
  expect(readFiles({ "hub.txt": bytes })).toMatchObject({ settings: { name: "Möwe", country: "NL" }, faults: [] });
});

test("hub.txt.txt counts where hub.txt has no values, and that is said", () => {
  const [empty, second] = [Buffer.from(template), Buffer.from("name = Emma\ncountry = Holland")];
  for (const files of [{ "hub.txt.txt": second }, { "hub.txt": empty, "hub.txt.txt": second }]) {
    const { settings, faults, isWritten } = readFiles(files);
    expect([settings.name, isWritten]).toEqual(["Emma", true]);
    expect(faults).toEqual([
      expect.stringMatching(/those of hub\.txt\.txt/),
      expect.stringMatching(/^Line 2: country/),
    ]);
  }
  const own = readFiles({ "hub.txt": Buffer.from("name = Ella"), "hub.txt.txt": second });
  expect(own).toMatchObject({ settings: { name: "Ella" }, faults: [] });
  expect(readFiles({})).toMatchObject({ isWritten: false, faults: [] });
});

test("any text is read, and what is right of it fits into one line of each file", () => {
  const line = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.tuple(fc.constantFrom(...keys), fc.string({ unit: "binary", maxLength: 60 })).map((pair) => pair.join(" = ")),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
      const { settings } = readFiles({ "hub.txt": Buffer.from(lines.join("\n")) });
      const files = filesOf(settings, "/boot/firmware");
      const [wifi, , , options] = files;
      expect(options!.text).toMatch(/^# .*\nHUB_CAND_OPTIONS="[^"$\\\n]*"\n$/);
      expect((wifi!.text ?? "").match(/^(ssid|psk|mode)=/gm)?.length ?? 0).toBeLessThanOrEqual(3);
    }),
  );
});

const textOf = (files: readonly CardFile[], name: string): string | undefined =>
  files.find(({ path }) => path.endsWith(name))!.text;

test("the files of a boat with a HAT, a clock, an access point and a key", () => {
  const text = `name = Ella\ncountry = NL\nwifi = access-point\nwifi-password = a\\b c d;e#\nssh-key = ${KEY}\nbus = hat pican-m\noptions = --node\nclock = ds3231`;
  const files = filesOf(read(text).settings, "/boot/firmware");
  expect(textOf(files, "hub-hat.txt")).toBe("dtoverlay=hub-mcp2515-16-25\ndtoverlay=hub-clock-ds3231\n");
  expect(textOf(files, "hub-country.conf")).toBe("options cfg80211 ieee80211_regdom=NL\n");
  expect(textOf(files, "hub-card.keys")).toBe(`${KEY}\n`);
  expect(textOf(files, "hub-cand-can0")).toContain('HUB_CAND_OPTIONS="--node"');
  const wifi = textOf(files, "hub-wifi.nmconnection");
  expect(wifi).toMatch(/^mode=ap$/m);
  expect(wifi).toMatch(/^ssid=69;108;108;97;$/m);
  expect(wifi).toMatch(/^psk=a\\\\b c d;e#$/m);
  expect(wifi).toMatch(/^method=shared$/m);
});

test("a card that asks is an open access point without a login", () => {
  const files = filesOf(askingSettings("4A1F"), "/boot/firmware");
  expect(textOf(files, "hub-wifi.nmconnection")).toMatch(/^ssid=104;117;98;45;52;65;49;70;$/m);
  expect(textOf(files, "hub-wifi.nmconnection")).not.toContain("psk");
  expect(textOf(files, "hub-card.keys")).toBeUndefined();
});

test("what the page writes is read as it was given, with the explanations of the card", () => {
  const values = {
    name: "Ella",
    wifi: "access-point",
    "wifi-password": "$& 12345678",
    bus: "hat pican-m",
    country: "nl",
  };
  const written = writeHubTxt(template, values);
  expect(written.split("\n").length).toBe(template.split("\n").length);
  expect(written.match(/^#.*/gm)).toEqual(template.match(/^#.*/gm));
  expect(read(written)).toMatchObject({
    settings: {
      ...{ name: "Ella", country: "NL", wifi: { own: true, network: "Ella", password: "$& 12345678" } },
      bus: { options: "", overlay: "mcp2515-16-25" },
    },
    faults: [],
  });
});

test("a value of the page stays in its line", () => {
  const written = writeHubTxt(template, { name: "Ella\nssh-key = x\r\nbus = simulated" });
  expect(read(written).settings).toEqual({ ...nothing, name: "Ella ssh-key = x bus = simulated" });
});

test("the page shows values and sentences as text", () => {
  expect(askingPage(["<b>"], { name: '"><script>' })).toMatch(/&lt;b&gt;.*value="&quot;&gt;&lt;script&gt;"/s);
  expect(saidPage("<script>")).not.toContain("<script>");
});

test("hub.txt has a line of each setting, and explains the clocks", () => {
  expect([...template.matchAll(/^([a-z-]+) =$/gm)].map(([, key]) => key)).toEqual([...keys]);
  for (const clock of clocks) expect(template).toContain(clock);
});

test("docs/connect.md has the HATs that hub.txt knows, with their chips", () => {
  const rows = readFileSync("docs/connect.md", "utf8").matchAll(/^\| .* \| `hat (\S+)` \| `(\S+)` \|$/gm);
  expect(Object.fromEntries([...rows].map(([, name, overlay]) => [name, overlay]))).toEqual(hats);
  for (const overlay of Object.values(hats)) expect(overlays.map(overlayOf)).toContain(overlay);
});
