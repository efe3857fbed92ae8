/** The table of paths as Markdown, for the reference. */
import { messageLabel } from "../../core/n2k/label.ts";
import { navigationPaths } from "./navigation-paths.ts";
import { anchorPaths, notificationExamples } from "./notification-paths.ts";
import { pgnPaths, thingNamePaths } from "./pgn-paths.ts";
import type { Row } from "./row.ts";
import { stations } from "./target-paths.ts";

type AnyRow = Pick<Row, "path" | "meta" | "member" | "beyondSchema">;

const head = "| path | unit | from | |\n| --- | --- | --- | --- |";

const line = ({ path, meta, beyondSchema }: AnyRow, from: string): string =>
  `| \`${path}\`${beyondSchema ? " *" : ""} | ${meta.units ?? ""} | ${from} | ${meta.description} |`;

const table = (title: string, lines: readonly string[]): string => [`## ${title}`, "", head, ...lines].join("\n");

/** A title is that of the message, which the reference has before. */
const whenText = ({ title: _, ...when }: Readonly<Record<string, unknown>>): string =>
  Object.entries(when)
    .map(([name, value]) => `, \`${name}\` ${value}`)
    .join("");

/** Every path, by the message or report it comes from. */
export function pathReference(): string {
  const own = Object.entries(navigationPaths).flatMap(([group, rows]) =>
    (rows as readonly AnyRow[]).map((row) => line(row, `\`${group}\`: ${row.member}`)),
  );
  const ofPgns = pgnPaths.flatMap(({ definition, when, rows }) =>
    rows.map((row) => line(row, `${definition.pgn} ${messageLabel(definition)}: \`${row.member}\`${whenText(when)}`)),
  );
  const names = thingNamePaths.map(({ definition, row }) =>
    line(row, `device information: \`names\`, ${definition.pgn}`),
  );
  const alarms = [
    ...anchorPaths.map((row) => line(row, `\`anchorWatch\`: ${row.member}`)),
    ...notificationExamples.map(([kind, path]) => `| \`${path}\` | | alarm \`${kind}\` | state, method, message |`),
  ];
  const ofTargets = Object.entries(stations).flatMap(([name, station]) =>
    name === "B" || station === undefined
      ? []
      : [
          table(
            `\`${station.root}.urn:mrn:imo:mmsi:…\`, class ${name === "A" ? "A and B" : name}`,
            station.rows.map((row) => line(row, `\`${row.member}\``)),
          ),
        ],
  );
  return [
    "# Paths of Signal K",
    "",
    "Every path that hub-link serves, with the member of a report or PGN that it comes from. Units are those of Signal K. Engine 0 is `port`,",
    "engine 1 `starboard`; `{fluidType}` is `fuel`, `freshWater`, `wasteWater`, `blackWater`, `liveWell` or `lubrication`; other names in braces stand",
    "for a number of the message. Paths with * are beyond the schema of the specification 1.7 and follow signalk-server.",
    "",
    table("The boat: what hub has chosen", own),
    "",
    table("The boat: PGNs", ofPgns),
    "",
    table("The boat: names of things", names),
    "",
    table("The boat: alarms", alarms),
    "",
    ofTargets.join("\n\n"),
    "",
  ].join("\n");
}
