/** What the display says: each catalogue has all texts with their values, and no page has words of its own. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseAst } from "vitest/node";
import * as z from "zod";
import { alarmDefinitions } from "../../../../src/core/alarms/definitions.ts";
import { engineBits, transmissionBits } from "../../../../src/core/alarms/hazards/engine.ts";
import { alarmWords } from "../../../../src/core/alarms/words.ts";
import { findingDefinitionOf, findingKinds } from "../../../../src/core/findings/definitions.ts";
import {
  AtonType,
  ChargerMode,
  ChargerState,
  DcSource,
  DscNature,
  GearStatus,
  hazardousShip,
  InverterState,
  NavigationStatus,
  OffOnError,
  placeOfTemperature,
  ShipType,
  TankType,
  TemperatureSource,
  YesNo,
} from "../../../../src/core/n2k/lookups.ts";
import { deviceFunctions } from "../../../../src/core/n2k/public-database.ts";
import { interfaceStatus } from "../../../../src/core/report/interface-status.ts";
import type { JsonSchema } from "../../../../src/core/report/json-schema.ts";
import { quantityNames, kinds as sensorKinds } from "../../../../src/core/sensors/quantities.ts";
import { settingsEntries } from "../../../../src/core/settings/entries.ts";
import { filled } from "../../../../src/core/text/filled.ts";
import { healthData } from "../../../../src/core/topics/health.ts";
import { kinds } from "../../../../src/core/voyages/kinds/index.ts";
import { formEntries } from "../../../../src/web/display/boat/entries.ts";
import { offeredTexts } from "../../../../src/web/display/boat/measured-values.ts";
import { englishOf } from "../../../../src/web/display/boat/sensor-words.ts";
import { englishWords } from "../../../../src/web/display/bus/counters.ts";
import { instruments } from "../../../../src/web/display/instruments/instruments.ts";
import { measures } from "../../../../src/web/display/instruments/units.ts";
import { de } from "../../../../src/web/display/languages/de.ts";
import {
  dayText,
  durationText,
  formatLanguage,
  inDays,
  numberText,
} from "../../../../src/web/display/languages/formats.ts";
import {
  type LanguageName,
  languageNames,
  languageOf,
  preferredLanguage,
} from "../../../../src/web/display/languages/languages.ts";
import { wordsOf } from "../../../../src/web/display/languages/setting-texts.ts";
import { de as deSettings } from "../../../../src/web/display/languages/settings/de.ts";
import { sentence, textIn } from "../../../../src/web/display/languages/texts.ts";
import { isDrawn } from "../../../../src/web/display/parts/numerals.tsx";
import { acSources } from "../../../../src/web/display/systems/public-systems.ts";
import { fieldsOf, type KindName } from "../../../../src/web/display/systems/system-values.ts";

const folder = "src/web/display";
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
const sourceOf = (file: string): string => readFileSync(join(folder, file), "utf8");

/** The names of values; forms of a plural repeat that of their number. */
const placeholders = (text: string): readonly string[] => [...new Set(text.match(/(?<=\{)\w+/g))].toSorted();

/**
 * What forms and differences say of the settings: some have a form of their own, and a PGN has its title. And the
 * functions of devices.
 */
const shownOfSettings = formEntries
  .flatMap(({ name, schema }) =>
    ["names", "networks", "sensors"].includes(name) ? [name, ...membersIn(schema)] : [name, ...textsIn(schema)],
  )
  .concat(
    sensorKinds.map((kind) => kind.replace(/(?<=.) Temperature$/, "")),
    quantityNames.map(englishOf),
    offeredTexts(),
    deviceFunctions.map(([, , name]) => name),
  )
  .filter((text) => !/^(\d{6}|[A-Z]{3,5}$)/.test(text));
function membersIn({ properties = {}, items }: JsonSchema): string[] {
  const members = Object.entries(properties).flatMap(([name, of]) => [wordsOf(name), ...membersIn(of)]);
  return items === undefined ? members : [...members, ...membersIn(items)];
}
function textsIn({
  title,
  description,
  enum: choices = [],
  properties = {},
  items,
  additionalProperties,
}: JsonSchema): string[] {
  const inner = [...Object.values(properties), items, additionalProperties].filter(
    (of): of is JsonSchema => typeof of === "object",
  );
  return [
    ...[title, description].filter((text) => text !== undefined),
    ...choices.map(String),
    ...Object.entries(properties).flatMap(([name, of]) => (of.properties === undefined ? [wordsOf(name)] : [])),
    ...inner.flatMap(textsIn),
  ];
}

const catalogues = await Promise.all(
  languageNames
    .filter((name) => name !== "en")
    .map(async (name) => [name, await languageOf(name).load!(), await languageOf(name).loadSettings!()] as const),
);

/** The form of address that a language does not use here. */
const otherAddress: Readonly<Record<Exclude<LanguageName, "en">, RegExp>> = {
  de: /\ben Sie\b|\b(du|dein|dich)\b/,
  fr: /(?<!\p{L})(tu|ton|tes|toi)(?!\p{L})/u,
  it: /\b(voi|vostr[oaie])\b/,
  es: /(?<!\p{L})(tú|tu|tus|ti)(?!\p{L})/u,
  nl: /\b(je|jij|jouw)\b/,
};

/** What a new text asks for. */
const MISSING = "translate these in each catalogue of src/web/display/languages";

describe.each(catalogues)("the catalogue of %s", (language, catalogue, settingTexts) => {
  const rows = Object.entries(catalogue);

  test("has the texts of the others, and none is empty", () => {
    expect(Object.keys(catalogue).toSorted()).toEqual(Object.keys(de).toSorted());
    expect(rows.filter(([, translation]) => translation.trim() === "")).toEqual([]);
  });

  test("has typographic apostrophes, and one form of address", () => {
    const wrong = otherAddress[language];
    expect(rows.filter(([, translation]) => /\p{L}'\p{L}/u.test(translation) || wrong.test(translation))).toEqual([]);
  });

  test("has the settings' descriptions, members and choices", () => {
    expect(Object.keys(settingTexts).toSorted()).toEqual(Object.keys(deSettings).toSorted());
    expect(
      shownOfSettings.filter((text) => !Object.hasOwn(settingTexts, text) && textIn(catalogue, text) === undefined),
      `${MISSING}/settings`,
    ).toEqual([]);
  });

  test("has the values of each text", () => {
    const differing = rows.filter(([text, translation]) => `${placeholders(text)}` !== `${placeholders(translation)}`);
    expect(differing).toEqual([]);
  });
});

const systemKinds: readonly KindName[] = ["engine", "battery", "tank"];
/** Labels of fields, which are made of their names. */
const fieldLabels = systemKinds.flatMap((kind) =>
  fieldsOf({ kind, address: 0, keys: [], field: "" }).map(({ label }) => label),
);
/** What the bus says of engines, batteries, tanks and switches. */
const busTexts = [
  ...[...ChargerMode, ...ChargerState, ...DcSource, ...GearStatus, ...InverterState, ...OffOnError, ...TankType],
  ...[...YesNo, ...TemperatureSource.map(placeOfTemperature)],
];

test.each(languageNames)("the large digits have the decimal sign of %s", (name) => {
  formatLanguage.value = name;
  const text = numberText("-12.3");
  formatLanguage.value = "en";
  expect(text.length).toBe(5);
  expect(isDrawn(text), text).toBe(true);
});

/** The texts of the sentences of findings, alarms, sensors and reports of recordings, by their templates in the source. */
const sentenceFiles = ["src/core/findings", "src/core/alarms", "src/core/sensors"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join(folder, file)),
);
function sentencesIn(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(sentencesIn);
  if (typeof node !== "object" || node === null) return [];
  const { type, tag, quasi } = node as { type?: string; tag?: { name?: string }; quasi?: Template };
  const own = type === "TaggedTemplateExpression" && tag?.name === "sentence" ? [textOf(quasi!)] : [];
  return [...own, ...Object.values(node).flatMap(sentencesIn)];
}
interface Template {
  readonly quasis: readonly { readonly value: { readonly cooked: string } }[];
}
const textOf = ({ quasis }: Template): string =>
  quasis.map(({ value }) => value.cooked).reduce((text, part, index) => `${text}{${index}}${part}`);
const sentences = sentenceFiles
  .flatMap((file) => sentencesIn(parseAst(readFileSync(file, "utf8"), { lang: "ts" })))
  // The words of another program, or names.
  .filter((text) => text !== "{1}");
const findingTexts = [
  ...findingKinds.map(findingDefinitionOf).flatMap(({ title, advice }) => [title, advice]),
  ...sentences,
];

/** Members of reports for an installer; the bit timing of a controller has no words in any language. */
const counterNames = [healthData, interfaceStatus.shape.stats.unwrap()].flatMap(namesIn);
function namesIn(schema: z.core.$ZodType): readonly string[] {
  if (schema instanceof z.ZodOptional) return namesIn(schema.unwrap());
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, member]) => [name, ...namesIn(member as z.core.$ZodType)]);
  return [];
}
const counterTexts = [...counterNames, "bitrate"].map(englishWords);

