/** The five endpoints that most sections have: the list, and one entry to read, put and delete. */
import * as z from "zod";
import {
  type Draft,
  dropEntry,
  type Entry,
  entriesOf,
  findEntry,
  type ListSection,
  putEntry,
  setSection,
} from "./document.ts";
import { type Json, type JsonObject, without } from "./json.ts";
import { type Operation, operation } from "./operation.ts";
import { Refusal } from "./refusal.ts";
import type { SegmentName } from "./segments.ts";

export interface EntriesOptions {
  /** The key that names an entry, and the segment of the path that carries it. Default: both `name`. */
  readonly key?: string;
  readonly segment?: SegmentName;
  /** Whether one entry can be read by itself. Default true. */
  readonly readable?: boolean;
  /** What an entry has to be, beyond an object. */
  readonly schema?: z.ZodType;
  /** Completes an entry before it is stored, given what was sent. */
  readonly complete?: (entry: Entry) => Entry;
  /** What lists and answers show of an entry. Default: all of it. */
  readonly show?: (entry: Entry) => JsonObject;
  /** Brings the rest of the draft in line after an entry was put or deleted. */
  readonly afterPut?: (draft: Draft) => void;
  readonly afterDelete?: (draft: Draft, key: string) => void;
}

/** An entry as the contract lets it be: an object, all of whose keys are kept. */
export const anyEntry = z.looseObject({});

/** The entry of that key or 404 `no such <section> entry`. */
export function needEntry(draft: Draft, section: ListSection, key: string, value: Json): Entry {
  const entry = findEntry(entriesOf(draft.project, section), key, value);
  if (entry === undefined) throw new Refusal(404, `no such ${section} entry`);
  return entry;
}

/** Puts an entry into its section: in its place, or at the end. */
export function storeEntry(draft: Draft, section: ListSection, key: string, entry: Entry): void {
  setSection(draft, section, putEntry(entriesOf(draft.project, section), key, entry));
}

/** Takes an entry out of its section; 404 if there is none. */
export function removeEntry(draft: Draft, section: ListSection, key: string, value: Json): void {
  needEntry(draft, section, key, value);
  setSection(draft, section, dropEntry(entriesOf(draft.project, section), key, value));
}

/** An entry with its key first; the path's key wins over the body's. */
export const keyed = (keys: JsonObject, body: JsonObject): Entry => ({
  ...keys,
  ...without(body, ...Object.keys(keys)),
});

export function entries(section: ListSection, options: EntriesOptions = {}): readonly Operation[] {
  const {
    key = "name",
    segment = "name",
    readable = true,
    schema = anyEntry,
    complete,
    show,
    afterPut,
    afterDelete,
  } = options;
  const list = `/project/{id}/${section}`;
  const one = `${list}/{${segment}}`;
  const keyOf = (params: Readonly<Record<string, unknown>>): string => params[segment] as string;
  const shown = (entry: Entry): JsonObject => (show === undefined ? entry : show(entry));

  const read: Operation = {
    feature: section,
    method: "GET",
    path: one,
    summary: `Read one ${section} entry`,
    success: 200,
    answer: anyEntry,
    run: (draft, params) => ({ json: needEntry(draft, section, key, keyOf(params)) }),
  };

  return [
    operation({
      feature: section,
      method: "GET",
      path: list,
      summary: `List the ${section} entries`,
      success: 200,
      answer: z.array(anyEntry),
      run: (draft) => ({ json: entriesOf(draft.project, section).map(shown) }),
    }),
    ...(readable ? [read] : []),
    {
      feature: section,
      method: "PUT",
      path: one,
      summary: `Create or replace one ${section} entry`,
      success: 201,
      body: { schema },
      answer: anyEntry,
      run(draft, params, body) {
        const sent = keyed({ [key]: keyOf(params) }, body as JsonObject);
        storeEntry(draft, section, key, complete === undefined ? sent : complete(sent));
        afterPut?.(draft);
        return { json: shown(needEntry(draft, section, key, keyOf(params))) };
      },
    },
    {
      feature: section,
      method: "DELETE",
      path: one,
      summary: `Delete one ${section} entry`,
      success: 200,
      answer: z.object({}),
      run(draft, params) {
        removeEntry(draft, section, key, keyOf(params));
        afterDelete?.(draft, keyOf(params));
        return { json: {} };
      },
    },
  ];
}
