/** The rows of a PGN, made of its definition: labels and units are those of its fields. */
import type { Definition, Message } from "../../core/n2k/definition.ts";
import { fieldLabel, messageLabel, unitOf } from "../../core/n2k/label.ts";
import { fieldsByName } from "../../core/n2k/layout.ts";
import { metaOf, type Row, type Texts, textIn, type Value } from "./row.ts";
import { conversionOf, toSi } from "./si.ts";

/**
 * The path of a field below that of its message, with the texts of Signal K for a choice, or a function of the message.
 */
type Leaf<Data> =
  | string
  | { readonly path: string; readonly texts: Texts }
  | {
      readonly path: string;
      readonly description: string;
      /** Unit by its Signal K name. */
      readonly units?: string;
      readonly value: Row<Data>["value"];
    };

type Leaves<One extends Definition> = { readonly [Name in keyof Message<One>]?: Leaf<Message<One>> };

interface PgnOptions<One extends Definition> extends Pick<Row, "beyondSchema" | "isBare" | "isPreferred"> {
  /** Restricts the paths to messages with these values. */
  readonly when?: Partial<Message<One>>;
}

export interface PgnPaths {
  readonly definition: Definition;
  readonly when: Readonly<Record<string, unknown>>;
  /** The list whose items have the paths; an item has its members and those of the message. */
  readonly each?: string;
  readonly rows: readonly Row<Readonly<Record<string, unknown>>>[];
}

type AnyData = Readonly<Record<string, unknown>>;

function rowOf(definition: Definition, base: string, name: string, leaf: Leaf<never>): Row<AnyData> {
  const field = fieldsByName(definition.fields)[name];
  const below = typeof leaf === "string" ? leaf : leaf.path;
  const path = base === "" ? below : `${base}.${below}`;
  if (typeof leaf === "object" && "value" in leaf) {
    const { description, units } = leaf;
    return { path, member: name, meta: metaOf(description, units), value: leaf.value as Row<AnyData>["value"] };
  }
  const label = field === undefined ? name : fieldLabel(name, field);
  const description = `${messageLabel(definition)}: ${label.charAt(0).toLowerCase()}${label.slice(1)}`;
  if (typeof leaf === "object") {
    const { texts } = leaf;
    return { path, member: name, label, meta: { description }, value: (data) => textIn(texts, data[name]) };
  }
  const unit = unitOf(field, definition.fields);
  if (unit === undefined)
    return { path, member: name, label, meta: { description }, value: (data) => data[name] as Value };
  const conversion = conversionOf(unit);
  return {
    path,
    member: name,
    label,
    meta: metaOf(description, conversion.units),
    value: (data) => (typeof data[name] === "number" ? toSi(data[name], conversion) : undefined),
  };
}

/** The paths of a PGN, by its members. */
export const pgn = <One extends Definition>(
  definition: One,
  base: string,
  leaves: Leaves<One>,
  { when = {}, ...marks }: PgnOptions<One> = {},
): PgnPaths => ({
  definition,
  when,
  rows: Object.entries<Leaf<never>>(leaves as Readonly<Record<string, Leaf<never>>>).map(([name, leaf]) => ({
    ...rowOf(definition, base, name, leaf),
    ...marks,
  })),
});

/** One entry for each text of a choice that names the measured thing. */
export const byChoice = <One extends Definition>(
  definition: One,
  choice: keyof Message<One> & string,
  member: keyof Message<One> & string,
  paths: Readonly<Record<string, string>>,
): readonly PgnPaths[] =>
  Object.entries(paths).map(([text, path]) =>
    pgn(definition, "", { [member]: path } as Leaves<One>, { when: { [choice]: text } as Partial<Message<One>> }),
  );
