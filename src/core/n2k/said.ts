/** Messages of senders that are not on a bus, such as instruments with NMEA 0183: the payloads of PGNs. */
import { memoize } from "../util/memoize.ts";
import type { Definition, Message } from "./definition.ts";
import { statingEncoderOf } from "./encode.ts";
import { namesWhere } from "./layout.ts";

export interface Said {
  readonly pgn: number;
  readonly payload: Uint8Array;
}

const encoderIn = memoize((definition: Definition) => statingEncoderOf(definition) as (message: object) => Uint8Array);

/** Members that tell messages of one PGN apart, or that are about its values. */
const notMeasuredIn = memoize(
  (definition: Definition) => new Set(namesWhere(definition, (field) => field.key ?? field.statesNothing)),
);

/**
 * A message of a PGN; none if nothing is measured in it, or nothing that its fields can hold. A number that is absent and
 * has no code for that ends the message, so that a reader has no value for it, nor for the fields behind it.
 *
 * @example say(waterDepth, { depthM: fields.number(0) })
 */
export function say<One extends Definition>(
  definition: One,
  data: { readonly [Name in Exclude<keyof Message<One>, "pgn">]?: Message<One>[Name] | undefined },
): readonly Said[] {
  const members = Object.entries(data).filter(([, value]) => value !== undefined);
  const notMeasured = notMeasuredIn(definition);
  const about = members.filter(([name]) => notMeasured.has(name));
  if (about.length === members.length) return [];
  const encode = encoderIn(definition);
  const { pgn } = definition;
  const payload = encode({ pgn, ...data });
  const without = encode({ pgn, ...Object.fromEntries(about) });
  return payload.every((byte, at) => byte === without[at]) ? [] : [{ pgn, payload }];
}
