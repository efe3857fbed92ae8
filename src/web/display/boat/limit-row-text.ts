/** The values and limits of rows of the crew's own limits as the crew reads them. */
import { type LimitRow, unitOfLimit } from "../../../core/alarms/own-limits.ts";
import { windData } from "../../../core/n2k/pgns/environment.ts";
import { fixed } from "../../../core/text/quantity.ts";
import { settings } from "../data/settings.ts";
import { crewUnit, type Marked } from "../instruments/crew-unit.ts";
import { quantities } from "../instruments/quantities.ts";
import { numberText } from "../languages/formats.ts";
import { said, say } from "../languages/say.ts";
import { settingText } from "../languages/setting-texts.ts";
import { nameOfWatched } from "./measured-values.ts";

type Watching = Pick<LimitRow, "pgn" | "member">;

const winds: ReadonlySet<string> = new Set([quantities.apparentSpeed.group, quantities.trueSpeed.group]);

/** The unit of the number that a row watches; wind and depth have units of their own. */
export function markedOf({ pgn, member }: Watching): Marked {
  const unit = unitOfLimit({ pgn, member });
  const isWind = pgn === windData.pgn || winds.has(member?.split(".")[0] ?? "");
  return { unit, kind: isWind ? "wind" : "depth" };
}

/** A value of what a row watches, with the unit of the crew. */
export function watchedText(row: Watching, value: number | string): string {
  if (typeof value === "string") return settingText(value);
  const marked = markedOf(row);
  const crew = crewUnit(marked, settings.value.units);
  if (crew !== undefined) return crew.text(value);
  return `${numberText(String(Number(fixed(value, 2))))}${marked.unit === undefined ? "" : `\u202f${marked.unit}`}`;
}

/** @example limitRowText(row) // "Oil is low: Oil pressure, Engine, starboard, below 1.5 bar · for 5 s · warning" */
export function limitRowText(row: LimitRow): string {
  const { above, below, is, seconds, severity = "warning", text } = row;
  const limits = [
    above !== undefined && `${said("above")} ${watchedText(row, above)}`,
    below !== undefined && `${said("below")} ${watchedText(row, below)}`,
    is !== undefined && settingText(is),
    seconds !== undefined && say("for {duration}", { duration: `${seconds}\u202fs` }),
    settingText(severity),
  ];
  return say("{what}: {text}", { what: text, text: `${nameOfWatched(row)}, ${limits.filter(Boolean).join(" · ")}` });
}
