/** The part of the second process of hub-configd that concerns environment, signals and the other process. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { pathOf } from "../adapters/node/http/second-process.ts";

/** The variable with the name of the second process's socket. */
const SOCKET_VARIABLE = "HUB_CONFIGD_SOCKET";

export const environmentOfSecondProcess = (socketName: string): NodeJS.ProcessEnv => ({
  ...process.env,
  [SOCKET_VARIABLE]: socketName,
});

/** The socket of the second process; undefined in the first. */
export function socketOfSecondProcess(): string | undefined {
  const name = process.env[SOCKET_VARIABLE];
  return name !== undefined && process.connected ? pathOf(name) : undefined;
}

/**
 * Called in the second process: makes it end with its parent, and gives it the lowest priority for time and memory.
 * Returns the lock.
 */
export function becomeSecondProcess(): { readonly lock: () => Promise<() => void>; readonly ready: () => void } {
  process.once("disconnect", () => process.exit(0));
  for (const yieldTo of [() => setPriority(10), () => writeFileSync("/proc/self/oom_score_adj", "1000")]) {
    try {
      yieldTo();
    } catch {
      // The sandbox of hub-config.service forbids the priority for time: to permit it would permit it to the first too.
    }
  }
  return {
    async lock() {
      process.send!("lock");
      await once(process, "message");
      return () => process.send!("unlock");
    },
    ready: () => void process.send!("ready"),
  };
}
