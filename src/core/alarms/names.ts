/** The names of devices and things in the words of alarms. */
import type { Thing } from "../n2k/thing.ts";
import { type Sentence, sentence } from "../text/sentence.ts";

export interface Names {
  /** The crew's name, or else the model, of the device at an address. */
  readonly nameOfDevice: (address: number) => string | undefined;
  /** The crew's name for a thing at the device of an address. */
  readonly nameOfThing: (thing: Thing, address: number) => string | undefined;
}

/** The device at an address: by its name, unless one of the others has that name too. */
export function deviceSentence(
  address: number,
  { nameOfDevice }: Pick<Names, "nameOfDevice">,
  others: readonly number[] = [],
): Sentence {
  const name = nameOfDevice(address);
  const isAlone = others.every((other) => other === address || nameOfDevice(other) !== name);
  return name !== undefined && isAlone ? sentence`device ${name}` : sentence`address ${address}`;
}
