/** Forms of the settings that hub-cand reads, made from their schemas. */

import { thingId } from "../../../core/n2k/thing.ts";
import { secondTick } from "../data/frame-tick.ts";
import { naming } from "../data/names.ts";
import { isDead, nameAt, store } from "../data/store.ts";
import { lazy } from "../parts/lazy.tsx";
import { kindOfThing } from "../systems/thing-kinds.ts";
import type { FormEntry } from "./entries.ts";
import { BoatMaintenance } from "./maintenance.tsx";
import { merged } from "./merge.ts";
import { namesIn } from "./named-things.ts";
import { BoatPolar } from "./polar.tsx";
import { SchemaForm } from "./schema-form.tsx";
import { entryOf, nameOfName, saveEntry } from "./state.ts";

/** Loaded apart, because it reads rows by their schema. */
const SensorForm = lazy(
  () => import("./sensors.tsx").then(({ SensorForm: View }) => View),
  () => <p class="hint">Loading</p>,
);

/** The values of a message, its number left out: `instance 0, state "On"`. */
function valuesText(json: string): string {
  try {
    const { pgn: _, ...values } = JSON.parse(json) as Readonly<Record<string, unknown>>;
    const texts = Object.entries(values).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
    return texts.join(", ") || "no value";
  } catch {
    // Any client of the broker may have published the text.
    return json;
  }
}

/** The latest messages of the PGNs of assumed layout, as each layout reads them, so that a wrong layout is visible. */
function Layouts() {
  const now = secondTick.value;
  const { layouts } = store;
  if (layouts === undefined || isDead(layouts, now)) return <p class="hint">On the bus now: none of them.</p>;
  return (
    <ul class="published">
      {layouts.data.messages.map(({ addr, pgn, raw, assumed, public: other }) => (
        <li key={`${pgn} ${addr}`} data-id={`layouts-${pgn}`}>
          <b>{pgn}</b> {nameAt(addr)} <code>{raw}</code>
          <p>
            assumed: <code>{valuesText(assumed)}</code>
          </p>
          {other !== undefined && (
            <p>
              public: <code>{valuesText(other)}</code>
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
        Tap a tank, battery, engine, switch or sensor on the page <a href="#/systems">Systems</a> to name it.
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

export function BoatSettings({ entries }: { readonly entries: readonly FormEntry[] }) {
  return (
    <>
      <BoatPolar />
      <BoatMaintenance />
      {entries.map(({ name, title, schema, warnings }) => {
        const { name: _, ...value } = entryOf(name);
        return (
          <section key={name} data-id={`settings-${name}`}>
            <h2>{title}</h2>
            {name === "names" && <NamedThings />}
            {name === "can" && (
              <>
                <p class="hint">
                  No public source has the layout of these. auto detects it, off publishes the number only. What each
                  layout makes of the latest messages:
                </p>
                <Layouts />
              </>
            )}
            {name === "sensors" && <SensorForm warnings={warnings} />}
            {name !== "names" && name !== "sensors" && (
              <SchemaForm
                schema={schema}
                value={value}
                warnings={warnings}
                onSave={(draft) =>
                  void saveEntry(name, (entry) => merged(entry, value, draft), `${title}: saved in the project.`)
                }
              />
            )}
          </section>
        );
      })}
    </>
  );
}
