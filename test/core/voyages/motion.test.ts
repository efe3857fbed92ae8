import { expect, test } from "vitest";
import { Motion } from "../../../src/core/voyages/motion.ts";

/** Metres to the north. */
const north = (metres: number) => ({ latitude: 52 + metres / 111_195, longitude: 4 });

test("a lull of a quarter of a minute ends no run, however long that is, and a longer one does", () => {
  for (const [lull, isUnderway] of [
    [15, true],
    [16, false],
  ] as const) {
    const motion = new Motion();
    const hear = (second: number, metres: number, sog: number): boolean =>
      motion.hear({ time: 1000 * second, position: north(metres), conditions: { sog }, mooring: undefined });
    hear(0, 0, 2);
    hear(50, 40, 2);
    hear(50 + lull, 50, 0.5);
    expect(hear(80, 80, 2)).toBe(isUnderway);
    if (isUnderway) expect(motion.since.time).toBe(0);
  }
});
