/** A fuzz target: code that reads bytes from outside; an exception is a finding. */

export interface Target {
  readonly name: string;
  /** Inputs that get somewhere; all others are made from them. */
  readonly seeds: readonly Uint8Array[];
  /** Throws, or rejects, when something does not hold. The same bytes give the same outcome. */
  run(bytes: Uint8Array): void | Promise<void>;
}

/** The bytes of an input one after the other; zeros behind its end, so that no input is too short. */
export class Input {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isEmpty(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    return this.#bytes[this.#at++] ?? 0;
  }

  take(count: number): Uint8Array {
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }

  rest(): Uint8Array {
    return this.take(Math.max(0, this.#bytes.length - this.#at));
  }
}

/** Throws when `holds` is false. A sentence that is dear to make is made only then. */
export function check(holds: boolean, sentence: string | (() => string)): asserts holds {
  if (!holds) throw new Error(typeof sentence === "string" ? sentence : sentence());
}

/** Log lines for a sentence; their values may be large integers. */
export const told = (lines: readonly unknown[]): string =>
  JSON.stringify(lines, (_, value) => (typeof value === "bigint" ? String(value) : value));

/** Reads JSON that must be printable ASCII. */
export function asciiJson(text: string): unknown {
  check(/^[ -~]*$/.test(text), `not ASCII: ${JSON.stringify(text)}`);
  return JSON.parse(text);
}

export const text = (content: string): Uint8Array => new TextEncoder().encode(content);
