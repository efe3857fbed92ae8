/** A component of a part of the bundle that is loaded when it is first shown; until then a placeholder is shown. */

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { firstValues } from "../data/first-values.ts";
import { say } from "../languages/say.ts";

/** A part of a page, which is loaded after the first values. */
export const lazy = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  StandIn: ComponentType<Props>,
): ComponentType<Props> => loadedWhenShown(() => firstValues.then(load), StandIn);

function loadedWhenShown<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  StandIn: ComponentType<Props>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [, setLoaded] = useState(loaded !== undefined);
    useEffect(() => {
      // If the server is away, the placeholder stays; the next visit asks again.
      if (loaded === undefined)
        void load().then(
          (component) => {
            loaded = component;
            setLoaded(true);
          },
          () => {},
        );
    }, []);
    const View = loaded ?? StandIn;
    return <View {...props} />;
  };
}

export const Loading = () => <p class="nothing">{say("Loading")}</p>;

const views: (() => Promise<unknown>)[] = [];

/** The view of a page, which is loaded when it is first shown, or before by `loadViews`. */
export function lazyView(load: () => Promise<ComponentType>): ComponentType {
  views.push(load);
  return loadedWhenShown(load, Loading);
}

/**
 * Loads the views that have not been shown yet, one after the other: when one is needed the boat's server may be away,
 * and a browser keeps files without it only over https.
 */
export async function loadViews(): Promise<void> {
  for (const load of views.splice(0)) await load().catch(() => views.push(load));
}
