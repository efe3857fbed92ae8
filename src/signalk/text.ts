/** The model as JSON: deltas, and the tree that the API serves. */
import type { Boat } from "./boat.ts";
import type { Leaf } from "./model.ts";
import type { Value } from "./row.ts";

/** Version of the specification. */
export const SPECIFICATION = "1.7.0";

type Json = Readonly<Record<string, unknown>>;

/** { communication: { callsignVhf: value } } for "communication.callsignVhf" */
const nested = (path: string, value: Value | null): unknown =>
  path.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);

/** A property of the vessel itself has no path, but is a part of the vessel. */
const pathValue = ({ path, value, isPlain }: Leaf): Json =>
  isPlain ? { path: "", value: nested(path, value) } : { path, value };

const updateJson = ({ source, timestamp, leaves }: Update): Json => ({
  $source: source,
  timestamp,
  values: leaves.map(pathValue),
});

/** A delta of leaves as they are now. */
export const deltaText = (context: string, leaves: Iterable<Leaf>): string =>
  JSON.stringify({ context, updates: updatesOf(leaves).map(updateJson) });

/** A delta with `meta` of leaves that are new to a client. */
export const metaText = (context: string, leaves: readonly Leaf[]): string => {
  const { source, timestamp } = leaves[0]!;
  const meta = leaves.map(({ path, meta: value }) => ({ path, value }));
  return JSON.stringify({ context, updates: [{ $source: source, timestamp, meta }] });
};

/** Values of one source and time. */
interface Update {
  readonly source: string;
  readonly timestamp: string;
  readonly leaves: Leaf[];
}

function updatesOf(leaves: Iterable<Leaf>): readonly Update[] {
  const updates = new Map<string, Update>();
  for (const leaf of leaves) {
    const { source, timestamp } = leaf;
    const key = `${source} ${timestamp}`;
    const update = updates.get(key);
    if (update === undefined) updates.set(key, { source, timestamp, leaves: [leaf] });
    else update.leaves.push(leaf);
  }
  return [...updates.values()];
}

const leafJson = ({ value, source, timestamp, pgn, meta }: Leaf): Json => ({
  meta,
  value,
  $source: source,
  timestamp,
  ...(pgn !== undefined && { pgn }),
});

/** Segments come from messages and must not meet the prototype of an object. */
const branch = (): Record<string, unknown> => Object.create(null) as Record<string, unknown>;

/** A context as a tree. */
function contextJson(leaves: ReadonlyMap<string, Leaf>): Json {
  const tree = branch();
  for (const leaf of leaves.values()) {
    const names = leaf.path.split(".");
    const last = names.pop()!;
    let at = tree;
    for (const name of names) {
      at[name] ??= branch();
      at = at[name] as Record<string, unknown>;
    }
    // A path may be a value and a branch, as batteries.0.voltage and its ripple.
    at[last] = leaf.isPlain ? leaf.value : { ...(at[last] as object | undefined), ...leafJson(leaf) };
  }
  return tree;
}

/** The full tree, or the part at `path`, names that follow each other; undefined where there is none. */
export function treeJson({ self, model, sources }: Boat, path: readonly string[]): unknown {
  const [root, id, ...rest] = path;
  if (root === undefined) return wholeTree({ self, model, sources });
  if (root === "self" || root === "version" || root === "sources")
    return inside({ self, version: SPECIFICATION, sources: root === "sources" ? sources.tree() : undefined }, path);
  if (id === undefined) return rootJson({ self, model, sources }, root);
  const leaves = model.contexts.get(root === "vessels" && id === "self" ? self : `${root}.${id}`);
  return leaves === undefined ? undefined : inside(contextJson(leaves), rest);
}

type Parts = Pick<Boat, "self" | "model" | "sources">;

function rootJson({ model }: Parts, root: string): unknown {
  const contexts = [...model.contexts].filter(([context]) => context.startsWith(`${root}.`));
  if (contexts.length === 0) return undefined;
  return Object.fromEntries(contexts.map(([context, leaves]) => [context.slice(root.length + 1), contextJson(leaves)]));
}

function wholeTree(parts: Parts): Json {
  const roots = new Set([...parts.model.contexts.keys()].map((context) => context.slice(0, context.indexOf("."))));
  return {
    version: SPECIFICATION,
    self: parts.self,
    ...Object.fromEntries([...roots].map((root) => [root, rootJson(parts, root)])),
    sources: parts.sources.tree(),
  };
}

function inside(tree: unknown, path: readonly string[]): unknown {
  let at = tree;
  for (const name of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Json)[name];
  }
  return at;
}
