/** Open resources of this process, for tests that compare the end of a long run with its beginning. */
import { EventEmitter } from "node:events";

export interface Held {
  /** Sockets and servers, how many of each kind. */
  readonly handles: Readonly<Record<string, number>>;
  /** Listeners of all of them. */
  readonly listeners: number;
}

/** Node's own list, which has no public form that names the objects. */
const activeHandles = (): readonly unknown[] =>
  (process as unknown as { _getActiveHandles(): readonly unknown[] })._getActiveHandles();

export function held(): Held {
  const handles: Record<string, number> = {};
  let listeners = 0;
  for (const handle of activeHandles()) {
    if (!(handle instanceof EventEmitter)) continue;
    const kind = handle.constructor.name;
    handles[kind] = (handles[kind] ?? 0) + 1;
    for (const name of handle.eventNames()) listeners += handle.listenerCount(name);
  }
  return { handles, listeners };
}
