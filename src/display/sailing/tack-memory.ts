/** The angles of the tacks, kept in this browser, so that the other tack is known after a reload. */
import { topicRoot } from "../data/hull.ts";
import { settings } from "../settings.ts";
import { type Leg, legs, type Past, tackAngles } from "./past.ts";

const STORAGE_KEY = "hub-display-tacks";
/** The angles of an older leg belong to another wind and another sea. */
const LONGEST_MS = 6 * 3_600_000;

const boat = (): string => topicRoot + settings.peek().prefix;

/** The kept angles, degrees off the bow; none of another boat, nor old ones. */
export function restoreTacks(): ReadonlyMap<Leg, number> {
  try {
    const kept = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}");
    const age = Date.now() - kept.savedAt;
    if (kept.boat !== boat() || !(age >= 0 && age <= LONGEST_MS)) return new Map();
    return new Map(
      legs.flatMap((leg): readonly [Leg, number][] => {
        const angle: unknown = kept.angles?.[leg];
        return typeof angle === "number" && angle >= 0 && angle <= 180 ? [[leg, angle]] : [];
      }),
    );
  } catch {
    // Storage may be forbidden or its content broken; the angles then begin with the page.
    return new Map();
  }
}

let tacks: ReadonlyMap<Leg, number> = new Map();
/** The boat whose angles these are. */
let boatOfTacks: string | undefined;

/** The angles by the past of the wind and before, of the boat that is shown, also before the page was loaded; kept. */
export function tacksOf(windAngles: Past, step: number): ReadonlyMap<Leg, number> {
  if (boat() !== boatOfTacks) {
    boatOfTacks = boat();
    tacks = restoreTacks();
  }
  const before = tacks;
  tacks = tackAngles(windAngles, step, before);
  if ([...tacks].join() !== [...before].join()) saveTacks(tacks);
  return tacks;
}

export function saveTacks(angles: ReadonlyMap<Leg, number>): void {
  try {
    const text = JSON.stringify({ boat: boat(), savedAt: Date.now(), angles: Object.fromEntries(angles) });
    localStorage.setItem(STORAGE_KEY, text);
  } catch {
    // Storage may be forbidden or full; the angles last until the page is closed.
  }
}
