/** Changes to a settings entry that others may have changed meanwhile. */

type Values = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * `now` with the changes from `before` to `after`, member by member at any depth. A list counts as one value; a member
 * that is undefined in `after` is removed.
 *
 * @example merged({ a: 1, b: 2 }, { a: 1 }, { a: 3 }) // { a: 3, b: 2 }
 */
export function merged(now: Values, before: Values, after: Values): Values {
  const result: Record<string, unknown> = { ...now };
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is, other] = [before[key], after[key], now[key]];
    if (JSON.stringify(was) === JSON.stringify(is)) continue;
    if (is === undefined) delete result[key];
    else result[key] = isObject(was) && isObject(is) && isObject(other) ? merged(other, was, is) : is;
  }
  return result;
}
