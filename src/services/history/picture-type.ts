/** The format of a picture by its first bytes, because what a client names it decides nothing. */
import type { PictureType } from "../../core/ports/voyage-store.ts";

const marks: readonly (readonly [type: PictureType, at: number, bytes: readonly number[]])[] = [
  ["jpg", 0, [0xff, 0xd8, 0xff]],
  ["png", 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  // "WEBP" after "RIFF" and a length.
  ["webp", 8, [0x57, 0x45, 0x42, 0x50]],
];

/** Undefined for anything else. */
export const pictureTypeOf = (bytes: Uint8Array): PictureType | undefined =>
  marks.find(([, at, mark]) => mark.every((byte, index) => bytes[at + index] === byte))?.[0];
