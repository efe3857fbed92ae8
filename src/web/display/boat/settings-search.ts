/** The search of the settings: their sections with the members that are meant, and what stands on other pages. */
import { type AlarmKind, alarmWords } from "../../../core/alarms/words.ts";
import type { JsonSchema } from "../../../core/report/json-schema.ts";
import { quantityNames } from "../../../core/sensors/quantities.ts";
import { readyRows } from "../../../core/sensors/ready.ts";
import { measureNames, measures, unitsOf } from "../instruments/units.ts";
import { said, say } from "../languages/say.ts";
import { memberText, wordsOf as plainWords, sentence, settingText } from "../languages/setting-texts.ts";
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

const membersOf = ({ properties = {} }: JsonSchema): readonly Found[] =>
  Object.entries(properties).map(([name, of]) => ({
    title: of.title === undefined ? sentence(memberText(name)) : settingText(of.title),
    words: `${name} ${wordsOf(name, of)}`,
  }));

const sectionsOf = (entries: readonly FormEntry[]): readonly Section[] => [
  ...entries
    .filter(({ name }) => !elsewhere.includes(name))
    .map((entry) => ({
      name: entry.name,
      title: said(entry.title),
      words: inBoth(entry.title),
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
    words: inBoth("Maintenance", "Engine", "Engine hours", "Oil", "Oil change", "What: oil, impeller, belt"),
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
  { title: say("Limits of alarms"), href: "#/alarms", words: inBoth("Limits of alarms", "Berth", "Anchor watch") },
  {
    title: say("Networks and sensors"),
    href: "#/boat/networks",
    words: inBoth(
      ...["Networks and sensors", "Sensors by MQTT", "Network", "gpsd", "Signal K"],
      ...networkForms.flatMap(({ title, about }) => [title, about]),
      ...[...Object.keys(readyRows), "Ruuvi", "Zigbee"],
      ...quantityNames.map(quantityText),
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
    ),
  },
  { title: say("Charts"), href: "#/boat/charts", words: inBoth("Charts", "Upload a chart", "PMTiles", "MBTiles") },
  { title: say("Projects"), href: "#/boat/projects", words: inBoth("Projects", "Password", "What was deployed") },
  { title: say("Apps"), href: "#/boat/apps", words: inBoth("Apps", "Apps that ask for access") },
  {
    title: say("Units, depth, night and language of this screen"),
    href: "#/settings",
    words: inBoth(
      ...["Units, depth, night and language of this screen", "Light", "By the sun", "Lamp by night", "Depth is shown"],
      ...["Brightness", "Night mode", "Time", "Local time", "Language", "Another topic prefix"],
      ...measureNames.flatMap((name) => [
        measures[name].name,
        ...Object.entries(unitsOf(name)).flatMap(([unit, { name: unitName }]) => [unit, unitName]),
      ]),
    ),
  },
];

/** Without case and accents, as a text is typed in haste. */
const plain = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

const MAX_MEMBERS = 3;

/** The sections with all words that are typed, each with the members that are meant, and what stands on other pages. */
export function foundSettings(entries: readonly FormEntry[], typed: string) {
  const wanted = plain(typed).split(/\s+/).filter(Boolean);
  const fits = (...texts: readonly string[]): boolean => {
    const text = plain(texts.join(" "));
    return wanted.every((word) => text.includes(word));
  };
  // Of a section whose own title is meant all members are.
  const membersIn = ({ words, members }: Section): readonly Found[] =>
    wanted.length === 0 || fits(words) ? [] : members.filter((each) => fits(words, each.words)).slice(0, MAX_MEMBERS);
  const alarms = wanted.length === 0 ? [] : alarmsOf(entries);
  return {
    sections: sectionsOf(entries)
      .filter(({ words, members }) => fits(words, ...members.map((each) => each.words)))
      .map((section) => ({ ...section, members: membersIn(section) })),
    elsewhere: [...othersOf(), ...alarms].filter(({ words }) => fits(words)),
  };
}
