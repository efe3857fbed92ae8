/**
 * The sounds of the severities: they differ in rhythm, which small loudspeakers reproduce too, and not in pitch alone.
 * Pure.
 */
import { ESCALATE_AFTER_MS, type Severity } from "../../../core/alarms/constants.ts";

export interface Pattern {
  /** Hertz; 0 is a pause. */
  readonly tones: readonly number[];
  /** Length of a tone. */
  readonly seconds: number;
  /** Whole seconds from one beginning to the next; 1 is without a pause. */
  readonly period: number;
}

/** A caution makes no sound. */
export type Sounding = Exclude<Severity, "caution">;

/** Patterns by severity: quick tones without a pause; three tones and a pause; one long tone at intervals. */
export const patterns: Readonly<Record<Sounding, Pattern>> = {
  emergency: { tones: [880, 1320, 880, 1320, 880, 1320, 880, 1320], seconds: 0.1, period: 1 },
  alarm: { tones: [880, 660, 880], seconds: 0.2, period: 2 },
  warning: { tones: [660], seconds: 0.5, period: 5 },
};

const LOUDNESS = 0.5;

export interface Sound extends Pattern {
  readonly loudness: number;
}

/** The sound of a severity, given the milliseconds without an answer. */
export function soundOf(severity: Sounding, unansweredMs: number): Sound {
  const pattern = patterns[severity];
  if (unansweredMs < ESCALATE_AFTER_MS) return { ...pattern, loudness: LOUDNESS };
  // A warning does not repeat faster: the crew may know of it and wait for daylight.
  return { ...pattern, loudness: 1, period: severity === "warning" ? pattern.period : 1 };
}
