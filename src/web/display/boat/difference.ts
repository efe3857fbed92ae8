/** The difference of two configurations in words. */

import { alarmWords } from "../../../core/alarms/words.ts";
import type { Thing } from "../../../core/n2k/thing.ts";
import { polarOf } from "../../../core/nav/polar.ts";
import { isRecord } from "../../../core/util/is-record.ts";
import { said, say } from "../languages/say.ts";
import { memberText } from "../languages/setting-texts.ts";
import { sentence } from "../languages/texts.ts";
import { POLAR } from "../sailing/polar-entry.ts";
import { nameOfEngine } from "../systems/engine-name.ts";
import { MAINTENANCE, rowsOf } from "../systems/maintenance.ts";
import { kindOfThing } from "../systems/thing-kinds.ts";
import { kindText, quantityText } from "./sensor-words.ts";

type Values = Readonly<Record<string, unknown>>;
type Path = readonly string[];

/** Names of devices by their NAMEs. */
type NameOf = (name: string) => string;

/** A number of the settings with its units, or a choice in words; undefined for another value. */
export type StoredText = (path: Path, value: unknown) => string | undefined;

/** A row of the crew's own limits in words. */
type LimitText = (row: never) => string;

/** Members that a rename or a copy changes and that nothing on the boat reads. */
const ignored: ReadonlySet<string> = new Set(["uid", "duplicateFrom"]);

/** Whether a value is empty: the empty sections of a new project are no change. */
const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === "object" && value !== null && Object.keys(value).length === 0);

const MOST_LETTERS = 60;

