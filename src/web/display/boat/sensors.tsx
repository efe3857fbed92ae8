/**
 * The rows of the sensors by MQTT. While the form is shown it listens to all topics of the broker, offers rows for those
 * of known systems, and says below each row what hub-cand would make of its topic now.
 */
import { useEffect, useState } from "preact/hooks";
import { quantityNamed, quantityNames } from "../../../core/sensors/quantities.ts";
import { MAX_PAYLOAD_BYTES, readPayload, readSensor, type SensorRow } from "../../../core/sensors/reading.ts";
import { nameAmong, type ReadyRow, readyRows, suggestedRows } from "../../../core/sensors/ready.ts";
import { isOwnTopic, matchesTopic } from "../../../core/sensors/topic-filter.ts";
import { unitsLike } from "../../../core/sensors/units.ts";
import { readSensorRow } from "../../../core/settings/sensors.ts";
import { fixed } from "../../../core/text/quantity.ts";
import { type Listening, listenToAll } from "../data/connection.ts";
import { secondTick } from "../data/frame-tick.ts";
import { type HeardTopic, HeardTopics } from "../data/heard-topics.ts";
import { settings } from "../data/settings.ts";
import { boatClock } from "../data/store.ts";
import { decimalOf } from "../instruments/units.ts";
import { numberText } from "../languages/formats.ts";
import { say } from "../languages/say.ts";
import { sentenceText } from "../languages/sentence-text.ts";
import type { PlainText } from "../languages/texts.ts";
import { Button } from "../parts/button.tsx";
import { Form } from "../parts/form.tsx";
import { complaintText } from "./complaint.ts";
import { useDraft } from "./draft.ts";
import type { FormEntry } from "./entries.ts";
import { Saving, withMember } from "./schema-form.tsx";
import { kindText, quantityText } from "./sensor-words.ts";
import { type Entry, entryOf, saveForm } from "./state.ts";

/** A row as it is edited: any of its members may be missing or wrong. */
type Row = Readonly<Record<string, unknown>>;

const SENSORS = "sensors";
/** Topics that are listed; a word narrows them. */
const MAX_SHOWN = 40;
/** Characters of a payload that are shown. */
const MAX_TEXT = 120;

const rowsOf = (value: unknown): readonly Row[] => (Array.isArray(value) ? (value as readonly Row[]) : []);

/** The value that a row reads from the latest message of its topic, or the reason why there is none, in words. */
function resultOf(row: SensorRow, heard: HeardTopics, now: number): string {
  const message = heard.latest((topic) => matchesTopic(row.topic, topic));
  if (message === undefined) return say("Not heard here.");
  const { topic, payload, isRetained, arrived } = message;
  const isOther = topic !== row.topic;
  // The tick may be older than the message.
  const age = Math.max(0, now - arrived) / 1000;
  const heardAt = boatClock(now) - age * 1000;
  const reading = readSensor(row, readPayload(payload), isRetained, (moment) => heardAt - moment);
  if (reading.kind !== "value") {
    const text = say("No value: {why}.", { why: sentenceText(reading.why) });
    return isOther ? say("{what}: {text}", { what: topic, text }) : text;
  }
  const { unit, decimals, definition } = quantityNamed(row.quantity);
  const total = reading.ageMs / 1000 + age;
  const text = `${numberText(fixed(reading.value, Math.min(decimals, 3)))}\u202f${unit}`;
  const told = {
    value: isOther ? say("{value} from {topic}", { value: text, topic }) : text,
    age: `${Math.round(total)}\u202fs`,
  };
  if (total > row.periodSec) return say("{value}, but too old to count: {age}.", told);
  return say("{value}, {age} old, as {quantity} in PGN {pgn}.", {
    ...told,
    quantity: quantityText(row.quantity),
    pgn: definition.pgn,
  });
}

