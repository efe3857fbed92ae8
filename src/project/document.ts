/**
 * A project as a document: its sections, the check that a JSON value is a project, and the draft that requests change.
 *
 * Unknown members are kept in their place and order, in an entry, a section and the whole document. Sections are lists of named
 * objects; only `synapse` is an object of objects. All values are immutable: a change makes a new list and sets it in the draft.
 */
import { isObject, type Json, type JsonObject, own } from "./json.ts";
import { malformedProject } from "./refusal.ts";

export type Entry = JsonObject;

/** A document that `complaintAbout` found nothing wrong with. */
export type Project = JsonObject;

/** A project under change, and the log lines of the decisions that the response does not show. */
export interface Draft {
  project: Project;
  /** Debug log lines, written once the project is saved. */
  readonly notes: string[];
}

export const newDraft = (project: Project): Draft => ({ project, notes: [] });

/** The sections in the order of a blank project: lists of named entries, and `synapse`, an object of entries. */
export const sectionNames = [
  "settings",
  "device",
  "sensor",
  "synapse",
  "energy",
  "muxing",
  "button-mapping",
  "media",
  "view",
  "commissioning",
] as const;

export type SectionName = (typeof sectionNames)[number];
export type ListSection = Exclude<SectionName, "synapse">;

const lists = sectionNames.filter((name) => name !== "synapse");

/** Lists inside entries. */
const innerLists: Readonly<Record<string, readonly string[]>> = {
  device: ["parameters", "legend"],
  commissioning: ["rules"],
};

/** A project with every section present and empty. */
export const blankProject = (uid: string, name: string): Project => ({
  uid,
  name,
  ...Object.fromEntries(sectionNames.map((section) => [section, section === "synapse" ? {} : []])),
});

/** The reason why a value is no project, as `<field>: <why>`; undefined for a project. */
export function complaintAbout(value: JsonObject): string | undefined {
  for (const section of lists) {
    const complaint = complaintAboutList(value, section, section);
    if (complaint !== undefined) return complaint;
    for (const [place, entry] of ((value[section] ?? []) as readonly Entry[]).entries()) {
      for (const inner of innerLists[section] ?? []) {
        const complaint = complaintAboutList(entry, inner, `${section}.${place}.${inner}`);
        if (complaint !== undefined) return complaint;
      }
    }
  }
  const synapse = own(value, "synapse");
  if (synapse === undefined) return undefined;
  if (!isObject(synapse)) return "synapse: expected object";
  const odd = Object.keys(synapse).find((id) => !isObject(synapse[id]));
  return odd === undefined ? undefined : `synapse.${odd}: expected object`;
}

function complaintAboutList(holder: JsonObject, key: string, field: string): string | undefined {
  const list = own(holder, key);
  if (list === undefined) return undefined;
  if (!Array.isArray(list)) return `${field}: expected array`;
  const odd = list.findIndex((entry) => !isObject(entry));
  return odd === -1 ? undefined : `${field}.${odd}: expected object`;
}

/** Takes a document as a project or refuses it as malformed. */
export function asProject(value: Json): Project {
  if (!isObject(value) || complaintAbout(value) !== undefined) throw malformedProject();
  return value;
}

/** The entries of a section; an absent section has none. */
export const entriesOf = (project: Project, section: ListSection): readonly Entry[] => listIn(project, section);

/** A list inside an entry of a project; an absent one is empty. */
export const listIn = (holder: JsonObject, key: string): readonly Entry[] =>
  (own(holder, key) ?? []) as readonly Entry[];

export const synapsesOf = (project: Project): JsonObject => (own(project, "synapse") ?? {}) as JsonObject;

/** Puts a section into the draft: in its place, or at the end if the project had none. */
export function setSection(draft: Draft, section: ListSection | "synapse", value: Json): void {
  draft.project = { ...draft.project, [section]: value };
}

/** The places of a list's entries by the value of one key, of entries with one value the first. */
interface Index {
  readonly key: string;
  readonly places: Map<Json | undefined, number>;
}

/** Lists are values, so an index passes from a list to the one that replaces it: a run of puts takes linear time. */
const indexes = new WeakMap<readonly Entry[], Index>();

/** Searching a shorter list is faster than keeping an index of it. */
const INDEXED_FROM = 64;

function indexFor(list: readonly Entry[], key: string): Index {
  const known = indexes.get(list);
  if (known?.key === key) return known;
  const index: Index = { key, places: new Map() };
  for (const [place, entry] of list.entries()) {
    const value = own(entry, key);
    if (!index.places.has(value)) index.places.set(value, place);
  }
  indexes.set(list, index);
  return index;
}

/** The place of the first entry with that value of the key, -1 without one. */
function placeOf(list: readonly Entry[], key: string, value: Json | undefined): number {
  const index = indexes.get(list);
  if (index?.key === key) return index.places.get(value) ?? -1;
  return list.findIndex((entry) => own(entry, key) === value);
}

/** Of several entries with one key, in a file written by others, the first one counts and the others are kept. */
export const findEntry = (list: readonly Entry[], key: string, value: Json): Entry | undefined =>
  list[placeOf(list, key, value)];

/** Replaces the entry in its place or appends it; the same list if it holds that very object. */
export function putEntry(list: readonly Entry[], key: string, entry: Entry): readonly Entry[] {
  const value = own(entry, key);
  if (list.length < INDEXED_FROM) return putAt(list, placeOf(list, key, value), entry);
  const index = indexFor(list, key);
  const place = index.places.get(value);
  const after = putAt(list, place ?? -1, entry);
  if (place === undefined) index.places.set(value, list.length);
  indexes.delete(list);
  indexes.set(after, index);
  return after;
}

function putAt(list: readonly Entry[], place: number, entry: Entry): readonly Entry[] {
  if (place === -1) return list.concat(entry);
  return list[place] === entry ? list : list.with(place, entry);
}

export function dropEntry(list: readonly Entry[], key: string, value: Json): readonly Entry[] {
  const place = placeOf(list, key, value);
  return place === -1 ? list : list.toSpliced(place, 1);
}
