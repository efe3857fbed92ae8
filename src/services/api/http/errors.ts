/** `onError` and `notFound`: `{"error"}`, with `errno`, `code` and `message` if a system call failed. */
import type { ErrorHandler, NotFoundHandler } from "hono";
import { SystemError } from "../../../core/ports/system-error.ts";
import { Refusal } from "../../../core/project/refusal.ts";
import { TooMuchWork } from "../../../core/util/work.ts";
import type { ApiEnv } from "./env.ts";
import { json } from "./responses.ts";

/** The codes that the contract names; for other failures the response has only number and message. */
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

export const errorResponse: ErrorHandler<ApiEnv> = (error, c) => {
  // The response of the process that serves the request replaces this one.
  if (error instanceof TooMuchWork) return c.body(null, 503);
  const { log } = c.get("services");
  if (!(error instanceof Refusal)) {
    log.error("internal error", { code: "INTERNAL_ERROR", stack: error.stack ?? error.message });
    return json({ error: "internal error" }, 500);
  }
  const { status, message, cause } = error;
  if (!(cause instanceof SystemError)) return json({ error: message }, status);
  log.error(message, { code: "STORAGE_FAILED", errno: cause.errno, reason: cause.code, message: cause.message });
  const code = knownCodes.has(cause.code) ? { code: cause.code } : {};
  return json({ error: message, errno: cause.errno, ...code, message: cause.message }, status);
};

export const noSuchRoute: NotFoundHandler<ApiEnv> = () => json({ error: "no such route" }, 404);
