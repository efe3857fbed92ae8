import type { Device } from "../nav/devices.ts";

/** When a message arrived, monotonic milliseconds, and from whom. */
export interface Heard {
  readonly arrived: number;
  /** Address of the sender, and the device, which stays the same when it moves to another address. */
  readonly source: number;
  readonly device: Device;
}
