/** The difference of two configurations in words. Pure. */

type Values = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Members that a rename or a copy changes and that nothing on the boat reads. */
const ignored: ReadonlySet<string> = new Set(["uid", "duplicateFrom"]);

const MOST_LETTERS = 60;

/** A value in words; a list of texts may be one of devices. */
function shown(value: unknown, nameOf: (name: string) => string): string {
  const isTexts = Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === "string");
  const text = isTexts ? value.map(nameOf).join(", ") : typeof value === "string" ? value : JSON.stringify(value);
  return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS - 1)}…` : text;
}

/** A list of named entries as an object by name; other lists stay. */
function byName(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const isNamed = value.every((entry) => isObject(entry) && typeof entry.name === "string");
  return isNamed ? Object.fromEntries(value.map((entry: Values) => [entry.name, entry])) : value;
}

/**
 * A sentence for each member that differs, at any depth. `nameOf` gives the name of a device by its NAME.
 *
 * @example differences({ settings: [] }, { settings: [{ name: "navigation", windDamping: 3 }] }, String)
 * // ["settings navigation windDamping: 3, new"]
 */
export function differences(before: unknown, after: unknown, nameOf: (name: string) => string): readonly string[] {
  const sentences: string[] = [];
  const compare = (left: unknown, right: unknown, path: readonly string[]): void => {
    const [one, other] = [byName(left), byName(right)];
    if (JSON.stringify(one) === JSON.stringify(other)) return;
    const isDeeper = (value: unknown): boolean => value === undefined || isObject(value);
    if (isDeeper(one) && isDeeper(other) && (isObject(one) || isObject(other))) {
      const keys = new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})]);
      for (const key of keys) {
        if ((path.length === 0 && ignored.has(key)) || (key === "name" && path.length > 0)) continue;
        compare((one as Values | undefined)?.[key], (other as Values | undefined)?.[key], [...path, key]);
      }
      return;
    }
    const where = path.map((key) => (/^\d{10,20}$/.test(key) ? nameOf(key) : key)).join(" ");
    // The hash of a password opens the project.
    const text = (value: unknown): string => (path.at(-1) === "hash" ? "(not shown)" : shown(value, nameOf));
    if (left === undefined) sentences.push(`${where}: ${text(right)}, new`);
    else if (right === undefined) sentences.push(`${where}: removed, was ${text(left)}`);
    else sentences.push(`${where}: ${text(left)} → ${text(right)}`);
  };
  compare(before, after, []);
  return sentences;
}