/** The words of tables that alarms say: bits of engines, a waypoint, failures of generators, natures of distress. */
const inSentence = (name: string): string => name.replace(/\b[A-Z](?![A-Z])/g, (letter) => letter.toLowerCase());
const bits = { ...engineBits, ...transmissionBits };
const alarmTexts = [
  ...Object.keys(bits).filter((name) => bits[name as keyof typeof bits] !== undefined),
  ...["Perpendicular Crossed", "Arrival Circle Entered"],
  ...["fault", "unable to start", "unable to stop"],
]
  .map(inSentence)
  .concat(Object.values(DscNature));

/** Texts of tables, which are said where they are shown. */
const abbreviation = /^[A-Z]{3}$/;
/** The category of a ship, `Tanker (hazard cat X)`, is said beside her type. */
const shipTexts = Object.entries(ShipType).map(([code, text]) => hazardousShip(Number(code))?.name ?? text);
const stationTexts = [...Object.values(NavigationStatus), ...shipTexts, ...Object.values(AtonType)].filter(
  (text) => !/^(AIS-SART|RACON)$/.test(text),
);
const texts = [
  ...stationTexts,
  ...Object.values(instruments).flatMap(({ label, name }) => [label, name]),
  ...Object.values(measures).flatMap(({ name, units }) => [name, ...Object.values(units).map((unit) => unit.name)]),
  ...Object.values(alarmWords).map(({ watched }) => watched),
  ...Object.values(alarmDefinitions).map(({ title }) => title),
  ...acSources.flatMap(({ name, lines }) => [name, ...lines.map((line) => line.name)]),
  ...fieldLabels,
  ...busTexts,
  ...[...kinds, ...settingsEntries].map(({ title }) => title),
  ...findingTexts,
  ...counterTexts,
  ...alarmTexts,
].filter((text) => !abbreviation.test(text));

