/** A change that the disk did not take; nothing has changed. */
export class NotStored extends Error {}

/** Awaits that something is stored; rejects with `NotStored`. */
export async function storing(stored: Promise<void>): Promise<void> {
  try {
    await stored;
  } catch (error) {
    throw new NotStored((error as Error).message, { cause: error });
  }
}

/** A request to the APIs of version 2 that is refused: its status, and the reason in words. */
export class Refused extends Error {
  readonly status: 400 | 404;

  constructor(status: 400 | 404, reason: string) {
    super(reason);
    this.status = status;
  }
}
