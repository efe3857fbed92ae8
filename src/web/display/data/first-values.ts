/**
 * The moment after the first values, for work that can wait: on a slow tablet the scripts of the parts of a page take as
 * long as the values themselves.
 */

/** Time for the frame in which the values are drawn. */
const DRAWN_MS = 250;
const PATIENCE_MS = 3000;

let resolve = (): void => {};

/** Resolves when the first values are drawn, or have not come for some seconds. */
export const firstValues: Promise<void> = new Promise((resolved) => {
  resolve = resolved;
  setTimeout(resolved, PATIENCE_MS);
});

let areThere = false;

export function noteValues(): void {
  if (areThere) return;
  areThere = true;
  setTimeout(resolve, DRAWN_MS);
}
