/**
 * A frame as captures of SocketCAN hold it (https://www.tcpdump.org/linktypes/LINKTYPE_CAN_SOCKETCAN.html): identifier
 * u32 big endian with the flags of linux/can.h, length u8, FD flags u8, 0 u16, data.
 */
import type { RecordWriter } from "../record-writer.ts";

export const LINK_TYPE_SOCKETCAN = 227;

const HEAD_BYTES = 8;

/** Bytes of the largest classic frame; CAN FD frames are longer. */
export const LARGEST_FRAME_BYTES = HEAD_BYTES + 8;

/** Writes the frame at `at` with `captured` bytes; false if it is truncated or not a classic frame. */
export function writeCapturedFrame(
  view: DataView,
  at: number,
  captured: number,
  wall: number,
  writer: RecordWriter,
): boolean {
  if (captured < HEAD_BYTES) return false;
  const length = view.getUint8(at + 4);
  if (length > 8 || captured < HEAD_BYTES + length) return false;
  for (let index = 0; index < length; index++) writer.data[index] = view.getUint8(at + HEAD_BYTES + index);
  writer.frame(wall, view.getUint32(at), length);
  return true;
}
