/**
 * The two expected failures of a request; every other error is a bug and is answered with 500.
 *
 *     Error
 *      ├─ Refusal       the request or the project is at fault: HTTP status and message
 *      └─ SystemError   a system call failed: errno, code, message (ports/system-error.ts);
 *                       it is the cause of a Refusal that names the failed action
 */

export type RefusalStatus = 400 | 401 | 404 | 409 | 500;

/** An expected failure: HTTP status and message (lower case, no full stop). */
export class Refusal extends Error {
  readonly status: RefusalStatus;

  constructor(status: RefusalStatus, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "Refusal";
    this.status = status;
  }
}

/** A file that is not a project; its content is not guessed. */
export const malformedProject = (): Refusal => new Refusal(500, "project file is malformed");

/** JSON that is, or would become, nested too deeply to be printed again. */
export const nestedTooDeeply = (): Refusal => new Refusal(400, "nested too deeply, at most 1000 lists and objects");
