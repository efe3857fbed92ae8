/** Forms of the settings that hub-cand reads, made from their schemas. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { type AlarmKind, alarmWords } from "../../../core/alarms/words.ts";
import { thingId } from "../../../core/n2k/thing.ts";
import type { JsonSchema } from "../../../core/report/json-schema.ts";
import { quantityNames } from "../../../core/sensors/quantities.ts";
import { readyRows } from "../../../core/sensors/ready.ts";
import { secondTick } from "../data/frame-tick.ts";
import { naming } from "../data/names.ts";
import { isDead, nameAt, store } from "../data/store.ts";
import { measureNames, measures, unitsOf } from "../instruments/units.ts";
import { said, say } from "../languages/say.ts";
import { memberText, wordsOf as plainWords, sentence, settingText } from "../languages/setting-texts.ts";
import { hash } from "../navigation/address.ts";
import { kindOfThing } from "../systems/thing-kinds.ts";
import { complaintText } from "./complaint.ts";
import type { FormEntry } from "./entries.ts";
import { BoatMaintenance } from "./maintenance.tsx";
import { namesIn } from "./named-things.ts";
import { networkForms } from "./network-forms.ts";
import { BoatPolar } from "./polar.tsx";
import { SchemaForm } from "./schema-form.tsx";
import { quantityText } from "./sensor-words.ts";
import { entryOf, nameOfName } from "./state.ts";

/** The values of a message, its number left out: `instance 0, state "On"`. */
function valuesText(json: string): string {
  try {
    const { pgn: _, ...values } = JSON.parse(json) as Readonly<Record<string, unknown>>;
    const texts = Object.entries(values).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
    return texts.join(", ") || say("no value");
  } catch {
    // Any client of the broker may have published the text.
    return json;
  }
}

