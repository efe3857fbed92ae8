/** What is compiled from a definition is made once and serves everybody: settings change, definitions do not. */
import type { Definition } from "./field.ts";

/** `make`, with its results remembered for as long as their definitions are. */
export function onceEach<Made extends object>(
  make: (definition: Definition) => Made,
): (definition: Definition) => Made {
  const made = new WeakMap<Definition, Made>();
  return (definition) => {
    let known = made.get(definition);
    if (known === undefined) {
      known = make(definition);
      made.set(definition, known);
    }
    return known;
  };
}
