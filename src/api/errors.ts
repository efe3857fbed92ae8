/** Turns what was thrown into what a caller gets: `{"error"}`, and `errno`, `code`, `message` if the system said no. */

import type { Answer } from "../ports/exchange.ts";
import type { Log } from "../ports/log.ts";
import { SystemError } from "../ports/system-error.ts";
import { Refusal } from "../project/refusal.ts";
import { jsonAnswer } from "./answers.ts";

/** Names a client may rely on; of other failures only the number and the sentence are told. */
const knownCodes: ReadonlySet<string> = new Set([
  "EACCES",
  "EBUSY",
  "EDQUOT",
  "EEXIST",
  "EFBIG",
  "EINVAL",
  "EIO",
  "EISDIR",
  "ELOOP",
  "ENAMETOOLONG",
  "ENOENT",
  "ENOMEM",
  "ENOSPC",
  "ENOTDIR",
  "EPERM",
  "EROFS",
]);

/** Waits for work of a store; if the system says no, refuses with a sentence that says what could not be done. */
export const orRefuse = <Value>(sentence: string, work: Promise<Value>): Promise<Value> =>
  work.catch((error: unknown) => {
    throw error instanceof SystemError ? new Refusal(500, sentence, { cause: error }) : error;
  });

export function refusalAnswer(error: unknown, log: Log): Answer {
  if (!(error instanceof Refusal)) {
    log.error("internal error", { stack: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    return jsonAnswer(500, { error: "internal error" });
  }
  const { status, message, cause } = error;
  if (!(cause instanceof SystemError)) return jsonAnswer(status, { error: message });
  log.error(message, { errno: cause.errno, code: cause.code, message: cause.message });
  const code = knownCodes.has(cause.code) ? { code: cause.code } : {};
  return jsonAnswer(status, { error: message, errno: cause.errno, ...code, message: cause.message });
}
