/**
 * Legends: the labels of a local front-panel device, one text per zone and, where it differs, per region.
 * The endpoints mirror those of the parameters: the list, and one by its key.
 */
import * as z from "zod";
import { type Draft, type Entry, listIn } from "../document.ts";
import { keyed, needEntry, storeEntry } from "../entries.ts";
import { type JsonObject, own } from "../json.ts";
import { type Operation, operation } from "../operation.ts";
import { Refusal } from "../refusal.ts";
import { type LegendKey, segments } from "../segments.ts";

const feature = "device-legend";

const legendBody = z.looseObject({ text: z.string() });

export const legendEntry = z.looseObject({
  zone: z.int().min(16, "expected 16 to 35").max(35, "expected 16 to 35"),
  region: z
    .string()
    .regex(/^[a-zA-Z0-9-]+$/, "malformed region")
    .optional(),
  text: z.string(),
});

const legendKeys = z.array(z.string().refine((key) => segments.zone.read(key) !== undefined, "malformed zone"));

export function legendKeyOf(entry: Entry): LegendKey {
  const zone = own(entry, "zone") as number;
  const region = own(entry, "region");
  return region === undefined ? { zone } : { zone, region: region as string };
}

const placeOf = (list: readonly Entry[], key: LegendKey): number =>
  list.findIndex((entry) => own(entry, "zone") === key.zone && own(entry, "region") === key.region);

/** Replaces the label in its place or appends it. The key wins over what the body says of zone and region. */
export function putLegend(list: readonly Entry[], key: LegendKey, body: JsonObject): readonly Entry[] {
  const { region, ...rest } = body;
  const entry = keyed({ ...key }, rest);
  const place = placeOf(list, key);
  return place === -1 ? [...list, entry] : list.with(place, entry);
}

function dropLegend(list: readonly Entry[], key: LegendKey): readonly Entry[] {
  const place = placeOf(list, key);
  return place === -1 ? list : list.toSpliced(place, 1);
}

const legendOf = (draft: Draft, deviceId: number): readonly Entry[] =>
  listIn(needEntry(draft, "device", "deviceId", deviceId), "legend");

function needLegend(draft: Draft, deviceId: number, key: LegendKey): Entry {
  const list = legendOf(draft, deviceId);
  const entry = list[placeOf(list, key)];
  if (entry === undefined) throw new Refusal(404, "no such legend");
  return entry;
}

function setLegend(draft: Draft, deviceId: number, legend: readonly Entry[]): void {
  storeEntry(draft, "device", "deviceId", { ...needEntry(draft, "device", "deviceId", deviceId), legend });
}

export const deviceLegend: readonly Operation[] = [
  operation({
    feature,
    method: "GET",
    path: "/project/{id}/device/{deviceId}/legends",
    summary: "List the labels of a front-panel device",
    success: 200,
    answer: z.array(legendEntry),
    run: (draft, { deviceId }) => ({ json: legendOf(draft, deviceId) }),
  }),
  operation({
    feature,
    method: "PUT",
    path: "/project/{id}/device/{deviceId}/legends",
    summary: "Create or replace some labels; the others stay",
    success: 201,
    body: { schema: z.array(legendEntry) as unknown as z.ZodType<readonly Entry[]> },
    answer: z.array(legendEntry),
    run(draft, { deviceId }, body) {
      const before = legendOf(draft, deviceId);
      setLegend(
        draft,
        deviceId,
        body.reduce((list, entry) => putLegend(list, legendKeyOf(entry), entry), before),
      );
      return { json: legendOf(draft, deviceId) };
    },
  }),
  operation({
    feature,
    method: "DELETE",
    path: "/project/{id}/device/{deviceId}/legends",
    summary: "Delete labels by their keys (`16`, `17.FR`); keys that are not there are ignored",
    success: 200,
    body: { schema: legendKeys },
    answer: z.array(legendEntry),
    run(draft, { deviceId }, keys) {
      const before = legendOf(draft, deviceId);
      const after = keys.reduce((list, key) => dropLegend(list, segments.zone.read(key)!), before);
      if (after !== before) setLegend(draft, deviceId, after);
      return { json: after };
    },
  }),
  operation({
    feature,
    method: "GET",
    path: "/project/{id}/device/{deviceId}/legend/{zone}",
    summary: "Read one label",
    success: 200,
    answer: legendEntry,
    run: (draft, { deviceId, zone }) => ({ json: needLegend(draft, deviceId, zone) }),
  }),
  operation({
    feature,
    method: "PUT",
    path: "/project/{id}/device/{deviceId}/legend/{zone}",
    summary: "Create or replace one label",
    success: 201,
    body: { schema: legendBody as unknown as z.ZodType<JsonObject> },
    answer: legendEntry,
    run(draft, { deviceId, zone }, body) {
      setLegend(draft, deviceId, putLegend(legendOf(draft, deviceId), zone, body));
      return { json: needLegend(draft, deviceId, zone) };
    },
  }),
  operation({
    feature,
    method: "DELETE",
    path: "/project/{id}/device/{deviceId}/legend/{zone}",
    summary: "Delete one label",
    success: 200,
    answer: z.object({}),
    run(draft, { deviceId, zone }) {
      needLegend(draft, deviceId, zone);
      setLegend(draft, deviceId, dropLegend(legendOf(draft, deviceId), zone));
      return { json: {} };
    },
  }),
];
