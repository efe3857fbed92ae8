/**
 * Actisense NGT-1 and NGX-1 on a serial port, W2K-1 and WGX-1 by TCP, in binary. An NGT-1 sends only the PGNs of its
 * list until it gets a command to receive all, which it answers, and forgets when it loses power.
 *
 * It is a device of the bus itself: it has a NAME and an address, sends its own heartbeat, and answers requests about
 * itself. A node behind it only sends requests, in the name of the gateway.
 */
import { BstMessages, BstReader } from "../recording/formats/actisense-bst.ts";
import { gatewayCommand, sendCommand } from "./bst.ts";
import type { BusFigures, Gateway, Session, SessionOptions } from "./gateway.ts";

const OPERATING_MODE = 0x11;
/** Little endian: mode 2. */
const RECEIVE_ALL = [0x02, 0x00] as const;

/** Sent once after power-on or a reset (Actisense SDK, bem-detail/startup-status.md). */
const STARTUP_STATUS = 0xf0;
const SYSTEM_STATUS = 0xf2;

/**
 * The system status, which a gateway sends every second where it is set up to (Actisense SDK,
 * bem-detail/system-status.md), all in percent but the counters: what each port receives and sends, the bus first; the
 * buffers between them; the CAN controller.
 *
 *     count  [bandwidth loading filtered dropped bandwidth loading]…  count  [bandwidth deleted loading pointers]…
 *     counters(2) …
 *
 * Undefined if a list is shorter than its count.
 */
function systemStatus(data: Uint8Array): BusFigures | undefined {
  const ports = data[0] ?? 0;
  const endOfPorts = 1 + 6 * ports;
  const buffers = data[endOfPorts] ?? 0;
  const end = endOfPorts + 1 + 4 * buffers;
  if (ports === 0 || data.length < end) return undefined;
  const dropped = Array.from({ length: ports }, (_, index) => data[4 + 6 * index]!);
  const deleted = Array.from({ length: buffers }, (_, index) => data[endOfPorts + 2 + 4 * index]!);
  return {
    busLoadPercent: data[1]!,
    // biome-ignore lint/plugin: channels of a packet
    droppedPercent: Math.max(...dropped, ...deleted),
    ...(data.length >= end + 3 && { receiveErrorCounter: data[end]!, transmitErrorCounter: data[end + 1]! }),
  };
}

function open({ send }: SessionOptions): Session {
  let isObeyed = false;
  let figures: BusFigures | undefined;
  const receiveAll = (): void => send(gatewayCommand(OPERATING_MODE, ...RECEIVE_ALL));
  const messages = new BstMessages((command, data) => {
    if (command === OPERATING_MODE) isObeyed = true;
    else if (command === SYSTEM_STATUS) figures = systemStatus(data) ?? figures;
    else if (command === STARTUP_STATUS) {
      isObeyed = false;
      receiveAll();
    }
  });
  const reader = new BstReader(messages);
  receiveAll();
  return {
    get malformed() {
      return reader.malformed;
    },
    get answers() {
      return messages.answers;
    },
    get figures() {
      return figures;
    },
    read: (chunk, _end, writer) => reader.read(chunk, writer),
    // The serial line may have lost the command.
    advance() {
      if (!isObeyed) receiveAll();
    },
    encode: sendCommand,
  };
}

export const actisense: Gateway = {
  title: "Actisense NGT-1, NGX-1, W2K-1: BST",
  endpoints: [
    { scheme: "actisense", transport: "serial", baud: 115_200 },
    { scheme: "actisense+tcp", transport: "tcp" },
  ],
  carries: "both",
  transmits: "requests",
  open,
};
