/** A form made from the JSON Schema of a settings entry: groups of numbers, switches and choices. */
import type { ComponentType } from "preact";
import { useState } from "preact/hooks";
import { type JsonSchema, MARKS } from "../../../core/report/json-schema.ts";
import { type ReportUnit, unitWords } from "../../../core/report/unit-words.ts";
import { settings } from "../data/settings.ts";
import { type CrewUnit, crewUnit } from "../instruments/crew-unit.ts";
import { decimalOf } from "../instruments/units.ts";
import { say } from "../languages/say.ts";
import { memberText, settingText } from "../languages/setting-texts.ts";
import { sentence } from "../languages/texts.ts";
import { Button } from "../parts/button.tsx";
import { Form } from "../parts/form.tsx";
import { useDraft } from "./draft.ts";
import { type Entry, saveForm } from "./state.ts";

type Values = Readonly<Record<string, unknown>>;

/** A member that a control can show. */
const isSimple = ({ type, enum: choices, items }: JsonSchema): boolean =>
  choices !== undefined ||
  type === "number" ||
  type === "integer" ||
  type === "boolean" ||
  (type === "array" && items?.type === "integer");

/** A number, or a list of numbers; other text stays text, which gives a warning. */
function readValue(typed: string, { type }: JsonSchema): unknown {
  const text = typed.trim();
  if (text === "") return undefined;
  // A space at the end is one between two words of which the second is not typed yet.
  if (type === "string") return typed;
  if (type === "array") return /^\d+(\s*,\s*\d+)*$/.test(text) ? text.split(",").map(Number) : text;
  return decimalOf(text) ?? text;
}

const textOf = (value: unknown): string =>
  value === undefined ? "" : Array.isArray(value) ? value.join(", ") : String(value);

/** Whether a value is not a number, or not within the limits of its schema. */
const isOutside = (value: unknown, { type, minimum, maximum }: JsonSchema): boolean =>
  type !== "string" &&
  value !== undefined &&
  !(typeof value === "number" && value >= (minimum ?? value) && value <= (maximum ?? value));

export interface FieldProps {
  readonly name: string;
  /** The group of the member, such as the kind of an alarm. */
  readonly kind?: string | undefined;
  readonly schema: JsonSchema;
  /** The name of the member, where the description does not stand alone. */
  readonly heading?: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** The description of a number, with the unit in which the crew types it in place of that of the mark. */
function aboutIn(
  crew: CrewUnit | undefined,
  { description, [MARKS]: { unit } = {} }: JsonSchema,
  name: string,
): string {
  if (description === undefined) return sentence(memberText(name));
  const about = settingText(description, { unit: crew?.unit ?? unit ?? "" });
  return sentence(crew && unit ? about.replace(unitWords[unit as ReportUnit] ?? unit, crew.unit) : about);
}

export function Field({ name, kind, schema, heading, value, onChange }: FieldProps) {
  const [typed, setTyped] = useState<string>();
  // A value typed back to the first one is no change, also where another unit shows it rounded.
  const [before] = useState(typeof value === "number" ? value : undefined);
  const crew = crewUnit({ unit: schema[MARKS]?.unit, kind }, settings.value.units);
  const description = aboutIn(crew, schema, name);
  const about =
    heading === undefined
      ? description
      : sentence([heading, ...(schema.description === undefined ? [] : [description])].join(": "));
  const standard = schema.default;
  const isWhole = schema.type === "integer";
  /** The value for a text in the unit of the crew. */
  const read = (text: string): unknown => {
    const shown = readValue(text, schema);
    if (crew === undefined || typeof shown !== "number") return shown;
    const stored = crew.store(shown, before);
    return isWhole ? Math.round(stored) : stored;
  };
  const shown = (of: unknown): string =>
    crew !== undefined && typeof of === "number"
      ? String(isWhole ? Math.round(crew.show(of)) : crew.show(of))
      : textOf(of);
  if (schema.enum !== undefined) {
    return (
      <label class="form-field">
        <span>{about}</span>
        <select
          value={String(value ?? standard ?? schema.enum[0])}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          {schema.enum.map((choice) => (
            <option key={String(choice)} value={String(choice)}>
              {settingText(String(choice))}
            </option>
          ))}
        </select>
      </label>
    );
  }
  if (schema.type === "boolean") {
    return (
      <label class="form-field check">
        <input
          type="checkbox"
          checked={Boolean(value ?? standard)}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <span>{about}</span>
      </label>
    );
  }
  return (
    <label class={`form-field ${schema.type === "string" ? "wide" : ""}`}>
      <span>{about}</span>
      <input
        type="text"
        inputMode={schema.type === "string" ? "text" : "decimal"}
        aria-invalid={isOutside(value, schema)}
        value={typed !== undefined && read(typed) === value ? typed : shown(value)}
        placeholder={shown(standard)}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          onChange(read(event.currentTarget.value));
        }}
      />
    </label>
  );
}

