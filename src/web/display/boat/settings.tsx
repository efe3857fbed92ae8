/** Forms of the settings that hub-cand reads, made from their schemas. */

import { useState } from "preact/hooks";
import { thingId } from "../../../core/n2k/thing.ts";
import { isDead } from "../data/device-messages.ts";
import { nameAt } from "../data/device-names.ts";
import { secondTick } from "../data/frame-tick.ts";
import { naming } from "../data/names.ts";
import { store } from "../data/store.ts";
import { said, say } from "../languages/say.ts";
import { hash } from "../navigation/address.ts";
import { kindOfThing } from "../systems/thing-kinds.ts";
import { complaintText } from "./complaint.ts";
import type { FormEntry } from "./entries.ts";
import { BoatMaintenance } from "./maintenance.tsx";
import { namesIn } from "./named-things.ts";
import { BoatPolar } from "./polar.tsx";
import { SchemaForm } from "./schema-form.tsx";
import { foundSettings } from "./settings-search.ts";
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
        warnings={(draft) => warnings(draft).map((each) => complaintText(each, draft))}
        entryWith={(draft) => ({ ...draft, name })}
        saved={say("{name}: saved in the project.", { name: said(title) })}
      />
    </>
  );
}

function SectionView({ name, entries }: { readonly name: string; readonly entries: readonly FormEntry[] }) {
  if (name === "polar") return <BoatPolar />;
  if (name === "maintenance") return <BoatMaintenance />;
  const entry = entries.find((each) => each.name === name);
  return entry === undefined ? null : <EntryForm entry={entry} />;
}

export function BoatSettings({ entries }: { readonly entries: readonly FormEntry[] }) {
  const [typed, setTyped] = useState("");
  const { sections: found, elsewhere: foundElsewhere } = foundSettings(entries, typed);
  const [, , , open] = hash.value.split("/");
  // A section that the search leaves alone is the one that is wanted.
  const isOpen = (name: string): boolean => name === open || (typed.trim() !== "" && found.length === 1);
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
                {section.members.map(({ title }) => (
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
        {found.length + foundElsewhere.length === 0 && <p class="hint">{say("Nothing has these words.")}</p>}
      </nav>
      {found
        .filter(({ name }) => isOpen(name))
        .map(({ name, title }) => (
          <section key={name} class="whole" data-id={`settings-${name}`}>
            <h2>{title}</h2>
            <SectionView name={name} entries={entries} />
          </section>
        ))}
    </>
  );
}
