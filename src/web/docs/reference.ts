/** The reference pages, generated from PGN definitions, topics, endpoints and options. */

import type { Definition } from "../../core/n2k/definition.ts";
import { describePgn, pgnReference, publicIntroduction } from "../../core/n2k/describe.ts";
import { chapters, definitions, reportOnly } from "../../core/n2k/pgns/index.ts";
import { proprietaryRanges } from "../../core/n2k/public-names.ts";
import type { PublicPgns } from "../../core/n2k/public-pgns.ts";
import type { JsonObject } from "../../core/project/json.ts";
import { type JsonSchema, jsonSchemaOf } from "../../core/report/json-schema.ts";
import { settingsEntries } from "../../core/settings/entries.ts";
import { type TopicDescription, timingOf } from "../../core/topics/async-api.ts";
import { hubAlarmOptions } from "../../daemons/hub-alarm-options.ts";
import { hubCandOptions } from "../../daemons/hub-cand-options.ts";
import { hubConfigBackupOptions } from "../../daemons/hub-config-backup-options.ts";
import { hubConfigFetchOptions } from "../../daemons/hub-config-fetch-options.ts";
import { hubConfigdOptions } from "../../daemons/hub-configd-options.ts";
import { hubHistoryOptions } from "../../daemons/hub-history-options.ts";
import { hubLinkOptions } from "../../daemons/hub-link-options.ts";
import type { OptionTable } from "../../daemons/program/options.ts";
import { pathReference } from "../../formats/signalk/describe.ts";
import { escaped, fromMarkdown, type Page, table } from "./html.ts";

/** filter.js inserts its field here. */
const filterHere = "<div data-filter-here></div>\n";

const section = (definition: Definition): string =>
  `<section data-filter>\n${fromMarkdown(describePgn(definition))}</section>\n`;

const chapter = (heading: string, sections: readonly string[]): string =>
  `<div data-chapter>\n${fromMarkdown(heading)}${sections.join("")}</div>\n`;

/** Every PGN of the public database with its layouts. */
export function publicPgnPage({ pgns, variants }: PublicPgns): Page {
  // The fields of a message of an unknown manufacturer are listed above, once for all PGNs.
  const named = new Set<string>(proprietaryRanges.map(({ title }) => title));
  const sections = pgns.map((pgn) => {
    const definitions = variants(pgn).map(({ definition }) => definition);
    const parts = definitions.filter(({ title }) => !named.has(title)).map((each) => fromMarkdown(describePgn(each)));
    // The first layout of a PGN has the address of its section.
    const [first, ...others] = parts;
    const rest = others.map((part) => part.replace(/ id="\d+"/, "").replace(/<a class="anchor"[^>]*>/, "<a>"));
    return `<section data-filter>\n${[first, ...rest].join("")}</section>\n`;
  });
  const body = `${fromMarkdown(publicIntroduction)}${filterHere}${chapter("## By number", sections)}`;
  return { name: "public-pgns", title: "Public PGNs", body, filter: true };
}

/** Every PGN with its fields. */
export function pgnPage(): Page {
  const introduction = pgnReference().split("\n\n## ", 1)[0]!;
  const parts = Object.entries(chapters).map(([title, ofChapter]) => chapter(`## ${title}`, ofChapter.map(section)));
  const others = chapter(
    "## Not published by themselves\n\nThese feed the reports about devices and navigation.",
    reportOnly.map(section),
  );
  const body = `${fromMarkdown(introduction)}${filterHere}${parts.join("")}${others}`;
  return { name: "pgns", title: "PGNs", body, filter: true };
}

export const signalKPage = (): Page => ({
  name: "signalk-paths",
  title: "Paths of Signal K",
  body: fromMarkdown(pathReference()),
});

const code = (text: string): string => `<code>${escaped(text)}</code>`;

const kindOf = (schema: JsonSchema): string => {
  const { type, enum: values, const: constant, anyOf } = schema;
  if (constant !== undefined) return code(JSON.stringify(constant));
  if (Array.isArray(values)) return values.map((value) => code(JSON.stringify(value))).join(" ");
  if (anyOf !== undefined) return [...new Set(anyOf.map(kindOf))].join(" or ");
  return escaped(Array.isArray(type) ? type.join(" or ") : String(type ?? ""));
};

