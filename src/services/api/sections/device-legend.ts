/** Legends: the labels of a local front-panel device. The endpoints mirror those of the parameters. */
import { z } from "@hono/zod-openapi";
import type { Draft } from "../../../core/project/document.ts";
import type { Json } from "../../../core/project/json.ts";
import {
  dropLegends,
  legendsOf,
  needLegend,
  putLegend,
  putLegends,
  setLegends,
} from "../../../core/project/legends.ts";
import { deviceList } from "./device-list.ts";
import { anyEntry, sectionEndpoint } from "./section.ts";

const family = "device-legend";
const one = "/device/{deviceId}/legend/{zone}";

const zone = z
  .union([z.int().min(16).max(35), z.string()])
  .openapi({ description: "16 to 35, or 16.FR with a region" });
const legend = z.looseObject({ zone, region: z.string().optional(), text: z.string().optional() }).openapi("Label");
const legends = z.array(legend).openapi({ description: "Labels by zone and region" });

const legendList = z.array(anyEntry).openapi({ description: "Labels by zone and region" });
const legendKeys = z.array(z.unknown()).openapi({ description: "Keys of labels: 16, `17.FR`, or labels with a zone" });

const drop = (draft: Draft, deviceId: number, keys: readonly Json[]): void =>
  setLegends(draft, deviceId, dropLegends(legendsOf(draft, deviceId), keys));

export const deviceLegend = deviceList({
  ...{ family, one, list: "/device/{deviceId}/legends" },
  summaries: {
    get: "List the labels of a device",
    put: "Create or replace some labels; the others stay",
    delete: "Delete labels by their keys; keys that are not there are ignored",
    putOne: "Create or replace one label",
    deleteOne: "Delete one label",
  },
  ...{ items: legends, item: legend, sent: legendList },
  keys: legendKeys as unknown as z.ZodType<readonly Json[]>,
  get: legendsOf,
  put: (draft, deviceId, sent) => setLegends(draft, deviceId, putLegends(legendsOf(draft, deviceId), sent)),
  drop,
  putOne(draft, { deviceId, zone }, body) {
    setLegends(draft, deviceId, putLegend(legendsOf(draft, deviceId), zone, body));
    return needLegend(draft, deviceId, zone);
  },
  dropOne(draft, { deviceId, zone }) {
    needLegend(draft, deviceId, zone);
    drop(draft, deviceId, [{ ...zone }]);
  },
});

sectionEndpoint(
  deviceLegend,
  { family, method: "get", path: one, summary: "Read one label", response: legend },
  (c) => {
    const { deviceId, zone } = c.req.valid("param");
    return needLegend(c.get("draft"), deviceId, zone);
  },
);
