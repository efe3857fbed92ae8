/** Legends: the labels of a local front-panel device. The endpoints mirror those of the parameters. */
import { OpenAPIHono, z } from "@hono/zod-openapi";
import type { Draft, Entry } from "../../../core/project/document.ts";
import type { Json } from "../../../core/project/json.ts";
import {
  dropLegends,
  legendsOf,
  needLegend,
  putLegend,
  putLegends,
  setLegends,
} from "../../../core/project/legends.ts";
import { anyEntry, nothing, type SectionApp, sectionEndpoint } from "./section.ts";

const family = "device-legend";
const list = "/device/{deviceId}/legends";
const one = "/device/{deviceId}/legend/{zone}";

const zone = z
  .union([z.int().min(16).max(35), z.string()])
  .openapi({ description: "16 to 35, or 16.FR with a region" });
const legend = z.looseObject({ zone, region: z.string().optional(), text: z.string().optional() }).openapi("Label");
const legends = z.array(legend).openapi({ description: "Labels by zone and region" });

const legendList = z.array(anyEntry).openapi({ description: "Labels by zone and region" });
const legendKeys = z.array(z.unknown()).openapi({ description: "Keys of labels: 16, `17.FR`, or labels with a zone" });

/** Stores the labels of a device and returns them as stored. */
function storeLegends(draft: Draft, deviceId: number, changed: readonly Entry[]): readonly Entry[] {
  setLegends(draft, deviceId, changed);
  return legendsOf(draft, deviceId);
}

export const deviceLegend: SectionApp = new OpenAPIHono();

sectionEndpoint(
  deviceLegend,
  { family, method: "get", path: list, summary: "List the labels of a device", success: 200, response: legends },
  (c) => legendsOf(c.get("draft"), c.req.valid("param").deviceId),
);

sectionEndpoint(
  deviceLegend,
  {
    family,
    method: "put",
    path: list,
    summary: "Create or replace some labels; the others stay",
    success: 201,
    body: { schema: legendList },
    response: legends,
  },
  (c) => {
    const draft = c.get("draft");
    const { deviceId } = c.req.valid("param");
    return storeLegends(draft, deviceId, putLegends(legendsOf(draft, deviceId), c.req.valid("json")));
  },
);

sectionEndpoint(
  deviceLegend,
  {
    family,
    method: "delete",
    path: list,
    summary: "Delete labels by their keys; keys that are not there are ignored",
    success: 200,
    body: { schema: legendKeys as unknown as z.ZodType<readonly Json[]> },
    response: legends,
  },
  (c) => {
    const draft = c.get("draft");
    const { deviceId } = c.req.valid("param");
    return storeLegends(draft, deviceId, dropLegends(legendsOf(draft, deviceId), c.req.valid("json")));
  },
);

sectionEndpoint(
  deviceLegend,
  { family, method: "get", path: one, summary: "Read one label", success: 200, response: legend },
  (c) => {
    const { deviceId, zone } = c.req.valid("param");
    return needLegend(c.get("draft"), deviceId, zone);
  },
);

sectionEndpoint(
  deviceLegend,
  {
    family,
    method: "put",
    path: one,
    summary: "Create or replace one label",
    success: 201,
    body: { schema: anyEntry },
    response: legend,
  },
  (c) => {
    const draft = c.get("draft");
    const { deviceId, zone } = c.req.valid("param");
    setLegends(draft, deviceId, putLegend(legendsOf(draft, deviceId), zone, c.req.valid("json")));
    return needLegend(draft, deviceId, zone);
  },
);

sectionEndpoint(
  deviceLegend,
  { family, method: "delete", path: one, summary: "Delete one label", success: 200, response: nothing },
  (c) => {
    const draft = c.get("draft");
    const { deviceId, zone } = c.req.valid("param");
    const stored = needLegend(draft, deviceId, zone);
    setLegends(
      draft,
      deviceId,
      legendsOf(draft, deviceId).filter((label) => label !== stored),
    );
    return {};
  },
);
