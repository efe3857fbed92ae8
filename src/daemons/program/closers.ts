/** Resources that are closed in reverse order; an AsyncDisposableStack for runtimes without one. */

type Closable = { close(): unknown };

export class Closers {
  readonly #opened: Closable[] = [];

  /** Adds something to be closed, if there is something, and returns it. */
  add<Opened extends Closable | undefined>(opened: Opened): Opened {
    if (opened !== undefined) this.#opened.push(opened);
    return opened;
  }

  /** Closes all of it, the last first, each when the one before has been closed. */
  async close(): Promise<void> {
    for (let opened = this.#opened.pop(); opened !== undefined; opened = this.#opened.pop()) await opened.close();
  }
}