/** The description of the member, or of the first alternative that has one: a unit may stand below a null. */
const descriptionOf = ({ description, anyOf = [] }: JsonSchema): string =>
  description ?? anyOf.map(descriptionOf).find((one) => one !== "") ?? "";

/** A row for each member at any depth: path, whether it is required, type, description. */
function* membersOf(schema: JsonSchema, path = ""): Generator<readonly string[]> {
  const required = (schema.required ?? []) as readonly string[];
  for (const [name, member] of Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)) {
    const items = member.items as JsonSchema | undefined;
    const full = `${path}${name}${items === undefined ? "" : "[]"}`;
    yield [code(full), required.includes(name) ? "always" : "", kindOf(member), escaped(descriptionOf(member))];
    yield* membersOf(items ?? member, `${full}.`);
  }
}

const delivery = (topic: TopicDescription): string =>
  [`QoS ${topic.qos}`, topic.retain && "retained", timingOf(topic)].filter(Boolean).join(", ");

const reportSection = (topic: TopicDescription): string => `<section data-filter>
<h2 id="${topic.id}"><a class="anchor" href="#${topic.id}">${escaped(topic.title)}</a></h2>
<p>${code(topic.address)}, ${delivery(topic)}. As <a href="${topic.id}.schema.json">JSON Schema</a>.</p>
${table(["member", "present", "type", "meaning"], [...membersOf(topic.schema)])}
</section>
`;

const rangeOf = ({ minimum, maximum }: JsonSchema): string =>
  minimum === undefined ? "" : maximum === undefined ? `, ${minimum} or more` : `, ${minimum} to ${maximum}`;

/** A row for each member of a settings entry: path, type with its limits, default, meaning. */
function* settingsRows(schema: JsonSchema, path = ""): Generator<readonly string[]> {
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const { properties, default: standard, title } = member;
    const type = Array.isArray(member.enum) ? kindOf(member) : `${kindOf(member)}${rangeOf(member)}`;
    const shown = standard === undefined || properties !== undefined ? "" : code(JSON.stringify(standard));
    yield [code(`${path}${name}`), type, shown, escaped(title ?? descriptionOf(member))];
    yield* settingsRows(member, `${path}${name}.`);
  }
}

/** Every member of the settings that hub-cand reads. */
export function settingsPage(): Page {
  const introduction = `# Members of the settings

The members of each entry of \`settings\` that hub-cand reads. All may be absent. [Settings](settings.md) and
[Alarms](alarms.md) explain them; the page *Boat* of the display has them as forms.
`;
  const sections = settingsEntries.map(({ name, title, schema }) => {
    const rows = [...settingsRows(jsonSchemaOf(schema))];
    return `${fromMarkdown(`## ${title}: ${name}`)}${table(["member", "type", "default", "meaning"], rows)}`;
  });
  return {
    name: "settings-members",
    title: "Members of the settings",
    body: fromMarkdown(introduction) + sections.join("\n"),
  };
}

const definedHere = new Set([...definitions, ...reportOnly].map(({ pgn }) => pgn));

const PGN_TOPIC = /^pgn-(\d+)$/;