/** A value in words; a list of texts may be a list of devices. */
function shown(value: unknown, nameOf: NameOf): string {
  const polar = polarOf(value);
  if (polar !== undefined) return say("of {count} wind speed{count:|s}", { count: polar.length });
  const isTexts = Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === "string");
  const flags: readonly unknown[] = [true, false];
  const flag = flags.includes(value) ? say(value === true ? "yes" : "no") : undefined;
  const text =
    flag ?? (isTexts ? value.map(nameOf).join(", ") : typeof value === "string" ? value : JSON.stringify(value));
  return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS - 1)}…` : text;
}

/** A list of named entries as an object by name; other lists stay. */
function byName(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const isNamed = value.every((entry) => isRecord(entry) && typeof entry.name === "string");
  return isNamed ? Object.fromEntries(value.map((entry: Values) => [entry.name, entry])) : value;
}

const THINGS: Path = ["settings", "names", "things"];
const isAt = (path: Path, place: Path): boolean =>
  path.length === place.length && place.every((key, index) => key === path[index]);

/** The items of a list by what each is about; undefined for another list. */
function byItem<Item>(
  value: unknown,
  isItem: (item: unknown) => item is Item,
  pairOf: (item: Item) => readonly [about: string, value: unknown],
): Values | undefined {
  if (value === undefined) return {};
  return Array.isArray(value) && value.every(isItem) ? Object.fromEntries(value.map(pairOf)) : undefined;
}

const isThing = (item: unknown): item is Values => isRecord(item) && isRecord(item.key);
const byThing = (value: unknown, nameOf: NameOf): Values | undefined =>
  byItem(value, isThing, (item) => [
    `${kindOfThing(item as never as Thing)}, ${nameOf(String(item.device))}`,
    item.name,
  ]);

const ROWS: Path = ["settings", MAINTENANCE, "rows"];

/** The rows of maintenance by what is done, and when; undefined for another list. */
function byWork(value: unknown): Values | undefined {
  if (value === undefined) return {};
  const rows = rowsOf(value);
  if (!Array.isArray(value) || rows.length !== value.length) return undefined;
  return Object.fromEntries(
    rows.map(({ engine, what, everyHours, doneAtHours }) => [
      `${what}, ${nameOfEngine(engine)}`,
      say("every {every} h · done at {done} h", { every: everyHours, done: doneAtHours }),
    ]),
  );
}

const NETWORKS: Path = ["settings", "networks", "also"];

const isText = (item: unknown): item is string => typeof item === "string";
/** Texts by themselves, so that one more or less is told alone. */
const byText = (value: unknown): Values | undefined => byItem(value, isText, (each) => [each, each]);

const LIMITS: Path = ["settings", "alarms", "limits", "rows"];

const byLimit = (value: unknown, _: NameOf, limitText: LimitText): Values | undefined =>
  byItem(value, isRecord, (row) => [String(row.id), limitText(row as never)]);

const SENSORS: Path = ["settings", "sensors", "rows"];

/** The members of a row of sensors other than its name and quantity, in words. */
function sensorText({
  name: _,
  quantity,
  topic,
  pointer = "",
  unit,
  kind,
  instance,
  periodSec,
  ...others
}: Values): string {
  const texts = [
    `${topic}${pointer}`,
    unit,
    kind !== undefined && kindText(String(kind)),
    instance !== undefined && say("no. {number}", { number: String(instance) }),
    periodSec !== undefined && say("counts for {duration}", { duration: `${periodSec}\u202fs` }),
    ...Object.entries(others).map(([member, value]) => `${memberText(member)} ${value}`),
  ];
  return texts.filter(Boolean).join(" · ");
}

const bySensor = (value: unknown): Values | undefined =>
  byItem(value, isRecord, (row) => [`${row.name}, ${quantityText(row.quantity)}`, sensorText(row)]);

/** Lists that are compared by what their items are about. */
const lists: readonly {
  readonly at: Path;
  readonly by: (value: unknown, nameOf: NameOf, limitText: LimitText) => Values | undefined;
}[] = [
  { at: THINGS, by: byThing },
  { at: ROWS, by: byWork },
  { at: NETWORKS, by: byText },
  { at: LIMITS, by: byLimit },
  { at: SENSORS, by: bySensor },
];

/** Members with other names for people: the words for the rest of their path. */
const places: readonly { readonly at: Path; readonly words: (rest: Path, nameOf: NameOf) => string }[] = [
  {
    at: ["settings", "navigation", "friendlyNames"],
    words: ([name = ""], nameOf) => say("Name of {kind}", { kind: nameOf(name) }),
  },
  {
    at: ["settings", "navigation", "priority"],
    words: ([quantity = ""]) => say("Sources of {quantity}", { quantity: memberText(quantity) }),
  },
  { at: ["settings", "navigation", "ownMmsi"], words: () => say("MMSI of this boat") },
  { at: ["settings", POLAR, "curves"], words: () => say("Polar") },
  { at: NETWORKS, words: () => say("Networks") },
  { at: ROWS, words: ([work = memberText("rows")]) => say("{what}: {text}", { what: say("Maintenance"), text: work }) },
  { at: LIMITS, words: () => said(alarmWords.limits.watched) },
  {
    at: SENSORS,
    words: ([row = memberText("rows")]) => say("{what}: {text}", { what: sentence(memberText("sensors")), text: row }),
  },
  { at: THINGS, words: ([thing = memberText("things")]) => say("Name of {kind}", { kind: thing }) },
  {
    at: ["settings", "alarms"],
    words: ([kind = "", ...rest]) => {
      const { watched = kind } = (alarmWords as Readonly<Record<string, { readonly watched: string }>>)[kind] ?? {};
      return [say('Alarm "{watched}"', { watched: said(watched) }), ...rest.map(memberText)].join(", ");
    },
  },
  {
    at: ["settings"],
    words: ([entry = say("Settings"), ...rest]) => [sentence(memberText(entry)), ...rest.map(plainWords)].join(", "),
  },
];

/** A key in words; a key that is a name, such as `127508.voltageV`, stays. */
const plainWords = (key: string): string => (/^[a-zA-Z]+$/.test(key) ? memberText(key) : key);

function whereOf(path: Path, nameOf: NameOf): string {
  const place = places.find(({ at }) => at.every((key, index) => key === path[index]));
  if (place !== undefined) return place.words(path.slice(place.at.length), nameOf);
  return sentence(path.map((key) => (/^\d{10,20}$/.test(key) ? nameOf(key) : plainWords(key))).join(", "));
}

/**
 * A sentence for each member that differs, at any depth. `nameOf` gives the name of a device by its NAME, `storedText`
 * the text of a number with its unit or of a choice, `limitText` that of a limit of the crew's own.
 *
 * @example differences({ settings: [] }, { settings: [{ name: "navigation", windDamping: 3 }] }, String)
 * // ["Navigation, wind damping: 3, new"]
 */
export function differences(
  before: unknown,
  after: unknown,
  nameOf: NameOf,
  storedText: StoredText = () => undefined,
  limitText: LimitText = JSON.stringify,
): readonly string[] {
  const sentences: string[] = [];
  const compare = (left: unknown, right: unknown, path: Path): void => {
    const list = lists.find(({ at }) => isAt(path, at));
    const read = (value: unknown): unknown => list?.by(value, nameOf, limitText) ?? byName(value);
    const [one, other] = [read(left), read(right)];
    if (JSON.stringify(one) === JSON.stringify(other) || (isEmpty(one) && isEmpty(other))) return;
    // The first project of a boat has a name.
    if (path.length === 1 && path[0] === "name" && left === undefined) return;
    const isDeeper = (value: unknown): boolean => value === undefined || isRecord(value);
    if (isDeeper(one) && isDeeper(other) && (isRecord(one) || isRecord(other))) {
      const keys = new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})]);
      for (const key of keys) {
        if ((path.length === 0 && ignored.has(key)) || (key === "name" && path.length > 0)) continue;
        compare((one as Values | undefined)?.[key], (other as Values | undefined)?.[key], [...path, key]);
      }
      return;
    }
    const where = whereOf(path, nameOf);
    // The hash of a password opens the project.
    const text = (value: unknown): string => {
      if (typeof value === "string" && lists.some(({ at }) => isAt(path.slice(0, -1), at))) return value;
      if (path.at(-1) === "hash") return `(${say("not shown")})`;
      return storedText(path, value) ?? shown(value, nameOf);
    };
    const news =
      left === undefined
        ? say("{text}, new", { text: text(right) })
        : right === undefined
          ? say("removed, was {text}", { text: text(left) })
          : `${text(left)} → ${text(right)}`;
    sentences.push(say("{what}: {text}", { what: where, text: news }));
  };
  compare(before, after, []);
  return sentences;
}
