/** `@signalk/n2k-signalk`, by which signalk-server makes paths and values of messages, and how its paths and ours differ. */
import { createRequire } from "node:module";
import type { Value } from "../../../src/formats/signalk/row.ts";

export interface Told {
  readonly path: string;
  readonly value: Value | null;
}

interface N2kMapper {
  toDelta(
    message: object,
  ): { readonly context?: string; readonly updates: readonly { readonly values: readonly Told[] }[] } | undefined;
}

// CommonJS without types.
export const { N2kMapper } = createRequire(import.meta.url)("@signalk/n2k-signalk") as {
  N2kMapper: new () => N2kMapper;
};

/** Paths of ours by which it has another one; `value` makes ours of its. */
export const elsewhere: readonly (readonly [ours: RegExp, theirs: string, reason: string])[] = [
  [
    /^navigation\.courseGreatCircle\./,
    "navigation.courseRhumbline.",
    "hub does not publish by which line a course is computed, and has the values at both paths",
  ],
  [/^navigation\.courseRhumbline\./, "navigation.courseGreatCircle.", "the same the other way"],
  [/^propulsion\.(\w+)\.coolantTemperature$/, "propulsion.$1.temperature", "it has one of the two"],
  [/^environment\.outside\.relativeHumidity$/, "environment.outside.humidity", "deprecated by the specification"],
  [/^electrical\.ac\.(\w+)\.phase\.A\.lineNeutralVoltage$/, "electrical.ac.$1.A.voltage", "not in the specification"],
  [/^electrical\.ac\.(\w+)\.phase\.A\./, "electrical.ac.$1.A.", "not in the specification"],
  [
    /^electrical\.inverters\.(\w+)\.ac\.lineNeutralVoltage$/,
    "electrical.inverters.$1.A.voltage",
    "not in the specification",
  ],
  [/^electrical\.inverters\.(\w+)\.ac\./, "electrical.inverters.$1.A.", "not in the specification"],
  [/^(?:aircraft|sar)\./, "sar.", "the specification has aircraft among aircraft"],
];

/** Its path for one of ours. */
export const theirPath = (ours: string): string => {
  const [, own = ours] = /^vessels\.self\.(.*)$/.exec(ours) ?? [];
  for (const [pattern, theirs] of elsewhere)
    if (pattern.test(own)) return ours.slice(0, ours.length - own.length) + own.replace(pattern, theirs);
  return ours;
};
