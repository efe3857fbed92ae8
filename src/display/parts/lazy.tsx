/** A component of a part of the bundle that is loaded when it is first shown; until then a placeholder is shown. */
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

export function lazy<Props extends object>(
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
