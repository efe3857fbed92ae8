/** Conversations of texts with clients, such as those of a WebSocket. */

/** A text that is sent to many clients: an adapter may encode it once. */
export interface SharedText {
  readonly text: string;
}

export interface TextStream {
  /** Bytes that were sent and not yet read by the client. */
  readonly unreadBytes: number;
  /** Never waits. A client that reads too slowly is dropped. */
  send(text: string | SharedText): void;
  /** Takes no further messages of the client until `resume`; messages already received are still delivered. */
  pause(): void;
  resume(): void;
  /** Closes the conversation, and tells the client why. */
  end(reason: string): void;
}

/** Receives the messages of a client. */
export interface StreamListener {
  /** Called with the number of bytes received, of messages and of all other frames. */
  came(bytes: number): void;
  receive(text: string): void;
  closed(): void;
}

/** The request by which a client asks for a stream. */
export interface StreamRequest {
  readonly target: string;
  readonly port: number;
  /**
   * Address of the client, also behind this machine's proxy if the proxy forwards it; undefined for a program of this
   * machine.
   */
  readonly address: string | undefined;
  header(name: string): string | undefined;
}
