/**
 * The 29 bits of an ISO 11783 identifier:
 *
 *     28..26 priority | 25 0 | 24 page | 23..16 format | 15..8 destination (format < 240) or low byte of the PGN | 7..0 source
 */
import { EXTENDED_FRAME } from "./frame-batch.ts";

const FIRST_BROADCAST_FORMAT = 240;

/** The identifier, with its flag, of a frame; the low byte of a PGN that is sent to an address is its place, not its value. */
export function identifierOf(priority: number, pgn: number, source: number, destination: number): number {
  const addressed = ((pgn >> 8) & 0xff) < FIRST_BROADCAST_FORMAT;
  const group = addressed ? (pgn & 0x3ff00) | destination : pgn;
  return (EXTENDED_FRAME | (priority << 26) | (group << 8) | source) >>> 0;
}

export function priorityOf(identifier: number): number {
  return (identifier >> 26) & 7;
}

export function pgnOf(identifier: number): number {
  const group = (identifier >> 8) & 0x3ffff;
  return ((group >> 8) & 0xff) < FIRST_BROADCAST_FORMAT ? group & 0x3ff00 : group;
}

export function sourceOf(identifier: number): number {
  return identifier & 0xff;
}

/** The address a frame is meant for, 255 for all. */
export function destinationOf(identifier: number): number {
  return ((identifier >> 16) & 0xff) < FIRST_BROADCAST_FORMAT ? (identifier >> 8) & 0xff : 255;
}
