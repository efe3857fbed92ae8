/**
 * Finds the endpoint of a method and a path. Path templates are literal segments and `{names}` of `segments.ts`; at one
 * place in a path there are either literals or one name, so a path leads to at most one endpoint and nothing is tried twice.
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

export type Router<Endpoint> = (method: string, path: readonly (string | undefined)[]) => Match<Endpoint> | undefined;

interface Node<Endpoint> {
  readonly literals: Map<string, Node<Endpoint>>;
  variable?: Node<Endpoint>;
  readonly endpoints: Map<string, { readonly endpoint: Endpoint; readonly names: readonly SegmentName[] }>;
}

const newNode = <Endpoint>(): Node<Endpoint> => ({ literals: new Map(), endpoints: new Map() });

/** Compiles the table; throws Error for a template it cannot keep apart from the others. */
export function compileRoutes<Endpoint extends Route>(endpoints: readonly Endpoint[]): Router<Endpoint> {
  const root = newNode<Endpoint>();
  for (const endpoint of endpoints) insert(root, endpoint);
  return (method, path) => find(root, method, path);
}

function insert<Endpoint extends Route>(root: Node<Endpoint>, endpoint: Endpoint): void {
  const { method, path } = endpoint;
  const names: SegmentName[] = [];
  let node = root;
  if (!path.startsWith("/")) throw new Error(`route ${path}: does not begin with a slash`);
  for (const segment of path.slice(1).split("/")) {
    const name = /^\{(.*)\}$/.exec(segment)?.[1];
    let next = name === undefined ? node.literals.get(segment) : node.variable;
    if (next === undefined) {
      if (name === undefined ? node.variable !== undefined : node.literals.size > 0) {
        throw new Error(`route ${path}: a name and a literal at the same place`);
      }
      next = newNode();
      if (name === undefined) node.literals.set(segment, next);
      else node.variable = next;
    }
    if (name !== undefined) {
      if (!Object.hasOwn(segments, name)) throw new Error(`route ${path}: unknown segment ${name}`);
      names.push(name as SegmentName);
    }
    node = next;
  }
  if (node.endpoints.has(method)) throw new Error(`route ${method} ${path}: defined twice`);
  node.endpoints.set(method, { endpoint, names });
}

function find<Endpoint>(
  root: Node<Endpoint>,
  method: string,
  path: readonly (string | undefined)[],
): Match<Endpoint> | undefined {
  const captured: (string | undefined)[] = [];
  let node: Node<Endpoint> | undefined = root;
  for (const segment of path) {
    if (node.variable !== undefined && segment !== "") {
      captured.push(segment);
      node = node.variable;
    } else {
      node = segment === undefined ? undefined : node.literals.get(segment);
    }
    if (node === undefined) return undefined;
  }
  const found = node.endpoints.get(method);
  return found && { endpoint: found.endpoint, params: (except) => readAll(found.names, captured, except) };
}

function readAll(
  names: readonly SegmentName[],
  captured: readonly (string | undefined)[],
  except: readonly SegmentName[] = [],
): Readonly<Record<string, unknown>> {
  const params: Record<string, unknown> = {};
  for (const [place, name] of names.entries()) {
    if (!except.includes(name)) params[name] = readSegment(name, captured[place]);
  }
  return params;
}
