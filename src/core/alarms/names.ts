/** The names of devices and things in the words of alarms. */
import type { Thing } from "../n2k/thing.ts";
import type { Device } from "../nav/devices.ts";
import { type Sentence, sentence } from "../text/sentence.ts";

/** A device; without its NAME the one that is at the address now. */
export type Sender = Pick<Device, "address"> & { readonly name?: bigint | undefined };

export interface Names {
  /** The crew's name, or else the model, of a device. */
  readonly nameOfDevice: (device: Sender) => string | undefined;
  /** Whether settings mean a device by a text: its NAME in decimal digits, or `nameOfDevice`. */
  readonly isCalled: (device: Sender, text: string) => boolean;
  /** The crew's name for a thing at a device. */
  readonly nameOfThing: (thing: Thing, device: Sender) => string | undefined;
}

/** A device without a name. */
export const addressSentence = (address: number): Sentence => sentence`address ${{ number: address, kind: "address" }}`;

/** The address of a sentence that has a device by nothing else; undefined for another sentence. */
export const addressIn = ({ values: [value, ...more] }: Sentence): number | undefined =>
  value?.kind === "address" && more.length === 0 ? value.number : undefined;

/** A device by its name, unless another one has that name too. */
export function deviceSentence(
  device: Sender,
  { nameOfDevice }: Pick<Names, "nameOfDevice">,
  others: readonly Sender[] = [],
): Sentence {
  const { address } = device;
  const name = nameOfDevice(device);
  const isAlone = others.every((other) => other === device || nameOfDevice(other) !== name);
  return name !== undefined && isAlone ? sentence`device ${name}` : addressSentence(address);
}
