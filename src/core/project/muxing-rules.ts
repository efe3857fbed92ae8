/**
 * Muxing rules over the parameters of devices. They are reversible: without the rule a parameter is as it was before.
 *
 * A parameter has two layers: the base, written by a person or an import, and the rules. The stored `value` is always
 * the effective one. While a rule holds a parameter, `muxing` names the rule and `base` keeps the value underneath:
 *
 *     {"name": "out.1.mode", "value": "toggle", "base": "momentary", "muxing": "nav-lights"}
 *
 * A parameter without a value, or with members called `base`, `muxing` or `covered` of its own, is kept whole in
 * `covered`. A parameter that a rule has created has neither, and goes with the rule.
 */
import * as z from "zod";
import { memoize } from "../util/memoize.ts";
import { type Draft, type Entry, listIn } from "./document.ts";
import { byName, EntryList } from "./entry-list.ts";
import { allRounded, equal, isObject, type Json, type JsonObject, own, rounded, without } from "./json.ts";

/** The optional `config` of a muxing entry. A config of another shape is kept and sets nothing. */
export const muxingConfig = z.array(
  z.looseObject({
    deviceId: z.int().min(0).max(4095),
    parameters: z.array(z.looseObject({ name: z.string(), value: z.unknown() })),
  }),
);

export interface Rule {
  readonly muxing: string;
  readonly value: Json;
}

/** The rule that sets a parameter of one device: among several, the rule of the last muxing entry. */
export interface DeviceRules {
  get(name: Json): Rule | undefined;
}

interface PlacedRule extends Rule {
  /** The place of the muxing entry, and that of the parameter in it. */
  readonly place: number;
  readonly index: number;
}

/** Parameters by device; without names all parameters that have a rule. */
type Affected = Iterable<readonly [deviceId: Json, names?: Iterable<Json>]>;

/** The rules of all muxing entries by device and parameter, in the order of the entries. */
class RuleTable {
  readonly #devices = new Map<Json, Map<Json, PlacedRule[]>>();
  readonly #entries = new Map<number, Entry>();
  /** False until the rules have been applied to all devices. */
  isApplied = false;

  constructor(entries: Iterable<readonly [place: number, entry: Entry]>) {
    for (const [place, entry] of entries) this.replace(place, entry);
  }

  get deviceIds(): Iterable<Json> {
    return this.#devices.keys();
  }

  /** Names of the parameters of a device that have rules. */
  namesOf(deviceId: Json): Iterable<Json> {
    return this.#devices.get(deviceId)?.keys() ?? [];
  }

  find(deviceId: Json, name: Json): PlacedRule | undefined {
    return this.#devices.get(deviceId)?.get(name)?.at(-1);
  }

  /** The first rule of a parameter, which gives the order of parameters that only rules create. */
  first(deviceId: Json, name: Json): PlacedRule | undefined {
    return this.#devices.get(deviceId)?.get(name)?.[0];
  }

  /**
   * Replaces the rules of the entry at a place; returns the rules that were in force before for the parameters of both.
   */
  replace(place: number, entry: Entry | undefined): ReadonlyMap<Json, ReadonlyMap<Json, Rule | undefined>> {
    const before = this.#entries.get(place);
    const [old, now] = [before, entry].map((of) => (of === undefined ? [] : rulesOf(of, place)));
    const held = new Map<Json, Map<Json, Rule | undefined>>();
    for (const { deviceId, name } of [...old!, ...now!]) {
      const ofDevice = held.get(deviceId) ?? new Map<Json, Rule | undefined>();
      held.set(deviceId, ofDevice.set(name, this.find(deviceId, name)));
    }
    for (const { deviceId, name } of old!) this.#set(deviceId, name, place, undefined);
    for (const { deviceId, name, rule } of now!) this.#set(deviceId, name, place, rule);
    if (entry === undefined) this.#entries.delete(place);
    else this.#entries.set(place, entry);
    return held;
  }

  #set(deviceId: Json, name: Json, place: number, rule: PlacedRule | undefined): void {
    const ofDevice = this.#devices.get(deviceId) ?? new Map<Json, PlacedRule[]>();
    const rules = ofDevice.get(name) ?? [];
    const at = firstAtOrAfter(rules, place);
    const isThere = rules[at]?.place === place;
    // biome-ignore lint/plugin: one rule or none
    rules.splice(at, isThere ? 1 : 0, ...(rule === undefined ? [] : [rule]));
    if (rules.length > 0) this.#devices.set(deviceId, ofDevice.set(name, rules));
    else ofDevice.delete(name);
    if (ofDevice.size === 0) this.#devices.delete(deviceId);
  }
}

