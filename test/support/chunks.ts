/** Bytes as the chunks of a stream, and back. */
export async function* chunksOf(bytes: Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export const bytesOf = async (stream: ReadableStream<Uint8Array> | undefined): Promise<Uint8Array | undefined> =>
  stream && new Uint8Array(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());
