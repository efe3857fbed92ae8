/**
 * Errors that end a daemon with exit code 1 and their message as one line for the user:
 *
 *     UsageError    an option, a value or a combination that makes no sense
 *     StartupError  the program cannot start: a folder, a port or a file that it was given
 */

export class UsageError extends Error {
  override readonly name = "UsageError";
}

export class StartupError extends Error {
  override readonly name = "StartupError";
}

/** Waits for an opening; any failure ends the program with its message. */
export async function started<Opened>(opening: Promise<Opened>): Promise<Opened> {
  return opening.catch((error: Error) => {
    throw new StartupError(error.message);
  });
}