interface FieldProps {
  readonly label: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

function TextField({ label, value, onChange, isNumber = false }: FieldProps & { readonly isNumber?: boolean }) {
  const read = (text: string): unknown => {
    if (text.trim() === "") return undefined;
    return isNumber ? (decimalOf(text.trim()) ?? text) : text;
  };
  return (
    <label class="form-field wide">
      <span>{label}</span>
      <input
        type="text"
        inputMode={isNumber ? "decimal" : "text"}
        value={value === undefined ? "" : String(value)}
        onInput={(event) => onChange(read(event.currentTarget.value))}
      />
    </label>
  );
}

function ChoiceField({
  label,
  value,
  onChange,
  choices,
  byDefault,
  words = String,
}: FieldProps & {
  readonly choices: readonly string[];
  readonly byDefault: string | undefined;
  readonly words?: (choice: string) => string;
}) {
  return (
    <label class="form-field wide">
      <span>{label}</span>
      <select
        value={String(value ?? byDefault ?? "")}
        onChange={({ currentTarget: { value: chosen } }) =>
          onChange(chosen === "" || chosen === byDefault ? undefined : chosen)
        }
      >
        {byDefault === undefined && <option value="">{say("choose")}</option>}
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {words(choice)}
          </option>
        ))}
      </select>
    </label>
  );
}

interface RowProps {
  readonly row: Row;
  readonly heard: HeardTopics;
  readonly set: (row: Row) => void;
  readonly remove: () => void;
}

function RowFields({ row, heard, set, remove }: RowProps) {
  const now = secondTick.value;
  const [isOpen, setOpen] = useState(row.topic === undefined);
  const quantity = quantityNames.find((name) => name === row.quantity) ?? quantityNames[0]!;
  const { unit, kind, instance, periodSec } = quantityNamed(quantity);
  const isTank = quantity === "fluidLevel";
  const units = isTank ? [...unitsLike("%"), ...unitsLike("cm"), ...unitsLike("L")] : unitsLike(unit);
  const text = (label: PlainText, name: string, isNumber = false) => (
    <TextField
      label={say(label)}
      isNumber={isNumber}
      value={row[name]}
      onChange={(value) => set(withMember(row, name, value))}
    />
  );
  const choice = (
    label: PlainText,
    name: string,
    { choices, byDefault }: { readonly choices: readonly string[]; readonly byDefault?: string },
    words?: (choice: string) => string,
  ) => (
    <ChoiceField
      label={say(label)}
      choices={choices}
      byDefault={byDefault}
      {...(words !== undefined && { words })}
      value={row[name]}
      onChange={(value) => set(withMember(row, name, value))}
    />
  );
  const read = readSensorRow(row);
  return (
    <li data-id={`sensor-${row.name}-${row.quantity}`}>
      <span>
        <b>{String(row.name ?? "?")}</b>{" "}
        <small>
          {quantityText(row.quantity ?? quantity)} · {String(row.topic ?? say("no topic"))}
          {String(row.pointer ?? "")}
        </small>
        <p class="sensor-result">
          {"problem" in read ? say("Not usable: {why}.", { why: complaintText(read) }) : resultOf(read, heard, now)}
        </p>
      </span>
      <span class="choices">
        <Button says={isOpen ? "Close" : "Change"} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} />
        <Button
          says="Remove"
          aria-label={say("Remove {name}", { name: `${row.name} ${quantityText(row.quantity)}` })}
          onClick={remove}
        />
      </span>
      {isOpen && (
        <div class="sensor-fields">
          {text("Name of the device", "name")}
          {text("MQTT topic; + stands for any level", "topic")}
          {text("Place of the value in the message: /value", "pointer")}
          <ChoiceField
            label={say("What it measures")}
            choices={quantityNames}
            words={quantityText}
            byDefault={undefined}
            value={row.quantity}
            onChange={(value) =>
              set(withMember(withMember(withMember(row, "unit", undefined), "kind", undefined), "quantity", value))
            }
          />
          {choice("Unit of the source", "unit", { choices: units, byDefault: unit })}
          {kind !== undefined && choice("What or where it is", "kind", kind, kindText)}
          {instance !== undefined && text("Number of the tank, battery or engine", "instance", true)}
          {isTank && text("Its value when the tank is full", "full", true)}
          {isTank && text("Its value when the tank is empty", "empty", true)}
          <TextField
            label={say("Seconds for which a value counts ({standard})", { standard: periodSec })}
            isNumber
            value={row.periodSec}
            onChange={(value) => set(withMember(row, "periodSec", value))}
          />
          {text("Place of the time in the message: /last_seen", "time")}
          {text("Broker, if there are several", "network")}
        </div>
      )}
    </li>
  );
}

