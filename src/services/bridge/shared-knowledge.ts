/**
 * The readings that parts have for one another. Each asks the part that has it now, also after that one was made anew. A
 * reading that fails is a fault of the part that has it, and for those who ask nothing is known then.
 */
import { type Knowledge, nothingKnown } from "./boat.ts";
import type { GuardedPart } from "./guarded-part.ts";

type Readings = Readonly<Record<string, unknown>>;
type Ask = (...given: readonly unknown[]) => unknown;

/** A member of a reading: the part that has it now, and how to ask it. */
interface Member {
  readonly reading: string;
  readonly name: string;
  readonly isMethod: boolean;
  /** The answer where nothing is known. */
  readonly nothing: Ask;
  part: GuardedPart | undefined;
  ask: Ask;
}

export class SharedKnowledge {
  readonly #members: readonly Member[] = Object.entries(nothingKnown).flatMap(([reading, nothing]) =>
    Object.entries(nothing as unknown as Readings).map(([name, unknown]): Member => {
      const isMethod = typeof unknown === "function";
      const nothing = isMethod ? (unknown as Ask) : () => unknown;
      return { reading, name, isMethod, nothing, part: undefined, ask: nothing };
    }),
  );
  readonly readings = Object.fromEntries(
    Object.keys(nothingKnown).map((reading) => [reading, this.#forwarded(reading)]),
  ) as unknown as Knowledge;

  /** Takes what the parts know now. */
  connect(parts: readonly GuardedPart[]): void {
    for (const member of this.#members) {
      const { reading, name, isMethod, nothing } = member;
      const part = parts.findLast((each) => each.part.knows !== undefined && reading in each.part.knows);
      const known = (part?.part.knows as Readonly<Record<string, Readings>> | undefined)?.[reading];
      member.part = part;
      if (known === undefined) member.ask = nothing;
      else member.ask = isMethod ? (known[name] as Ask).bind(known) : () => known[name];
    }
  }

  #forwarded(reading: string): object {
    const properties = this.#members.flatMap((member): [string, PropertyDescriptor][] => {
      if (member.reading !== reading) return [];
      const ask: Ask = (...given) => {
        try {
          return member.ask(...given);
        } catch (error) {
          member.part?.note("knows", error);
          return member.nothing();
        }
      };
      return [[member.name, member.isMethod ? { value: ask } : { get: ask }]];
    });
    return Object.defineProperties({}, Object.fromEntries(properties));
  }
}
