/** Views: pages of the displays. Their bodies are opaque; tags, texts, settings and names can be changed separately. */
import type { Draft, Entry } from "./document.ts";
import { isUnchanged, needEntry } from "./entries.ts";
import { EntryList } from "./entry-list.ts";
import { isObject, type Json, type JsonObject, own, print, rounded, without } from "./json.ts";
import { Refusal } from "./refusal.ts";

/** A view without its body, as lists show it. */
export const withoutBody = (view: Entry): JsonObject => ({
  name: own(view, "name") ?? null,
  tags: own(view, "tags") ?? [],
  enabled: own(view, "enabled") ?? true,
  settings: own(view, "settings") ?? {},
});

/** Sets members of one view and returns it without its body. */
export function changeView(draft: Draft, name: string, members: JsonObject): JsonObject {
  const view = { ...needEntry(draft, "view", name), ...members };
  draft.put("view", view);
  return withoutBody(view);
}

/** Gives a view another name in its place; 409 if that is taken. References to it are not followed. */
export function renameView(draft: Draft, name: string, newName: string): JsonObject {
  const before = needEntry(draft, "view", name);
  if (newName === name) return withoutBody(before);
  if (draft.find("view", newName) !== undefined) throw new Refusal(409, "view already exists");
  const after = { ...before, name: newName };
  draft.replace("view", name, after);
  return withoutBody(after);
}

/**
 * A change of one text element: its new text, an object merged into it, or null to remove it. A list may number its
 * elements.
 */
type TextPatch = readonly [id: string | number, value: Json];

/**
 * Patches the text elements of a view. A patch is an object of texts by element id, or a list of elements with an `id`,
 * whichever way the view itself keeps them. Elements that are sent unchanged stay, whatever their shape.
 *
 * @example
 * patchTexts(draft, "helm", { t1: "Galley", t2: null, t3: { text: "Salon", size: 3 } });
 */
export function patchTexts(draft: Draft, name: string, patch: Json): JsonObject {
  const texts = own(needEntry(draft, "view", name), "texts") ?? {};
  if (isUnchanged(patch, texts)) return withoutBody(needEntry(draft, "view", name));
  if (!Array.isArray(texts) && !isObject(texts)) {
    throw new Refusal(400, "invalid texts: the stored view has neither an object nor a list");
  }
  const patches = Array.isArray(patch) ? patchesOf(patch, texts) : Object.entries(patch as JsonObject);
  const elements = Array.isArray(texts) ? new EntryList(texts, byId) : undefined;
  for (const [id, value] of patches) {
    if (value === null || typeof value === "string" || isObject(value)) continue;
    if (isObject(texts) && isUnchanged(value, own(texts, String(id)))) continue;
    throw new Refusal(400, `invalid ${String(id).slice(0, 80)}: expected string, object or null`);
  }
  const patched = elements === undefined ? patchObject(texts as JsonObject, patches) : patchList(elements, patches);
  return changeView(draft, name, { texts: patched });
}

/** The elements of a list as patches, `{"id": "t1", "text": "Galley"}`, without those that a list keeps as they are. */
function patchesOf(elements: readonly Json[], texts: Json): readonly TextPatch[] {
  const stored = new Set(Array.isArray(texts) ? texts.map(print) : []);
  return elements.flatMap((element, place): readonly TextPatch[] => {
    if (stored.has(print(element))) return [];
    const id = isObject(element) ? rounded(own(element, "id")) : undefined;
    if (typeof id !== "string" && typeof id !== "number")
      throw new Refusal(400, `invalid ${place}.id: expected string`);
    return [[id, without(element as JsonObject, "id")]];
  });
}

function patchObject(texts: JsonObject, patches: readonly TextPatch[]): JsonObject {
  const patched = new Map(Object.entries(texts));
  for (const [id, value] of patches) {
    const key = String(id);
    if (value === null) patched.delete(key);
    else patched.set(key, patchElement(patched.get(key), value));
  }
  return Object.fromEntries(patched);
}

/** Elements are found by the text of their id, which is a member of an object elsewhere. */
function byId(element: Json): string | undefined {
  const id = isObject(element) ? rounded(own(element, "id")) : undefined;
  return typeof id === "string" || typeof id === "number" ? String(id) : undefined;
}

function patchList(elements: EntryList, patches: readonly TextPatch[]): readonly Json[] {
  for (const [id, value] of patches) {
    const key = String(id);
    if (value === null) elements.remove(key);
    else elements.replace(key, { ...(elements.get(key) ?? { id }), ...(isObject(value) ? value : { text: value }) });
  }
  return elements.toArray();
}

/** An element with a text keeps its other members; other elements are replaced. */
function patchElement(before: Json | undefined, value: Json): Json {
  const hasText = isObject(before) && Object.hasOwn(before, "text");
  if (!isObject(value)) return hasText ? { ...before, text: value } : value;
  if (isObject(before)) return { ...before, ...value };
  // An element that is stored as plain text and sent back as an object with only that text stays plain text.
  const { text, ...rest } = value;
  return typeof before === "string" && typeof text === "string" && Object.keys(rest).length === 0 ? text : value;
}

/** Sets settings of a view; null removes one. */
export function patchSettings(draft: Draft, name: string, patch: JsonObject): JsonObject {
  const settings = own(needEntry(draft, "view", name), "settings") ?? {};
  if (!isObject(settings)) throw new Refusal(400, "invalid settings: the stored view has no object");
  const patched = Object.fromEntries(Object.entries({ ...settings, ...patch }).filter(([key]) => patch[key] !== null));
  return changeView(draft, name, { settings: patched });
}
