/** Changes to a settings entry that others may have changed meanwhile. */
import { isRecord } from "../../../core/util/is-record.ts";

type Values = Readonly<Record<string, unknown>>;
type List = readonly unknown[];

const textOf = (value: unknown): string => JSON.stringify(value) ?? "";

/** An id for a new row of a list, which no other screen chooses at the same time. */
export const newRowId = (): string => `row-${Math.random().toString(36).slice(2, 10)}`;

type Row = Values & { readonly id: string };
type Rows = readonly Row[];

/** Whether values are of one kind; an absent one is an empty one. */
const areAll =
  <Kind>(is: (value: unknown) => value is Kind) =>
  (values: List): values is readonly (Kind | undefined)[] =>
    values.every((value) => value === undefined || is(value));
const areRecords = areAll(isRecord);
const areLists = areAll((value): value is List => Array.isArray(value));

const areRows = (list: List): list is Rows =>
  list.every((row) => isRecord(row) && typeof row.id === "string") &&
  new Set(list.map((row) => (row as Row).id)).size === list.length;

/**
 * `now` with the changes from `before` to `after`, member by member at any depth; a member that is undefined in `after` is
 * removed. Rows with ids are merged by these; of another list that others have changed, the rows that `after` lacks are
 * removed, and its new ones follow.
 *
 * @example merged({ a: 1, b: 2 }, { a: 1 }, { a: 3 }) // { a: 3, b: 2 }
 */
export function merged(now: Values, before: Values, after: Values): Values {
  const result: Record<string, unknown> = { ...now };
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is, other] = [before[key], after[key], now[key]];
    if (textOf(was) === textOf(is)) continue;
    const both = mergedMember(other, was, is);
    if (is === undefined && Object.keys(both ?? {}).length === 0) delete result[key];
    else result[key] = both;
  }
  return result;
}

function mergedMember(now: unknown, before: unknown, after: unknown): unknown {
  if (textOf(now) === textOf(before)) return after;
  const all = [now, before, after];
  if (areRecords(all)) {
    const [other = {}, was = {}, is = {}] = all;
    return merged(other, was, is);
  }
  if (!areLists(all)) return after;
  const [other = [], was = [], is = []] = all;
  return areRows(other) && areRows(was) && areRows(is) ? mergedRows(other, was, is) : mergedList(other, was, is);
}

function mergedList(now: List, before: List, after: List): List {
  const isIn = (list: List) => {
    const texts = new Set(list.map(textOf));
    return (row: unknown) => texts.has(textOf(row));
  };
  const [isThere, wasThere, stays] = [isIn(now), isIn(before), isIn(after)];
  return [
    ...now.filter((row) => !wasThere(row) || stays(row)),
    ...after.filter((row) => !wasThere(row) && !isThere(row)),
  ];
}

const byId = (rows: Rows): ReadonlyMap<string, Row> => new Map(rows.map((row) => [row.id, row]));

/** Two rows that were added under one id are two: the one of `after` gets another id. */
function mergedRows(now: Rows, before: Rows, after: Rows): Rows {
  const [theirs, was, mine] = [byId(now), byId(before), byId(after)];
  const contentOf = (row: Row): string => textOf({ ...row, id: "" });
  const contents = new Set(now.map(contentOf));
  const kept = now.flatMap((row) => {
    const [one, other] = [was.get(row.id), mine.get(row.id)];
    if (one === undefined) return [row];
    return other === undefined ? [] : [merged(row, one, other) as Row];
  });
  const added = after.filter((row) => {
    const one = was.get(row.id);
    return one === undefined ? !contents.has(contentOf(row)) : !theirs.has(row.id) && textOf(one) !== textOf(row);
  });
  const freeId = (id: string): string => {
    let number = 2;
    while ([theirs, mine].some((rows) => rows.has(`${id}-${number}`))) number++;
    return `${id}-${number}`;
  };
  return [...kept, ...added.map((row) => (theirs.has(row.id) ? { ...row, id: freeId(row.id) } : row))];
}
