/** Forms of the settings that hub-cand reads, made from their schemas. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { thingId } from "../../../core/n2k/thing.ts";
import type { JsonSchema } from "../../../core/report/json-schema.ts";
import { secondTick } from "../data/frame-tick.ts";
import { naming } from "../data/names.ts";
import { isDead, nameAt, store } from "../data/store.ts";
import { said, say } from "../languages/say.ts";
import { memberText, wordsOf as plainWords, settingText } from "../languages/setting-texts.ts";
import type { PlainText } from "../languages/texts.ts";
import { hash } from "../navigation/address.ts";
import { kindOfThing } from "../systems/thing-kinds.ts";
import type { FormEntry } from "./entries.ts";
import { BoatMaintenance } from "./maintenance.tsx";
import { namesIn } from "./named-things.ts";
import { BoatPolar } from "./polar.tsx";
import { SchemaForm } from "./schema-form.tsx";
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

interface Section {
  readonly name: string;
  readonly title: string;
  /** Text in which the search looks: title, members and their descriptions. */
  readonly words: string;
  readonly view: () => ComponentChildren;
}

/** The names and descriptions of all members of a schema, at any depth. */
function wordsOf({ title = "", description = "", properties = {}, items }: JsonSchema): string {
  const members = Object.entries(properties).map(
    ([name, of]) => `${plainWords(name)} ${memberText(name)} ${wordsOf(of)}`,
  );
  return [title, description, settingText(description), ...members, items === undefined ? "" : wordsOf(items)].join(
    " ",
  );
}

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
        warnings={warnings}
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
      title: entry.title,
      words: wordsOf(entry.schema),
      view: () => <EntryForm entry={entry} />,
    })),
  { name: "polar", title: "Polar", words: "target speed laylines sails rose", view: () => <BoatPolar /> },
  {
    name: "maintenance",
    title: "Maintenance",
    words: "engine hours oil filter impeller due service",
    view: () => <BoatMaintenance />,
  },
];

/** Where what is searched for stands, of the settings on other pages. */
const others: readonly { readonly title: PlainText; readonly href: string; readonly words: string }[] = [
  {
    title: "Limits of alarms",
    href: "#/alarms",
    words: "alarm limit depth shallow battery voltage temperature ships cpa anchor berth watch ring",
  },
  {
    title: "Networks and sensors",
    href: "#/boat/networks",
    words: "network gateway nmea 0183 ais gpsd can1 j1939 mqtt sensor ruuvi victron zigbee signal k",
  },
  {
    title: "Names, sources and the MMSI",
    href: "#/boat/devices",
    words: "device name source priority gps prefer mmsi",
  },
  {
    title: "Units, depth, night and language of this screen",
    href: "#/settings",
    words: "unit feet fathom fahrenheit time zone night light brightness prefix language",
  },
];

const fits = (text: string, wanted: readonly string[]): boolean =>
  wanted.every((word) => text.toLowerCase().includes(word));

export function BoatSettings({ entries }: { readonly entries: readonly FormEntry[] }) {
  const [typed, setTyped] = useState("");
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const sections = sectionsOf(entries);
  const found = sections.filter(({ title, words }) => fits(`${title} ${said(title)} ${words}`, wanted));
  const foundElsewhere = others.filter(({ title, words }) => fits(`${title} ${said(title)} ${words}`, wanted));
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
          {found.map(({ name, title }) => (
            <li key={name}>
              <a
                href={name === open ? "#/boat/settings" : `#/boat/settings/${name}`}
                aria-current={isOpen(name) ? "true" : undefined}
              >
                {said(title)}
              </a>
            </li>
          ))}
          {foundElsewhere.map(({ title, href }) => (
            <li key={href}>
              <a href={href} class="elsewhere">
                {say(title)} →
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
            <h2>{said(title)}</h2>
            {view()}
          </section>
        ))}
    </>
  );
}
