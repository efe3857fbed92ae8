/**
 * Reads files that another user or program may have put in place: only regular ones, opened without waiting, since a FIFO
 * would block and a device never ends, and only up to a limit, since each is read into memory.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFile,
  readSync,
  type Stats,
  statSync,
} from "node:fs";
import { constants as osConstants } from "node:os";
import { promisify } from "node:util";
import { failedWith } from "./system-errors.ts";

const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;

/** The longest string of V8: no longer document can be parsed. */
const MAX_FILE_BYTES = 2 ** 29 - 24;

/** Files up to here are read synchronously: some ten microseconds, where the thread pool takes several times as many. */
const SYNC_READ_BYTES = 128 << 10;

export interface ReadOptions {
  /** Whether symbolic links are followed. Default: a link counts as absent. */
  readonly follow?: boolean;
  /** A larger file is an error, EFBIG. Default: `MAX_FILE_BYTES`. */
  readonly maxBytes?: number;
}

/** The bytes of a regular file; undefined if there is none of that name. Throws the error of any other system call. */
export async function readRegularFile(path: string, options: ReadOptions = {}): Promise<Uint8Array | undefined> {
  try {
    return (await read(path, options))?.bytes;
  } catch (error) {
    const isAbsent = failedWith(error, "ENOENT", "ENAMETOOLONG", "ENXIO");
    if (isAbsent || (!options.follow && failedWith(error, "ELOOP"))) return undefined;
    throw error;
  }
}

export interface RequiredFile {
  readonly bytes: Buffer;
  /** Permission bits. */
  readonly mode: number;
}

/** A file that has to be there, links followed. Throws an Error whose message names the file. */
export async function requireRegularFile(path: string, maxBytes: number): Promise<RequiredFile> {
  const file = await read(path, { follow: true, maxBytes });
  if (file === undefined) throw new Error(`${path}: not a regular file`);
  return { bytes: file.bytes, mode: file.status.mode & 0o777 };
}

async function read(
  path: string,
  { follow = false, maxBytes = MAX_FILE_BYTES }: ReadOptions,
): Promise<{ readonly bytes: Buffer; readonly status: Stats } | undefined> {
  // Before opening, which has effects on some devices. Deno, too, ignores O_NOFOLLOW where its permissions are limited.
  if (!(follow ? statSync : lstatSync)(path).isFile()) return undefined;
  const file = openSync(path, O_RDONLY | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW));
  try {
    const status = fstatSync(file);
    if (!status.isFile()) return undefined;
    if (status.size > maxBytes) throw tooLarge(path, status.size, maxBytes);
    const bytes = status.size <= SYNC_READ_BYTES ? readSmall(file, status.size) : await readAll(file);
    return { bytes, status };
  } finally {
    closeSync(file);
  }
}

function readSmall(file: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let length = 0;
  for (let read = -1; read !== 0 && length < size; length += read)
    read = readSync(file, bytes, length, size - length, null);
  return bytes.subarray(0, length);
}

const readAll = promisify(readFile) as (file: number) => Promise<Buffer>;

/** As the system reports one, so that callers need to know one kind. */
const tooLarge = (path: string, size: number, maxBytes: number): Error =>
  Object.assign(new Error(`EFBIG: ${path} has ${size} bytes, more than ${maxBytes}`), {
    errno: -osConstants.errno.EFBIG,
    code: "EFBIG",
    syscall: "read",
    path,
  });
