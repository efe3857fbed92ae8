/** The rows of maintenance, which the page Systems compares with the hours of the engines. */
import { useState } from "preact/hooks";
import { engineParametersDynamic } from "../../../core/n2k/pgns/propulsion.ts";
import { ANY_AGE, isDead, messagesOf } from "../data/device-messages.ts";
import { secondTick } from "../data/frame-tick.ts";
import { ageOf } from "../data/freshness.ts";
import { decimalOf } from "../instruments/units.ts";
import { say } from "../languages/say.ts";
import type { PlainText } from "../languages/texts.ts";
import { Button } from "../parts/button.tsx";
import { Form } from "../parts/form.tsx";
import { nameOfEngine } from "../systems/engine-name.ts";
import { dueOf, dueText, MAINTENANCE, type MaintenanceRow, rowsOf } from "../systems/maintenance.ts";
import { entryOf, saveEntry } from "./state.ts";

const save = (edit: (rows: readonly MaintenanceRow[]) => readonly MaintenanceRow[], sentence: string): void =>
  void saveEntry(MAINTENANCE, (entry) => ({ ...entry, rows: edit(rowsOf(entry.rows)) }), sentence);

const isSame = (one: MaintenanceRow, other: MaintenanceRow): boolean =>
  one.engine === other.engine && one.what === other.what;

/** The hours of an engine by the first device that sends them, or else by the newest message that has them. */
export function hoursOf(engine: number, now: number): number | undefined {
  const heard = messagesOf(engineParametersDynamic, ANY_AGE).filter(
    ({ data }) => (data.engineInstance ?? 0) === engine && data.engineHours !== undefined,
  );
  const [newest] = heard.toSorted((one, other) => ageOf(one.stamp, now) - ageOf(other.stamp, now));
  return (heard.find((row) => !isDead(row, now)) ?? newest)?.data.engineHours;
}

function Row({ row, now }: { readonly row: MaintenanceRow; readonly now: number }) {
  const hours = hoursOf(row.engine, now);
  const done = (): void =>
    save(
      (rows) => rows.map((one) => (isSame(one, row) ? { ...one, doneAtHours: Math.round(hours!) } : one)),
      say("{work}: done at {hours} h.", { work: row.what, hours: Math.round(hours!) }),
    );
  return (
    <li data-id={`maintenance-${row.what}`}>
      <span>
        <b>{row.what}</b>{" "}
        <small>
          {nameOfEngine(row.engine)} ·{" "}
          {say("every {every} h · done at {done} h", { every: row.everyHours, done: row.doneAtHours })}
          {hours === undefined ? "" : ` · ${dueText(dueOf(row, hours))}`}
        </small>
      </span>
      <span class="choices">
        <Button says="Done now" disabled={hours === undefined} onClick={done} />
        <Button
          says="Remove"
          aria-label={say("Remove {name}", { name: row.what })}
          onClick={() =>
            save(
              (rows) => rows.filter((one) => !isSame(one, row)),
              say("{name}: removed from the project.", { name: row.what }),
            )
          }
        />
      </span>
    </li>
  );
}

function NewRow() {
  const [what, setWhat] = useState("");
  const [engine, setEngine] = useState("0");
  const [every, setEvery] = useState("");
  const [doneAt, setDoneAt] = useState("");
  const row = {
    engine: decimalOf(engine),
    what: what.trim(),
    everyHours: decimalOf(every),
    doneAtHours: decimalOf(doneAt),
  };
  const [usable] = row.what === "" ? [] : rowsOf([row]);
  const add = (): void => {
    save(
      (rows) => [...rows.filter((one) => !isSame(one, usable!)), usable!],
      say("{name}: saved in the project.", { name: usable!.what }),
    );
    setWhat("");
  };
  const field = (
    label: PlainText,
    value: string,
    set: (text: string) => void,
    mode: "text" | "decimal" = "decimal",
  ) => (
    <label class="form-field">
      <span>{say(label)}</span>
      <input type="text" inputMode={mode} value={value} onInput={(event) => set(event.currentTarget.value)} />
    </label>
  );
  return (
    <Form class="schema-form" onSubmit={add}>
      {field("What is done, such as oil and filter", what, setWhat, "text")}
      {field("Engine: 0 for the port or single one, 1 for starboard", engine, setEngine)}
      {field("Interval in engine hours", every, setEvery)}
      {field("Last done at engine hours", doneAt, setDoneAt)}
      <Button says="Add" type="submit" disabled={usable === undefined} />
    </Form>
  );
}

export function BoatMaintenance() {
  const now = secondTick.value;
  const rows = rowsOf(entryOf(MAINTENANCE).rows);
  return (
    <>
      <p class="hint">{say("The page {page} says below each engine when these are due.", { page: say("Systems") })}</p>
      <ul class="named-things">
        {rows.map((row) => (
          <Row key={`${row.engine} ${row.what}`} row={row} now={now} />
        ))}
      </ul>
      <NewRow />
    </>
  );
}
