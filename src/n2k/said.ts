/** Messages of senders that are not on a bus, such as instruments with NMEA 0183: the payloads of PGNs. */
import type { Definition, Message } from "./definition.ts";
import { encoderOf } from "./encode.ts";

export interface Said {
  readonly pgn: number;
  readonly payload: Uint8Array;
}

const encoders = new Map<Definition, (message: object) => Uint8Array>();

/** Members that tell messages of one PGN apart, and state nothing. */
const notMeasured: ReadonlySet<string> = new Set([
  "cogReference",
  "engineInstance",
  "fluidType",
  "instance",
  "reference",
  "setReference",
  "source",
]);

/**
 * A message of a PGN; none if nothing is measured in it.
 *
 * @example say(waterDepth, { depthM: fields.number(0) })
 */
export function say<One extends Definition>(
  definition: One,
  data: { readonly [Name in Exclude<keyof Message<One>, "pgn">]?: Message<One>[Name] | undefined },
): readonly Said[] {
  const isMeasured = Object.entries(data).some(([name, value]) => value !== undefined && !notMeasured.has(name));
  if (!isMeasured) return [];
  let encode = encoders.get(definition);
  if (encode === undefined) {
    encode = encoderOf(definition) as (message: object) => Uint8Array;
    encoders.set(definition, encode);
  }
  return [{ pgn: definition.pgn, payload: encode({ pgn: definition.pgn, ...data }) }];
}
