/** Legends: the labels of a local front-panel device, one per zone and, where it differs, per region. */
import type { Draft, Entry } from "./document.ts";
import { listIn } from "./document.ts";
import { isUnchanged, keyed, storeEntry } from "./entries.ts";
import { isObject, type Json, type JsonObject, own, without } from "./json.ts";
import { type LegendKey, parseLegendKey, shortName } from "./names.ts";
import { needDevice } from "./parameters.ts";
import { Refusal } from "./refusal.ts";

/**
 * The key of a label as clients write it: `17`, `"17"`, `"17.FR"`, or an object with `zone` and `region`. Undefined for anything
 * else.
 */
export function legendKeyOf(value: Json): LegendKey | undefined {
  if (typeof value === "number") return Number.isInteger(value) ? parseLegendKey(String(value)) : undefined;
  if (typeof value === "string") return parseLegendKey(value);
  if (!isObject(value)) return undefined;
  const zone = own(value, "zone") ?? null;
  const key = isObject(zone) ? undefined : legendKeyOf(zone);
  const region = own(value, "region") ?? key?.region;
  if (key === undefined || region === undefined) return key;
  return typeof region === "string" && shortName.test(region) ? { zone: key.zone, region } : undefined;
}

const placeOf = (list: readonly Entry[], { zone, region }: LegendKey): number =>
  list.findIndex((entry) => {
    const key = legendKeyOf(entry);
    return key?.zone === zone && key.region === region;
  });

/** Replaces the label in its place or appends it; zone and region of the key win over the body's. */
export function putLegend(list: readonly Entry[], key: LegendKey, body: JsonObject): readonly Entry[] {
  const place = placeOf(list, key);
  if (place !== -1 && isUnchanged(body, list[place])) return list;
  const entry = keyed({ ...key }, without(body, "zone", "region"));
  return place === -1 ? [...list, entry] : list.with(place, entry);
}

/** Puts a list of labels. Refuses with 400 one without a well-formed key, unless it is stored like that. */
export function putLegends(
  list: readonly Entry[],
  sent: readonly JsonObject[],
  { stored = list, field = "" }: { readonly stored?: readonly Entry[]; readonly field?: string } = {},
): readonly Entry[] {
  if (isUnchanged(sent, stored)) return stored;
  let labels = list;
  for (const [place, body] of sent.entries()) {
    const key = legendKeyOf(body);
    if (key !== undefined) {
      labels = putLegend(labels, key, storedLike(stored, key, body));
    } else if (!stored.some((entry) => isUnchanged(body, entry))) {
      throw new Refusal(400, `invalid ${field}${place}.${complaintAbout(body)}`);
    } else if (!labels.some((entry) => isUnchanged(body, entry))) {
      labels = labels.concat(body);
    }
  }
  return labels;
}

/** The reason why a label has no well-formed key. */
function complaintAbout(body: JsonObject): string {
  const zone = own(body, "zone") ?? null;
  if (!isObject(zone) && legendKeyOf(zone) !== undefined) return "region: malformed region";
  if (typeof zone !== "number") return "zone: malformed zone";
  return `zone: expected ${Number.isInteger(zone) ? "16 to 35" : "integer"}`;
}

/** The stored label if the body is what it reads as, so that it stays byte for byte. */
function storedLike(stored: readonly Entry[], key: LegendKey, body: JsonObject): JsonObject {
  const before = stored[placeOf(stored, key)];
  return before !== undefined && isUnchanged(body, before) ? before : body;
}

/** Removes labels by their keys; keys that are not there are ignored. Refuses a malformed key with 400. */
export function dropLegends(list: readonly Entry[], keys: readonly Json[]): readonly Entry[] {
  return keys.reduce((labels: readonly Entry[], value, index) => {
    const key = legendKeyOf(value);
    if (key === undefined) throw new Refusal(400, `invalid ${index}: malformed zone`);
    const place = placeOf(labels, key);
    return place === -1 ? labels : labels.toSpliced(place, 1);
  }, list);
}

export const legendsOf = (draft: Draft, deviceId: number): readonly Entry[] =>
  listIn(needDevice(draft, deviceId), "legend");

/** The label of that key or 404 `no such legend`. */
export function needLegend(draft: Draft, deviceId: number, key: LegendKey): Entry {
  const list = legendsOf(draft, deviceId);
  const entry = list[placeOf(list, key)];
  if (entry === undefined) throw new Refusal(404, "no such legend");
  return entry;
}

export function setLegends(draft: Draft, deviceId: number, legend: readonly Entry[]): void {
  const device = needDevice(draft, deviceId);
  const before = listIn(device, "legend");
  if (legend !== before && legend.length + before.length > 0)
    storeEntry(draft, "device", "deviceId", { ...device, legend });
}
