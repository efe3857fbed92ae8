/**
 * Finds the endpoint of a method and a path, with Hono's trie router. Path templates are literal segments and `{names}` of
 * `segments.ts`; no path may lead to two endpoints.
 */
import { TrieRouter } from "hono/router/trie-router";
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

interface Placed<Endpoint> {
  readonly endpoint: Endpoint;
  /** The name of each variable segment, by its place in the path. */
  readonly names: ReadonlyMap<number, SegmentName>;
}

/** Compiles the table; throws Error for a template it cannot keep apart from the others. */
export function compileRoutes<Endpoint extends Route>(endpoints: readonly Endpoint[]): Router<Endpoint> {
  const router = new TrieRouter<Placed<Endpoint>>();
  const found = (method: string, path: string): readonly Placed<Endpoint>[] =>
    router.match(method, path)[0].map(([placed]) => placed as Placed<Endpoint>);

  for (const endpoint of endpoints) {
    const { method, path } = endpoint;
    router.add(method, path.replaceAll(/\{(.*?)\}/g, ":$1"), { endpoint, names: namesIn(path) });
  }
  for (const { method, path } of endpoints) {
    if (found(method, path).length > 1) throw new Error(`route ${method} ${path}: another one matches it too`);
  }
  const methods: ReadonlySet<string> = new Set(endpoints.map(({ method }) => method));
  return (method, path) => {
    // The router looks methods up in plain objects, where `constructor` would be one. An empty segment is part of no endpoint,
    // whatever the router makes of it.
    if (!methods.has(method) || path.includes("")) return undefined;
    const [placed] = found(method, `/${path.map(encoded).join("/")}`);
    return placed && { endpoint: placed.endpoint, params: (except) => readAll(placed.names, path, except) };
  };
}

/** Encoded again, a segment is nothing but a text to the router; `:` would be a name to it. */
const encoded = (segment: string | undefined): string =>
  segment === undefined ? "%" : encodeURIComponent(segment.toWellFormed());

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
