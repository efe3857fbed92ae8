/** Faults of parts of the page, which cost that part alone: counted by part, since the page was opened. */
export interface Failure {
  readonly count: number;
  /** The message of the latest. */
  readonly message: string;
}

/** Not a signal, because a computed signal may note a fault. */
export const failures = new Map<string, Failure>();

export function noteFailure(part: string, error: unknown): Failure {
  console.error(error);
  const message = String((error as Partial<Error> | null)?.message ?? error);
  const failure = { count: (failures.get(part)?.count ?? 0) + 1, message };
  failures.set(part, failure);
  return failure;
}

/** The result of `make`; `otherwise` if it throws, which counts as a fault of the part. */
export function guarded<Value>(part: string, make: () => Value, otherwise: Value): Value {
  try {
    return make();
  } catch (error) {
    noteFailure(part, error);
    return otherwise;
  }
}
