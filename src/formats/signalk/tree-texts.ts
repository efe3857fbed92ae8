/**
 * The tree as it is served. The text of a context is kept until a value in it changes; those of the whole tree and of
 * its roots serve all requests of a short time, because a thousand ships are megabytes.
 */

import { entryOf } from "../../core/util/grouped.ts";
import type { Boat } from "./boat.ts";
import type { Leaf } from "./model.ts";
import { contextAt, contextText, treeText } from "./text.ts";

const KEPT_MS = 50;

/** Work as in `allowance.ts`: to write a value, and to copy text. */
const LEAF_WORK = 16;
const BYTES_A_WORK = 16;

const utf8 = new TextEncoder();

type Bytes = Uint8Array<ArrayBuffer>;

export class TreeTexts {
  readonly #contexts = new Map<string, string>();
  /** Texts by root; the root of the whole tree is empty. */
  readonly #roots = new Map<string, { readonly bytes: Bytes; readonly madeAt: number }>();

  /** Called when a value of the context has changed. */
  changed(context: string): void {
    this.#contexts.delete(context);
  }

  /**
   * Makes JSON of the tree, or of the part at `path`; undefined if there is no such part. Yields the work of each
   * piece. `monotonic` returns the time in milliseconds.
   */
  *make(boat: Boat, path: readonly string[], monotonic: () => number): Generator<number, Bytes | undefined> {
    const root = path.length > 1 ? undefined : (path[0] ?? "");
    if (root !== undefined && this.#keptAt(root, monotonic()) === undefined) yield* this.#prepare(boat, root);
    // Another request may have made the text meanwhile.
    const kept = root === undefined ? undefined : this.#keptAt(root, monotonic());
    if (kept !== undefined) return kept;
    const leaves = path.length > 2 ? boat.model.contexts.get(contextAt(boat, path[0]!, path[1]!)) : undefined;
    const text = treeText(boat, path, (context, ofContext) => this.#textOf(context, ofContext));
    const bytes = text === undefined ? undefined : utf8.encode(text);
    yield 1 + (leaves?.size ?? 0) * LEAF_WORK + (bytes?.length ?? 0) / BYTES_A_WORK;
    if (root !== undefined && bytes !== undefined) this.#roots.set(root, { bytes, madeAt: monotonic() });
    return bytes;
  }

  #keptAt(root: string, now: number): Bytes | undefined {
    const kept = this.#roots.get(root);
    return kept !== undefined && now < kept.madeAt + KEPT_MS ? kept.bytes : undefined;
  }

  /** Makes the texts of contexts that have changed. */
  *#prepare({ model }: Boat, root: string): Generator<number, void> {
    for (const [context, leaves] of model.contexts) {
      if (this.#contexts.has(context) || !context.startsWith(root)) continue;
      this.#textOf(context, leaves);
      yield leaves.size * LEAF_WORK;
    }
  }

  #textOf(context: string, leaves: ReadonlyMap<string, Leaf>): string {
    return entryOf(this.#contexts, context, () => contextText(context, leaves));
  }
}
