/** Resources that are closed in reverse order; an AsyncDisposableStack for runtimes without one. */

type Closable = { close(): unknown };

export class Closers {
  readonly #opened: Closable[] = [];

  /** Adds a resource to be closed, unless it is undefined, and returns it. */
  add<Opened extends Closable | undefined>(opened: Opened): Opened {
    if (opened !== undefined) this.#opened.push(opened);
    return opened;
  }

  /** Closes all resources, the last one first, one after the other. */
  async close(): Promise<void> {
    for (let opened = this.#opened.pop(); opened !== undefined; opened = this.#opened.pop()) await opened.close();
  }
}
