/** GPX 1.1 (Topografix, "GPX 1.1 Schema Documentation"): entries with a position as waypoints, the track in segments. */
import { isoTime } from "../../core/text/date.ts";
import { element } from "../../core/text/xml.ts";
import { entryText } from "../../core/voyages/kinds/index.ts";
import { positionOf } from "../../core/voyages/observation.ts";
import { type Entry, textOf, type Voyage } from "../../core/voyages/voyage.ts";
import { segmentsOf } from "./segments.ts";

export function gpxOf({ entries, points, from }: Voyage, name: string): string {
  const segments = segmentsOf(points).map(
    (segment) =>
      `<trkseg>\n${segment
        .map(
          ([time, latitude, longitude]) =>
            `<trkpt lat="${latitude}" lon="${longitude}">${element("time", isoTime(time))}</trkpt>\n`,
        )
        .join("")}</trkseg>\n`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<gpx version="1.1" creator="hub" xmlns="http://www.topografix.com/GPX/1/1">',
    `<metadata>${element("time", isoTime(from))}</metadata>`,
    ...entries.flatMap(waypointOf),
    `<trk>${element("name", name)}`,
    ...segments,
    "</trk>",
    "</gpx>\n",
  ].join("\n");
}

function waypointOf(entry: Entry): readonly string[] {
  const place = positionOf(entry.conditions ?? {});
  if (place === undefined) return [];
  const inner = [
    element("time", isoTime(entry.time)),
    element("name", entryText(entry)),
    element("desc", textOf(entry)),
  ];
  return [`<wpt lat="${place.latitude}" lon="${place.longitude}">${inner.join("")}</wpt>`];
}
