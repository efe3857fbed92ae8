/** Where voyages are kept: a file of lines each, appended and never changed, and files of pictures. */

export interface VoyageStore {
  /** Names of the voyages, in the order of their begins. */
  names(): Promise<readonly string[]>;
  /** Whole lines of a voyage, and the bytes that they take; undefined: there is none of this name. */
  read(name: string): Promise<string | undefined>;
  /** At most that many bytes of a voyage from a place on; fewer at its end, none of one that is not there. */
  piece(name: string, from: number, length: number): Promise<Uint8Array>;
  /** Size of a voyage, which grows with each line. */
  size(name: string): Promise<number>;
  /**
   * Appends lines, which are on the medium when this resolves, and gone when it rejects, unless the medium does not take
   * that either; makes the voyage if it is missing.
   */
  append(name: string, lines: readonly string[]): Promise<void>;
  /** Makes voyages of lines, by their names: all or none. */
  create(voyages: ReadonlyMap<string, readonly string[]>): Promise<void>;
  /** Takes a voyage away, for good when this resolves; its lines and pictures stay for the owner of the medium alone. */
  remove(name: string): Promise<void>;
  /**
   * Keeps a picture, which is on the medium when this resolves; resolves with its number in the voyage, which is above
   * those of its pictures and above `used`: a picture that the owner has removed had a number too.
   */
  addPicture(name: string, type: PictureType, bytes: Uint8Array, used: number): Promise<number>;
  picture(name: string, number: number): Promise<Picture | undefined>;
  /** How many pictures there are, and their bytes. */
  pictures(): Promise<{ readonly count: number; readonly bytes: number }>;
}

/** Formats of pictures that browsers show, by the ending of their files. */
export const pictureTypes = { jpg: "image/jpeg", png: "image/png", webp: "image/webp" } as const;

export type PictureType = keyof typeof pictureTypes;

export interface Picture {
  readonly type: PictureType;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Names in the order of their times: `2026-11-29T081426Z`; `-2` is a second one of that second. */
export const voyageName = /^\d{4}-\d\d-\d\dT\d{6}Z(?:-\d{1,4})?$/;
