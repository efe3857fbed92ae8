/** What a world asks of a page of the display, and what it gives to it. */

export interface TabletPage {
  /** Ids of the alarms that are shown; undefined if it does not know them. */
  alarms(): readonly string[] | undefined;
  /** Where the way from the boat to this page is broken, as `Link` of the display. */
  link(): string;
  /** The depth in metres that is shown as live. */
  liveDepth(): number | undefined;
  /** The boat's clock as this page knows it, milliseconds since 1970. */
  boatClock(): number;
  /** Answers all that rings here. */
  acknowledge(): void;
  silence(): void;
  /** Marks a person; returns the name of the press. */
  pressManOverboard(): string;
}

/** A connection to the broker of the world. */
export interface WorldConnection {
  subscribe(filters: readonly string[]): void;
  unsubscribe(filters: readonly string[]): void;
  publish(topic: string, payload: string): void;
  /** Calls back after all messages that wait for this connection. */
  ask(onAnswer: () => void): void;
  close(): void;
}

/** Connects; undefined while the broker is away or out of reach. */
export type ConnectToWorld = (
  onMessage: (topic: string, payload: Uint8Array, isRetained: boolean) => void,
  onLost: () => void,
) => WorldConnection | undefined;
