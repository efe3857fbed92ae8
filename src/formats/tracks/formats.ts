/** Formats of voyages for other programs: a row each. */
import type { Voyage } from "../../core/voyages/voyage.ts";
import { csvOf } from "./csv.ts";
import { gpxOf } from "./gpx-writer.ts";
import { kmlOf } from "./kml.ts";

interface TrackFormat {
  readonly type: string;
  readonly write: (voyage: Voyage, name: string) => string;
}

/** By the ending of the file. */
export const trackFormats: Readonly<Record<string, TrackFormat>> = {
  gpx: { type: "application/gpx+xml", write: gpxOf },
  csv: { type: "text/csv; charset=utf-8", write: csvOf },
  kml: { type: "application/vnd.google-earth.kml+xml", write: kmlOf },
  json: { type: "application/json", write: (voyage) => `${JSON.stringify(voyage)}\n` },
};
