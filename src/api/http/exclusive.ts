/**
 * A mutex: `exclusive(work)` runs one piece of work at a time, in the order of the calls, so that a project is still
 * what a change has read when it is written. Work that fails does not stop the next.
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
