/** Forms of the settings that hub-cand reads, made from their schemas. */
import { secondTick } from "../frame-tick.ts";
import { messagesOf, nameAt } from "../store.ts";
import type { FormEntry } from "./entries.ts";
import { assumedPgns } from "./pgns.ts";
import { SchemaForm } from "./schema-form.tsx";
import { entryOf, saveEntry } from "./state.ts";

/** The values that PGNs of assumed layout publish now, so that a wrong layout is seen. */
function Published() {
  void secondTick.value;
  const heard = assumedPgns.flatMap((pgn) => messagesOf(pgn));
  if (heard.length === 0) return <p class="hint">none of them.</p>;
  return (
    <ul class="published">
      {heard.map(({ data: { pgn, ...values }, address }) => (
        <li key={`${pgn} ${address} ${JSON.stringify(Object.values(values)[0])}`}>
          <b>{pgn}</b> {nameAt(address)}
          <code>
            {Object.entries(values)
              .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
              .join(", ")}
          </code>
        </li>
      ))}
    </ul>
  );
}

export function BoatSettings({ entries }: { readonly entries: readonly FormEntry[] }) {
  return (
    <>
      {entries.map(({ name, title, schema, warnings }) => {
        const { name: _, ...value } = entryOf(name);
        return (
          <section key={name} data-id={`settings-${name}`}>
            <h2>{title}</h2>
            {name === "can" && (
              <>
                <p class="hint">
                  No public source has the layout of these. auto detects it, off publishes the number only. On the bus
                  now:
                </p>
                <Published />
              </>
            )}
            <SchemaForm
              schema={schema}
              value={value}
              warnings={warnings}
              onSave={(members) => void saveEntry(name, members, `${title}: saved in the project.`)}
            />
          </section>
        );
      })}
    </>
  );
}
