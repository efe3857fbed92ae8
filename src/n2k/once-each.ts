/** What is made once from something and serves everybody, such as a decoder from its definition: settings change, those do not. */
import type { Definition } from "./field.ts";

/** `make`, with its results remembered for as long as what they were made from is. */
export function onceEach<Made extends object, From extends object = Definition>(
  make: (from: From) => Made,
): (from: From) => Made {
  const made = new WeakMap<From, Made>();
  return (from) => {
    let known = made.get(from);
    if (known === undefined) {
      known = make(from);
      made.set(from, known);
    }
    return known;
  };
}
