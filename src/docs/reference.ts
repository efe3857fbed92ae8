/** The reference pages: readings of the tables, of the topics, of the endpoints and of the options. */
import { topicSchemas } from "../bridge/topic-schemas.ts";
import { hubCandOptions } from "../daemons/hub-cand-options.ts";
import { hubConfigdOptions } from "../daemons/hub-configd-options.ts";
import type { OptionTable } from "../daemons/options.ts";
import type { TopicDescription } from "../n2k/async-api.ts";
import { describePgn, pgnReference } from "../n2k/describe.ts";
import type { Definition } from "../n2k/field.ts";
import { chapters, reportOnly } from "../n2k/pgns/index.ts";
import type { JsonSchema } from "../n2k/schema.ts";
import type { JsonObject } from "../project/json.ts";
import { escaped, fromMarkdown, type Page, table } from "./html.ts";

/** Where filter.js puts its field; nothing where it does not run. */
const filterHere = "<div data-filter-here></div>\n";

const section = (definition: Definition): string =>
  `<section data-filter>\n${fromMarkdown(describePgn(definition))}</section>\n`;

const chapter = (heading: string, sections: readonly string[]): string =>
  `<div data-chapter>\n${fromMarkdown(heading)}${sections.join("")}</div>\n`;

/** Every PGN with its fields. */
export function pgnPage(): Page {
  const introduction = pgnReference().split("\n\n## ", 1)[0]!;
  const parts = Object.entries(chapters).map(([title, definitions]) =>
    chapter(`## ${title}`, definitions.map(section)),
  );
  const others = chapter(
    "## Not published by themselves\n\nThese feed the reports about devices and navigation.",
    reportOnly.map(section),
  );
  const body = `${fromMarkdown(introduction)}${filterHere}${parts.join("")}${others}`;
  return { name: "pgns", title: "PGNs", body, filter: true };
}

const code = (text: string): string => `<code>${escaped(text)}</code>`;

const kindOf = (schema: JsonSchema): string => {
  const { type, enum: values, const: constant } = schema;
  const { anyOf } = schema as { readonly anyOf?: readonly JsonSchema[] };
  if (constant !== undefined) return code(JSON.stringify(constant));
  if (Array.isArray(values)) return values.map((value) => code(JSON.stringify(value))).join(" ");
  if (anyOf !== undefined) return [...new Set(anyOf.map(kindOf))].join(" or ");
  return escaped(Array.isArray(type) ? type.join(" or ") : String(type ?? ""));
};

/** A row for each member at any depth: path, whether it is always there, what it is, its unit or meaning. */
function* membersOf(schema: JsonSchema, path = ""): Generator<readonly string[]> {
  const required = (schema.required ?? []) as readonly string[];
  for (const [name, member] of Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)) {
    const items = member.items as JsonSchema | undefined;
    const full = `${path}${name}${items === undefined ? "" : "[]"}`;
    const about = escaped([member["x-unit"], member.description].filter((part) => part !== undefined).join(", "));
    yield [code(full), required.includes(name) ? "always" : "", kindOf(member), about];
    yield* membersOf(items ?? member, `${full}.`);
  }
}

const delivery = ({ qos, retain }: TopicDescription): string => `QoS ${qos}${retain ? ", retained" : ""}`;

const reportSection = (topic: TopicDescription): string => `<section data-filter>
<h2 id="${topic.id}"><a class="anchor" href="#${topic.id}">${escaped(topic.title)}</a></h2>
<p>${code(topic.address)}, ${delivery(topic)}. As <a href="${topic.id}.schema.json">JSON Schema</a>.</p>
${table(["member", "there", "is", "meaning"], [...membersOf(topic.schema)])}
</section>
`;

const PGN_TOPIC = /^pgn-(\d+)$/;

/** Every topic: reports with their members, PGNs by a line. */
export function topicPage(): Page {
  const isPgn = ({ id }: TopicDescription): boolean => PGN_TOPIC.test(id);
  const streams = topicSchemas.filter(isPgn);
  const introduction = `# Topics

hub-cand publishes what follows and subscribes to nothing. Every message but that of who publishes has
[one shape](data.md#the-shape-of-a-message).
\`{prefix}\` is \`can/can0\` for the interface can0 unless \`--prefix\` says otherwise; \`{addr}\` is the address of a device.
The whole is described for machines in [asyncapi.json](asyncapi.json), and \`hub-cand --schema navigation\` prints one of them.
`;
  const rows = streams.map(({ id, address, title }) => {
    const [, pgn] = PGN_TOPIC.exec(id)!;
    return [
      `<a href="pgns.html#${pgn}">${escaped(title)}</a>`,
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
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

/** Every endpoint, from its OpenAPI document; each leads to the console, where it can be tried. */
export function httpPage(document: JsonObject): Page {
  const introduction = `# HTTP interface

Every endpoint of hub-configd. The [console](../index.html) shows the details of each and tries it;
[openapi.json](../openapi.json) is the same for machines. Behind the packaged proxy all paths begin with \`/api/config\`.
`;
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
            .map(([status, { description }]) => `<abbr title="${escaped(description)}">${status}</abbr>`)
            .join(" "),
        ]),
    );
    return `<section data-filter>\n${fromMarkdown(`## ${tag}`)}${table(["method", "path", "what it does", "answers"], rows)}\n</section>\n`;
  });
  const body = `${fromMarkdown(introduction)}${filterHere}${sections.join("")}`;
  return { name: "http", title: "HTTP interface", body, filter: true };
}

function optionRows({ options }: OptionTable): readonly (readonly string[])[] {
  return options.map(({ short, long, value, help }, at) => {
    const words = value === undefined ? "" : ` ${value}`;
    // Options without a help of their own share that of the next one that has it.
    const text = help ?? options.slice(at).find((option) => option.help !== undefined)?.help ?? "";
    return [`${short === undefined ? "" : `${code(`-${short}`)} `}${code(`--${long}${words}`)}`, escaped(text)];
  });
}

/** The options of the programs. */
export function commandPage(): Page {
  const tables = [hubCandOptions, hubConfigdOptions].map((options: OptionTable) => {
    const [, name] = /^Usage: (\S+)/.exec(options.usage)!;
    return `${fromMarkdown(`## ${name}\n\n\`${options.usage.replace("Usage: ", "")}\``)}${table(["option", "meaning"], optionRows(options))}\n`;
  });
  const rest = "## hub-config-backup\n\nTakes no options; see [Copies](projects.md#copies).";
  return {
    name: "commands",
    title: "Command lines",
    body: `${fromMarkdown("# Command lines")}${tables.join("")}${fromMarkdown(rest)}`,
  };
}
