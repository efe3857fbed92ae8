/**
 * A project as a document: its sections, the check that a JSON value is a project, and the draft that requests change.
 *
 * Unknown members are kept in their place and order, in an entry, a section and the whole document. Sections are lists
 * of named objects; only `synapse` is an object of objects. A project is immutable: a draft changes copies of its
 * sections.
 */

import { entryOf } from "../util/grouped.ts";
import { EntryList, type KeyOf, member } from "./entry-list.ts";
import { isObject, type Json, type JsonObject, own } from "./json.ts";
import { malformedProject } from "./refusal.ts";

export type Entry = JsonObject;

/** A document that `complaintAbout` has accepted. */
export type Project = JsonObject;

/**
 * The sections in the order of a blank project, each with its description: lists of named entries, and `synapse`, an
 * object of entries.
 */
export const sections = {
  settings: "Named settings; the one called `password` guards the project",
  device: "Devices and their parameters",
  sensor: "Sensors",
  synapse: "Synapse instances",
  energy: "Batteries and other sources of energy",
  muxing: "Switching rules over the parameters of devices",
  "button-mapping": "Buttons and the rules they belong to",
  media: "Pictures and other files inside the project",
  view: "Pages of the displays",
  commissioning: "Questions asked when a boat is commissioned, and the rules of their answers",
} as const;

export type SectionName = keyof typeof sections;
export const sectionNames = Object.keys(sections) as readonly SectionName[];
export type ListSection = Exclude<SectionName, "synapse">;

const lists = sectionNames.filter((name) => name !== "synapse");

/** The member that names the entries of a section. */
export const keyMember = (section: ListSection): string =>
  section === "device" ? "deviceId" : section === "commissioning" ? "groupId" : "name";

const keys = Object.fromEntries(lists.map((section) => [section, member(keyMember(section))])) as Record<
  ListSection,
  KeyOf
>;

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

/** Whether an object has a member of a project: one that has none would replace a project by a blank one. */
export const isProjectLike = (value: JsonObject): boolean =>
  ["uid", "name", ...sectionNames].some((member) => own(value, member) !== undefined);

/** The reason why a value is not a project, as `<field>: <why>`; undefined for a project. */
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
  if (synapse === undefined || synapse === null) return undefined;
  if (!isObject(synapse)) return "synapse: expected object";
  const odd = Object.keys(synapse).find((id) => !isObject(synapse[id]));
  return odd === undefined ? undefined : `synapse.${odd}: expected object`;
}

function complaintAboutList(holder: JsonObject, key: string, field: string): string | undefined {
  const list = own(holder, key);
  // Null counts as absent.
  if (list === undefined || list === null) return undefined;
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

/**
 * A project under change. The time of changes grows with their number and the size of the project, not with the product
 * of both: sections are indexed, and are put into the project when `project` is read.
 */
export class Draft {
  /** Debug log lines about decisions that the response does not show, written after the project is saved. */
  readonly notes: string[] = [];
  #project: Project;
  readonly #lists = new Map<ListSection, EntryList>();
  #synapses: Record<string, Json> | undefined;
  /** Sections that have changed since `#project` was made, in the order of their changes. */
  readonly #changed = new Set<SectionName>();

  constructor(project: Project) {
    this.#project = project;
  }

  /** The project now: the same object while nothing has changed. A new section is its last member. */
  get project(): Project {
    if (this.#changed.size > 0) {
      const sections = [...this.#changed].map((section) => [section, this.#sectionNow(section)]);
      this.#project = { ...this.#project, ...Object.fromEntries(sections) };
      this.#changed.clear();
    }
    return this.#project;
  }

  #sectionNow(section: SectionName): Json {
    return section === "synapse" ? { ...this.#synapses } : this.list(section).toArray();
  }

  list(section: ListSection): EntryList {
    return entryOf(this.#lists, section, () => new EntryList(entriesOf(this.#project, section), keys[section]));
  }

  find(section: ListSection, key: Json): Entry | undefined {
    return this.list(section).get(key);
  }

  /** Puts an entry into its section: at its old place, or at the end. */
  put(section: ListSection, entry: Entry): void {
    if (this.list(section).put(entry)) this.#changed.add(section);
  }

  /** Puts an entry in place of the one of that key, whose key it need not have. */
  replace(section: ListSection, key: Json, entry: Entry): void {
    this.list(section).replace(key, entry);
    this.#changed.add(section);
  }

  /** Puts an entry in place of the one at a place, with the same key. */
  putAt(section: ListSection, place: number, entry: Entry): void {
    this.list(section).putAt(place, entry);
    this.#changed.add(section);
  }

  remove(section: ListSection, key: Json): void {
    if (this.list(section).remove(key)) this.#changed.add(section);
  }

  synapse(id: string): Entry | undefined {
    return own(this.#synapses ?? synapsesOf(this.#project), id) as Entry | undefined;
  }

  /** Puts an entry of `synapse`, or removes it if `entry` is absent. */
  setSynapse(id: string, entry?: Entry): void {
    this.#synapses ??= { ...synapsesOf(this.#project) };
    if (entry === undefined) delete this.#synapses[id];
    else this.#synapses[id] = entry;
    this.#changed.add("synapse");
  }
}
