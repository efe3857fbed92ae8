/** Shortens the script of a world that breaks a promise: it ends there, and has no event or device that is not needed. */
import type { PromiseName } from "./promises.ts";
import type { Script } from "./script.ts";
import { World } from "./world.ts";

/** Most worlds that are tried. */
const MAX_TRIES = 150;

/** The second in which a script breaks a promise; undefined if it does not. */
export function breaksAt(script: Script, promise: PromiseName): number | undefined {
  const world = new World(script);
  world.simulate({ stopsAt: promise });
  return world.violations.get(promise)?.second;
}

export function shorten(script: Script, promise: PromiseName): Script {
  let tries = 0;
  let best = script;
  const attempt = (candidate: Script): boolean => {
    if (tries >= MAX_TRIES) return false;
    tries++;
    const second = breaksAt(candidate, promise);
    if (second === undefined) return false;
    best = { ...candidate, seconds: second + 1, events: candidate.events.filter(({ at }) => at <= second * 1000) };
    return true;
  };
  if (!attempt(script)) return script;
  /** Leaves out ever smaller parts of a list. */
  const without = <Item>(list: () => readonly Item[], use: (rest: readonly Item[]) => Script): void => {
    for (let size = Math.ceil(list().length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
      for (let at = 0; at < list().length; )
        if (!attempt(use([...list().slice(0, at), ...list().slice(at + size)]))) at += size;
  };
  without(
    () => best.events,
    (events) => ({ ...best, events }),
  );
  without(
    () => best.devices,
    (devices) => ({ ...best, devices }),
  );
  for (const { id } of best.devices)
    attempt({ ...best, devices: best.devices.map((each) => (each.id === id ? { ...each, noise: [] } : each)) });
  return best;
}
