/**
 * The nominal voltages of batteries: from the crew, else from their configuration (PGN 127513), else decided once by the
 * average of the first minutes. Times are monotonic milliseconds.
 */
import type { Device } from "../nav/devices.ts";
import { placeOf } from "./latest-messages.ts";

const LOWEST_VOLTS = 12;
/** No bank of 12 V is ever charged with so much. */
const CHARGED_VOLTS = 17;
/** No bank of the next lower voltage is ever charged with so much, and a bank that is in use is not below it. */
const ABOVE_VOLTS = [
  [44.5, 48],
  [34, 36],
  [CHARGED_VOLTS, 24],
] as const;
/** Up to this a bank of 24 V is empty, or the charger of one of 12 V broken: later voltages decide. */
const UNDECIDED_VOLTS = 20;
/** A peak does not count: the average of this time decides, and after it no more. */
const DECIDED_AFTER_MS = 120_000;

const MAX_BANKS = 1000;

interface Bank {
  readonly instance: number;
  told: number | undefined;
  sum: number;
  count: number;
  began: number;
}

export class NominalVolts {
  /** Banks by instance and device, because two batteries may have one instance; the oldest first. */
  readonly #banks = new Map<number, Bank>();

  /** Takes the nominal voltage of a configuration message. */
  tell(instance: number, device: Device, volts: number): void {
    this.#bank(instance, device).told = volts;
  }

  measure(instance: number, device: Device, volts: number, now: number): void {
    const bank = this.#bank(instance, device);
    if (now - bank.began > DECIDED_AFTER_MS) {
      const average = bank.sum / bank.count;
      if (bank.count > 0 && !(average > CHARGED_VOLTS && average <= UNDECIDED_VOLTS)) return;
      Object.assign(bank, { sum: 0, count: 0, began: now });
    }
    bank.sum += volts;
    bank.count++;
  }

  /**
   * Volts; 12 for an unknown battery. The configuration is that of its device, or else of one that measures no battery of
   * this instance.
   */
  of(instance: number, device: Device): number {
    const own = this.#banks.get(placeOf(instance, device));
    const told = own?.told ?? this.#toldBeside(instance);
    if (told !== undefined) return told;
    const average = own === undefined || own.count === 0 ? 0 : own.sum / own.count;
    return ABOVE_VOLTS.find(([limit]) => average > limit)?.[1] ?? LOWEST_VOLTS;
  }

  #toldBeside(instance: number): number | undefined {
    for (const bank of this.#banks.values())
      if (bank.instance === instance && bank.count === 0 && bank.told !== undefined) return bank.told;
    return undefined;
  }

  #bank(instance: number, device: Device): Bank {
    const place = placeOf(instance, device);
    const bank = this.#banks.get(place) ?? {
      ...{ instance, told: undefined, sum: 0, count: 0 },
      began: Number.NEGATIVE_INFINITY,
    };
    this.#banks.set(place, bank);
    const [oldest] = this.#banks.keys();
    if (this.#banks.size > MAX_BANKS) this.#banks.delete(oldest!);
    return bank;
  }
}
