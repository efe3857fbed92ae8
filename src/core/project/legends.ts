/** Legends: the labels of a local front-panel device, one per zone and, where it differs, per region. */
import type { Draft, Entry } from "./document.ts";
import { listIn } from "./document.ts";
import { isUnchanged, keyed } from "./entries.ts";
import { EntryList } from "./entry-list.ts";
import { isObject, type Json, type JsonObject, own, print, rounded, without } from "./json.ts";
import { type LegendKey, parseLegendKey, shortName } from "./names.ts";
import { needDevice } from "./parameters.ts";
import { Refusal } from "./refusal.ts";

/**
 * The key of a label as clients write it: `17`, `"17"`, `"17.FR"`, or an object with `zone` and `region`. Undefined for
 * anything else.
 */
function legendKeyOf(label: Json): LegendKey | undefined {
  const value = rounded(label);
  if (typeof value === "number") return Number.isInteger(value) ? parseLegendKey(String(value)) : undefined;
  if (typeof value === "string") return parseLegendKey(value);
  if (!isObject(value)) return undefined;
  const zone = own(value, "zone") ?? null;
  const key = isObject(zone) ? undefined : legendKeyOf(zone);
  const region = own(value, "region") ?? key?.region;
  if (key === undefined || region === undefined) return key;
  return typeof region === "string" && shortName.test(region) ? { zone: key.zone, region } : undefined;
}

/** The key of a label as a text; undefined for a label that has none. */
function textOfKey(value: Json): string | undefined {
  const key = legendKeyOf(value);
  return key && `${key.zone}.${key.region ?? ""}`;
}

const labelsOf = (list: readonly Entry[]): EntryList => EntryList.of(list, textOfKey);

/** Replaces the label in its place or appends it; zone and region of the key win over the body's. */
export function putLegend(list: readonly Entry[], key: LegendKey, body: JsonObject): readonly Entry[] {
  const labels = labelsOf(list);
  put(labels, key, body);
  return labels.toArray();
}

function put(labels: EntryList, key: LegendKey, body: JsonObject): void {
  if (isUnchanged(body, labels.get(textOfKey({ ...key })))) return;
  labels.put(keyed({ ...key }, without(body, "zone", "region")));
}

/** Puts a list of labels. Refuses a label without a well-formed key with 400, unless it is stored like that. */
export function putLegends(
  list: readonly Entry[],
  sent: readonly JsonObject[],
  { stored = list, field = "" }: { readonly stored?: readonly Entry[]; readonly field?: string } = {},
): readonly Entry[] {
  if (isUnchanged(sent, stored)) return stored;
  const before = new EntryList(stored, textOfKey);
  const labels = new EntryList(list, textOfKey);
  const [textsBefore, texts] = [stored, list].map((all) => new Set(withoutKey(all).map(print)));
  for (const [place, body] of sent.entries()) {
    const key = legendKeyOf(body);
    if (key !== undefined) {
      const stays = before.get(textOfKey(body));
      put(labels, key, stays !== undefined && isUnchanged(body, stays) ? stays : body);
      continue;
    }
    const text = print(body);
    if (!textsBefore!.has(text)) throw new Refusal(400, `invalid ${field}${place}.${complaintAbout(body)}`);
    if (!texts!.has(text)) labels.append(body);
    texts!.add(text);
  }
  return labels.toArray();
}

const withoutKey = (list: readonly Entry[]): readonly Entry[] =>
  list.filter((entry) => legendKeyOf(entry) === undefined);

/** The reason why a label has no well-formed key. */
function complaintAbout(body: JsonObject): string {
  const zone = own(body, "zone") ?? null;
  if (!isObject(zone) && legendKeyOf(zone) !== undefined) return "region: malformed region";
  const number = rounded(zone);
  if (typeof number !== "number") return "zone: malformed zone";
  return `zone: expected ${Number.isInteger(number) ? "16 to 35" : "integer"}`;
}

/** Removes labels by their keys; unknown keys are ignored. Refuses a malformed key with 400. */
export function dropLegends(list: readonly Entry[], keys: readonly Json[]): readonly Entry[] {
  const labels = labelsOf(list);
  for (const [index, value] of keys.entries()) {
    const key = textOfKey(value);
    if (key === undefined) throw new Refusal(400, `invalid ${index}: malformed zone`);
    labels.remove(key);
  }
  return labels.toArray();
}

export const legendsOf = (draft: Draft, deviceId: number): readonly Entry[] =>
  listIn(needDevice(draft, deviceId), "legend");

/** The label of that key or 404 `no such legend`. */
export function needLegend(draft: Draft, deviceId: number, key: LegendKey): Entry {
  const entry = labelsOf(legendsOf(draft, deviceId)).get(textOfKey({ ...key }));
  if (entry === undefined) throw new Refusal(404, "no such legend");
  return entry;
}

export function setLegends(draft: Draft, deviceId: number, legend: readonly Entry[]): void {
  const device = needDevice(draft, deviceId);
  const before = listIn(device, "legend");
  if (legend !== before && legend.length + before.length > 0) draft.put("device", { ...device, legend });
}
