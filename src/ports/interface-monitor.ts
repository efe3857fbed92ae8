/** What the interface of a bus is at a moment. The names of members are those of the message that is published of it. */

export const interfaceStates = [
  "ERROR-ACTIVE",
  "ERROR-WARNING",
  "ERROR-PASSIVE",
  "BUS-OFF",
  "STOPPED",
  "SLEEPING",
  "UNKNOWN",
] as const;

/** The error state of a CAN controller; `UNKNOWN` where there is none, as behind a vcan or a recording. */
export type InterfaceState = (typeof interfaceStates)[number];

/** Counters as the system has them; they may begin at 0 again. The last two are the CAN controller's. */
export interface InterfaceStatistics {
  readonly tx_frames?: number;
  readonly tx_bytes?: number;
  readonly rx_frames?: number;
  readonly rx_bytes?: number;
  readonly tx_errors?: number;
  readonly rx_errors?: number;
  readonly bus_errors?: number;
  readonly restarts?: number;
}

/** How a CAN controller is set up; a controller that was never given a bitrate has no bit timing. */
export interface InterfaceConfiguration {
  /** Bits a second. */
  readonly bitrate?: number;
  /** Where in the bit its value is taken, permille. */
  readonly sample_point?: number;
  /** A time quantum, nanoseconds; the four behind it are counted in these. */
  readonly tq?: number;
  readonly prop_seg?: number;
  readonly phase_seg1?: number;
  readonly phase_seg2?: number;
  readonly sjw?: number;
  /** Ticks of the controller's clock in a time quantum. */
  readonly brp?: number;
  /** Milliseconds after which a controller that is BUS-OFF begins again; 0: not by itself. */
  readonly restart_ms?: number;
  /** The flags CAN_CTRLMODE_… of linux/can/netlink.h. */
  readonly ctrlmode?: number;
}

/** What is published of an interface, in the order of the document. */
export interface InterfaceStatus {
  readonly interface: string;
  readonly state: InterfaceState;
  /** Up by its administrator; an interface that is BUS-OFF is still up. */
  readonly up: boolean;
  readonly stats?: InterfaceStatistics;
  readonly config?: InterfaceConfiguration;
}

export interface InterfaceReading {
  /** The system's number of it: another one means another interface of the same name. 0 where there is none. */
  readonly index: number;
  readonly status: InterfaceStatus;
}

export interface InterfaceMonitor {
  /** Asks; an interface that is absent is not up. Throws when the system does not answer. */
  read(): InterfaceReading;
}
