/** The product information of a device, PGN 126996. */
import { decoderOf } from "./decode.ts";
import type { Message } from "./definition.ts";
import { productInformation } from "./pgns/system.ts";

export type Product = Omit<Message<typeof productInformation>, "pgn">;

const BYTES = 134;
const read = decoderOf(productInformation);

/** Undefined if it is not whole. */
export function readProduct(bytes: Uint8Array, at: number, end: number, source: number): Product | undefined {
  if (end - at < BYTES) return undefined;
  const { pgn: _, ...product } = read(bytes, at, end, source);
  return product;
}
