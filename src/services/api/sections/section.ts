/** Sections of a project: an application of endpoints on a draft, mounted below `/project/{id}`. */
import { OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import {
  type Draft,
  type Entry,
  keyMember,
  type ListSection,
  type SectionName,
} from "../../../core/project/document.ts";
import { existing, isUnchanged, keyed } from "../../../core/project/entries.ts";
import type { Json, JsonObject } from "../../../core/project/json.ts";
import { type Endpoint, endpoint, successOf } from "../http/endpoint.ts";
import type { ParameterName } from "../http/path-parameters.ts";
import type { SectionEnv } from "../project-env.ts";
import { draftToChange, draftToRead } from "../project-middleware.ts";

export type SectionApp = OpenAPIHono<SectionEnv>;

/** An entry with any members, all of which are kept. */
export const anyEntry = z.looseObject({}).openapi("Entry") as unknown as z.ZodType<JsonObject>;

/** The answer to DELETE. */
export const nothing = z.object({});

/** The value of a successful response, or a function that makes it, or another response. */
type Answer = Json | (() => Json) | Response;

/** Adds an endpoint whose handler finds the draft in `c.get("draft")`; a changed draft is saved after the handler. */
export function sectionEndpoint<Path extends string, Value = undefined>(
  app: SectionApp,
  definition: Endpoint<Path, Value>,
  handler: (c: Parameters<Parameters<typeof endpoint<SectionEnv, Path, Value>>[2]>[0]) => Answer | Promise<Answer>,
): void {
  const middleware = [definition.method === "get" ? draftToRead : draftToChange];
  endpoint<SectionEnv, Path, Value>(app, { ...definition, prefix: "/project/{id}", middleware }, async (c) => {
    const answer = await handler(c);
    if (answer instanceof Response) return answer;
    return c.get("exchange").respond(typeof answer === "function" ? answer : () => answer, successOf(definition));
  });
}

type Key = string | number;

/** Where the entries of a section are, and what depends on them. */
export interface SectionStore {
  /** The key as a member of the entry; empty if it has none. */
  keys(key: Key): JsonObject;
  find(draft: Draft, key: Key): Entry | undefined;
  /** Puts an entry, which may be the stored object itself. */
  put(draft: Draft, entry: Entry, key: Key): void;
  /** Deletes an existing entry. */
  remove(draft: Draft, key: Key): void;
}

const listStore = (section: ListSection): SectionStore => ({
  keys: (key) => ({ [keyMember(section)]: key }),
  find: (draft, key) => draft.find(section, key),
  put: (draft, entry) => draft.put(section, entry),
  remove: (draft, key) => draft.remove(section, key),
});

/** A section of another form than a list has a store of its own. */
const storeOf = (section: SectionName, { store }: SectionOptions): SectionStore => ({
  ...listStore(section as ListSection),
  ...store,
});

export interface SectionOptions {
  /** The parameter of the path with the key of an entry. Default: `name`. */
  readonly parameter?: ParameterName;
  /** False if there is no endpoint to read one entry. */
  readonly readable?: boolean;
  /** Shape of an entry, beyond an object. */
  readonly schema?: z.ZodType<JsonObject>;
  /** Completes a new entry before it is stored in place of `before`. */
  readonly complete?: (entry: Entry, before: Entry | undefined) => Entry;
  /** The part of an entry that lists and responses show. Default: all of it. */
  readonly show?: (entry: Entry) => JsonObject;
  /** Differences from a list of the document. */
  readonly store?: Partial<SectionStore>;
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
      response: z.array(anyEntry),
    },
    (c) => () => c.get("draft").list(section).toArray().map(show),
  );
}

export function addRead(app: SectionApp, section: SectionName, options: SectionOptions = {}): void {
  const { parameter = "name" } = options;
  const { find } = storeOf(section, options);
  sectionEndpoint(
    app,
    {
      family: section,
      method: "get",
      path: `/${section}/{${parameter}}`,
      summary: `Read one ${section} entry`,
      response: anyEntry,
    },
    (c) => existing(section, find(c.get("draft"), keyOf(c, options))),
  );
}

export function addPut(app: SectionApp, section: SectionName, options: SectionOptions = {}): void {
  const { parameter = "name", schema = anyEntry, show = (entry) => entry, complete = (entry) => entry } = options;
  const { keys, find, put } = storeOf(section, options);
  const stored = (c: Context): Entry | undefined => find(c.get("draft"), keyOf(c, options));
  sectionEndpoint(
    app,
    {
      family: section,
      method: "put",
      path: `/${section}/{${parameter}}`,
      summary: `Create or replace one ${section} entry`,
      body: { schema, stored },
      response: anyEntry,
    },
    (c) => {
      const key = keyOf(c, options);
      const body = c.req.valid("json");
      const before = stored(c);
      const isSame = before !== undefined && isUnchanged(body, before);
      const entry = isSame ? before : complete(keyed(keys(key), body), before);
      put(c.get("draft"), entry, key);
      return show(entry);
    },
  );
}

export function addDelete(app: SectionApp, section: SectionName, options: SectionOptions = {}): void {
  const { parameter = "name" } = options;
  const { find, remove } = storeOf(section, options);
  sectionEndpoint(
    app,
    {
      family: section,
      method: "delete",
      path: `/${section}/{${parameter}}`,
      summary: `Delete one ${section} entry`,
      response: nothing,
    },
    (c) => {
      const [draft, key] = [c.get("draft"), keyOf(c, options)];
      existing(section, find(draft, key));
      remove(draft, key);
      return {};
    },
  );
}
