/** Bytes in pieces, one behind the other. Versions of a document share the pieces that are the same in both. */
export type Pieces = readonly Uint8Array[];

export const lengthOf = (pieces: Pieces): number => pieces.reduce((sum, { length }) => sum + length, 0);

/** All bytes in one array: the piece itself if there is one. */
export function joined(pieces: Pieces): Uint8Array {
  if (pieces.length === 1) return pieces[0]!;
  const bytes = new Uint8Array(lengthOf(pieces));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** True if two lists hold the same bytes, wherever they are cut. A piece that both share is not compared. */
export function piecesEqual(one: Pieces, other: Pieces): boolean {
  if (lengthOf(one) !== lengthOf(other)) return false;
  let [place, at] = [0, 0];
  for (const piece of one) {
    for (let done = 0; done < piece.length; ) {
      const across = other[place]!;
      const length = Math.min(piece.length - done, across.length - at);
      if (!bytesEqual(piece.subarray(done, done + length), across.subarray(at, at + length))) return false;
      done += length;
      at += length;
      if (at === across.length) [place, at] = [place + 1, 0];
    }
  }
  return true;
}

/** True if two arrays hold the same bytes. */
export function bytesEqual(one: Uint8Array, other: Uint8Array): boolean {
  if (one.buffer === other.buffer && one.byteOffset === other.byteOffset) return one.length === other.length;
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}
