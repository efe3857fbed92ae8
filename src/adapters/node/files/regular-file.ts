/**
 * Reads files that another user or program may have put in place: only regular ones, opened without waiting, because a
 * FIFO would block and a device never ends, and only up to a limit, because each is read into memory.
 */
import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  lstatSync,
  openSync,
  read as readPart,
  readSync,
  type Stats,
  statSync,
} from "node:fs";
import { constants as osConstants } from "node:os";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { lengthOf, type Pieces } from "../../../core/util/bytes.ts";
import { failedWith } from "../system-errors.ts";

const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;

/** The longest string of V8: no longer document can be parsed. */
const MAX_FILE_BYTES = 2 ** 29 - 24;

/**
 * Files up to this size are read synchronously, in some ten microseconds; the thread pool takes several times as many.
 */
const SYNC_READ_BYTES = 128 << 10;

/** Maximum bytes of one read by the thread pool. */
const MAX_READ_BYTES = 1 << 20;

export interface ReadOptions {
  /** Whether symbolic links are followed. Default: a link counts as absent. */
  readonly follow?: boolean;
  /** A larger file is an error, EFBIG. Default: `MAX_FILE_BYTES`. */
  readonly maxBytes?: number;
}

/** The bytes of a regular file; undefined if there is none of that name. Throws the error of any other system call. */
export async function readRegularFile(path: string, options: ReadOptions = {}): Promise<Uint8Array | undefined> {
  try {
    return await withFile(path, options, contentOf);
  } catch (error) {
    return absentUnless(error, options.follow);
  }
}

/** As `readRegularFile`; `known` itself, in place of a new array, if the file has these bytes. */
export async function readPieces(path: string, options: ReadOptions, known?: Pieces): Promise<Pieces | undefined> {
  try {
    return await withFile(path, options, async (file) =>
      known !== undefined && (await holds(file, known)) ? known : [await contentOf(file)],
    );
  } catch (error) {
    return absentUnless(error, options.follow);
  }
}

/** The bytes of a regular file as they are read; undefined if there is none of that name. */
export async function streamRegularFile(path: string): Promise<ReadableStream<Uint8Array> | undefined> {
  try {
    const file = openFile(path, false);
    return file && (Readable.toWeb(createReadStream("", { fd: file.descriptor })) as ReadableStream<Uint8Array>);
  } catch (error) {
    return absentUnless(error);
  }
}

/** The size of a regular file; undefined if there is none of that name. Throws the error of any other system call. */
export function sizeOfFile(path: string, { follow = false }: ReadOptions = {}): number | undefined {
  try {
    const status = (follow ? statSync : lstatSync)(path);
    return status.isFile() ? status.size : undefined;
  } catch (error) {
    return absentUnless(error, follow);
  }
}

export interface RequiredFile {
  readonly bytes: Buffer;
  /** Permission bits. */
  readonly mode: number;
}

/** A file that has to exist, links followed. Throws an Error whose message names the file. */
export async function requireRegularFile(path: string, maxBytes: number): Promise<RequiredFile> {
  const required = await withFile(path, { follow: true, maxBytes }, async (file) => ({
    bytes: await contentOf(file),
    mode: file.status.mode & 0o777,
  }));
  if (required === undefined) throw new Error(`${path}: not a regular file`);
  return required;
}

interface OpenFile {
  readonly descriptor: number;
  readonly status: Stats;
}

/** Opens a regular file; undefined for anything else of that name. */
function openFile(path: string, follow: boolean): OpenFile | undefined {
  // The type is checked before opening, which has effects on some devices. Deno also ignores O_NOFOLLOW if its
  // permissions are limited.
  if (!(follow ? statSync : lstatSync)(path).isFile()) return undefined;
  const descriptor = openSync(path, O_RDONLY | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW));
  try {
    const status = fstatSync(descriptor);
    if (status.isFile()) return { descriptor, status };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  closeSync(descriptor);
  return undefined;
}

/** Opens a regular file, gives it to `use`, and closes it. */
async function withFile<Value>(
  path: string,
  { follow = false, maxBytes = MAX_FILE_BYTES }: ReadOptions,
  use: (file: OpenFile) => Promise<Value>,
): Promise<Value | undefined> {
  const file = openFile(path, follow);
  if (file === undefined) return undefined;
  try {
    if (file.status.size > maxBytes) throw tooLarge(path, file.status.size, maxBytes);
    return await use(file);
  } finally {
    closeSync(file.descriptor);
  }
}

const contentOf = async ({ descriptor, status: { size } }: OpenFile): Promise<Buffer> =>
  size <= SYNC_READ_BYTES ? readSmall(descriptor, size) : readAll(descriptor, size);

/** Undefined in place of the errors for names without a file, or of a link. */
function absentUnless(error: unknown, follow = false): undefined {
  const isAbsent = failedWith(error, "ENOENT", "ENAMETOOLONG", "ENXIO");
  if (isAbsent || (!follow && failedWith(error, "ELOOP"))) return undefined;
  throw error;
}

function readSmall(file: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let length = 0;
  for (let read = -1; read !== 0 && length < size; length += read)
    read = readSync(file, bytes, length, size - length, null);
  return bytes.subarray(0, length);
}

const readSome = promisify(readPart);

/** `readFile` of Node 20 is not used: given a descriptor, it takes an error of a read for the end of the file. */
async function readAll(file: number, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(size);
  let length = 0;
  for (let read = -1; read !== 0 && length < size; length += read)
    read = (await readSome(file, bytes, length, Math.min(size - length, MAX_READ_BYTES), null)).bytesRead;
  return bytes.subarray(0, length);
}

/** True if a file has as many bytes as these, and the same; its position stays. */
async function holds({ descriptor, status: { size } }: OpenFile, pieces: Pieces): Promise<boolean> {
  if (lengthOf(pieces) !== size) return false;
  const part = Buffer.allocUnsafe(Math.min(size, MAX_READ_BYTES));
  let place = 0;
  for (const bytes of pieces) {
    for (let at = 0; at < bytes.length; ) {
      const length = Math.min(part.length, bytes.length - at);
      const read =
        size <= SYNC_READ_BYTES
          ? readSync(descriptor, part, 0, length, place)
          : (await readSome(descriptor, part, 0, length, place)).bytesRead;
      if (read === 0 || Buffer.compare(part.subarray(0, read), bytes.subarray(at, at + read)) !== 0) return false;
      at += read;
      place += read;
    }
  }
  return true;
}

/** An error like those of the system, so that callers handle one kind. */
const tooLarge = (path: string, size: number, maxBytes: number): Error =>
  Object.assign(new Error(`EFBIG: ${path} has ${size} bytes, more than ${maxBytes}`), {
    errno: -osConstants.errno.EFBIG,
    code: "EFBIG",
    syscall: "read",
    path,
  });
