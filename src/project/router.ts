/**
 * Finds the endpoint of a method and a path: a tree of segments, one step each. Path templates are literal segments and
 * `{names}` of `segments.ts`. Beside a variable segment no literal one may stand, so that no path leads to two endpoints.
 */
import { readSegment, type SegmentName, segments } from "./segments.ts";

/** What the router needs to know of an endpoint. */
export interface Route {
  readonly method: string;
  readonly path: string;
}

/** An endpoint found, with the texts of its variable segments still unread. */
export interface Match<Endpoint> {
  readonly endpoint: Endpoint;
  /** Reads the variable segments; refuses a malformed one with 400. `except` leaves some unread. */
  params(except?: readonly SegmentName[]): Readonly<Record<string, unknown>>;
}

/** Segments are decoded; one that cannot be is undefined. */
export type Router<Endpoint> = (method: string, path: readonly (string | undefined)[]) => Match<Endpoint> | undefined;

/** How far a path has come: what is here, by its method, and what may follow. */
interface Place<Endpoint> {
  readonly endpoints: Map<string, Placed<Endpoint>>;
  readonly literals: Map<string, Place<Endpoint>>;
  variable: Place<Endpoint> | undefined;
}

interface Placed<Endpoint> {
  readonly endpoint: Endpoint;
  /** The name of each variable segment, by its place in the path. */
  readonly names: ReadonlyMap<number, SegmentName>;
}

const newPlace = <Endpoint>(): Place<Endpoint> => ({ endpoints: new Map(), literals: new Map(), variable: undefined });

/** Compiles the table; throws Error for a template it cannot keep apart from the others. */
export function compileRoutes<Endpoint extends Route>(endpoints: readonly Endpoint[]): Router<Endpoint> {
  const root = newPlace<Endpoint>();
  for (const endpoint of endpoints) {
    const { method, path } = endpoint;
    const names = namesIn(path);
    let place = root;
    for (const [at, segment] of path.slice(1).split("/").entries()) {
      const next = (names.has(at) ? place.variable : place.literals.get(segment)) ?? newPlace<Endpoint>();
      if (names.has(at)) place.variable = next;
      else place.literals.set(segment, next);
      if (place.variable !== undefined && place.literals.size > 0) throw ambiguous(endpoint);
      place = next;
    }
    if (place.endpoints.has(method)) throw ambiguous(endpoint);
    place.endpoints.set(method, { endpoint, names });
  }
  return (method, path) => {
    let place: Place<Endpoint> | undefined = root;
    for (const segment of path) {
      // An empty segment is part of no endpoint. One that cannot be decoded is refused where it is read.
      if (segment === "") return undefined;
      place = place.variable ?? place.literals.get(segment ?? "");
      if (place === undefined) return undefined;
    }
    const placed = place.endpoints.get(method);
    return placed && { endpoint: placed.endpoint, params: (except) => readAll(placed.names, path, except) };
  };
}

const ambiguous = ({ method, path }: Route): Error => new Error(`route ${method} ${path}: another one matches it too`);

function namesIn(path: string): ReadonlyMap<number, SegmentName> {
  if (!path.startsWith("/")) throw new Error(`route ${path}: does not begin with a slash`);
  const names = new Map<number, SegmentName>();
  for (const [place, segment] of path.slice(1).split("/").entries()) {
    const name = /^\{(.*)\}$/.exec(segment)?.[1];
    if (name === undefined) continue;
    if (!Object.hasOwn(segments, name)) throw new Error(`route ${path}: unknown segment ${name}`);
    names.set(place, name as SegmentName);
  }
  return names;
}

function readAll(
  names: ReadonlyMap<number, SegmentName>,
  path: readonly (string | undefined)[],
  except: readonly SegmentName[] = [],
): Readonly<Record<string, unknown>> {
  const params: Record<string, unknown> = {};
  for (const [place, name] of names) {
    if (!except.includes(name)) params[name] = readSegment(name, path[place]);
  }
  return params;
}
