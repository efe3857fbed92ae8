/** Sections of a project: an application of endpoints on a draft, mounted below `/project/{id}`. */
import { OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import {
  type Draft,
  type Entry,
  entriesOf,
  findEntry,
  type ListSection,
  type Project,
} from "../../project/document.ts";
import { isUnchanged, keyed, needEntry, removeEntry, storeEntry } from "../../project/entries.ts";
import type { JsonObject } from "../../project/json.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import type { SectionEnv } from "../env.ts";
import type { ParameterName } from "../path-parameters.ts";
import { draftToChange, draftToRead } from "../project-middleware.ts";
import { json } from "../responses.ts";

export type SectionApp = OpenAPIHono<SectionEnv>;

/** An entry of any members, all of which are kept. */
export const anyEntry = z.looseObject({}) as unknown as z.ZodType<JsonObject>;

/** The answer to DELETE. */
export const nothing = z.object({});

/** Adds an endpoint whose handler finds the draft in `c.get("draft")`; a changed draft is saved after the handler. */
export const sectionEndpoint = <Path extends string, Value = undefined>(
  app: SectionApp,
  definition: Endpoint<Path, Value>,
  handler: Parameters<typeof endpoint<SectionEnv, Path, Value>>[2],
): void =>
  endpoint(
    app,
    { ...definition, prefix: "/project/{id}", middleware: [definition.method === "get" ? draftToRead : draftToChange] },
    handler,
  );

type Key = string | number;

export interface SectionOptions {
  /** The member that names an entry, and the parameter of the path that carries it. Default: both `name`. */
  readonly key?: string;
  readonly parameter?: ParameterName;
  /** False if one entry cannot be read by itself. */
  readonly readable?: boolean;
  /** Shape of an entry, beyond an object. */
  readonly schema?: z.ZodType<JsonObject>;
  /** Completes a new entry before it is stored. */
  readonly complete?: (entry: Entry) => Entry;
  /** The part of an entry that lists and answers show. Default: all of it. */
  readonly show?: (entry: Entry) => JsonObject;
  /** Brings the rest of the draft in line after an entry was put; `before` is the project without it. */
  readonly afterPut?: (draft: Draft, before: Project) => void;
  /** Deletes an existing entry with all that depends on it. */
  readonly remove?: (draft: Draft, key: Key) => void;
}

/**
 * The endpoints that most sections have: the list, and one entry to read, put and delete.
 *
 * @example
 * sections.route("/", section("sensor"));
 */
export function section(name: ListSection, options: SectionOptions = {}): SectionApp {
  const app: SectionApp = new OpenAPIHono();
  addList(app, name, options);
  if (options.readable ?? true) addRead(app, name, options);
  addPut(app, name, options);
  addDelete(app, name, options);
  return app;
}

const keyOf = (c: Context, { parameter = "name" }: SectionOptions): Key => c.req.valid("param" as never)[parameter];

export function addList(app: SectionApp, section: ListSection, { show = (entry) => entry }: SectionOptions = {}): void {
  sectionEndpoint(
    app,
    {
      family: section,
      method: "get",
      path: `/${section}`,
      summary: `List the ${section} entries`,
      success: 200,
      response: z.array(anyEntry),
    },
    (c) => json(entriesOf(c.get("draft").project, section).map(show), 200),
  );
}

export function addRead(app: SectionApp, section: ListSection, options: SectionOptions = {}): void {
  const { key = "name", parameter = "name" } = options;
  sectionEndpoint(
    app,
    {
      family: section,
      method: "get",
      path: `/${section}/{${parameter}}`,
      summary: `Read one ${section} entry`,
      success: 200,
      response: anyEntry,
    },
    (c) => json(needEntry(c.get("draft"), section, key, keyOf(c, options)), 200),
  );
}

function addPut(app: SectionApp, section: ListSection, options: SectionOptions): void {
  const { key = "name", parameter = "name", schema = anyEntry } = options;
  const { complete = (entry) => entry, show = (entry) => entry, afterPut } = options;
  const stored = (c: Context): Entry | undefined =>
    findEntry(entriesOf(c.get("draft").project, section), key, keyOf(c, options));
  sectionEndpoint(
    app,
    {
      family: section,
      method: "put",
      path: `/${section}/{${parameter}}`,
      summary: `Create or replace one ${section} entry`,
      success: 201,
      body: { schema, stored },
      response: anyEntry,
    },
    (c) => {
      const draft = c.get("draft");
      const before = draft.project;
      const body = c.req.valid("json");
      if (!isUnchanged(body, stored(c))) {
        storeEntry(draft, section, key, complete(keyed({ [key]: keyOf(c, options) }, body)));
      }
      afterPut?.(draft, before);
      return json(show(needEntry(draft, section, key, keyOf(c, options))), 201);
    },
  );
}

export function addDelete(app: SectionApp, section: ListSection, options: SectionOptions = {}): void {
  const { key = "name", parameter = "name" } = options;
  const { remove = (draft, value) => removeEntry(draft, section, key, value) } = options;
  sectionEndpoint(
    app,
    {
      family: section,
      method: "delete",
      path: `/${section}/{${parameter}}`,
      summary: `Delete one ${section} entry`,
      success: 200,
      response: nothing,
    },
    (c) => {
      needEntry(c.get("draft"), section, key, keyOf(c, options));
      remove(c.get("draft"), keyOf(c, options));
      return json({}, 200);
    },
  );
}
