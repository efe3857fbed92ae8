/** The sounds of the severities. */
import { expect, test } from "vitest";
import { severities as all } from "../../../../src/core/alarms/constants.ts";
import { patterns, soundOf } from "../../../../src/web/display/alarms/patterns.ts";

const ESCALATE_AFTER_MS = 30_000;
/** A caution makes no sound. */
const severities = all.filter((severity) => severity !== "caution");

test("the severities differ in rhythm, and each pattern ends before it begins again", () => {
  const rhythms = severities.map((severity) => {
    const { tones, seconds, period } = patterns[severity];
    expect(tones.length * seconds * 1.25).toBeLessThanOrEqual(period);
    return `${tones.length} in ${period} s`;
  });
  expect(new Set(rhythms).size).toBe(severities.length);
});

test("the more dangerous sounds more often, before and after it became louder", () => {
  for (const unanswered of [0, ESCALATE_AFTER_MS]) {
    const [emergency, alarm, warning] = severities.map((severity) => {
      const { tones, period } = soundOf(severity, unanswered);
      return tones.length / period;
    });
    expect(emergency).toBeGreaterThan(alarm!);
    expect(alarm).toBeGreaterThan(warning!);
  }
});

test("an alarm that is not answered becomes louder, and sounds without a pause", () => {
  for (const severity of severities) {
    const [early, late] = [soundOf(severity, ESCALATE_AFTER_MS - 1), soundOf(severity, ESCALATE_AFTER_MS)];
    expect(late.loudness).toBe(2 * early.loudness);
    expect(late.period).toBeLessThanOrEqual(early.period);
  }
  expect(soundOf("alarm", ESCALATE_AFTER_MS).period).toBe(1);
});