/** Index of the first rule at or after a place, by bisection. */
function firstAtOrAfter(rules: readonly PlacedRule[], place: number): number {
  let [low, high] = [0, rules.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rules[middle]!.place < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Setting {
  readonly deviceId: number;
  readonly name: string;
  readonly rule: PlacedRule;
}

function rulesOf(entry: Entry, place: number): readonly Setting[] {
  const config = own(entry, "config");
  if (config === undefined || !muxingConfig.safeParse(allRounded(config)).success) return [];
  const muxing = String(own(entry, "name"));
  const settings: Setting[] = [];
  for (const { deviceId, parameters } of config as unknown as z.infer<typeof muxingConfig>) {
    for (const { name, value } of parameters) {
      const rule = { muxing, value: (value ?? null) as Json, place, index: settings.length };
      settings.push({ deviceId: rounded(deviceId as Json) as number, name, rule });
    }
  }
  return settings;
}

/** The rules of a draft; `putMuxingEntry` and `deleteMuxingEntry` keep them up to date. */
const rulesIn = memoize((draft: Draft) => new RuleTable(draft.list("muxing")));

/** The rules that set parameters of one device. */
export const deviceRules = (draft: Draft, deviceId: number): DeviceRules => ({
  get: (name) => rulesIn(draft).find(deviceId, name),
});

/** Puts a muxing entry and applies its rules. */
export function putMuxingEntry(draft: Draft, entry: Entry): void {
  const table = rulesIn(draft);
  draft.put("muxing", entry);
  const place = draft.list("muxing").placeOf(own(entry, "name"))!;
  const held = table.replace(place, entry);
  applyMuxingRules(draft, namesIn(held), held);
}

const namesIn = (held: ReadonlyMap<Json, ReadonlyMap<Json, unknown>>): Affected =>
  [...held].map(([deviceId, names]) => [deviceId, names.keys()] as const);

const noneHeld: ReadonlyMap<Json, ReadonlyMap<Json, Rule | undefined>> = new Map();

/**
 * Computes effective parameters anew from the base layer and the rules, so that the order of earlier changes has no
 * influence: the parameters affected by a change, and all at the first change of a draft. `held` has the rules before
 * the change if they differ: a parameter is held if such a rule set it and its `muxing` names that rule; otherwise the
 * member belongs to the application. Notes rules for missing devices.
 */
export function applyMuxingRules(draft: Draft, affected: Affected, held = noneHeld): void {
  const table = rulesIn(draft);
  const isFirst = !table.isApplied;
  table.isApplied = true;
  const all = isFirst ? [...new Set([...table.deviceIds, ...held.keys()])].map((id) => [id] as const) : affected;
  for (const [deviceId, names] of all) {
    const device = draft.find("device", deviceId);
    const before = held.get(deviceId);
    const of = new Set(names ?? [...table.namesOf(deviceId), ...(before?.keys() ?? [])]);
    if (device === undefined) noteMissing(draft, deviceId, of);
    else applyToDevice(draft, device, of, before);
  }
}

function noteMissing(draft: Draft, deviceId: Json, names: Iterable<Json>): void {
  const rules = [...names].map((name) => rulesIn(draft).find(deviceId, name)?.muxing);
  for (const muxing of new Set(rules)) {
    if (muxing !== undefined) draft.notes.push(`muxing: ${muxing} waits for device ${String(deviceId)}`);
  }
}

function applyToDevice(
  draft: Draft,
  device: Entry,
  names: ReadonlySet<Json>,
  held: ReadonlyMap<Json, Rule | undefined> | undefined,
): void {
  const table = rulesIn(draft);
  const deviceId = rounded(own(device, "deviceId"))!;
  const before = listIn(device, "parameters");
  const list = EntryList.of(before, byName);
  const created: (readonly [name: Json, first: PlacedRule])[] = [];
  for (const name of names) {
    const rule = table.find(deviceId, name);
    const parameter = list.get(name);
    if (parameter === undefined) {
      const first = table.first(deviceId, name);
      if (first !== undefined) created.push([name, first]);
      continue;
    }
    const applied = applyToParameter(parameter, rule, held?.has(name) ? held.get(name) : rule);
    if (applied === undefined) list.remove(name);
    else list.put(applied);
  }
  created.sort(([, one], [, other]) => one.place - other.place || one.index - other.index);
  for (const [name] of created) {
    const { value, muxing } = table.find(deviceId, name)!;
    list.append({ name, value, muxing });
  }
  const parameters = list.toArray();
  if (parameters !== before) draft.put("device", { ...device, parameters });
}

/** True if the rule that sets the parameter has marked it. */
const isHeld = (parameter: Entry, holder: Rule | undefined): boolean =>
  holder !== undefined && own(parameter, "muxing") === holder.muxing;

/** The parameter under its rule, or without one; undefined if only a rule had created it. */
function applyToParameter(parameter: Entry, rule: Rule | undefined, holder: Rule | undefined): Entry | undefined {
  const held = isHeld(parameter, holder);
  if (rule === undefined) return held ? baseOf(parameter) : parameter;
  if (held && own(parameter, "muxing") === rule.muxing && equal(own(parameter, "value"), rule.value)) return parameter;
  if (!held) return cover(parameter, rule);
  const base = baseOf(parameter);
  return base === undefined ? { ...parameter, value: rule.value, muxing: rule.muxing } : cover(base, rule);
}

/** A parameter with a rule over it. */
function cover(base: Entry, { value, muxing }: Rule): Entry {
  const isPlain =
    own(base, "value") !== undefined && !["base", "muxing", "covered"].some((key) => Object.hasOwn(base, key));
  if (isPlain) return { ...base, value, base: own(base, "value")!, muxing };
  return { name: own(base, "name") ?? null, value, muxing, covered: base };
}

/** A held parameter without its rule; undefined if the rule had created it. */
function baseOf(parameter: Entry): Entry | undefined {
  const covered = own(parameter, "covered");
  if (isObject(covered)) return covered;
  const base = own(parameter, "base");
  return base === undefined ? undefined : { ...without(parameter, "base", "muxing"), value: base };
}

/**
 * The parameter to be stored when a client puts `sent`, before the rules are applied; `stored` is the one of that name.
 * A parameter that was read under a rule and is sent back with its value keeps its base; another value is the new base.
 */
export function withKeptBase(rules: DeviceRules, sent: Entry, stored: Entry | undefined): Entry {
  const rule = rules.get(own(sent, "name") as string);
  if (!isHeld(sent, rule)) return sent;
  if (stored !== undefined && !isSameValue(own(sent, "value"), own(stored, "value"))) {
    return without(sent, "base", "muxing", "covered");
  }
  if (own(sent, "base") !== undefined || own(sent, "covered") !== undefined) return sent;
  if (stored === undefined || !isHeld(stored, rule)) return without(sent, "muxing");
  const kept = ["base", "covered"].filter((key) => Object.hasOwn(stored, key));
  return { ...sent, ...Object.fromEntries(kept.map((key) => [key, stored[key]!])) } as JsonObject;
}

/** Also true for the stored value as printed by a client whose numbers are doubles. */
const isSameValue = (sent: Json | undefined, stored: Json | undefined): boolean =>
  equal(sent, stored) || (stored !== undefined && equal(sent, allRounded(stored)));

/** A stored parameter after its base was deleted: the part that its rule sets, or nothing. */
export function withoutBase(rules: DeviceRules, stored: Entry): Entry | undefined {
  if (!isHeld(stored, rules.get(own(stored, "name") as string))) return undefined;
  return { name: own(stored, "name") ?? null, value: own(stored, "value") ?? null, muxing: own(stored, "muxing")! };
}

/** Muxing entry names of a commissioning rule: a name or a list of names; another shape names none. */
export function muxingNamesOf(rule: Entry): readonly string[] {
  const names = own(rule, "muxing");
  if (typeof names === "string") return [names];
  return Array.isArray(names) ? names.filter((name): name is string => typeof name === "string") : [];
}

/**
 * Deletes a muxing entry: parameters get their base back, and commissioning rules lose its name. A rule whose last name
 * is lost is removed; one that never named anything stays.
 */
export function deleteMuxingEntry(draft: Draft, name: string): void {
  const table = rulesIn(draft);
  const place = draft.list("muxing").placeOf(name);
  if (place === undefined) return;
  draft.remove("muxing", name);
  forgetName(draft, name);
  const held = table.replace(place, undefined);
  applyMuxingRules(draft, namesIn(held), held);
}

/** Muxing entries that a commissioning group names. */
const namesInGroup = memoize(
  (group: Entry): ReadonlySet<string> => new Set(listIn(group, "rules").flatMap(muxingNamesOf)),
);

function forgetName(draft: Draft, name: string): void {
  for (const [place, group] of draft.list("commissioning")) {
    if (!namesInGroup(group).has(name)) continue;
    const groupId = own(group, "groupId") ?? null;
    const rules = listIn(group, "rules").flatMap((rule) => {
      if (!muxingNamesOf(rule).includes(name)) return [rule];
      const rest = withoutName(rule, name);
      const answer = own(rule, "option");
      const option = answer === undefined ? "" : `=${String(answer)}`;
      draft.notes.push(
        `commissioning: ${String(groupId)}${option} ${rest === undefined ? "goes with" : "loses"} ${name}`,
      );
      return rest === undefined ? [] : [rest];
    });
    draft.putAt("commissioning", place, { ...group, rules });
  }
}

function withoutName(rule: Entry, name: string): Entry | undefined {
  const names = own(rule, "muxing");
  const rest = Array.isArray(names) ? names.filter((other: Json) => other !== name) : [];
  return rest.length === 0 ? undefined : { ...rule, muxing: rest };
}
