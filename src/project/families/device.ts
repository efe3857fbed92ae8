/** Devices and their parameters. The value of a parameter may be held by a muxing rule, see `settle.ts`. */
import * as z from "zod";
import { type Draft, dropEntry, type Entry, findEntry, listIn, putEntry } from "../document.ts";
import { anyEntry, entries, keyed, needEntry, storeEntry } from "../entries.ts";
import { type JsonObject, own } from "../json.ts";
import { type Operation, operation } from "../operation.ts";
import { Refusal } from "../refusal.ts";
import { segments } from "../segments.ts";
import { rebase, settle, unbase } from "../settle.ts";
import { legendEntry, legendKeyOf, putLegend } from "./device-legend.ts";

const feature = "device";

const parameterName = z.string().refine((name) => segments.parameter.read(name) !== undefined, "malformed name");

/** Any JSON is a value, but absent is none. `base` belongs to muxing, which would overwrite one of its own. */
const parameterBody = z
  .looseObject({ value: z.unknown() })
  .refine((body) => !Object.hasOwn(body, "base") || Object.hasOwn(body, "muxing"), {
    message: "only beside muxing",
    path: ["base"],
  });

const parameterEntry = parameterBody.and(z.looseObject({ name: parameterName }));

const deviceBody = z.looseObject({
  parameters: z.array(parameterEntry).optional(),
  legend: z.array(legendEntry).optional(),
});

const needDevice = (draft: Draft, deviceId: number): Entry => needEntry(draft, "device", "deviceId", deviceId);

/** The parameters of a device after some were put, the last of a repeated name winning. */
function putParameters(device: Entry, sent: readonly Entry[]): readonly Entry[] {
  const stored = listIn(device, "parameters");
  return sent.reduce((list, parameter) => {
    const before = findEntry(stored, "name", own(parameter, "name") ?? null);
    return putEntry(list, "name", rebase(parameter, before));
  }, stored);
}

/** Takes away what a person wrote about parameters; what a rule sets stays. */
const dropParameters = (device: Entry, names: readonly string[]): readonly Entry[] =>
  names.reduce(
    (list, name) => {
      const stored = findEntry(list, "name", name);
      const rest = stored && unbase(stored);
      return rest === undefined ? dropEntry(list, "name", name) : putEntry(list, "name", rest);
    },
    listIn(device, "parameters"),
  );

/** Stores a device with new parameters and lets the rules take their place in it. */
function changeParameters(draft: Draft, device: Entry, parameters: readonly Entry[]): Entry {
  storeEntry(draft, "device", "deviceId", { ...device, parameters });
  settle(draft);
  return needDevice(draft, own(device, "deviceId") as number);
}

const [list, read, , remove] = entries("device", { key: "deviceId", segment: "deviceId", afterDelete: settle });

const put = operation({
  feature,
  method: "PUT",
  path: "/project/{id}/device/{deviceId}",
  summary: "Create a device, or reset it to what the body says",
  success: 201,
  body: { schema: deviceBody as z.ZodType<JsonObject>, optional: true },
  answer: anyEntry,
  run(draft, { deviceId }, body = {}) {
    const before = findEntry(listIn(draft.project, "device"), "deviceId", deviceId) ?? {};
    const keys = { deviceId, function: Math.floor(deviceId / 64), instance: deviceId % 64 };
    const named = (parameter: Entry): Entry => keyed({ name: own(parameter, "name") ?? null }, parameter);
    const parameters = listIn(body, "parameters")
      .map(named)
      .map((parameter) =>
        rebase(parameter, findEntry(listIn(before, "parameters"), "name", own(parameter, "name") ?? null)),
      )
      .reduce((kept, parameter) => putEntry(kept, "name", parameter), [] as readonly Entry[]);
    const legend = listIn(body, "legend").reduce(
      (kept, entry) => putLegend(kept, legendKeyOf(entry), entry),
      [] as readonly Entry[],
    );
    storeEntry(draft, "device", "deviceId", {
      ...keyed(keys, { parameters: [], legend: [], ...body }),
      parameters,
      legend,
    });
    settle(draft);
    return { json: needDevice(draft, deviceId) };
  },
});

const parameters: readonly Operation[] = [
  operation({
    feature,
    method: "GET",
    path: "/project/{id}/device/{deviceId}/parameters",
    summary: "List the parameters of a device",
    success: 200,
    answer: z.array(anyEntry),
    run: (draft, { deviceId }) => ({ json: listIn(needDevice(draft, deviceId), "parameters") }),
  }),
  operation({
    feature,
    method: "PUT",
    path: "/project/{id}/device/{deviceId}/parameters",
    summary: "Create or replace some parameters of a device; the others stay",
    success: 201,
    body: { schema: z.array(parameterEntry) as unknown as z.ZodType<readonly Entry[]> },
    answer: z.array(anyEntry),
    run(draft, { deviceId }, body) {
      const device = needDevice(draft, deviceId);
      const sent = body.map((parameter) => keyed({ name: own(parameter, "name") ?? null }, parameter));
      return { json: listIn(changeParameters(draft, device, putParameters(device, sent)), "parameters") };
    },
  }),
  operation({
    feature,
    method: "DELETE",
    path: "/project/{id}/device/{deviceId}/parameters",
    summary: "Delete the named parameters of a device; names that are not there are ignored",
    success: 200,
    body: { schema: z.array(parameterName) },
    answer: z.array(anyEntry),
    run(draft, { deviceId }, names) {
      const device = needDevice(draft, deviceId);
      return { json: listIn(changeParameters(draft, device, dropParameters(device, names)), "parameters") };
    },
  }),
  operation({
    feature,
    method: "PUT",
    path: "/project/{id}/device/{deviceId}/parameter/{parameter}",
    summary: "Create or replace one parameter of a device",
    success: 201,
    body: { schema: parameterBody as unknown as z.ZodType<JsonObject> },
    answer: anyEntry,
    run(draft, { deviceId, parameter: name }, body) {
      const device = needDevice(draft, deviceId);
      const changed = changeParameters(draft, device, putParameters(device, [keyed({ name }, body)]));
      return { json: findEntry(listIn(changed, "parameters"), "name", name)! };
    },
  }),
  operation({
    feature,
    method: "DELETE",
    path: "/project/{id}/device/{deviceId}/parameter/{parameter}",
    summary: "Delete one parameter of a device; it stays while a muxing rule sets it",
    success: 200,
    answer: z.object({}),
    run(draft, { deviceId, parameter: name }) {
      const device = needDevice(draft, deviceId);
      if (findEntry(listIn(device, "parameters"), "name", name) === undefined) {
        throw new Refusal(404, "no such parameter");
      }
      changeParameters(draft, device, dropParameters(device, [name]));
      return { json: {} };
    },
  }),
];

export const device: readonly Operation[] = [list!, read!, put, remove!, ...parameters];
