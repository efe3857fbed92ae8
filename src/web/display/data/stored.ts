/**
 * Values kept in this browser. Storage may be forbidden, full or broken: a value then begins anew with the page, and lasts
 * until it is closed.
 */
export interface Stored<Value> {
  /** The kept value; undefined if there is none, or none that can be used. */
  read(): Value | undefined;
  /** Keeps a value; undefined removes it. */
  write(value: Value | undefined): void;
}

/** The value of a key; `read` makes it of the parsed JSON, and throws or returns undefined for what it cannot use. */
export const stored = <Value>(key: string, read: (json: unknown) => Value | undefined): Stored<Value> => ({
  read() {
    try {
      const text = localStorage.getItem(key);
      return text === null ? undefined : read(JSON.parse(text));
    } catch {
      return undefined;
    }
  },
  write(value) {
    try {
      if (value === undefined) localStorage.removeItem(key);
      else localStorage.setItem(key, JSON.stringify(value));
    } catch {
      // See above.
    }
  },
});
