/** A message that a device sends periodically: its definition, its period, and its values as a function of time. */
import { GLOBAL_ADDRESS } from "../../core/can/can-id.ts";
import type { Definition, Message } from "../../core/n2k/definition.ts";
import { encoderOf } from "../../core/n2k/encode.ts";
import { namesWhere } from "../../core/n2k/layout.ts";

/** The time at which a message is sent. */
export interface Instant {
  /** Since the start of the voyage. */
  readonly seconds: number;
  /** Wall clock, milliseconds since 1970. */
  readonly wall: number;
}

export interface PeriodicMessage {
  readonly definition: Definition;
  readonly priority: number;
  readonly destination: number;
  readonly periodMs: number;
  /** Time from the start of the device to the first message. */
  readonly firstMs: number;
  /** The published values, by name. */
  message(now: Instant): object;
  /** The same as payload, short enough for the transport of the definition. */
  payload(now: Instant): Uint8Array;
}

export interface PeriodicMessageOptions {
  readonly periodMs: number;
  readonly priority: number;
  readonly firstMs?: number;
  readonly destination?: number;
}

/** `message` returns the published values; fields that it leaves out are encoded as not available. */
export function periodicMessage<const One extends Definition>(
  definition: One,
  { periodMs, priority, firstMs = 0, destination = GLOBAL_ADDRESS }: PeriodicMessageOptions,
  message: (now: Instant) => Omit<Message<One>, "pgn">,
): PeriodicMessage {
  const encode = encoderOf(definition) as (message: object) => Uint8Array;
  return { definition, priority, destination, periodMs, firstMs, message, payload: (now) => encode(message(now)) };
}

/** The same of an instrument: the counter of the definition, if it has one, counts the measurements. */
export function measurement<const One extends Definition>(
  definition: One,
  options: PeriodicMessageOptions,
  values: (now: Instant) => Omit<Message<One>, "pgn">,
): PeriodicMessage {
  const counters = namesWhere(definition, (field) => field.counter);
  return periodicMessage(definition, options, (now) => ({
    ...Object.fromEntries(counters.map((name) => [name, sequenceId(now, options.periodMs)])),
    ...values(now),
  }));
}

/**
 * Sequence id, 0 to 252: messages with the same one were measured at the same time. `periodMs`: that of the
 * measurement.
 */
export const sequenceId = ({ seconds }: Instant, periodMs: number): number =>
  Math.floor((seconds * 1000) / periodMs) % 253;

/** An angle of 0 to below 360 that the encoder does not round up to 360, for which the wire has no code. */
export const heading360 = (degrees: number): number => (degrees >= 359.997 || degrees < 0 ? 0 : degrees);
