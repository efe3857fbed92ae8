/**
 * A resource as the text of a file: a GeoJSON feature (RFC 7946), which other programs read, with the other members of
 * the resource in a foreign member `resource`.
 */
import { checked } from "../../../core/report/read-entry.ts";
import { type Kind, type Note, type Resource, shapes } from "./shapes.ts";

export function featureText(kind: Kind, resource: Resource): string {
  const { feature, ...rest } = resource;
  const geojson = kind === "notes" ? { geometry: pointOf(resource as Note), properties: null } : (feature as object);
  return `${JSON.stringify({ type: "Feature", ...geojson, resource: rest })}\n`;
}

function pointOf({ position }: Note) {
  if (position === undefined) return null;
  return { type: "Point", coordinates: [position.longitude, position.latitude] };
}

/** The resource of a file. Throws for anything else, in words. */
export function resourceIn(kind: Kind, text: string): Resource {
  const { resource, ...feature } = JSON.parse(text);
  return checked<Resource>(shapes[kind], kind === "notes" ? resource : { ...resource, feature });
}
