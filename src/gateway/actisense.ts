/**
 * Actisense NGT-1 and NGX-1 on a serial port, W2K-1 and WGX-1 by TCP, in binary. An NGT-1 gives nothing but the PGNs of its list
 * until it is told to receive all, which it forgets when it loses power; it answers the command.
 *
 * It is a device of the bus itself: it has a NAME and an address, sends its own heartbeat, and tells who it is. A node behind it
 * only requests, in its name.
 */
import { BstReader, gatewayCommand, sendCommand } from "./bst.ts";
import { BUS_SILENCE_MS, type Gateway, type Session, type SessionOptions } from "./gateway.ts";

const OPERATING_MODE = 0x11;
/** Little endian: mode 2. */
const RECEIVE_ALL = [0x02, 0x00] as const;

function open({ send }: SessionOptions): Session {
  let isObeyed = false;
  const reader = new BstReader((command) => {
    isObeyed ||= command === OPERATING_MODE;
  });
  const receiveAll = (): void => send(gatewayCommand(OPERATING_MODE, ...RECEIVE_ALL));
  receiveAll();
  return {
    get malformed() {
      return reader.malformed;
    },
    get answers() {
      return reader.answers;
    },
    read: (chunk, _end, writer) => reader.read(chunk, writer),
    // A serial line may have swallowed the command.
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
  hasDates: false,
  transmits: "requests",
  silenceMs: BUS_SILENCE_MS,
  open,
};
