/**
 * Muxing rules over the parameters of devices, reversible: without the rule a parameter is again what it was.
 *
 * A parameter has two layers: the base, written by a person or an import, and the rules. The stored `value` is always the
 * effective one. While a rule holds a parameter, `muxing` names the rule and `base` keeps the value underneath:
 *
 *     {"name": "out.1.mode", "value": "toggle", "base": "momentary", "muxing": "nav-lights"}
 *
 * A parameter without a value, or with members called `base`, `muxing` or `covered` of its own, is kept whole in `covered`.
 * A parameter that a rule has created has neither, and goes with the rule.
 */
import * as z from "zod";
import { type Draft, type Entry, entriesOf, findEntry, listIn, type Project, setSection } from "./document.ts";
import { equal, isObject, type Json, type JsonObject, own, without } from "./json.ts";

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

/** Rules by device and parameter; of several rules for one parameter the last. */
/** Rules of one device by parameter. */
export type DeviceRules = ReadonlyMap<string, Rule>;
type Rules = ReadonlyMap<number, DeviceRules>;

const noRules: DeviceRules = new Map();

/**
 * Computes the effective parameters of every device anew from the base layer and the rules, so that the order in which rules came
 * and went has no influence. `before` is the project before its rules changed: a parameter is held where a rule of then set it
 * and its `muxing` names that rule; the same member elsewhere belongs to the application. Notes rules for missing devices.
 */
export function applyMuxingRules(draft: Draft, before: Project = draft.project): void {
  const holders = rulesOf(before);
  const rules = before === draft.project ? holders : rulesOf(draft.project);
  if (rules.size === 0 && holders.size === 0) return;
  const devices = entriesOf(draft.project, "device");
  const seen = new Set<Json>();
  const applied = devices.map((device) => {
    const deviceId = own(device, "deviceId") ?? null;
    if (seen.has(deviceId)) return device;
    seen.add(deviceId);
    const [now, then] = [rules, holders].map((all) => all.get(deviceId as number) ?? noRules) as [
      DeviceRules,
      DeviceRules,
    ];
    return now === noRules && then === noRules ? device : applyToDevice(device, now, then);
  });
  if (applied.some((device, place) => device !== devices[place])) setSection(draft, "device", applied);
  for (const [deviceId, settings] of rules) {
    if (seen.has(deviceId)) continue;
    const names = new Set([...settings.values()].map((rule) => rule.muxing));
    for (const name of names) draft.notes.push(`muxing: ${name} waits for device ${deviceId}`);
  }
}

function rulesOf(project: Project): Rules {
  const rules = new Map<number, Map<string, Rule>>();
  for (const entry of entriesOf(project, "muxing")) {
    const config = own(entry, "config");
    if (!muxingConfig.safeParse(config).success) continue;
    for (const { deviceId, parameters } of config as unknown as z.infer<typeof muxingConfig>) {
      const ofDevice = rules.get(deviceId) ?? new Map<string, Rule>();
      rules.set(deviceId, ofDevice);
      for (const { name, value } of parameters) {
        ofDevice.set(name, { muxing: String(own(entry, "name")), value: (value ?? null) as Json });
      }
    }
  }
  return rules;
}

function applyToDevice(device: Entry, rules: DeviceRules, holders: DeviceRules): Entry {
  const before = listIn(device, "parameters");
  const seen = new Set<Json>();
  const after: Entry[] = [];
  for (const parameter of before) {
    const name = own(parameter, "name") ?? null;
    const isFirst = !seen.has(name);
    seen.add(name);
    const applied = isFirst
      ? applyToParameter(parameter, rules.get(name as string), holders.get(name as string))
      : parameter;
    if (applied !== undefined) after.push(applied);
  }
  for (const [name, { value, muxing }] of rules) {
    if (!seen.has(name)) after.push({ name, value, muxing });
  }
  const isChanged = after.length !== before.length || after.some((parameter, place) => parameter !== before[place]);
  return isChanged ? { ...device, parameters: after } : device;
}

/** True if the rule that sets the parameter has marked it. */
const isHeld = (parameter: Entry, holder: Rule | undefined): boolean =>
  holder !== undefined && own(parameter, "muxing") === holder.muxing;

