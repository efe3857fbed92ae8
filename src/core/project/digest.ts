/** SHA-256 by the engine's own Web Crypto, which computes it outside the event loop. */

export async function sha256(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>));
}

/** Lower-case hex. */
export async function sha256Hex(bytes: Uint8Array): Promise<string> {
  let hex = "";
  for (const byte of await sha256(bytes)) hex += byte.toString(16).padStart(2, "0");
  return hex;
}
