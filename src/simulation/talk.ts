/** What a device says: a definition of the table, how often, and the values as a function of the moment. */
import { EVERYBODY } from "../n2k/can-id.ts";
import { encoderOf } from "../n2k/encode.ts";
import type { Definition, Message } from "../n2k/field.ts";

/** When something is said. */
export interface Moment {
  /** Since the start of the voyage. */
  readonly seconds: number;
  /** Wall clock, milliseconds since 1970. */
  readonly wall: number;
}

export interface Talk {
  readonly definition: Definition;
  readonly priority: number;
  readonly destination: number;
  /** Milliseconds between two of them. */
  readonly every: number;
  /** Milliseconds from the device's own beginning to the first. */
  readonly first: number;
  /** Values as they are published, by name. */
  message(now: Moment): object;
  /** The same on the wire, short enough for the transport of the definition. */
  payload(now: Moment): Uint8Array;
}

export interface TalkOptions {
  readonly every: number;
  readonly priority: number;
  readonly first?: number;
  readonly destination?: number;
}

/** What `message` gives is what the table calls published values; what it leaves out goes out as not available. */
export function talk<const One extends Definition>(
  definition: One,
  { every, priority, first = 0, destination = EVERYBODY }: TalkOptions,
  message: (now: Moment) => Omit<Message<One>, "pgn">,
): Talk {
  const encode = encoderOf(definition) as (message: object) => Uint8Array;
  return { definition, priority, destination, every, first, message, payload: (now) => encode(message(now)) };
}

/** Counts 0 to 252 and ties together what was measured in one moment, where that happens every `every` milliseconds. */
export const sequenceId = ({ seconds }: Moment, every: number): number => Math.floor((seconds * 1000) / every) % 253;

/** An angle of 0 to 360 that does not round up to 360, which the wire has no code for. */
export const circle = (degrees: number): number => (degrees >= 359.997 || degrees < 0 ? 0 : degrees);