/** A row of the settings for a ready one; what is by default is left out. */
function rowOf({ topic, pointer, time, quantity, unit, kind, full, periodSec, name }: ReadyRow): Row {
  const own = quantityNamed(quantity);
  const members = {
    ...{ name, topic, pointer, quantity, time, full, periodSec },
    unit: unit === own.unit ? undefined : unit,
    kind: kind === own.kind?.byDefault ? undefined : kind,
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

const shortened = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);

/** Why no topic is listed, in words. */
function nothingText({ isHeard, why }: Listening, seconds: number): string {
  if (why !== undefined) return say("The broker does not let this page listen: {why}.", { why });
  if (!isHeard) return say("Connecting");
  return say(
    "No topic of another program in the {time} since this page was opened. Does it send to the boat's broker, and may it write there?",
    { time: `${Math.round(seconds)}\u202fs` },
  );
}

interface TopicsProps {
  readonly heard: HeardTopics;
  readonly listening: Listening;
  readonly rows: readonly Row[];
  readonly add: (row: Row) => void;
}

/** Whether a message becomes rows of a known system, found once, because the list is drawn every second. */
const known = new WeakMap<HeardTopic, boolean>();

function isKnown(heard: HeardTopic): boolean {
  const is = known.get(heard) ?? suggestedRows(heard.topic, heard.payload ?? "").length > 0;
  known.set(heard, is);
  return is;
}

/** The topics that are heard, those of known systems first, each with the rows that it may become. */
function Topics({ heard, listening, rows: present, add }: TopicsProps) {
  const now = secondTick.value;
  const [opened] = useState(now);
  const has = (row: Row): boolean =>
    present.some(
      ({ topic, quantity, pointer }) => topic === row.topic && quantity === row.quantity && pointer === row.pointer,
    );
  const [filter, setFilter] = useState("");
  const words = filter.toLowerCase().split(/\s+/);
  const found = heard.topics
    .filter(({ topic, payload = "" }) => words.every((word) => `${topic} ${payload}`.toLowerCase().includes(word)))
    .map((each) => ({ ...each, isKnown: isKnown(each) }))
    .sort((one, other) => Number(other.isKnown) - Number(one.isKnown));
  const payloadOf = (topic: string): string | undefined => heard.at(topic)?.payload;
  return (
    <>
      <label class="form-field wide">
        <span>{say("Topics that are heard, with the words")}</span>
        <input type="text" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
      </label>
      <ul class="published heard">
        {found.slice(0, MAX_SHOWN).map(({ topic, payload, isRetained, isKnown }) => (
          <li key={topic} data-id="heard-topic">
            <b>{topic}</b> {isRetained && <small>{say("retained")}</small>}
            <code>{payload === undefined ? say("too long") : shortened(payload)}</code>
            <span class="choices">
              {suggestedRows(topic, payload ?? "", payloadOf, present)
                .map(({ system, ...row }) => ({ system, row: rowOf(row) }))
                .filter(({ row }) => !has(row))
                .map(({ system, row }) => (
                  <button key={String(row.quantity)} type="button" title={system} onClick={() => add(row)}>
                    {say("Add {name}", { name: quantityText(row.quantity) })}
                  </button>
                ))}
              {!isKnown && (
                <Button
                  says="Add a row"
                  onClick={() =>
                    add({ name: nameAmong(topic.split("/").at(-1)!, topic, present), topic, quantity: "temperature" })
                  }
                />
              )}
            </span>
          </li>
        ))}
      </ul>
      <p class="hint">
        {heard.topics.length === 0
          ? nothingText(listening, (now - opened) / 1000)
          : say("{shown} of {count} topics.", { shown: Math.min(found.length, MAX_SHOWN), count: heard.topics.length })}
        {heard.topics.length > 0 &&
          listening.why !== undefined &&
          ` ${say("No more are heard now: {why}.", { why: listening.why })}`}
        {heard.left > 0 && ` ${say("There is no room for {count} messages of others.", { count: heard.left })}`}
      </p>
    </>
  );
}

/** Ready rows of all systems, also of those whose topics this broker does not have, such as a GX device with its own. */
function Ready({ add }: { readonly add: (row: Row) => void }) {
  const all = Object.entries(readyRows).flatMap(([system, rows]) => rows.map((row) => ({ system, row })));
  return (
    <label class="form-field wide">
      <span>{say("Add a ready row, and put your topic into it")}</span>
      <select
        value=""
        onChange={(event) => {
          const chosen = all[Number(event.currentTarget.value)];
          event.currentTarget.value = "";
          if (chosen !== undefined) add({ ...rowOf(chosen.row), name: chosen.system });
        }}
      >
        <option value="">{say("choose")}</option>
        {all.map(({ system, row }, at) => (
          <option key={at} value={at}>
            {system}: {quantityText(row.quantity)}, {row.topic} {row.pointer ?? ""}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Topics that arrive while the form is shown, and whether the broker sends them. */
function useHeardTopics(): { readonly heard: HeardTopics; readonly listening: Listening } {
  const { prefix } = settings.value;
  const make = () => new HeardTopics((topic) => isOwnTopic(topic, prefix));
  const [heard, setHeard] = useState(make);
  const [listening, setListening] = useState<Listening>({ isHeard: false });
  useEffect(() => {
    const fresh = make();
    setHeard(fresh);
    return listenToAll(
      2 * MAX_PAYLOAD_BYTES,
      (topic, payload, isRetained) => fresh.hear(topic, payload, isRetained, performance.now()),
      setListening,
    );
  }, [prefix]);
  return { heard, listening };
}

const entryWith = (values: Readonly<Record<string, unknown>>): Entry => ({ ...values, name: SENSORS });

/** Shown while the boat's computer listens to a broker; `warnings` are those of hub-cand about the entry. */
export function SensorForm({ warnings }: { readonly warnings: FormEntry["warnings"] }) {
  const { name: _, ...value } = entryOf(SENSORS);
  const storedRows = rowsOf(value.rows);
  const [{ rows }, setDraft, save] = useDraft({ rows: storedRows }, entryWith);
  const setRows = (next: readonly Row[]): void => setDraft({ rows: next });
  const { heard, listening } = useHeardTopics();
  const draft = { ...value, rows };
  const complaints = warnings(draft).map((each) => complaintText(each, draft));
  const isChanged = JSON.stringify(rows) !== JSON.stringify(storedRows);
  const add = (row: Row): void => setRows([...rows, row]);
  return (
    <Form
      class="schema-form"
      data-id="sensor-form"
      onSubmit={() => {
        save();
        void saveForm(
          entryWith({ rows: storedRows }),
          entryWith({ rows }),
          say("{name}: saved in the project.", { name: say("Sensors by MQTT") }),
        );
      }}
    >
      <ul class="named-things sensors">
        {rows.map((row, at) => (
          <RowFields
            key={at}
            row={row}
            heard={heard}
            set={(next) => setRows(rows.with(at, next))}
            remove={() => setRows(rows.toSpliced(at, 1))}
          />
        ))}
      </ul>
      {(isChanged || rows.length > 0) && <Saving complaints={complaints} isChanged={isChanged} />}
      <Topics heard={heard} listening={listening} rows={rows} add={add} />
      <Ready add={add} />
    </Form>
  );
}
