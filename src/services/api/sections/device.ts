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
import { deviceList } from "./device-list.ts";
import { addDelete, addList, addRead, anyEntry, type SectionApp, sectionEndpoint } from "./section.ts";

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

const parametersOf = (draft: Draft, deviceId: number): readonly Entry[] =>
  listIn(needDevice(draft, deviceId), "parameters");

const parameterAt = (draft: Draft, { deviceId, parameter }: ParameterPlace): Entry | undefined =>
  EntryList.of(parametersOf(draft, deviceId), byName).get(parameter);

interface ParameterPlace {
  readonly deviceId: number;
  readonly parameter: string;
}

function put(draft: Draft, deviceId: number, sent: readonly Entry[]): void {
  const stored = parametersOf(draft, deviceId);
  checkParameters(sent, stored);
  storeParameters(
    draft,
    deviceId,
    putParameters(deviceRules(draft, deviceId), stored, sent),
    sent.map((each) => own(each, "name")!),
  );
}

function drop(draft: Draft, deviceId: number, names: readonly string[]): void {
  const rest = dropParameters(deviceRules(draft, deviceId), parametersOf(draft, deviceId), names);
  storeParameters(draft, deviceId, rest, names);
}

device.route(
  "/",
  deviceList({
    family,
    list: "/device/{deviceId}/parameters",
    one: "/device/{deviceId}/parameter/{parameter}",
    summaries: {
      get: "List the parameters of a device",
      put: "Create or replace some parameters of a device; the others stay",
      delete: "Delete the named parameters of a device; names that are not there are ignored",
      putOne: "Create or replace one parameter of a device",
      deleteOne: "Delete one parameter of a device; it stays while a muxing rule sets it",
    },
    ...{ items: parameterList, item: anyEntry, sent: parameterList, keys: parameterNames },
    ...{ get: parametersOf, put, drop },
    putOne(draft, of, body) {
      const before = parameterAt(draft, of);
      put(draft, of.deviceId, [isUnchanged(body, before) ? before! : keyed({ name: of.parameter }, body)]);
      return parameterAt(draft, of)!;
    },
    dropOne(draft, of) {
      if (parameterAt(draft, of) === undefined) throw new Refusal(404, "no such parameter");
      drop(draft, of.deviceId, [of.parameter]);
    },
  }),
);

device.route("/", deviceLegend);
