/** The search of the settings: their sections with the members that are meant, and what stands on other pages. */
import { type AlarmKind, alarmWords } from "../../../core/alarms/words.ts";
import type { JsonSchema } from "../../../core/report/json-schema.ts";
import { quantityNames } from "../../../core/sensors/quantities.ts";
import { readyRows } from "../../../core/sensors/ready.ts";
import { measureNames, measures, unitsOf } from "../instruments/units.ts";
import { languageOf } from "../languages/languages.ts";
import { language, said, say } from "../languages/say.ts";
import { memberText, wordsOf as plainWords, settingText } from "../languages/setting-texts.ts";
import { sentence } from "../languages/texts.ts";
import type { FormEntry } from "./entries.ts";
import { networkForms } from "./network-forms.ts";
import { quantityText } from "./sensor-words.ts";

/** Entries with a place of their own: limits stand beside their watches, networks and sensors beside their state. */
const elsewhere: readonly string[] = ["alarms", "networks", "sensors"];

/** A result of the search: a section, a member of one, or an alarm; `words` are in English and in the language of the crew. */
interface Found {
  readonly title: string;
  readonly words: string;
}

interface Section extends Found {
  readonly name: string;
  readonly members: readonly Found[];
}

/** Texts in English and in the language of the crew. */
const inBoth = (...texts: readonly string[]): string => texts.flatMap((text) => [text, settingText(text)]).join(" ");

/** Names, descriptions and choices of a member and those in it. */
const wordsOf = (name: string, { title, description = "", enum: choices = [], items, ...of }: JsonSchema): string =>
  [
    inBoth(plainWords(name), title ?? "", description, ...choices.map(String)),
    ...Object.entries(of.properties ?? {}).map(([each, its]) => wordsOf(each, its)),
    items === undefined ? "" : wordsOf("", items),
  ].join(" ");

/** Other names that crews use for an entry or a member. */
const crewWords: Readonly<Record<string, string>> = {
  lanes: "mobile data, slow connection, history",
  variation: "magnetic variation, declination, compass",
  windDamping: "smoothing, fluctuating wind",
};
const crewWordsOf = (name: string): string => inBoth(crewWords[name] ?? "");

const membersOf = ({ properties = {} }: JsonSchema): readonly Found[] =>
  Object.entries(properties).map(([name, of]) => ({
    title: of.title === undefined ? sentence(memberText(name)) : settingText(of.title),
    words: `${name} ${wordsOf(name, of)} ${crewWordsOf(name)}`,
  }));

const sectionsOf = (entries: readonly FormEntry[]): readonly Section[] => [
  ...entries
    .filter(({ name }) => !elsewhere.includes(name))
    .map((entry) => ({
      name: entry.name,
      title: said(entry.title),
      words: `${inBoth(entry.title)} ${crewWordsOf(entry.name)}`,
      members: membersOf(entry.schema),
    })),
  {
    name: "polar",
    title: say("Polar"),
    words: inBoth("Polar", "Target", "Speed", "Wind", "Sail"),
    members: [],
  },
  {
    name: "maintenance",
    title: say("Maintenance"),
    words: inBoth(
      ...["Maintenance", "Engine", "Engine hours", "Oil", "Oil change", "What: oil, impeller, belt"],
      "service, impeller, filter, reminder, workshop",
    ),
    members: [],
  },
];

interface Elsewhere extends Found {
  readonly href: string;
}

/** The limits of an alarm, which stand beside its watch. */
const alarmsOf = (entries: readonly FormEntry[]): readonly Elsewhere[] =>
  Object.entries(entries.find(({ name }) => name === "alarms")?.schema.properties ?? {}).map(([kind, of]) => {
    const { watched } = alarmWords[kind as AlarmKind];
    return {
      title: say('Alarm "{watched}"', { watched: said(watched) }),
      href: `#/alarms/${kind}`,
      // German and Dutch write both as one word.
      words: `${inBoth(watched, "Alarm")} ${said(watched)}${settingText("Alarm")} ${wordsOf(kind, of)}`,
    };
  });

