/**
 * Expected failures of a run of hub-config-fetch; the message is for people and does not have the content of the file.
 *
 *     refused  what was fetched may not be deployed: signature, channel, version, or the service's own checks
 *     failed   the server or the service is away or cannot do it now; the next run tries again
 */
export class FetchFailure extends Error {
  override readonly name = "FetchFailure";
  readonly kind: "refused" | "failed";

  constructor(kind: "refused" | "failed", message: string, options?: ErrorOptions) {
    super(message.slice(0, MAX_MESSAGE_LENGTH), options);
    this.kind = kind;
  }
}

/** A limit, because Node's message about a certificate for other hosts has the names of all of them. */
const MAX_MESSAGE_LENGTH = 500;

/** The system's name of a failed connection, or else its message. */
export function reasonOf(error: unknown): string {
  const { code, message, cause } = error as NodeJS.ErrnoException;
  // `fetch` wraps the error of the socket; an attempt at several addresses has a code and no message.
  if (cause instanceof Error) return reasonOf(cause);
  return message === "" ? (code ?? "") : message;
}
