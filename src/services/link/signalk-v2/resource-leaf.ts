/** A changed resource as a value of the stream, as signalk-server sends it: once, null for a removed one. */
import type { Leaf } from "../../../formats/signalk/model.ts";
import type { Value } from "../../../formats/signalk/row.ts";
import type { Kind, Resource } from "./shapes.ts";

export function resourceLeaf(
  context: string,
  kind: Kind,
  id: string,
  resource: Resource | null,
  timestamp: string,
): Leaf {
  return {
    context,
    path: `resources.${kind}.${id}`,
    meta: { description: "Resource of the boat" },
    isPlain: false,
    isBare: false,
    isStreamed: true,
    value: resource as Value | null,
    text: undefined,
    source: "hub",
    timestamp,
    pgn: undefined,
    stream: "resources",
    isPreferred: false,
    others: undefined,
    isOther: false,
    heardAt: 0,
    sentAt: 0,
    expiresAt: Number.POSITIVE_INFINITY,
  };
}
