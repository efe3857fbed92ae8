/** The model as JSON: deltas, and the tree that the API serves. */
import { groupedBy } from "../../core/util/grouped.ts";
import type { Boat } from "./boat.ts";
import type { Leaf } from "./model.ts";
import type { Value } from "./row.ts";

export const SPECIFICATION = "1.7.0";

/**
 * The signalk-server with whose APIs those of hub are compared by the tests. Apps such as KIP and Freeboard-SK read the
 * version of a server as one of signalk-server, and offer what that version has.
 */
export const COMPATIBLE_SERVER = "2.32.0";

type Json = Readonly<Record<string, unknown>>;

/** { communication: { callsignVhf: value } } for "communication.callsignVhf" */
const nested = (path: string, value: Value | null): unknown =>
  path.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);

/** A property of the vessel itself has the empty path and is a part of the vessel. */
const pathValue = ({ path, value, isPlain }: Leaf): Json =>
  isPlain ? { path: "", value: nested(path, value) } : { path, value };

/** The text of a value, made once for all clients. */
const valueText = (leaf: Leaf): string => {
  leaf.text ??= JSON.stringify(pathValue(leaf));
  return leaf.text;
};

/** The values of one source and time. */
const updateText = (leaves: readonly Leaf[]): string => {
  const { source, timestamp } = leaves[0]!;
  const values = leaves.map(valueText).join(",");
  return `{"$source":${JSON.stringify(source)},"timestamp":${JSON.stringify(timestamp)},"values":[${values}]}`;
};

/** A delta of leaves as they are now. */
export const deltaText = (context: string, leaves: Iterable<Leaf>): string =>
  `{"context":${JSON.stringify(context)},"updates":[${updatesOf(leaves).map(updateText).join(",")}]}`;

/** A delta with `meta` of leaves that are new to a client. */
export const metaText = (context: string, leaves: readonly Leaf[]): string => {
  const { source, timestamp } = leaves[0]!;
  const meta = leaves.map(({ path, meta: value }) => ({ path, value }));
  return JSON.stringify({ context, updates: [{ $source: source, timestamp, meta }] });
};

const updatesOf = (leaves: Iterable<Leaf>): readonly (readonly Leaf[])[] => [
  ...groupedBy(leaves, ({ source, timestamp }) => `${source} ${timestamp}`).values(),
];

const valueJson = ({ value, timestamp, pgn }: Leaf): Json => ({
  value,
  timestamp,
  ...(pgn !== undefined && { pgn }),
});

/** The value that hub has chosen; `values` has those of all devices, if there are several. */
const leafJson = (leaf: Leaf): Json => {
  const { source, meta, others } = leaf;
  const ofOthers = [...(others ?? [])].map(([name, other]) => [name, valueJson(other)] as const);
  return {
    meta,
    ...valueJson(leaf),
    $source: source,
    ...(ofOthers.length > 0 && { values: Object.fromEntries([[source, valueJson(leaf)], ...ofOthers]) }),
  };
};

/** A branch without a prototype, because segments come from messages. */
const branch = (): Record<string, unknown> => Object.create(null) as Record<string, unknown>;

/** A context as a tree. */
function contextJson(leaves: ReadonlyMap<string, Leaf>): Json {
  const tree = branch();
  for (const leaf of leaves.values()) {
    if (leaf.isStreamed) continue;
    const names = leaf.path.split(".");
    const last = names.pop()!;
    let at = tree;
    for (const name of names) {
      at[name] ??= branch();
      at = at[name] as Record<string, unknown>;
    }
    // A path may be a value and a branch, such as batteries.0.voltage with its ripple.
    at[last] = leaf.isBare ? leaf.value : { ...(at[last] as object | undefined), ...leafJson(leaf) };
  }
  return tree;
}

/** A function that returns the text of a context, possibly a cached one. */
export type ContextText = (context: string, leaves: ReadonlyMap<string, Leaf>) => string;

export const contextText: ContextText = (_context, leaves) => JSON.stringify(contextJson(leaves));

/** The context of the first two names of a path. */
export const contextAt = ({ self }: Boat, root: string, id: string): string =>
  root === "vessels" && id === "self" ? self : `${root}.${id}`;

/** JSON of the full tree, or of the part at `path`, a list of names; undefined if there is no such part. */
export function treeText(boat: Boat, path: readonly string[], textOf: ContextText = contextText): string | undefined {
  const { self, model, sources } = boat;
  const [root, id, ...rest] = path;
  if (root === undefined) return wholeText(boat, textOf);
  if (root === "self" || root === "version" || root === "sources")
    return jsonIn({ self, version: SPECIFICATION, sources: root === "sources" ? sources.tree() : undefined }, path);
  if (id === undefined) return rootText(boat, root, textOf);
  const context = contextAt(boat, root, id);
  const leaves = model.contexts.get(context);
  if (leaves === undefined) return undefined;
  return rest.length === 0 ? textOf(context, leaves) : jsonIn(contextJson(leaves), rest);
}

const objectText = (members: readonly (readonly [name: string, text: string])[]): string =>
  `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`;

function rootText({ model }: Boat, root: string, textOf: ContextText): string | undefined {
  const contexts = [...model.contexts].filter(([context]) => context.startsWith(`${root}.`));
  if (contexts.length === 0) return undefined;
  return objectText(
    contexts.map(([context, leaves]) => [context.slice(root.length + 1), textOf(context, leaves)] as const),
  );
}

function wholeText(boat: Boat, textOf: ContextText): string {
  const roots = new Set([...boat.model.contexts.keys()].map((context) => context.slice(0, context.indexOf("."))));
  return objectText([
    ["version", JSON.stringify(SPECIFICATION)],
    ["self", JSON.stringify(boat.self)],
    ...[...roots].map((root) => [root, rootText(boat, root, textOf)!] as const),
    ["sources", JSON.stringify(boat.sources.tree())],
  ]);
}

function jsonIn(tree: unknown, path: readonly string[]): string | undefined {
  let at = tree;
  for (const name of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Json)[name];
  }
  return JSON.stringify(at);
}
