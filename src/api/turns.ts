/**
 * One queue for all changes: each takes its turn alone, so that what it read is still true when it writes. A turn that fails
 * does not keep the next one from its own.
 */
export type Turns = <Value>(work: () => Promise<Value>) => Promise<Value>;

export function newTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
}
