/** Conversations of texts with clients, such as those of a WebSocket. */

/** A text that is sent to many clients: an adapter that encodes it may do so once. */
export interface SharedText {
  readonly text: string;
}

export interface TextStream {
  /** Bytes that were sent and that the client has not read. */
  readonly unreadBytes: number;
  /** Never waits. A client that reads too slowly is dropped. */
  send(text: string | SharedText): void;
  /** Takes no messages of the client until `resume`, but for those that have come. */
  pause(): void;
  resume(): void;
  /** Closes the conversation, and tells the client why. */
  end(reason: string): void;
}

/** Receives the messages of a client. */
export interface StreamListener {
  /** So many bytes have come, of messages and of all else. */
  came(bytes: number): void;
  receive(text: string): void;
  closed(): void;
}

/** The request by which a client asks for a stream. */
export interface StreamRequest {
  readonly target: string;
  /** The port on which it came. */
  readonly port: number;
  /**
   * Address of the client, also behind this machine's proxy where the proxy forwards it; undefined for a program of
   * this machine.
   */
  readonly address: string | undefined;
  header(name: string): string | undefined;
}
