/** The nominal voltages of batteries: from their configuration (PGN 127513), or else derived from measured voltages. */
import { placeOf } from "./latest-messages.ts";

const LOWEST_VOLTS = 12;
/**
 * A bank of 24 V that is charged never falls below 16 V, and one of 12 V never rises above it; the same for 36 V and 48
 * V.
 */
const ABOVE_VOLTS = [
  [44, 48],
  [32, 36],
  [16, 24],
] as const;
/** Messages in a row that distinguish a bank from a wrong reading. */
const CONFIRMED_BY = 10;

const MAX_BANKS = 1000;

interface Bank {
  told: number | undefined;
  measured: number;
  /** Messages in a row above the voltages measured so far. */
  higher: number;
}

export class NominalVolts {
  /** Banks by instance and address, because two batteries may have one instance. */
  readonly #banks = new Map<number, Bank>();

  /** Takes the nominal voltage of a configuration message. */
  tell(instance: number, source: number, volts: number): void {
    this.#bank(instance, source).told = volts;
  }

  /** Takes a measured voltage. An empty bank keeps the nominal voltage that it had when it was charged. */
  measure(instance: number, source: number, volts: number): void {
    const bank = this.#bank(instance, source);
    const [, nominal = LOWEST_VOLTS] = ABOVE_VOLTS.find(([limit]) => volts > limit) ?? [];
    bank.higher = nominal > bank.measured ? bank.higher + 1 : 0;
    if (bank.higher < CONFIRMED_BY) return;
    bank.measured = nominal;
    bank.higher = 0;
  }

  /** Volts; 12 for an unknown battery. */
  of(instance: number, source: number): number {
    const { told, measured } = this.#bank(instance, source);
    return told ?? measured;
  }

  #bank(instance: number, source: number): Bank {
    const place = placeOf(instance, source);
    const bank = this.#banks.get(place) ?? { told: undefined, measured: LOWEST_VOLTS, higher: 0 };
    if (this.#banks.size < MAX_BANKS) this.#banks.set(place, bank);
    return bank;
  }
}