test("tables of instruments, units, alarms, systems and entries of the log book have translations", () => {
  expect(
    texts.filter((text) => textIn(de, text) === undefined),
    MISSING,
  ).toEqual([]);
});

test("no catalogue has a text that nothing says", () => {
  const source = files.filter((file) => !/^languages\/(settings|..\.ts)/.test(file)).map(sourceOf);
  const reader = readFileSync("src/adapters/wasm/recording-reader.ts", "utf8");
  const all = [...source, ...coreTexts, reader].join("\n");
  expect(
    Object.keys(de).filter(
      (text) => ![text, sentence(text)].some((each) => all.includes(each)) && !assembled.has(text),
    ),
    "take these out of each catalogue",
  ).toEqual([]);
});

/** Texts of hub-cand, which the display translates where it knows them. */
const coreTexts = [
  "alarms/words.ts",
  "alarms/own-limits.ts",
  "alarms/hazards",
  "n2k/lookups.ts",
  "voyages/kinds",
  "n2k/layout-modes.ts",
  "settings",
].flatMap((place) => {
  const path = join("src/core", place);
  return place.endsWith(".ts")
    ? [readFileSync(path, "utf8")]
    : readdirSync(path).map((file) => readFileSync(join(path, file), "utf8"));
});
/** The source makes them from parts. */
const assembled = new Set([
  ...["transducer", "keel", "surface"].flatMap((reference) => [`below ${reference}`, `below the ${reference}`]),
  ...fieldLabels,
  ...findingTexts,
  ...counterTexts,
  ...alarmTexts,
]);

interface Node {
  readonly type: string;
  readonly [member: string]: unknown;
}

const spoken = /^(aria-label|title|placeholder|label|legend|alt)$/;
const hasWords = (text: string): boolean =>
  /[A-Za-z]{2}/.test(text) && !/^(hub$|ws:|\d+,|[A-Z\d/ ·.,…-]+$)/.test(text.trim());

