/** Parameters of a device: an upserted list of named objects, under the muxing rules. */
import { type Draft, type Entry, listIn } from "./document.ts";
import { isUnchanged, keyed, needEntry } from "./entries.ts";
import { byName, EntryList } from "./entry-list.ts";
import { type Json, type JsonObject, own, print } from "./json.ts";
import { applyMuxingRules, type DeviceRules, withKeptBase, withoutBase } from "./muxing-rules.ts";
import { parameterName } from "./names.ts";
import { Refusal } from "./refusal.ts";

export const needDevice = (draft: Draft, deviceId: Json): Entry => needEntry(draft, "device", deviceId);

/**
 * A list of parameters with some put into it; the last of a repeated name counts. A list that was read and is sent back
 * changes nothing.
 */
export function putParameters(rules: DeviceRules, stored: readonly Entry[], sent: readonly Entry[]): readonly Entry[] {
  if (isUnchanged(sent, stored)) return stored;
  const list = EntryList.of(stored, byName);
  const complete = sent.map((parameter) => completed(rules, parameter, list.get(nameOf(parameter))));
  for (const parameter of complete) list.put(parameter);
  return list.toArray();
}

/** The parameters of a device that is reset to `sent`; `stored` are its parameters before. */
export function resetParameters(
  rules: DeviceRules,
  stored: readonly Entry[],
  sent: readonly Entry[],
): readonly Entry[] {
  if (isUnchanged(sent, stored)) return stored;
  const before = EntryList.of(stored, byName);
  const list = new EntryList([], byName);
  for (const parameter of sent) {
    if (own(parameter, "name") === undefined) list.append(parameter);
    else list.put(completed(rules, parameter, before.get(nameOf(parameter))));
  }
  return list.toArray();
}

const nameOf = (parameter: Entry): Json => own(parameter, "name") ?? null;

/** The parameter to be stored for a sent one; `before` is the stored one of that name. */
function completed(rules: DeviceRules, sent: Entry, before: Entry | undefined): Entry {
  if (before !== undefined && isUnchanged(sent, before)) return before;
  return withKeptBase(rules, keyed({ name: nameOf(sent) }, sent), before);
}

/** Deletes the base of the named parameters; the part that a rule sets stays. */
export function dropParameters(
  rules: DeviceRules,
  stored: readonly Entry[],
  names: readonly string[],
): readonly Entry[] {
  const list = EntryList.of(stored, byName);
  for (const name of names) {
    const before = list.get(name);
    const ruled = before && withoutBase(rules, before);
    if (ruled === undefined) list.remove(name);
    else list.put(ruled);
  }
  return list.toArray();
}

/** Stores new parameters of a device, those of `names`, and applies the rules to them. */
export function storeParameters(
  draft: Draft,
  deviceId: number,
  parameters: readonly Entry[],
  names: readonly Json[],
): void {
  const device = needDevice(draft, deviceId);
  const before = listIn(device, "parameters");
  if (parameters !== before && parameters.length + before.length > 0) draft.put("device", { ...device, parameters });
  applyMuxingRules(draft, [[deviceId, names]]);
}

/**
 * Refuses with 400 a list with a parameter that has no well-formed name, unless it is stored like that. `field` is the
 * place of the list in the body, such as `parameters.`.
 */
export function checkParameters(sent: readonly JsonObject[], stored: readonly Entry[], field = ""): void {
  let texts: ReadonlySet<string> | undefined;
  for (const [place, parameter] of sent.entries()) {
    const name = own(parameter, "name");
    if (typeof name === "string" && parameterName.test(name)) continue;
    texts ??= new Set(stored.map(print));
    if (texts.has(print(parameter))) continue;
    if (typeof name !== "string") throw new Refusal(400, `invalid ${field}${place}.name: expected string`);
    throw new Refusal(400, `invalid ${field}${place}.name: malformed name`);
  }
}
