/** The end of a script with a message in place of a stack trace, where the user can mend the cause. */
export class Failure extends Error {}

const isOfUser = (error) => error instanceof Failure || error.code?.startsWith("ERR_PARSE_ARGS_");

/** Runs a script; a Failure or a wrong option is printed, and the exit code is 1. */
export async function endWithMessage(main) {
  try {
    await main();
  } catch (error) {
    if (!isOfUser(error)) throw error;
    console.error(`hub: ${error.message}`);
    process.exitCode = 1;
  }
}
