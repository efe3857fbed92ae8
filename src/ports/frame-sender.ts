/** Sends frames to a bus; only a node has one. */

export interface FrameSender {
  /**
   * Frames go out from the address of a gateway, which is a device of the bus itself: it claims, sends its heartbeat
   * and tells who it is. A node behind it only requests.
   */
  readonly isDevice?: boolean;
  /**
   * Sends one frame with an identifier of 29 bits and at most eight bytes. Never waits; false when the frame could not
   * be sent, as there is no interface, it is down, or there is no room for now.
   */
  send(id: number, data: Uint8Array): boolean;
}
