/** Sends frames to a bus; only a node has one. */

export interface FrameSender {
  /**
   * Frames are sent from the address of a gateway, which is a device of the bus itself: it claims its address, sends
   * its heartbeat and answers requests about itself. A node behind it only sends requests.
   */
  readonly isDevice?: boolean;
  /**
   * Sends one frame with an identifier of 29 bits and at most eight bytes. Never waits; false when the frame could not
   * be sent, because there is no interface, it is down, or there is no room.
   */
  send(id: number, data: Uint8Array): boolean;
}
