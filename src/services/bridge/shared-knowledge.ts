/**
 * The readings that parts have for one another. Each asks the part that has it now, also after that one was made anew. A
 * reading that fails is a fault of the part that has it, and for those who ask nothing is known then.
 */
import { type Knowledge, nothingKnown } from "./boat.ts";
import type { GuardedPart } from "./guarded-part.ts";

type Readings = Readonly<Record<string, unknown>>;
type Method = (...given: readonly unknown[]) => unknown;

export class SharedKnowledge {
  readonly #knowing = new Map<string, { readonly part: GuardedPart; readonly known: Readings }>();
  readonly readings = Object.fromEntries(
    Object.entries(nothingKnown).map(([name, nothing]) => [
      name,
      this.#forwarded(name, nothing as unknown as Readings),
    ]),
  ) as unknown as Knowledge;

  /** Takes what the parts know now. */
  connect(parts: readonly GuardedPart[]): void {
    this.#knowing.clear();
    for (const part of parts)
      for (const [name, known] of Object.entries(part.part.knows ?? {}))
        this.#knowing.set(name, { part, known: known as unknown as Readings });
  }

  #forwarded(name: string, nothing: Readings): object {
    const knowing = this.#knowing;
    const properties = Object.entries(nothing).map(([member, unknown]): [string, PropertyDescriptor] => {
      const otherwise = typeof unknown === "function" ? (unknown as () => unknown) : () => unknown;
      const ask = (...given: readonly unknown[]): unknown => {
        const { part, known } = knowing.get(name) ?? {};
        if (known === undefined) return otherwise();
        try {
          return typeof unknown === "function" ? (known[member] as Method)(...given) : known[member];
        } catch (error) {
          part!.note("knows", error);
          return otherwise();
        }
      };
      return [member, typeof unknown === "function" ? { value: ask } : { get: ask }];
    });
    return Object.defineProperties({}, Object.fromEntries(properties));
  }
}
