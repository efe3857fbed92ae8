/** The name of a tank, battery, engine, switch or sensor; a tap names it. */

import { thingOf } from "../../../core/n2k/thing.ts";
import type { PgnData } from "../../../core/topics/pgn-data.ts";
import { nameOf, naming, namingOf } from "../data/names.ts";
import { say } from "../languages/say.ts";
import { kindOfThing } from "../systems/thing-kinds.ts";

interface ThingNameProps {
  readonly address: number;
  /** A message about the thing. */
  readonly data: PgnData;
}

const kindOf = (data: PgnData): string => {
  const thing = thingOf(data.pgn, data);
  return thing === undefined ? "" : kindOfThing(thing);
};

/** The name of a thing; without one, `short` is shown in place of its kind. */
export function ThingName({ address, data, short = kindOf(data) }: ThingNameProps & { readonly short?: string }) {
  const { name, isInForce } = nameOf(address, data);
  const begin = namingOf(address, data);
  const text = name ?? short;
  if (begin === undefined) return <>{text}</>;
  return (
    <button
      type="button"
      class={`thing-name ${isInForce ? "" : "edited"}`}
      aria-label={say("{text}: name it", { text })}
      onClick={() => {
        naming.value = begin;
      }}
    >
      {text}
    </button>
  );
}

export function ThingKind({ address, data }: ThingNameProps) {
  const { name, isInForce } = nameOf(address, data);
  if (name === undefined && isInForce) return null;
  return (
    <p class="thing-kind">
      {kindOf(data)}
      {isInForce ? "" : ` · ${say("not in force yet")}`}
    </p>
  );
}
