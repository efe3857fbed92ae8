/** The end of a script with a message in place of a stack trace, where the user can mend the cause. */
export class Failure extends Error {}

/** Runs a script; a Failure is printed, and the exit code is 1. */
export async function endWithMessage(main) {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.error(`hub: ${error.message}`);
    process.exitCode = 1;
  }
}
