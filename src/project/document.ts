/**
 * A project as a document: which sections it has, when it is none, and the draft that operations work on.
 *
 * What is not known is kept, in its place and order: an entry, a section, the whole document may carry keys of others.
 * Sections are lists of named objects, but for `synapse`, an object of objects. Everything here is a value; a change
 * makes a new list and puts it into the draft.
 */
import { isObject, type Json, type JsonObject, own } from "./json.ts";
import { malformedProject } from "./refusal.ts";

export type Entry = JsonObject;

/** A document that `complaintAbout` found nothing wrong with. */
export type Project = JsonObject;

/** What an operation works on: the project as it is to become, and what there is to say about the way. */
export interface Draft {
  project: Project;
  /** Sentences for whoever runs the service with -v: decisions that the answer does not show. */
  readonly notes: string[];
}

export const newDraft = (project: Project): Draft => ({ project, notes: [] });

const lists = [
  "settings",
  "device",
  "sensor",
  "energy",
  "muxing",
  "button-mapping",
  "media",
  "view",
  "commissioning",
] as const;

/** Lists inside entries that operations read. */
const innerLists: Readonly<Record<string, readonly string[]>> = {
  device: ["parameters", "legend"],
  commissioning: ["rules"],
};

export type ListSection = (typeof lists)[number];

/** A project with every section present and empty, so that readers need no "if absent". */
export const blankProject = (uid: string, name: string): Project => ({
  uid,
  name,
  settings: [],
  device: [],
  sensor: [],
  synapse: {},
  energy: [],
  muxing: [],
  "button-mapping": [],
  media: [],
  view: [],
  commissioning: [],
});

/** Says why a value is no project, as `<field>: <why>`; undefined for a project. */
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

/** Of several entries with one key, in a file written by others, the first one counts and the others are kept. */
export const findEntry = (list: readonly Entry[], key: string, value: Json): Entry | undefined =>
  list.find((entry) => own(entry, key) === value);

/** Replaces the entry in its place or appends it. */
export function putEntry(list: readonly Entry[], key: string, entry: Entry): readonly Entry[] {
  const place = list.findIndex((other) => own(other, key) === own(entry, key));
  return place === -1 ? [...list, entry] : list.with(place, entry);
}

export function dropEntry(list: readonly Entry[], key: string, value: Json): readonly Entry[] {
  const place = list.findIndex((entry) => own(entry, key) === value);
  return place === -1 ? list : list.toSpliced(place, 1);
}
