/** Conversations of texts with clients, such as those of a WebSocket. */

export interface TextStream {
  /** Bytes that were sent and that the client has not read. */
  readonly unreadBytes: number;
  /** Never waits. A client that reads too slowly is dropped. */
  send(text: string): void;
}

/** Receives the messages of a client. */
export interface StreamListener {
  /** A message; false ends the conversation. */
  receive(text: string): boolean;
  closed(): void;
}

/** The request by which a client asks for a stream. */
export interface StreamRequest {
  readonly target: string;
  /** The port on which it came. */
  readonly port: number;
  header(name: string): string | undefined;
}
