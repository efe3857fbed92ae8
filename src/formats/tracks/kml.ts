/** KML 2.2 (OGC 07-147r2): the track as lines, entries as places. */
import { isoTime } from "../../core/text/date.ts";
import { element } from "../../core/text/xml.ts";
import { entryText } from "../../core/voyages/kinds/index.ts";
import { positionOf } from "../../core/voyages/observation.ts";
import { textOf, type Voyage } from "../../core/voyages/voyage.ts";
import { segmentsOf } from "./segments.ts";

export function kmlOf({ entries, points }: Voyage, name: string): string {
  const lines = segmentsOf(points).map((segment) => {
    const coordinates = segment.map(([, latitude, longitude]) => `${longitude},${latitude}`).join(" ");
    return `<LineString><tessellate>1</tessellate><coordinates>${coordinates}</coordinates></LineString>`;
  });
  const places = entries.flatMap((entry) => {
    const place = positionOf(entry.conditions ?? {});
    if (place === undefined) return [];
    const point = `<Point><coordinates>${place.longitude},${place.latitude}</coordinates></Point>`;
    const when = `<TimeStamp>${element("when", isoTime(entry.time))}</TimeStamp>`;
    return [
      `<Placemark>${element("name", entryText(entry))}${element("description", textOf(entry))}${when}${point}</Placemark>`,
    ];
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<kml xmlns="http://www.opengis.net/kml/2.2">',
    `<Document>${element("name", name)}`,
    `<Placemark>${element("name", name)}<MultiGeometry>${lines.join("\n")}</MultiGeometry></Placemark>`,
    ...places,
    "</Document>",
    "</kml>\n",
  ].join("\n");
}
