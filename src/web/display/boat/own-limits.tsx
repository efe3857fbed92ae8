/** The rows of the crew's own limits: each on a value that is chosen by what the boat measures now. */
import { useEffect, useState } from "preact/hooks";
import { type LimitRow, unitOfLimit } from "../../../core/alarms/own-limits.ts";
import { type JsonSchema, MARKS } from "../../../core/report/json-schema.ts";
import { isValueChosen } from "../alarms/value-choice.ts";
import { secondTick } from "../data/frame-tick.ts";
import { settings } from "../data/settings.ts";
import { crewUnit } from "../instruments/crew-unit.ts";
import { say } from "../languages/say.ts";
import { memberText, settingText } from "../languages/setting-texts.ts";
import { Button } from "../parts/button.tsx";
import { markedOf, watchedText } from "./limit-row-text.ts";
import { isOf, type MeasuredValue, measuredNow, nameOfWatched } from "./measured-values.ts";
import { newRowId } from "./merge.ts";
import { Field, type FieldProps, withMember } from "./schema-form.tsx";

/** A row while it is typed. */
type Row = Readonly<Record<string, unknown>> & LimitRow;

const MAX_SHOWN = 3;

function watchedNow(row: Row, measured: readonly MeasuredValue[]): string {
  const found = measured.filter((each) => isOf(row, each));
  if (found.length === 0) return say("{what}: {text}", { what: nameOfWatched(row), text: say("not heard") });
  const texts = found
    .slice(0, MAX_SHOWN)
    .map(({ name, of, value }) => say("{what}: {text}", { what: `${name}, ${of}`, text: watchedText(row, value) }));
  const others = found.length - texts.length;
  return [...texts, ...(others > 0 ? [say("and {others} more", { others })] : [])].join("; ");
}

interface ChooserProps {
  readonly measured: readonly MeasuredValue[];
  readonly choose: (value: MeasuredValue) => void;
}

/** All that is measured now, with its value, by whose it is. */
function Chooser({ measured, choose }: ChooserProps) {
  const [typed, setTyped] = useState("");
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found = measured.filter(({ name, of }) => words.every((word) => `${name} ${of}`.toLowerCase().includes(word)));
  const groups = [...new Set(found.map(({ of }) => of))].map(
    (of) => [of, found.filter((each) => each.of === of)] as const,
  );
  return (
    <div class="measured">
      <label class="form-field wide">
        <span>{say("Search in what the boat measures")}</span>
        <input type="search" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
      </label>
      {groups.length === 0 && <p class="hint">{say("Nothing has these words.")}</p>}
      {groups.map(([of, values]) => (
        <details key={of} open={words.length > 0}>
          <summary>{of}</summary>
          <ul>
            {values.map((each) => (
              <li key={JSON.stringify(each.row)}>
                <button type="button" onClick={() => choose(each)}>
                  <span>{each.name}</span> <b>{watchedText(each.row, each.value)}</b>
                </button>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </div>
  );
}

/** A row for a value; of a state, for another one than that of now. */
function rowFor({ row, name, value, states }: MeasuredValue): Row {
  const is = states.find((state) => state !== value);
  return { id: newRowId(), ...row, ...(is !== undefined && { is }), text: name } as Row;
}

export function OwnLimits({ name, schema, value, onChange }: FieldProps) {
  const now = secondTick.value;
  const [isChoosing, setChoosing] = useState(false);
  useEffect(() => {
    isValueChosen.value = true;
    return () => {
      isValueChosen.value = false;
    };
  }, []);
  const rows = (value ?? []) as readonly Row[];
  const measured = measuredNow(now);
  const of = schema.items?.properties ?? {};
  const set = (next: readonly Row[]): void => onChange(next.length === 0 ? undefined : next);
  return (
    <fieldset data-id={`list-${name}`}>
      {rows.map((row, at) => {
        const marked = markedOf(row);
        const states = measured.find((each) => isOf(row, each))?.states ?? [];
        const unit = crewUnit(marked, settings.value.units)?.unit ?? unitOfLimit(row);
        const inUnit = (text: string): string => (unit === undefined ? text : `${text}, ${unit}`);
        const field = (member: keyof LimitRow & string, heading: string, its: JsonSchema) => (
          <Field
            key={member}
            name={member}
            {...{ kind: marked.kind, heading, schema: its, value: row[member] }}
            onChange={(next) => set(rows.with(at, withMember(row, member, next) as Row))}
          />
        );
        const number = { type: "number", ...(marked.unit !== undefined && { [MARKS]: { unit: marked.unit } }) };
        const { description: _, ...seconds } = of.seconds ?? {};
        return (
          <fieldset key={row.id}>
            <legend>{row.text || at + 1}</legend>
            <p class="hint">{watchedNow(row, measured)}</p>
            {row.is === undefined ? (
              <>
                {field("above", inUnit(settingText("it rings above")), number)}
                {field("below", inUnit(settingText("it rings below")), number)}
              </>
            ) : (
              field("is", say("it rings in the state"), { enum: states.length > 0 ? states : [row.is] })
            )}
            {field("seconds", say("for so many seconds"), seconds)}
            {field("severity", memberText("severity"), of.severity ?? {})}
            {field("text", say("title of the alarm"), { type: "string" })}
            <Button says="Remove" onClick={() => set(rows.toSpliced(at, 1))} />
          </fieldset>
        );
      })}
      <Button says="Add a limit" aria-expanded={isChoosing} onClick={() => setChoosing(!isChoosing)} />
      {isChoosing && (
        <Chooser
          measured={measured}
          choose={(each) => {
            set([...rows, rowFor(each)]);
            setChoosing(false);
          }}
        />
      )}
    </fieldset>
  );
}
