/** Converts Node's errors of system calls to those of the ports. */
import { getSystemErrorMap } from "node:util";
import { SystemError } from "../../core/ports/system-error.ts";

interface CallError extends Error {
  readonly errno: number;
  readonly code: string;
}

const isCallError = (error: unknown): error is CallError =>
  error instanceof Error && typeof (error as Partial<CallError>).errno === "number" && "code" in error;

/** Waits for work on files; throws a SystemError for a failed system call, and other errors unchanged. */
export const withSystemErrors = <Value>(work: Promise<Value>): Promise<Value> =>
  work.catch((error: unknown) => {
    if (!isCallError(error)) throw error;
    const [, sentence] = getSystemErrorMap().get(error.errno) ?? [];
    throw new SystemError(Math.abs(error.errno), error.code, sentence ?? error.message, { cause: error });
  });

/** True for an error of a system call with one of these names. */
export const failedWith = (error: unknown, ...codes: readonly string[]): boolean =>
  isCallError(error) && codes.includes(error.code);

/** Undefined in place of the error for a name without a file; throws other errors. For `catch` of a promise. */
export function noneIfGone(error: unknown): undefined {
  if (!failedWith(error, "ENOENT")) throw error;
}
