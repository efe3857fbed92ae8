/** Parameters of a device: an upserted list of named objects, under the muxing rules. */
import { type Draft, dropEntry, type Entry, findEntry, listIn, putEntry } from "./document.ts";
import { isUnchanged, keyed, needEntry, storeEntry } from "./entries.ts";
import { type JsonObject, own } from "./json.ts";
import { applyMuxingRules, type DeviceRules, withKeptBase, withoutBase } from "./muxing-rules.ts";
import { parameterName } from "./names.ts";
import { Refusal } from "./refusal.ts";

export const needDevice = (draft: Draft, deviceId: number): Entry => needEntry(draft, "device", "deviceId", deviceId);

/** A list of parameters with some put into it, of a repeated name the last; a list that was read and is sent back changes nothing. */
export function putParameters(rules: DeviceRules, stored: readonly Entry[], sent: readonly Entry[]): readonly Entry[] {
  if (isUnchanged(sent, stored)) return stored;
  return sent.reduce((list, parameter) => {
    const name = own(parameter, "name") ?? null;
    const before = findEntry(stored, "name", name);
    if (before !== undefined && isUnchanged(parameter, before)) return putEntry(list, "name", before);
    return putEntry(list, "name", withKeptBase(rules, keyed({ name }, parameter), before));
  }, stored);
}

/** The parameters of a device that is reset to `sent`; `stored` are those it had. */
export function resetParameters(
  rules: DeviceRules,
  stored: readonly Entry[],
  sent: readonly Entry[],
): readonly Entry[] {
  if (isUnchanged(sent, stored)) return stored;
  let list: readonly Entry[] = [];
  for (const parameter of sent) {
    const name = own(parameter, "name");
    if (name === undefined) {
      list = list.concat(parameter);
    } else {
      const before = findEntry(stored, "name", name);
      const kept = before !== undefined && isUnchanged(parameter, before);
      list = putEntry(list, "name", kept ? before : withKeptBase(rules, keyed({ name }, parameter), before));
    }
  }
  return list;
}

/** Deletes the base of the named parameters; the part that a rule sets stays. */
export const dropParameters = (
  rules: DeviceRules,
  list: readonly Entry[],
  names: readonly string[],
): readonly Entry[] =>
  names.reduce((rest, name) => {
    const stored = findEntry(rest, "name", name);
    const ruled = stored && withoutBase(rules, stored);
    return ruled === undefined ? dropEntry(rest, "name", name) : putEntry(rest, "name", ruled);
  }, list);

/** Stores a device with new parameters and applies the rules to it. */
export function storeParameters(draft: Draft, device: Entry, parameters: readonly Entry[]): Entry {
  const before = listIn(device, "parameters");
  const isChanged = parameters !== before && parameters.length + before.length > 0;
  if (isChanged) storeEntry(draft, "device", "deviceId", { ...device, parameters });
  applyMuxingRules(draft);
  return needDevice(draft, own(device, "deviceId") as number);
}

/**
 * Refuses with 400 a list with a parameter that has no well-formed name, unless it is stored like that. `field` is the place of the
 * list in the body, such as `parameters.`.
 */
export function checkParameters(sent: readonly JsonObject[], stored: readonly Entry[], field = ""): void {
  for (const [place, parameter] of sent.entries()) {
    if (stored.some((entry) => isUnchanged(parameter, entry))) continue;
    const name = own(parameter, "name");
    if (typeof name !== "string") throw new Refusal(400, `invalid ${field}${place}.name: expected string`);
    if (!parameterName.test(name)) throw new Refusal(400, `invalid ${field}${place}.name: malformed name`);
  }
}
