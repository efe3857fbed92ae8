/** The names that the crew gave to devices and to their things, of the settings. */
import type { NamedThing, Thing } from "../../core/n2k/thing.ts";
import { entries } from "../../core/settings/entries.ts";
import { nameAtAnyDevice } from "../../core/settings/names.ts";
import type { KnownNames } from "./boat.ts";
import { type Part, uses } from "./part.ts";

export class CrewNames implements Part, KnownNames {
  readonly knows = { names: this };
  readonly settings = [
    uses(entries.navigation, ({ friendlyNames }) => {
      const hasChanged = JSON.stringify([...friendlyNames]) !== JSON.stringify([...this.#devices]);
      this.#devices = friendlyNames;
      if (hasChanged) this.changes++;
    }),
    uses(entries.names, (names) => {
      if (names !== this.#names) this.changes++;
      this.#names = names;
    }),
  ];
  changes = 0;
  #devices = entries.navigation.byDefault.friendlyNames;
  #names = entries.names.byDefault;

  ofDevice(name: bigint): string | undefined {
    return this.#devices.get(String(name));
  }

  ofThings(name: bigint): readonly NamedThing[] | undefined {
    return this.#names.things.get(String(name));
  }

  ofThing(thing: Thing): string | undefined {
    return nameAtAnyDevice(this.#names, thing);
  }
}
