/**
 * The moment after the first values, for work that can wait: on a slow tablet the scripts of the parts of a page take as
 * long as the values themselves.
 */
import { effect } from "@preact/signals";
import { connectionState } from "./connection.ts";

/** Time for the frame in which the values are drawn. */
const DRAWN_MS = 250;
/** A boat that reports does so ten times a second. */
const SILENT_MS = 1000;
/** Time to connect. */
const PATIENCE_MS = 3000;

let resolve = (): void => {};

/** Resolves when the first values are drawn, or do not come. */
export const firstValues: Promise<void> = new Promise((resolved) => {
  resolve = resolved;
  setTimeout(resolved, PATIENCE_MS);
});

effect(() => {
  if (connectionState.value === "connected") setTimeout(resolve, SILENT_MS);
});

let areThere = false;

export function noteValues(): void {
  if (areThere) return;
  areThere = true;
  setTimeout(resolve, DRAWN_MS);
}