/** The parameter under its rule, or as it is without one; undefined if only a rule had created it. */
function applyToParameter(parameter: Entry, rule: Rule | undefined, holder: Rule | undefined): Entry | undefined {
  const held = isHeld(parameter, holder);
  if (rule === undefined) return held ? baseOf(parameter) : parameter;
  if (held && own(parameter, "muxing") === rule.muxing && equal(own(parameter, "value"), rule.value)) return parameter;
  if (!held) return cover(parameter, rule);
  const base = baseOf(parameter);
  return base === undefined ? { ...parameter, ...rule } : cover(base, rule);
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
 * The parameter of a device to be stored for one that a client puts, before the rules are applied; `stored` is the one of that
 * name. A parameter that was read under a rule and is sent back with its value keeps its base; another value is the new base.
 */
export function withKeptBase(rules: DeviceRules, sent: Entry, stored: Entry | undefined): Entry {
  const rule = rules.get(own(sent, "name") as string);
  if (!isHeld(sent, rule)) return sent;
  if (stored !== undefined && !equal(own(sent, "value"), own(stored, "value"))) {
    return without(sent, "base", "muxing", "covered");
  }
  if (own(sent, "base") !== undefined || own(sent, "covered") !== undefined) return sent;
  if (stored === undefined || !isHeld(stored, rule)) return without(sent, "muxing");
  const kept = ["base", "covered"].filter((key) => Object.hasOwn(stored, key));
  return { ...sent, ...Object.fromEntries(kept.map((key) => [key, stored[key]!])) } as JsonObject;
}

/** A stored parameter after its base was deleted: the part that its rule sets, or nothing. */
export function withoutBase(rules: DeviceRules, stored: Entry): Entry | undefined {
  if (!isHeld(stored, rules.get(own(stored, "name") as string))) return undefined;
  return { name: own(stored, "name") ?? null, value: own(stored, "value") ?? null, muxing: own(stored, "muxing")! };
}

/** The rules that set parameters of one device. */
export const deviceRules = ({ project }: Draft, deviceId: number): DeviceRules =>
  rulesOf(project).get(deviceId) ?? noRules;

/** Muxing entry names of a commissioning rule: a name or a list of names; another shape names none. */
export function muxingNamesOf(rule: Entry): readonly string[] {
  const names = own(rule, "muxing");
  if (typeof names === "string") return [names];
  return Array.isArray(names) ? names.filter((name): name is string => typeof name === "string") : [];
}

/**
 * Deletes a muxing entry: parameters get their base back, and commissioning rules lose its name. A rule whose last name is lost
 * is removed; one that never named anything stays.
 */
export function deleteMuxingEntry(draft: Draft, name: string): void {
  const before = draft.project;
  const entries = entriesOf(draft.project, "muxing");
  const entry = findEntry(entries, "name", name);
  if (entry === undefined) return;
  setSection(draft, "muxing", entries.toSpliced(entries.indexOf(entry), 1));
  forgetName(draft, name);
  applyMuxingRules(draft, before);
}

function forgetName(draft: Draft, name: string): void {
  const groups = entriesOf(draft.project, "commissioning");
  const changed = groups.map((group) => {
    const rules = listIn(group, "rules");
    if (!rules.some((rule) => muxingNamesOf(rule).includes(name))) return group;
    const groupId = String(own(group, "groupId"));
    const kept = rules.flatMap((rule) => {
      if (!muxingNamesOf(rule).includes(name)) return [rule];
      const rest = withoutName(rule, name);
      const answer = own(rule, "option");
      const option = answer === undefined ? "" : `=${String(answer)}`;
      draft.notes.push(`commissioning: ${groupId}${option} ${rest === undefined ? "goes with" : "loses"} ${name}`);
      return rest === undefined ? [] : [rest];
    });
    return { ...group, rules: kept };
  });
  if (changed.some((group, place) => group !== groups[place])) setSection(draft, "commissioning", changed);
}

function withoutName(rule: Entry, name: string): Entry | undefined {
  const names = own(rule, "muxing");
  const rest = Array.isArray(names) ? names.filter((other: Json) => other !== name) : [];
  return rest.length === 0 ? undefined : { ...rule, muxing: rest };
}
