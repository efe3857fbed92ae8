/** Changes to a settings entry that others may have changed meanwhile. */
import { isRecord } from "../../../core/util/is-record.ts";

type Values = Readonly<Record<string, unknown>>;
type List = readonly unknown[];

/**
 * `now` with the changes from `before` to `after`, member by member at any depth; a member that is undefined in `after` is
 * removed. Of a list that others have changed, the rows that `after` lacks are removed, and its new ones follow.
 *
 * @example merged({ a: 1, b: 2 }, { a: 1 }, { a: 3 }) // { a: 3, b: 2 }
 */
export function merged(now: Values, before: Values, after: Values): Values {
  const result: Record<string, unknown> = { ...now };
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is, other] = [before[key], after[key], now[key]];
    if (JSON.stringify(was) === JSON.stringify(is)) continue;
    if (is === undefined) delete result[key];
    else if (isRecord(was) && isRecord(is) && isRecord(other)) result[key] = merged(other, was, is);
    else if (Array.isArray(was) && Array.isArray(is) && Array.isArray(other)) result[key] = mergedList(other, was, is);
    else result[key] = is;
  }
  return result;
}

function mergedList(now: List, before: List, after: List): List {
  if (JSON.stringify(now) === JSON.stringify(before)) return after;
  const isIn = (list: List) => {
    const texts = new Set(list.map((row) => JSON.stringify(row)));
    return (row: unknown) => texts.has(JSON.stringify(row));
  };
  const [isThere, wasThere, stays] = [isIn(now), isIn(before), isIn(after)];
  return [
    ...now.filter((row) => !wasThere(row) || stays(row)),
    ...after.filter((row) => !wasThere(row) && !isThere(row)),
  ];
}
