/** Members of a report at any depth as names and texts for an installer, so that those of other versions are shown too. */
import { spanText } from "../../../core/text/quantity.ts";
import { countText } from "../instruments/units.ts";
import { bytesUnit, inDays, numberText as localNumber } from "../languages/formats.ts";
import { said } from "../languages/say.ts";
import { sentence } from "../languages/texts.ts";

export interface Counter {
  readonly name: string;
  readonly text: string;
  /** A counter of what did not happen, which is worth a look only to who asks. */
  readonly isZero: boolean;
}

/** Members with other names for people. */
const names: Readonly<Record<string, string>> = {
  uptimeSec: "Running for",
  memoryBytes: "Memory",
  backlogBytes: "Waiting for the broker",
  rx_frames: "Frames received",
  tx_frames: "Frames sent",
  rx_bytes: "Received",
  tx_bytes: "Sent",
  rx_errors: "Errors of reception",
  tx_errors: "Errors of sending",
  bus_errors: "Errors on the bus",
  restarts: "Restarts of the controller",
  sample_point: "Sample point, ‰",
  restart_ms: "Restart after a bus-off",
};

const units = /(Sec|_ms|Ms|Bytes|_bytes)$/;

/** English words of a member name: `framesLost` becomes `Frames lost`, and `clockAheadSec` `Clock ahead`. */
export function englishWords(name: string): string {
  if (Object.hasOwn(names, name)) return names[name]!;
  const words = name
    .replace(units, "")
    .replaceAll("_", " ")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return sentence(words);
}

/** In the language of the crew; within a list, English has small letters. */
function wordsOf(name: string, within: string): string {
  const words = englishWords(name);
  if (within === "") return said(words);
  const translated = said(words);
  return `${within}, ${translated === words ? words.toLowerCase() : translated}`;
}

function bytesText(bytes: number): string {
  if (bytes < 10_000) return `${countText(bytes)}\u202f${bytesUnit("byte")}`;
  return bytes < 10_000_000
    ? `${countText(bytes / 1000)}\u202f${bytesUnit("kilobyte")}`
    : `${countText(bytes / 1_000_000)}\u202f${bytesUnit("megabyte")}`;
}

function numberText(name: string, value: number): string {
  switch (units.exec(name)?.[1]) {
    case "Sec":
      return inDays(spanText(value));
    case "Ms":
    case "_ms":
      return `${countText(value)}\u202fms`;
    case "Bytes":
    case "_bytes":
      return bytesText(value);
    default:
      return Number.isInteger(value) ? countText(value) : localNumber(String(Math.round(value * 100) / 100));
  }
}

export function countersOf(value: unknown, name = "", words = ""): readonly Counter[] {
  if (typeof value === "number") return [{ name: words, text: numberText(name, value), isZero: value === 0 }];
  if (typeof value === "string" || typeof value === "boolean")
    return [{ name: words, text: String(value), isZero: false }];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, one]) => countersOf(one, key, wordsOf(key, words)));
}
