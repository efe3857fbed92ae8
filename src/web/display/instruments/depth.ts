/** The depth in the reference that the settings of this display choose. */

import type { Reading } from "../data/freshness.ts";
import { type DepthReference, settings } from "../data/settings.ts";
import { latest } from "../data/store.ts";
import { say } from "../languages/say.ts";
import { withUnit } from "./units.ts";

/** The reference of a depth, and the metres to add to the depth below the transducer. */
export function depthFrom(
  wanted: DepthReference,
  offset: number | undefined,
): { readonly from: "transducer" | "keel" | "surface"; readonly add: number } {
  const known = offset === undefined || offset === 0 ? "transducer" : offset < 0 ? "keel" : "surface";
  const from = wanted === "installed" || wanted === known ? known : "transducer";
  return { from, add: from === "transducer" ? 0 : offset! };
}

function offsetNow(now: number): number | undefined {
  const offset = latest.read("offset", now);
  return "value" in offset ? offset.value : undefined;
}

export const depthReference = (now: number): ReturnType<typeof depthFrom> =>
  depthFrom(settings.value.depthReference, offsetNow(now));

/** The reference of the depth by the sounder's offset alone; undefined while no depth is heard. */
export const installedReference = (now: number): ReturnType<typeof depthFrom>["from"] | undefined =>
  latest.read("depth", now).kind === "none" ? undefined : depthFrom("installed", offsetNow(now)).from;

export function readDepth(now: number): Reading<number> {
  const depth = latest.read("depth", now);
  return "value" in depth ? { ...depth, value: depth.value + depthReference(now).add } : depth;
}

/** The offset of the shown depth from that below the transducer: `offset -1.9 m`. */
export function depthOffset(now: number): string | undefined {
  const { add } = depthReference(now);
  return add === 0 ? undefined : say("offset {depth}", { depth: withUnit("depth", settings.value.units, add) });
}
