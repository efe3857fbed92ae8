/** The latest values of the boat beyond the navigation report, one source for each, with the time of each. */
import type { Conditions, Observation } from "./observation.ts";

/** Beyond it another source is heard, and an engine is taken to be off. */
export const SILENT_MS = 15_000;
/** Tanks and totals are sent seldom. */
const STALE_MS = 120_000;
/** Limit of the tanks and engines that are kept: their instances come from the bus. */
const MAX_THINGS = 40;
/** Below it an engine is cranked or stands. */
const LEAST_RPM = 100;

interface Value {
  readonly source: string;
  readonly time: number;
  readonly value: number;
}

export class LatestValues {
  readonly #values = new Map<string, Value>();
  #waypoint: { readonly id: number; readonly hasArrived: boolean } | undefined;

  hear(observation: Extract<Observation, { readonly source: string }>): void {
    const { of, source, time } = observation;
    if (of === "tank") this.#set(`tank ${observation.name}`, observation.percent, source, time, false, STALE_MS);
    else if (of === "log") this.#set("log", observation.miles, source, time, false, STALE_MS);
    else if (of === "waypoint") {
      // The plotter of the lowest address has the course (`nav/plotters.ts`).
      const isLower = Number(source) < Number(this.#values.get("waypoint")?.source);
      if (this.#set("waypoint", observation.id, source, time, isLower)) this.#waypoint = observation;
    } else {
      const { instance, rpm, hours, fuelRate } = observation;
      // The device that holds the engine has all values of it that it sends.
      const isHolder = this.#set(`engine ${instance}`, 0, source, time);
      for (const [name, value] of Object.entries({ rpm, hours, fuel: fuelRate }))
        this.#set(`${name} ${instance}`, value, source, time, isHolder);
    }
  }

  #set(
    name: string,
    value: number | undefined,
    source: string,
    time: number,
    takesOver = false,
    silentMs = SILENT_MS,
  ): boolean {
    if (value === undefined) return false;
    const before = this.#values.get(name);
    if (before === undefined && this.#values.size >= MAX_THINGS) return false;
    const isSilent = before === undefined || Math.abs(time - before.time) > silentMs;
    const isChosen = isSilent || before.source === source || takesOver;
    if (isChosen) this.#values.set(name, { source, time, value });
    return isChosen;
  }

  #fresh(time: number, name: string, limit = STALE_MS): number | undefined {
    const found = this.#values.get(name);
    return found !== undefined && Math.abs(time - found.time) <= limit ? found.value : undefined;
  }

  /** Values whose name begins with a word, by the rest of their names. */
  #named(time: number, word: string): Readonly<Record<string, number>> | undefined {
    const found = [...this.#values.keys()]
      .filter((name) => name.startsWith(`${word} `))
      .flatMap((name): [string, number][] => {
        const value = this.#fresh(time, name);
        return value === undefined ? [] : [[name.slice(word.length + 1), value]];
      });
    return found.length === 0 ? undefined : Object.fromEntries(found);
  }

  conditions(time: number): Conditions {
    const [log, tanks, engineHours] = [this.#fresh(time, "log"), this.#named(time, "tank"), this.#named(time, "hours")];
    return {
      ...(log !== undefined && { log }),
      ...(tanks !== undefined && { tanks }),
      ...(engineHours !== undefined && { engineHours }),
    };
  }

  /**
   * Whether engines run, of those for which that is known: an engine whose panel is off says nothing, so that one that
   * is silent is off, unless its silence is not known yet.
   */
  engines(time: number, isSilenceKnown = true): ReadonlyMap<string, boolean> {
    const instances = [...this.#values.keys()].filter((name) => name.startsWith("rpm ")).map((name) => name.slice(4));
    return new Map(
      instances.flatMap((each): [string, boolean][] => {
        const rpm = this.#fresh(time, `rpm ${each}`, SILENT_MS);
        return rpm === undefined && !isSilenceKnown ? [] : [[each, (rpm ?? 0) >= LEAST_RPM]];
      }),
    );
  }

  /** Engines that run, with litres an hour where that is known. */
  running(time: number): ReadonlyMap<string, number | undefined> {
    const running = [...this.engines(time)].filter(([, runs]) => runs);
    return new Map(running.map(([each]) => [each, this.#fresh(time, `fuel ${each}`, SILENT_MS)]));
  }

  waypoint(time: number): { readonly id: number; readonly hasArrived: boolean } | undefined {
    return this.#fresh(time, "waypoint", SILENT_MS) === undefined ? undefined : this.#waypoint;
  }
}
