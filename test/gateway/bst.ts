/** Messages of Actisense gateways, written by the manufacturer's description: summed up, escaped and framed. */

export const bytesOfHex = (hex: string): Buffer => Buffer.from(hex.replaceAll(/\s/g, ""), "hex");

/** A message, with its checksum, between DLE STX and DLE ETX. */
export function bst(message: string | Uint8Array): Buffer {
  const bytes = typeof message === "string" ? bytesOfHex(message) : message;
  let sum = 0;
  for (const byte of bytes) sum = (sum + byte) % 256;
  const whole = Buffer.concat([bytes, Buffer.of((256 - sum) % 256)]);
  return bytesOfHex(`1002${whole.toString("hex").replaceAll(/(..)/g, (byte) => (byte === "10" ? "1010" : byte))}1003`);
}
