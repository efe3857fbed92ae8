/** The endpoints of a list inside a device: its parameters, its labels. */
import { OpenAPIHono, type z } from "@hono/zod-openapi";
import type { Draft, Entry } from "../../../core/project/document.ts";
import type { JsonObject } from "../../../core/project/json.ts";
import type { Family } from "../http/families.ts";
import type { Parameters } from "../http/path-parameters.ts";
import { anyEntry, nothing, type SectionApp, sectionEndpoint } from "./section.ts";

interface DeviceList<List extends string, One extends string, Sent, Keys> {
  readonly family: Family;
  /** Paths of the list and of one item. */
  readonly list: `/device/{deviceId}/${List}`;
  readonly one: `/device/{deviceId}/${One}`;
  readonly summaries: Readonly<Record<"get" | "put" | "delete" | "putOne" | "deleteOne", string>>;
  /** Shapes of the list and of an item that responses have. */
  readonly items: z.ZodType;
  readonly item: z.ZodType;
  /** Shapes of the requests: items to put, and keys of items to delete. */
  readonly sent: z.ZodType<Sent>;
  readonly keys: z.ZodType<Keys>;
  readonly get: (draft: Draft, deviceId: number) => readonly Entry[];
  readonly put: (draft: Draft, deviceId: number, sent: Sent) => void;
  readonly drop: (draft: Draft, deviceId: number, keys: Keys) => void;
  readonly putOne: (draft: Draft, of: Parameters<`/device/{deviceId}/${One}`>, body: JsonObject) => Entry;
  /** Refuses one that is not there with 404. */
  readonly dropOne: (draft: Draft, of: Parameters<`/device/{deviceId}/${One}`>) => void;
}

export function deviceList<const List extends string, const One extends string, Sent, Keys>(
  of: DeviceList<List, One, Sent, Keys>,
): SectionApp {
  const { family, list, one, summaries, get } = of;
  const app: SectionApp = new OpenAPIHono();
  const ofList = { family, path: list, response: of.items } as const;
  const idIn = (c: { req: { valid(target: "param"): unknown } }): number =>
    (c.req.valid("param") as { readonly deviceId: number }).deviceId;
  sectionEndpoint(app, { ...ofList, method: "get", summary: summaries.get }, (c) => get(c.get("draft"), idIn(c)));
  sectionEndpoint(app, { ...ofList, method: "put", summary: summaries.put, body: { schema: of.sent } }, (c) => {
    of.put(c.get("draft"), idIn(c), c.req.valid("json"));
    return get(c.get("draft"), idIn(c));
  });
  sectionEndpoint(app, { ...ofList, method: "delete", summary: summaries.delete, body: { schema: of.keys } }, (c) => {
    of.drop(c.get("draft"), idIn(c), c.req.valid("json"));
    return get(c.get("draft"), idIn(c));
  });
  const ofOne = { family, path: one } as const;
  sectionEndpoint(
    app,
    { ...ofOne, method: "put", summary: summaries.putOne, body: { schema: anyEntry }, response: of.item },
    (c) => of.putOne(c.get("draft"), c.req.valid("param"), c.req.valid("json")),
  );
  sectionEndpoint(app, { ...ofOne, method: "delete", summary: summaries.deleteOne, response: nothing }, (c) => {
    of.dropOne(c.get("draft"), c.req.valid("param"));
    return {};
  });
  return app;
}
