/** All kinds of entries, in the order in which those of one moment are written. */
import { filled } from "../../text/filled.ts";
import { fixed } from "../../text/quantity.ts";
import type { EntryLine } from "../lines.ts";
import { alarm, alarmAnswer, alarmEnd, backOnBoard } from "./alarm.ts";
import { anchorDown, anchorUp } from "./anchor.ts";
import { crew, note, watchChange } from "./by-hand.ts";
import { course } from "./course.ts";
import { engineOff, engineOn } from "./engine.ts";
import { hourly } from "./hourly.ts";
import type { Kind, Measured, Words } from "./kind.ts";
import { begin, end, rest, underway } from "./motion.ts";
import { waypoint } from "./waypoint.ts";
import { barometer, strongestWind } from "./weather.ts";

export const kinds: readonly Kind[] = [
  begin,
  underway,
  anchorUp,
  engineOn,
  engineOff,
  course,
  waypoint,
  alarmAnswer,
  alarmEnd,
  backOnBoard,
  alarm,
  strongestWind,
  barometer,
  hourly,
  crew,
  watchChange,
  note,
  rest,
  anchorDown,
  end,
];

const byName = new Map(kinds.map((kind) => [kind.name, kind]));

/** As other programs have it: knots and hectopascals. */
function inKnots(value: Measured | number): string {
  if (typeof value === "number") return String(value);
  return value.measure === "wind" ? `${fixed(value.value, 1)} kn` : `${Math.round(value.value / 100)} hPa`;
}

/**
 * The title of an entry and its words: of a kind that is not known, as of a newer version, its name. `said` is the text
 * in another language, `measured` a number as it is written there, or a value with another unit.
 */
export function entryText(
  { kind: name, details = {} }: Pick<EntryLine, "kind" | "details">,
  said: (text: string) => string = (text) => text,
  measured: (value: Measured | number) => string = inKnots,
): string {
  const kind = byName.get(name);
  const [text, values = {}, of = ""] = kind?.words?.(details) ?? [""];
  const textOf = (text: string, values: NonNullable<Words[1]>): string => {
    const shown = Object.entries(values).map(([each, value]) => [
      each,
      typeof value === "string" ? value : measured(value),
    ]);
    return filled(said(text), Object.fromEntries(shown));
  };
  const words = `${textOf(text, values)} ${typeof of === "string" ? of : textOf(...of)}`.trim();
  const { unheardMinutes: minutes, isAnswered } = details;
  const range = minutes === undefined ? "" : textOf("in the {minutes} min before", { minutes });
  const what = said(kind?.title ?? name);
  const all = [words, isAnswered === undefined ? "" : said("acknowledged"), range]
    .filter((part) => part !== "")
    .join(", ");
  return all === "" ? what : textOf("{what}: {text}", { what, text: all });
}
