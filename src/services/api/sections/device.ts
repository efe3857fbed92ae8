/** Devices and their parameters. A muxing rule may hold the value of a parameter, see `project/muxing-rules.ts`. */
import { OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { type Draft, type Entry, listIn } from "../../../core/project/document.ts";
import { isUnchanged, keyed } from "../../../core/project/entries.ts";
import { byName, EntryList } from "../../../core/project/entry-list.ts";
import { type JsonObject, own } from "../../../core/project/json.ts";
import { putLegends } from "../../../core/project/legends.ts";
import { applyMuxingRules, deviceRules } from "../../../core/project/muxing-rules.ts";
import { parameterName } from "../../../core/project/names.ts";
import {
  checkParameters,
  dropParameters,
  needDevice,
  putParameters,
  resetParameters,
  storeParameters,
} from "../../../core/project/parameters.ts";
import { Refusal } from "../../../core/project/refusal.ts";
import { deviceLegend } from "./device-legend.ts";
import { addDelete, addList, addRead, anyEntry, nothing, type SectionApp, sectionEndpoint } from "./section.ts";

const family = "device";
const keys = { parameter: "deviceId" } as const;

/** Lists of a device are lists of objects, without required members. */
const deviceBody = z.looseObject({
  parameters: z.array(anyEntry).nullish(),
  legend: z.array(anyEntry).nullish(),
}) as unknown as z.ZodType<JsonObject>;

const parameterList = z.array(anyEntry);
const parameterNames = z.array(z.string().regex(parameterName, "malformed name"));

const storedDevice = (c: Context): Entry | undefined => {
  const { deviceId } = c.req.valid("param" as never) as { deviceId: number };
  return c.get("draft").find("device", deviceId);
};

/** Resets a device to the body; an unchanged one stays. */
function resetDevice(draft: Draft, deviceId: number, body: JsonObject, before: Entry): Entry {
  const stored = { parameters: listIn(before, "parameters"), legend: listIn(before, "legend") };
  const sent = { parameters: listIn(body, "parameters"), legend: listIn(body, "legend") };
  checkParameters(sent.parameters, stored.parameters, "parameters.");
  const identity = { deviceId, function: Math.floor(deviceId / 64), instance: deviceId % 64 };
  return {
    ...keyed(identity, { parameters: [], legend: [], ...body }),
    parameters: resetParameters(deviceRules(draft, deviceId), stored.parameters, sent.parameters),
    legend: putLegends([], sent.legend, { stored: stored.legend, field: "legend." }),
  };
}

export const device: SectionApp = new OpenAPIHono();

addList(device, "device");
addRead(device, "device", keys);

sectionEndpoint(
  device,
  {
    family,
    method: "put",
    path: "/device/{deviceId}",
    summary: "Create a device, or reset it to what the body says",
    success: 201,
    body: { schema: deviceBody, optional: true, stored: storedDevice },
    response: anyEntry,
  },
  (c) => {
    const draft = c.get("draft");
    const { deviceId } = c.req.valid("param");
    const body = c.req.valid("json") ?? {};
    const before = storedDevice(c);
    if (!isUnchanged(body, before)) {
      draft.put("device", resetDevice(draft, deviceId, body, before ?? {}));
      applyMuxingRules(draft, [[deviceId]]);
    }
    return needDevice(draft, deviceId);
  },
);

addDelete(device, "device", {
  ...keys,
  store: {
    remove(draft, deviceId) {
      draft.remove("device", deviceId);
      applyMuxingRules(draft, [[deviceId]]);
    },
  },
});

const list = "/device/{deviceId}/parameters";
const one = "/device/{deviceId}/parameter/{parameter}";

sectionEndpoint(
  device,
  {
    family,
    method: "get",
    path: list,
    summary: "List the parameters of a device",
    success: 200,
    response: parameterList,
  },
  (c) => listIn(needDevice(c.get("draft"), c.req.valid("param").deviceId), "parameters"),
);

sectionEndpoint(
  device,
  {
    family,
    method: "put",
    path: list,
    summary: "Create or replace some parameters of a device; the others stay",
    success: 201,
    body: { schema: parameterList },
    response: parameterList,
  },
  (c) => {
    const draft = c.get("draft");
    const { deviceId } = c.req.valid("param");
    const device = needDevice(draft, deviceId);
    const stored = listIn(device, "parameters");
    const sent = c.req.valid("json");
    checkParameters(sent, stored);
    const names = sent.map((parameter) => own(parameter, "name")!);
    const changed = storeParameters(draft, device, putParameters(deviceRules(draft, deviceId), stored, sent), names);
    return listIn(changed, "parameters");
  },
);

sectionEndpoint(
  device,
  {
    family,
    method: "delete",
    path: list,
    summary: "Delete the named parameters of a device; names that are not there are ignored",
    success: 200,
    body: { schema: parameterNames },
    response: parameterList,
  },
  (c) => {
    const draft = c.get("draft");
    const { deviceId } = c.req.valid("param");
    const device = needDevice(draft, deviceId);
    const names = c.req.valid("json");
    const rest = dropParameters(deviceRules(draft, deviceId), listIn(device, "parameters"), names);
    return listIn(storeParameters(draft, device, rest, names), "parameters");
  },
);

sectionEndpoint(
  device,
  {
    family,
    method: "put",
    path: one,
    summary: "Create or replace one parameter of a device",
    success: 201,
    body: { schema: anyEntry },
    response: anyEntry,
  },
  (c) => {
    const draft = c.get("draft");
    const { deviceId, parameter: name } = c.req.valid("param");
    const device = needDevice(draft, deviceId);
    const stored = listIn(device, "parameters");
    const before = EntryList.of(stored, byName).get(name);
    const body = c.req.valid("json");
    const sent = isUnchanged(body, before) ? before! : keyed({ name }, body);
    const changed = storeParameters(draft, device, putParameters(deviceRules(draft, deviceId), stored, [sent]), [name]);
    return EntryList.of(listIn(changed, "parameters"), byName).get(name)!;
  },
);

sectionEndpoint(
  device,
  {
    family,
    method: "delete",
    path: one,
    summary: "Delete one parameter of a device; it stays while a muxing rule sets it",
    success: 200,
    response: nothing,
  },
  (c) => {
    const draft = c.get("draft");
    const { deviceId, parameter: name } = c.req.valid("param");
    const device = needDevice(draft, deviceId);
    const stored = listIn(device, "parameters");
    if (EntryList.of(stored, byName).get(name) === undefined) throw new Refusal(404, "no such parameter");
    storeParameters(draft, device, dropParameters(deviceRules(draft, deviceId), stored, [name]), [name]);
    return {};
  },
);

device.route("/", deviceLegend);
