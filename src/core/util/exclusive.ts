/**
 * A mutex: `exclusive(work)` runs one piece of work at a time, in the order of the calls, so that nothing changes between
 * the read and the write of a change. Failed work does not stop the next.
 */
export type Exclusive = <Value>(work: () => Promise<Value>) => Promise<Value>;

export function createExclusive(): Exclusive {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}