/** Whether a value is an object of numbers under names of any kind. */
const isTable = ({ additionalProperties }: JsonSchema): boolean =>
  typeof additionalProperties === "object" && additionalProperties.type === "number";

/** Rows with a name and a number each, and an empty row. A name that is being typed keeps its row. */
function Table({ name, schema, value, onChange }: FieldProps) {
  const [rows, setRows] = useState<readonly (readonly [string, string])[]>([]);
  const shown = Object.entries((value ?? {}) as Values);
  const of = schema.additionalProperties as JsonSchema;
  const read = (all: typeof rows): Values =>
    Object.fromEntries(all.map(([key, text]) => [key, readValue(text, of) ?? ""]));
  // If the value differs from that of the rows, it comes from the project.
  const current = JSON.stringify(read(rows)) === JSON.stringify(value ?? {}) ? rows : shown.map(rowOf);
  const set = (at: number, row: readonly [string, string]): void => {
    const next = [...current.slice(0, at), row, ...current.slice(at + 1)].filter(([key, text]) => key + text !== "");
    setRows(next);
    const values = read(next);
    onChange(Object.keys(values).length === 0 ? undefined : values);
  };
  return (
    <fieldset>
      <legend>{sentence(memberText(name))}</legend>
      <p class="hint">{sentence(settingText(schema.description ?? ""))}</p>
      {[...current, ["", ""] as const].map(([key, text], at) => (
        <div class="form-field" key={at}>
          <input
            type="text"
            aria-label={say("Name {number} of {list}", { number: at + 1, list: memberText(name) })}
            value={key}
            onInput={(event) => set(at, [event.currentTarget.value.trim(), text])}
          />
          <input
            type="text"
            inputMode="decimal"
            aria-label={say("Value {number} of {list}", { number: at + 1, list: memberText(name) })}
            aria-invalid={text !== "" && isOutside(readValue(text, of), of)}
            value={text}
            onInput={(event) => set(at, [key, event.currentTarget.value.trim()])}
          />
        </div>
      ))}
    </fieldset>
  );
}

/** Values with a member; undefined removes it, so that its default applies. */
export function withMember(values: Values, name: string, member: unknown): Values {
  const { [name]: _, ...rest } = values;
  return member === undefined ? rest : { ...rest, [name]: member };
}

const rowOf = ([key, value]: readonly [string, unknown]): readonly [string, string] => [key, textOf(value)];

interface FormProps {
  readonly schema: JsonSchema;
  /** The group whose members these are. */
  readonly kind?: string;
  readonly value: Values;
  /** Warnings that hub-cand would log; the form is not saved while there are any. */
  readonly warnings: (value: Values) => readonly string[];
  readonly entryWith: (value: Values) => Entry;
  /** The notice after saving. */
  readonly saved: string;
  /** Controls of members that have their own. */
  readonly controls?: Readonly<Record<string, ComponentType<FieldProps>>>;
}

/** The end of a form: its warnings, and the button that saves it while there are none. */
export function Saving({
  complaints,
  isChanged,
}: {
  readonly complaints: readonly string[];
  readonly isChanged: boolean;
}) {
  return (
    <>
      {complaints.length > 0 && (
        <ul class="complaints" role="alert">
          {complaints.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      )}
      <Button
        says={isChanged ? "Save" : "Saved"}
        type="submit"
        class="main-action"
        disabled={!isChanged || complaints.length > 0}
      />
    </>
  );
}

export function SchemaForm({ schema, kind, value, warnings, entryWith, saved, controls = {} }: FormProps) {
  const [draft, setDraft, save] = useDraft(value, entryWith);
  const complaints = warnings(draft);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(value);
  const members = Object.entries(schema.properties ?? {});
  const field = (
    name: string,
    of: JsonSchema,
    values: Values,
    set: (values: Values) => void,
    group: string | undefined = kind,
  ) => {
    const Control = controls[name] ?? (isTable(of) ? Table : Field);
    return (
      <Control
        key={name}
        name={name}
        kind={group}
        schema={of}
        value={values[name]}
        onChange={(member) => set(withMember(values, name, member))}
      />
    );
  };
  return (
    <Form
      class="schema-form"
      onSubmit={() => {
        save();
        void saveForm(entryWith(value), entryWith(draft), saved);
      }}
    >
      {members
        .filter(([name, of]) => name in controls || isSimple(of) || isTable(of))
        .map(([name, of]) => field(name, of, draft, setDraft))}
      {members
        .filter(([, { properties }]) => Object.values(properties ?? {}).some(isSimple))
        .map(([group, of]) => {
          const values = (draft[group] ?? {}) as Values;
          return (
            <fieldset key={group}>
              <legend>{of.title === undefined ? sentence(memberText(group)) : settingText(of.title)}</legend>
              {Object.entries(of.properties ?? {})
                .filter(([, member]) => isSimple(member))
                .map(([name, member]) =>
                  field(name, member, values, (next) => setDraft({ ...draft, [group]: next }), group),
                )}
            </fieldset>
          );
        })}
      <Saving complaints={complaints} isChanged={isChanged} />
    </Form>
  );
}
