/** An error of the operating system, with a message that can be passed on to a client. */

export class SystemError extends Error {
  /** The system's number, positive: 28. */
  readonly errno: number;
  /** Its symbolic name: ENOSPC. */
  readonly code: string;

  /** `message` is the C library's sentence: "no space left on device". */
  constructor(errno: number, code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SystemError";
    this.errno = errno;
    this.code = code;
  }
}