/** Texts of a page in its elements and in the attributes that are shown or spoken, which no catalogue has. */
function ownWords(file: string): readonly string[] {
  const found: string[] = [];
  const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === "string";
  /** `isShown`: inside of an element or of such an attribute, and not an argument of a call. */
  const walk = (node: Node, isShown: boolean): void => {
    const { type } = node;
    if (type.startsWith("TSType")) return;
    const note = (text: unknown): void => {
      if (isShown && hasWords(String(text))) found.push(String(text).trim());
    };
    if (type === "JSXText") note(node.value);
    if (type === "Literal" && typeof node.value === "string") note(node.value);
    if (type === "TemplateLiteral")
      note((node.quasis as { value: { raw: string } }[]).map(({ value }) => value.raw).join("…"));
    if (type === "JSXAttribute") {
      const { name } = node.name as unknown as { name: unknown };
      if (typeof name === "string" && spoken.test(name) && isNode(node.value)) walk(node.value, true);
      else if (isNode(node.value)) walk(node.value, false);
      return;
    }
    if (type === "BinaryExpression" && node.operator !== "+") return;
    const shows =
      type === "JSXElement" || type === "JSXFragment" ? true : /Call|Function|Member/.test(type) ? false : isShown;
    for (const [name, member] of Object.entries(node)) {
      const isTested =
        (type === "ConditionalExpression" && name === "test") || (type === "LogicalExpression" && name === "left");
      for (const inner of Array.isArray(member) ? member : [member]) {
        if (isNode(inner)) walk(inner, isTested ? false : shows);
      }
    }
  };
  walk(parseAst(sourceOf(file), { lang: "tsx" }) as unknown as Node, false);
  return found;
}

test("the pages say nothing but what the catalogues have", () => {
  const words = Object.fromEntries(
    files
      .filter((file) => file.endsWith(".tsx"))
      .map((file) => [file, ownWords(file)] as const)
      .filter(([, found]) => found.length > 0),
  );
  expect(words, "say() these: they are words of the page's own").toEqual({});
});

test("docs/display.md names the languages", () => {
  const inEnglish = new Intl.DisplayNames("en", { type: "language" });
  const list = new Intl.ListFormat("en-GB").format(languageNames.map((name) => inEnglish.of(name)!));
  expect(readFileSync("docs/display.md", "utf8").replaceAll("\n", " ")).toContain(`The display speaks ${list}:`);
});

test("the first language of the browser that the display has", () => {
  // A code that is no language's.
  expect(preferredLanguage(["zxx-SE", "de-AT", "fr"])).toBe("de");
  expect(preferredLanguage(["zxx", "en-GB", "de"])).toBe("en");
  expect(preferredLanguage(["zxx"])).toBe("en");
});

test("numbers and days of a language", () => {
  formatLanguage.value = "de";
  expect([numberText("4.2"), numberText("104"), dayText("2026-11-28")]).toEqual(["4,2", "104", "28.11.2026"]);
  formatLanguage.value = "en";
  expect([numberText("4.2"), dayText("2026-11-28")]).toEqual(["4.2", "2026-11-28"]);
});

test("plurals of a language", () => {
  const text = "{count} topic{count:|s}";
  expect([0, 1, 2, "1", "1 024"].map((count) => filled(text, { count }))).toEqual([
    "0 topics",
    "1 topic",
    "2 topics",
    "1 topic",
    "1 024 topics",
  ]);
  // Nought is singular in French; Polish has four forms.
  expect(filled(text, { count: 0 }, "fr")).toBe("0 topic");
  const forms = "{n:jacht|jachty|jachtów|jachtu}";
  expect([1, 3, 5, 1.5].map((n) => filled(forms, { n }, "pl"))).toEqual(["jacht", "jachty", "jachtów", "jachtu"]);
  expect(filled(text, {})).toBe(text);
});

const durations: Readonly<Record<LanguageName, string>> = {
  en: "5\u202fd, 90\u202fs, 2.5\u202fd",
  de: "5\u202fTg., 90\u202fs, 2,5\u202fTg.",
  fr: "5\u202fj, 90\u202fs, 2,5\u202fj",
  it: "5\u202fgg, 90\u202fs, 2,5\u202fgg",
  es: "5\u202fd, 90\u202fs, 2,5\u202fd",
  nl: "5\u202fd, 90\u202fs, 2,5\u202fd",
};
test.each(languageNames)("durations of days, in the letters of %s", (name) => {
  formatLanguage.value = name;
  const told = [durationText(5 * 86_400), durationText(90), inDays("2.5 d")].join(", ");
  formatLanguage.value = "en";
  expect(told).toBe(durations[name]);
});
