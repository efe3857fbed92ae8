/**
 * The boat's own charts: large files that arrive in pieces, one after the other. A chart appears under its name when its
 * last piece is on the medium; until then its bytes are an upload, which another one of the name and size begins anew. A
 * SystemError reports a failed system call. Calls of `add` for one name do not overlap.
 */
export interface ChartFile {
  readonly name: string;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface ChartPiece {
  /** The size of the whole chart. */
  readonly size: number;
  /** Where the piece begins. */
  readonly from: number;
  readonly bytes: Uint8Array;
}

export interface ChartStore {
  /** By name; undefined without a folder for charts. */
  list(): Promise<readonly ChartFile[] | undefined>;
  /** Bytes of the disk that charts may take in addition; undefined without a folder for charts. */
  room(): Promise<number | undefined>;
  /**
   * The bytes that have arrived of a chart, this piece included; unchanged if the piece does not begin where the one
   * before ended. A piece from 0 begins anew.
   */
  add(name: string, piece: ChartPiece): Promise<number>;
  /** False if there was none. */
  remove(name: string): Promise<boolean>;
}