/** The latest messages of the PGNs of assumed layout, as each layout reads them, so that a wrong layout is visible. */
function Layouts() {
  const now = secondTick.value;
  const { layouts } = store;
  if (layouts === undefined || isDead(layouts, now)) return <p class="hint">{say("On the bus now: none of them.")}</p>;
  return (
    <ul class="published">
      {layouts.data.messages.map(({ addr, pgn, raw, assumed, public: other }) => (
        <li key={`${pgn} ${addr}`} data-id={`layouts-${pgn}`}>
          <b>{pgn}</b> {nameAt(addr)} <code>{raw}</code>
          <p>
            {say("assumed:")} <code>{valuesText(assumed)}</code>
          </p>
          {other !== undefined && (
            <p>
              {say("public:")} <code>{valuesText(other)}</code>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The entry `names`, whose names are set where the things are shown. */
function NamedThings() {
  const things = [...namesIn(entryOf("names"))];
  return (
    <>
      <p class="hint">
        {say("Tap a tank, battery, engine, switch or sensor on this page to name it:")}{" "}
        <a href="#/systems">{say("Systems")}</a>
      </p>
      <ul class="named-things">
        {things.flatMap(([device, ofDevice]) =>
          ofDevice.map((thing) => (
            <li key={`${device} ${thingId(thing)}`}>
              <button
                type="button"
                class="thing-name"
                onClick={() => {
                  naming.value = { device, thing, before: thing.name };
                }}
              >
                {thing.name}
              </button>{" "}
              <small>
                {kindOfThing(thing)} · {nameOfName(device)}
              </small>
            </li>
          )),
        )}
      </ul>
    </>
  );
}

/** Entries with a place of their own: limits stand beside their watches, networks and sensors beside their state. */
const elsewhere: readonly string[] = ["alarms", "networks", "sensors"];

/** What the search looks for: a member of a section with its description, or an alarm, in English and as it is said. */
interface Found {
  readonly title: string;
  readonly words: string;
}

interface Section extends Found {
  readonly name: string;
  readonly members: readonly Found[];
  readonly view: () => ComponentChildren;
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

function EntryForm({ entry: { name, title, schema, warnings } }: { readonly entry: FormEntry }) {
  const { name: _, ...value } = entryOf(name);
  if (name === "names") return <NamedThings />;
  return (
    <>
      {name === "can" && (
        <>
          <p class="hint">
            {say(
              "No public source has the layout of these. auto detects it, off publishes the number only. What each layout makes of the latest messages:",
            )}
          </p>
          <Layouts />
        </>
      )}
      <SchemaForm
        schema={schema}
        value={value}
        warnings={(draft) => warnings(draft).map((each) => complaintText(each))}
        entryWith={(draft) => ({ ...draft, name })}
        saved={say("{name}: saved in the project.", { name: said(title) })}
      />
    </>
  );
}

const sectionsOf = (entries: readonly FormEntry[]): readonly Section[] => [
  ...entries
    .filter(({ name }) => !elsewhere.includes(name))
    .map((entry) => ({
      name: entry.name,
      title: said(entry.title),
      words: inBoth(entry.title),
      members: membersOf(entry.schema),
      view: () => <EntryForm entry={entry} />,
    })),
  {
    name: "polar",
    title: say("Polar"),
    words: inBoth("Polar", "Target", "Speed", "Wind", "Sail"),
    members: [],
    view: () => <BoatPolar />,
  },
  {
    name: "maintenance",
    title: say("Maintenance"),
    words: inBoth("Maintenance", "Engine", "Engine hours", "Oil", "Oil change", "What: oil, impeller, belt"),
    members: [],
    view: () => <BoatMaintenance />,
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

export function BoatSettings({ entries }: { readonly entries: readonly FormEntry[] }) {
  const [typed, setTyped] = useState("");
  const wanted = plain(typed).split(/\s+/).filter(Boolean);
  const fits = (...texts: readonly string[]): boolean => {
    const text = plain(texts.join(" "));
    return wanted.every((word) => text.includes(word));
  };
  const found = sectionsOf(entries).filter(({ words, members }) => fits(words, ...members.map((each) => each.words)));
  const alarms = wanted.length === 0 ? [] : alarmsOf(entries);
  const foundElsewhere = [...othersOf(), ...alarms].filter(({ words }) => fits(words));
  /** The members that are meant, of a section whose own title is not. */
  const membersIn = ({ words, members }: Section): readonly Found[] =>
    wanted.length === 0 || fits(words) ? [] : members.filter((each) => fits(words, each.words)).slice(0, MAX_MEMBERS);
  const [, , , open] = hash.value.split("/");
  // A section that the search leaves alone is the one that is wanted.
  const isOpen = (name: string): boolean => name === open || (wanted.length > 0 && found.length === 1);
  return (
    <>
      <search class="whole settings-search">
        <label class="form-field wide">
          <span>{say("Search in the settings")}</span>
          <input type="search" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
        </label>
      </search>
      <nav class="whole settings-index" aria-label={say("Settings")} data-id="settings-index">
        <ul>
          {found.map((section) => (
            <li key={section.name}>
              <a
                href={section.name === open ? "#/boat/settings" : `#/boat/settings/${section.name}`}
                aria-current={isOpen(section.name) ? "true" : undefined}
              >
                {section.title}
                {membersIn(section).map(({ title }) => (
                  <small key={title}>{title}</small>
                ))}
              </a>
            </li>
          ))}
          {foundElsewhere.map(({ title, href }) => (
            <li key={href}>
              <a href={href} class="elsewhere">
                {title} →
              </a>
            </li>
          ))}
        </ul>
        {found.length + foundElsewhere.length === 0 && <p class="hint">{say("No setting has these words.")}</p>}
      </nav>
      {found
        .filter(({ name }) => isOpen(name))
        .map(({ name, title, view }) => (
          <section key={name} class="whole" data-id={`settings-${name}`}>
            <h2>{title}</h2>
            {view()}
          </section>
        ))}
    </>
  );
}
