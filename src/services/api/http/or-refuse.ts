/** Refusals for failed system calls. */
import { SystemError } from "../../../core/ports/system-error.ts";
import { Refusal } from "../../../core/project/refusal.ts";

/** Turns a SystemError of `work` into a 500 with a message that names the failed action. */
export const orRefuse = <Value>(message: string, work: Promise<Value>): Promise<Value> =>
  work.catch((error: unknown) => {
    throw error instanceof SystemError ? new Refusal(500, message, { cause: error }) : error;
  });
