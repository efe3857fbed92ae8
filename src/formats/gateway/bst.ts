/**
 * Commands to Actisense gateways, as BST messages in their framing over serial lines and TCP
 * (`recording/formats/actisense-bst.ts`):
 *
 *     A1 length  command  data                                                   a command to the gateway
 *     94 length  priority pgn(3) destination length  payload                     a message for the bus
 */
import { fromCanId } from "../../core/can/can-id.ts";
import { DLE, ETX, STX } from "../recording/formats/actisense-bst.ts";

const N2K_SEND = 0x94;
const GATEWAY_COMMAND = 0xa1;

/** A message with its checksum, in its frame. */
function bstFrame(message: readonly number[]): Uint8Array {
  const checksum = -message.reduce((sum, byte) => sum + byte, 0) & 0xff;
  const stuffed = [...message, checksum].flatMap((byte) => (byte === DLE ? [DLE, DLE] : [byte]));
  return Uint8Array.of(DLE, STX, ...stuffed, DLE, ETX);
}

export const gatewayCommand = (command: number, ...data: readonly number[]): Uint8Array =>
  bstFrame([GATEWAY_COMMAND, data.length + 1, command, ...data]);

/** A message that the gateway sends from its own address. */
export function sendCommand(id: number, data: Uint8Array): Uint8Array {
  const { priority, pgn, destination } = fromCanId(id);
  const head = [priority, pgn & 0xff, (pgn >> 8) & 0xff, pgn >> 16, destination, data.length];
  return bstFrame([N2K_SEND, head.length + data.length, ...head, ...data]);
}
