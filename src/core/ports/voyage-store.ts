/** Where voyages are kept: a file of lines each, appended and never changed. */

export interface VoyageStore {
  /** Names of the voyages, in the order of their begins. */
  names(): Promise<readonly string[]>;
  /** Whole lines of a voyage, and the bytes that they take; undefined: there is none of this name. */
  read(name: string): Promise<string | undefined>;
  /** Size of a voyage, which grows with each line. */
  size(name: string): Promise<number>;
  /** Appends lines, which are on the medium when this resolves; makes the voyage if it is missing. */
  append(name: string, lines: readonly string[]): Promise<void>;
}

/** Names in the order of their times: `2026-11-29T081426Z`; `-2` is a second one of that second. */
export const voyageName = /^\d{4}-\d\d-\d\dT\d{6}Z(?:-\d{1,4})?$/;
