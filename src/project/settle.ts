/**
 * Muxing: switching rules laid over the parameters of devices, so that taking a rule away gives back what was there.
 *
 * A parameter has two layers: its base, which a person or an import wrote, and the rules. The stored `value` is always the
 * effective one; while a rule holds a parameter, `muxing` names the rule and `base` keeps what lies underneath:
 *
 *     {"name": "out.1.mode", "value": "toggle", "base": "momentary", "muxing": "nav-lights"}
 *
 * `settle` computes the upper layer anew from the base layer and the rules, so the order in which rules came and went leaves
 * no trace.
 */
import * as z from "zod";
import { type Draft, type Entry, entriesOf, listIn, setSection } from "./document.ts";
import { equal, type Json, own, without } from "./json.ts";

/** What one rule sets: the optional `config` of a muxing entry. */
export const muxingConfig = z.array(
  z.looseObject({
    deviceId: z.int().min(0, "expected 0 to 4095").max(4095, "expected 0 to 4095"),
    parameters: z.array(z.looseObject({ name: z.string(), value: z.unknown() })),
  }),
);

interface Rule {
  readonly muxing: string;
  readonly value: Json;
}

/** Rules by device and parameter; of several rules for one parameter the last. */
type Rules = ReadonlyMap<number, ReadonlyMap<string, Rule>>;

/** Lays the rules over the parameters of every device. Notes rules that wait for a device the project does not have. */
export function settle(draft: Draft): void {
  const rules = rulesOf(draft);
  const devices = entriesOf(draft.project, "device");
  const seen = new Set<Json>();
  const settled = devices.map((device) => {
    const deviceId = own(device, "deviceId") ?? null;
    if (seen.has(deviceId)) return device;
    seen.add(deviceId);
    return settleDevice(device, rules.get(deviceId as number) ?? new Map());
  });
  if (settled.some((device, place) => device !== devices[place])) setSection(draft, "device", settled);
  for (const [deviceId, settings] of rules) {
    if (seen.has(deviceId)) continue;
    const names = new Set([...settings.values()].map((rule) => rule.muxing));
    for (const name of names) draft.notes.push(`muxing: ${name} waits for device ${deviceId}`);
  }
}

function rulesOf(draft: Draft): Rules {
  const rules = new Map<number, Map<string, Rule>>();
  for (const entry of entriesOf(draft.project, "muxing")) {
    // A file written by others may hold what is no config; it sets nothing.
    const config = own(entry, "config");
    if (!muxingConfig.safeParse(config).success) continue;
    for (const { deviceId, parameters } of config as unknown as z.infer<typeof muxingConfig>) {
      const ofDevice = rules.get(deviceId) ?? new Map<string, Rule>();
      rules.set(deviceId, ofDevice);
      for (const { name, value } of parameters) {
        ofDevice.set(name, { muxing: String(own(entry, "name")), value: value as Json });
      }
    }
  }
  return rules;
}

function settleDevice(device: Entry, rules: ReadonlyMap<string, Rule>): Entry {
  const before = listIn(device, "parameters");
  const seen = new Set<Json>();
  const after: Entry[] = [];
  for (const parameter of before) {
    const name = own(parameter, "name") ?? null;
    const isFirst = !seen.has(name);
    seen.add(name);
    const settled = isFirst ? settleParameter(parameter, rules.get(name as string)) : parameter;
    if (settled !== undefined) after.push(settled);
  }
  for (const [name, { value, muxing }] of rules) {
    if (!seen.has(name)) after.push({ name, value, muxing });
  }
  const isChanged = after.length !== before.length || after.some((parameter, place) => parameter !== before[place]);
  return isChanged ? { ...device, parameters: after } : device;
}

/** The parameter under its rule, or as it is without one; undefined if only a rule had made it. */
function settleParameter(parameter: Entry, rule: Rule | undefined): Entry | undefined {
  const isHeld = own(parameter, "muxing") !== undefined;
  if (!isHeld && rule === undefined) return parameter;
  const base = own(parameter, isHeld ? "base" : "value");
  if (rule === undefined) {
    const rest = without(parameter, "base", "muxing");
    if (base !== undefined) return { ...rest, value: base };
    // Made by a rule, or once written by others without a value.
    const bare = without(rest, "value");
    return Object.keys(bare).length > 1 ? bare : undefined;
  }
  const { value, muxing } = rule;
  if (isHeld && own(parameter, "muxing") === muxing && equal(own(parameter, "value"), value)) return parameter;
  return base === undefined ? { ...parameter, value, muxing } : { ...parameter, value, base, muxing };
}

/**
 * What is to be stored for a parameter somebody puts, before `settle`. `stored` is what the device has under that name.
 * A parameter that was read under a rule and is sent back keeps its base while its value is as it was read; another value
 * is what somebody wants, so it becomes the base.
 */
export function rebase(sent: Entry, stored: Entry | undefined): Entry {
  if (own(sent, "muxing") === undefined) return sent;
  if (stored !== undefined && !equal(own(sent, "value"), own(stored, "value"))) return without(sent, "base", "muxing");
  if (own(sent, "base") !== undefined) return sent;
  // No base: a rule alone had made it, if the device still says so.
  if (stored === undefined || own(stored, "muxing") === undefined) return without(sent, "muxing");
  const base = own(stored, "base");
  return base === undefined ? sent : { ...sent, base };
}

/** What is left when a person's part of a parameter is deleted: what the rule alone makes, or nothing. */
export function unbase(stored: Entry): Entry | undefined {
  const muxing = own(stored, "muxing");
  return muxing === undefined
    ? undefined
    : { name: own(stored, "name") ?? null, value: own(stored, "value") ?? null, muxing };
}