/** Every topic: reports with their members, PGNs with a line each. */
export function topicPage(topicSchemas: readonly TopicDescription[]): Page {
  const isPgn = ({ id }: TopicDescription): boolean => PGN_TOPIC.test(id);
  const streams = topicSchemas.filter(isPgn);
  const introduction = `# Topics

hub-cand publishes these topics. It subscribes only to the last ones here, which are [commands](alarms.md#commands) and what
it has retained for its own next start. Every message except those and the identity has
[the same shape](data.md#the-shape-of-a-message).
\`{prefix}\` is \`can/can0\` for the interface can0 unless \`--prefix\` says otherwise; \`{addr}\` is the address of a device.
[asyncapi.json](asyncapi.json) is the machine-readable form, [units.json](units.json) has the unit of each member, also in UCUM, and the
public title of a PGN where it is another; \`hub-cand --schema navigation\` prints the schema of one.
`;
  const rows = streams.map(({ id, address, title }) => {
    const [, pgn] = PGN_TOPIC.exec(id)!;
    const page = definedHere.has(Number(pgn)) ? "pgns" : "public-pgns";
    return [
      `<a href="${page}.html#${pgn}">${escaped(title)}</a>`,
      code(address),
      `<a href="${id}.schema.json">JSON Schema</a>`,
    ];
  });
  const body = `${fromMarkdown(introduction)}${filterHere}${topicSchemas
    .filter((topic) => !isPgn(topic))
    .map(reportSection)
    .join("")}<section data-filter>
${fromMarkdown(`## One topic for each PGN\n\nAll of them ${delivery(streams[0]!)}.`)}${table(["message", "topic", ""], rows)}
</section>
`;
  return { name: "topics", title: "Topics", body, filter: true };
}

interface Operation {
  readonly tags: readonly [string];
  readonly summary: string;
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
}

interface Response {
  readonly description: string;
}

/** Every endpoint of the OpenAPI document, with a link to the console. */
export function httpPage(document: JsonObject): Page {
  const introduction = `# HTTP interface

Every endpoint of hub-configd. The [console](../index.html) shows the details of each and can send requests;
[openapi.json](../openapi.json) is the machine-readable form. Behind the packaged proxy all paths begin with \`/api/config\`.
`;
  const { responses: shared } = document.components as unknown as { readonly responses: Record<string, Response> };
  const descriptionIn = (response: Response | { readonly $ref: string }): string =>
    "$ref" in response ? shared[response.$ref.split("/").at(-1)!]!.description : response.description;
  const paths = Object.entries(document.paths as unknown as Record<string, Record<string, Operation>>);
  const tags = (document.tags as unknown as readonly { readonly name: string }[]).map(({ name }) => name);
  const sections = tags.map((tag) => {
    const rows = paths.flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => operation.tags[0] === tag)
        .map(([method, { summary, operationId, responses }]) => [
          `<span class="method">${method.toUpperCase()}</span>`,
          `<a href="../index.html#/${tag}/${operationId}">${code(path)}</a>`,
          escaped(summary),
          Object.entries(responses)
            .map(([status, each]) => `<abbr title="${escaped(descriptionIn(each))}">${status}</abbr>`)
            .join(" "),
        ]),
    );
    return `<section data-filter>\n${fromMarkdown(`## ${tag}`)}${table(["method", "path", "summary", "responses"], rows)}\n</section>\n`;
  });
  const body = `${fromMarkdown(introduction)}${filterHere}${sections.join("")}`;
  return { name: "http", title: "HTTP interface", body, filter: true };
}

function optionRows({ options }: OptionTable): readonly (readonly string[])[] {
  return options.map(({ short, long, value, help }, at) => {
    const words = value === undefined ? "" : ` ${value}`;
    // An option without a help text shares that of the next option that has one.
    const text = help ?? options.slice(at).find((option) => option.help !== undefined)?.help ?? "";
    return [`${short === undefined ? "" : `${code(`-${short}`)} `}${code(`--${long}${words}`)}`, escaped(text)];
  });
}

export function commandPage(): Page {
  const programs: readonly OptionTable[] = [
    ...[hubCandOptions, hubConfigdOptions, hubConfigBackupOptions, hubConfigFetchOptions],
    ...[hubLinkOptions, hubAlarmOptions, hubHistoryOptions],
  ];
  const tables = programs.map((options) => {
    const [, name] = /^Usage: (\S+)/.exec(options.usage)!;
    return `${fromMarkdown(`## ${name}\n\n\`${options.usage.replace("Usage: ", "")}\``)}${table(["option", "meaning"], optionRows(options))}\n`;
  });
  return {
    name: "commands",
    title: "Command lines",
    body: `${fromMarkdown("# Command lines")}${tables.join("")}`,
  };
}
