/**
 * Reads the rows of tables of a SQLite file (sqlite.org/fileformat2.html) without loading it whole: enough for MBTiles.
 * The file is not trusted: each page is read once, and what does not fit together ends the reading.
 */

/** A file that is none of SQLite, or a damaged one. */
export class NoSqlite extends Error {}

const WINDOW_BYTES = 1 << 20;
const HEADER_BYTES = 100;
/** Kinds of pages of a table. */
const [INTERIOR, LEAF] = [5, 13];
/** The longest value that is read: a picture of a tile has some ten kilobytes. */
const MAX_VALUE_BYTES = 8 << 20;

export type Value = number | string | Uint8Array | null;

export interface Row {
  /** The value of a column; a blob as an empty array, unless it was asked for. */
  readonly values: readonly Value[];
  /** Bytes of each column's value in the file. */
  readonly lengths: readonly number[];
}

export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly root: number;
}

interface Reader {
  readonly pageBytes: number;
  /** Bytes of a page that may be used. */
  readonly usable: number;
  page(number: number): Promise<DataView>;
}

export interface SqliteFile {
  readonly tables: readonly Table[];
  /** The rows of a table; with their blobs, or without. */
  rows(table: Table, withBlobs: boolean): AsyncGenerator<Row>;
}

async function readerOf(file: Blob): Promise<Reader> {
  const head = new DataView(await file.slice(0, HEADER_BYTES).arrayBuffer());
  const magic = new TextDecoder("latin1").decode(head.buffer.slice(0, 15));
  if (head.byteLength < HEADER_BYTES || magic !== "SQLite format 3") throw new NoSqlite("not a SQLite file");
  const stated = head.getUint16(16);
  const pageBytes = stated === 1 ? 65_536 : stated;
  const usable = pageBytes - head.getUint8(20);
  if (pageBytes < 512 || (pageBytes & (pageBytes - 1)) !== 0 || usable < 480 || head.getUint32(56) !== 1)
    throw new NoSqlite("an unknown kind of SQLite file");
  const count = Math.floor(file.size / pageBytes);
  let window: { readonly start: number; readonly bytes: ArrayBuffer } | undefined;
  return {
    pageBytes,
    usable,
    async page(number) {
      if (number < 1 || number > count) throw new NoSqlite("a page that is not there");
      const at = (number - 1) * pageBytes;
      const start = Math.floor(at / WINDOW_BYTES) * WINDOW_BYTES;
      // The pages of a table mostly follow each other.
      if (window?.start !== start)
        window = { start, bytes: await file.slice(start, start + WINDOW_BYTES).arrayBuffer() };
      return new DataView(window.bytes, at - start, pageBytes);
    },
  };
}

/** A number of 1 to 9 bytes, and the place behind it. */
function varint(view: DataView, at: number): readonly [value: number, next: number] {
  let value = 0;
  for (let index = 0; index < 8; index++) {
    const byte = view.getUint8(at + index);
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return [value, at + index + 1];
  }
  return [value * 256 + view.getUint8(at + 8), at + 9];
}

/** Bytes of a payload of a table's leaf that lie on the leaf itself. */
function localBytes(payload: number, usable: number): number {
  const most = usable - 35;
  if (payload <= most) return payload;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const local = least + ((payload - least) % (usable - 4));
  return local <= most ? local : least;
}

async function wholePayload(reader: Reader, local: Uint8Array, size: number, overflow: number): Promise<Uint8Array> {
  if (size > MAX_VALUE_BYTES) throw new NoSqlite("a value that is too long");
  const whole = new Uint8Array(size);
  whole.set(local);
  let [filled, next] = [local.length, overflow];
  while (filled < size) {
    const page = await reader.page(next);
    const part = Math.min(size - filled, reader.usable - 4);
    whole.set(new Uint8Array(page.buffer, page.byteOffset + 4, part), filled);
    filled += part;
    next = page.getUint32(0);
  }
  return whole;
}

const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8] as const;

function lengthOf(type: number): number {
  if (type >= 12) return Math.floor((type - 12) / 2);
  return type === 7 ? 8 : (INTEGER_BYTES[type] ?? 0);
}

