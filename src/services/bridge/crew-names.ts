/** The names that the crew gave to devices and to their things, of the settings. */
import { type NamedThing, type Thing, thingId } from "../../core/n2k/thing.ts";
import { friendlyNamesIn } from "../../core/nav/settings.ts";
import { entries } from "../../core/settings/entries.ts";
import { nameAmong } from "../../core/settings/names.ts";
import { entryOf } from "../../core/util/grouped.ts";
import type { Boat, KnownNames } from "./boat.ts";
import { type Part, uses } from "./part.ts";

type CrewNamesBoat = Pick<Boat, "devices">;

/** The things of several NAMEs; of one thing that is named twice, the first. */
function mergedThings(lists: readonly (readonly NamedThing[])[]): readonly NamedThing[] {
  const things = new Map<string, NamedThing>();
  for (const thing of lists.flat()) if (!things.has(thingId(thing))) things.set(thingId(thing), thing);
  return [...things.values()];
}

export class CrewNames implements Part, KnownNames {
  readonly knows = { names: this };
  readonly settings = [
    uses(entries.navigation, ({ friendlyNames }) => {
      const hasChanged = JSON.stringify([...friendlyNames]) !== JSON.stringify([...this.#devices]);
      this.#devices = friendlyNames;
      if (hasChanged) this.changes++;
    }),
    uses(entries.names, (names) => {
      if (names === this.#names) return;
      this.changes++;
      this.#names = names;
      this.#merged = new WeakMap();
    }),
  ];
  changes = 0;
  readonly #boat: CrewNamesBoat;
  #devices = entries.navigation.byDefault.friendlyNames;
  #names = entries.names.byDefault;
  /** Things by the list of the NAMEs of their device. */
  #merged = new WeakMap<readonly bigint[], readonly NamedThing[]>();

  constructor(boat: CrewNamesBoat) {
    this.#boat = boat;
  }

  ofDevice(name: bigint): string | undefined {
    return friendlyNamesIn(this.#devices, this.#boat.devices.namesOf(name))[0];
  }

  ofThings(name: bigint): readonly NamedThing[] | undefined {
    const names = this.#boat.devices.namesOf(name);
    const lists = names.flatMap((each) => {
      const things = this.#names.things.get(String(each));
      return things === undefined ? [] : [things];
    });
    if (lists.length < 2) return lists[0];
    return entryOf(this.#merged, names, () => mergedThings(lists));
  }

  ofThing(thing: Thing, device: bigint | undefined): string | undefined {
    const things = device === undefined ? [...this.#names.things.values()].flat() : (this.ofThings(device) ?? []);
    return nameAmong(things, thing);
  }
}
