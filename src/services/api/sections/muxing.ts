/** Muxing entries: switching rules over the parameters of devices, see `project/muxing-rules.ts`. */
import { z } from "@hono/zod-openapi";
import type { JsonObject } from "../../../core/project/json.ts";
import { deleteMuxingEntry, muxingConfig, putMuxingEntry } from "../../../core/project/muxing-rules.ts";
import { section } from "./section.ts";

/** A config of another shape is kept and sets nothing. */
const muxingEntry = z.looseObject({ config: z.union([muxingConfig, z.unknown()]).optional() });

export const muxing = section("muxing", {
  schema: muxingEntry as unknown as z.ZodType<JsonObject>,
  store: { put: putMuxingEntry, remove: (draft, name) => deleteMuxingEntry(draft, String(name)) },
});
