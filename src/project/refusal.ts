/**
 * The two ways a request can fail without a bug; every other error is a bug and goes to the top.
 *
 *     Error
 *      ├─ Refusal       the request is at fault, or the project it names: a status and a sentence
 *      └─ SystemError   the system is at fault: errno, code, message (ports/system-error.ts); it reaches the caller as the
 *                       cause of a Refusal that says what could not be done
 */

/** The statuses a request can be refused with. */
export type RefusalStatus = 400 | 401 | 404 | 409 | 500;

/** Says no to a request with a status of the contract and a fixed lower-case sentence without a stop. */
export class Refusal extends Error {
  readonly status: RefusalStatus;

  constructor(status: RefusalStatus, sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = "Refusal";
    this.status = status;
  }
}

/** A project file that is no project: reading it would be guessing. */
export const malformedProject = (): Refusal => new Refusal(500, "project file is malformed");
