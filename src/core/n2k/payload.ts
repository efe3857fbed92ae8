/** A message as it was received. */
export interface Payload {
  /** It lies in these bytes from `at` to `end`. */
  readonly bytes: Uint8Array;
  readonly at: number;
  readonly end: number;
  /** Address of its sender. */
  readonly source: number;
  /** Monotonic, milliseconds. */
  readonly arrived: number;
}

/** The payload that is all of `bytes`. */
export const payloadOf = (bytes: Uint8Array, source: number, arrived = 0): Payload => ({
  bytes,
  at: 0,
  end: bytes.length,
  source,
  arrived,
});
