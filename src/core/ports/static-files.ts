/** A public folder of files: the console. */
export interface StaticFiles {
  /**
   * The bytes of a file, by its path in segments without slashes. Undefined for anything but a regular file inside the
   * folder: a folder, a name that begins with a dot, a link to the outside.
   */
  read(path: readonly string[]): Promise<Uint8Array | undefined>;
}