/** The settings that stand on other pages. */
const othersOf = (): readonly Elsewhere[] => [
  {
    title: say("Limits of alarms"),
    href: "#/alarms",
    words: inBoth(
      ...["Limits of alarms", "Berth", "Anchor watch"],
      "sound, volume, loudness, siren, silence, warning, harbour",
    ),
  },
  {
    title: say("Networks and sensors"),
    href: "#/boat/networks",
    words: inBoth(
      ...["Networks and sensors", "Sensors by MQTT", "Network", "gpsd", "Signal K"],
      ...networkForms.flatMap(({ title, about }) => [title, about]),
      ...[...Object.keys(readyRows), "Ruuvi", "Zigbee"],
      ...quantityNames.map(quantityText),
      "Wi-Fi, wifi, wireless, router, gateway, chart plotter, Bluetooth, AIS receiver, thermometer, add a device",
    ),
  },
  {
    title: say("Names, sources and the MMSI"),
    href: "#/boat/devices",
    words: inBoth(
      "Names, sources and the MMSI",
      "Device",
      "Devices",
      "Which source is used",
      "Prefer",
      "Position",
      "GPS",
      "chart plotter, antenna, receiver, sounder, log, compass, wind vane, rename, label, call sign",
    ),
  },
  {
    title: say("Charts"),
    href: "#/boat/charts",
    words: inBoth("Charts", "Upload", "PMTiles", "MBTiles", "sea chart, nautical chart, map"),
  },
  {
    title: say("Projects"),
    href: "#/boat/projects",
    words: inBoth(...["Projects", "Password", "What was deployed"], "backup, restore, undo, reset, copy, code, login"),
  },
  {
    title: say("Apps"),
    href: "#/boat/apps",
    words: inBoth("Apps", "Apps that ask for access", "phone, tablet, permission, access, token"),
  },
  {
    title: say("Version"),
    href: "#/boat/version",
    words: inBoth("Version", "update, upgrade, software"),
  },
  {
    title: say("Units, depth, night and language of this screen"),
    href: "#/settings",
    words: inBoth(
      ...["Units, depth, night and language of this screen", "Light", "By the sun", "Lamp by night", "Depth is shown"],
      ...["Brightness", "Night mode", "Time", "Local time", "Language", "Another topic prefix"],
      "screen, dark, dim, clock, time zone, metric, translation",
      ...measureNames.flatMap((name) => [
        measures[name].name,
        ...Object.entries(unitsOf(name)).flatMap(([unit, { name: unitName }]) => [unit, unitName]),
      ]),
    ),
  },
];

/** Without case and accents, as a text is typed in haste. */
const plain = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

const wordsIn = (text: string): readonly string[] =>
  plain(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Letters of the words that are no beginnings once another word follows, such as "mot" of "mot de passe" for "moteur". */
const SHORT = 3;
/** Letters of an ending, such as that of a plural. */
const ENDING = 2;

const MAX_MEMBERS = 3;

/** The sections with all words that are typed, each with the members that are meant, and what stands on other pages. */
export function foundSettings(entries: readonly FormEntry[], typed: string) {
  const wanted = wordsIn(typed);
  const { joinsNouns = false } = languageOf(language.value);
  const isMeant = (word: string, isLast: boolean, each: string): boolean => {
    if (word.length <= SHORT) return isLast ? each.startsWith(word) : each === word;
    const isForm = each.length > SHORT && word.length - each.length <= ENDING && word.startsWith(each);
    return isForm || each.startsWith(word) || (joinsNouns && each.includes(word));
  };
  const fits = (...texts: readonly string[]): boolean => {
    const words = wordsIn(texts.join(" "));
    return wanted.every((word, at) => words.some((each) => isMeant(word, at === wanted.length - 1, each)));
  };
  // Of a section whose own title is meant all members are.
  const membersIn = ({ words, members }: Section): readonly Found[] =>
    wanted.length === 0 || fits(words) ? [] : members.filter((each) => fits(words, each.words)).slice(0, MAX_MEMBERS);
  const alarms = wanted.length === 0 ? [] : alarmsOf(entries);
  return {
    sections: sectionsOf(entries)
      .filter(({ words, members }) => fits(words, ...members.map((each) => each.words)))
      .map((section) => ({ ...section, members: membersIn(section) })),
    // Results whose title matches come first.
    elsewhere: [...othersOf(), ...alarms]
      .filter(({ words }) => fits(words))
      .toSorted((one, other) => Number(fits(other.title)) - Number(fits(one.title))),
  };
}