function integerAt(view: DataView, at: number, length: number): number {
  let value = view.getInt8(at);
  for (let index = 1; index < length; index++) value = value * 256 + view.getUint8(at + index);
  return value;
}

function valueAt(view: DataView, at: number, type: number): Value {
  const length = lengthOf(type);
  if (type === 0 || type === 10 || type === 11) return null;
  if (type === 8 || type === 9) return type - 8;
  if (type === 7) return view.getFloat64(at);
  if (type < 7) return integerAt(view, at, length);
  const bytes = new Uint8Array(view.buffer, view.byteOffset + at, length);
  return type % 2 === 0 ? bytes.slice() : new TextDecoder().decode(bytes);
}

const isBlob = (type: number): boolean => type >= 12 && type % 2 === 0;

async function rowOf(reader: Reader, page: DataView, cell: number, withBlobs: boolean): Promise<Row> {
  const [size, afterSize] = varint(page, cell);
  const [, start] = varint(page, afterSize);
  const local = localBytes(size, reader.usable);
  const overflow = local < size ? page.getUint32(start + local) : 0;
  // A copy: the page may make room for another one.
  const here = new Uint8Array(page.buffer, page.byteOffset + start, local).slice();
  const [headerBytes, afterHeader] = varint(new DataView(here.buffer), 0);
  if (headerBytes > here.length) throw new NoSqlite("a row with too many columns");
  const types: number[] = [];
  for (let at = afterHeader; at < headerBytes; ) {
    const [type, next] = varint(new DataView(here.buffer), at);
    types.push(type);
    at = next;
  }
  const lengths = types.map(lengthOf);
  const starts = lengths.map((_, column) => lengths.slice(0, column).reduce((sum, each) => sum + each, headerBytes));
  const isRead = (column: number): boolean => withBlobs || !isBlob(types[column]!);
  const isHere = starts.every((at, column) => !isRead(column) || at + lengths[column]! <= here.length);
  const payload = isHere ? here : await wholePayload(reader, here, size, overflow);
  const view = new DataView(payload.buffer);
  const values = types.map((type, column) =>
    isRead(column) ? valueAt(view, starts[column]!, type) : new Uint8Array(),
  );
  return { values, lengths };
}

/** The pages below the root, each once; a damaged file may name one twice. */
async function* rowsBelow(reader: Reader, root: number, withBlobs: boolean): AsyncGenerator<Row> {
  const seen = new Set<number>();
  const waiting = [root];
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    if (seen.has(number)) throw new NoSqlite("a page that is used twice");
    seen.add(number);
    const page = await reader.page(number);
    const head = number === 1 ? HEADER_BYTES : 0;
    const [kind, count] = [page.getUint8(head), page.getUint16(head + 3)];
    if (kind !== INTERIOR && kind !== LEAF) throw new NoSqlite("a page that is none of a table");
    const cells = head + (kind === LEAF ? 8 : 12);
    const cellAt = (index: number): number => page.getUint16(cells + 2 * index);
    if (kind === INTERIOR) {
      waiting.push(page.getUint32(head + 8));
      for (let index = count - 1; index >= 0; index--) waiting.push(page.getUint32(cellAt(index)));
    } else for (let index = 0; index < count; index++) yield await rowOf(reader, page, cellAt(index), withBlobs);
  }
}

/** The names of the columns of `CREATE TABLE name (column type, …)`. */
const columnsOf = (statement: string): readonly string[] =>
  (/\(([\s\S]*)\)/.exec(statement)?.[1] ?? "").split(",").map((part) =>
    part
      .trim()
      .split(/\s+/)[0]!
      .replace(/^["`[]|["`\]]$/g, "")
      .toLowerCase(),
  );

/** Opens a file; throws `NoSqlite`, or a RangeError, for one that is none or is damaged. */
export async function openSqlite(file: Blob): Promise<SqliteFile> {
  const reader = await readerOf(file);
  const tables: Table[] = [];
  for await (const { values } of rowsBelow(reader, 1, false)) {
    const [type, name, , root, statement] = values;
    if (type === "table" && typeof name === "string" && typeof root === "number" && typeof statement === "string")
      tables.push({ name: name.toLowerCase(), root, columns: columnsOf(statement) });
  }
  return { tables, rows: (table, withBlobs) => rowsBelow(reader, table.root, withBlobs) };
}
