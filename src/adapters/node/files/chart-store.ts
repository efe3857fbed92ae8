/** The boat's own charts as files of one folder, from which the web server sends them; uploads have hidden names. */
import { closeSync, constants, fsync, openSync, promises, write } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ChartFile, ChartStore } from "../../../core/ports/chart-store.ts";
import { noneIfGone, withSystemErrors } from "../system-errors.ts";
import { moveFile, nodeFiles, regularFiles, removeFile, removeIfThere } from "./durable-files.ts";
import { sizeOfFile } from "./regular-file.ts";

const CHART = /^[^.].*\.pmtiles$/;
const UPLOAD = /^\.(.*\.pmtiles)\.(?:\d+\.)?upload$/;
/** Time without a piece after which an upload is given up for another one. */
const ABANDONED_MS = 10 * 60_000;
/** Bytes of the disk that charts leave to everything else. */
const RESERVE = 512 << 20;

const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
const [writeAt, sync] = [promisify(write), promisify(fsync)];

export function nodeChartStore(folder: string): ChartStore {
  const fileOf = (name: string): string => join(folder, name);
  /** Two files of one name, which two pages send at once, have their sizes to tell them apart. */
  const uploadOf = (name: string, size: number): string => fileOf(`.${name}.${size}.upload`);

  async function list(): Promise<readonly ChartFile[] | undefined> {
    if (!(await isFolder(folder))) return undefined;
    const charts = await Promise.all(
      (await regularFiles(nodeFiles, folder, CHART)).map(async (name) => {
        const { size, mtimeMs } = await promises.lstat(fileOf(name));
        return { name, bytes: size, at: Math.round(mtimeMs) };
      }),
    );
    return charts.sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  async function room(): Promise<number | undefined> {
    const disk = await promises.statfs(folder).catch(noneIfGone);
    return disk && Math.max(0, disk.bavail * disk.bsize - RESERVE);
  }

  /** Bytes that have arrived of a chart; all of them where the answer to the last part was lost. */
  const arrived = (name: string, size: number): number =>
    sizeOfFile(uploadOf(name, size)) ?? (sizeOfFile(fileOf(name)) === size ? size : 0);

  const uploads = (): Promise<readonly string[]> => regularFiles(nodeFiles, folder, UPLOAD);

  /** Removes uploads whose senders have gone. */
  async function sweep(): Promise<void> {
    for (const name of await uploads()) {
      const { mtimeMs } = await promises.lstat(fileOf(name));
      if (Date.now() - mtimeMs > ABANDONED_MS) await removeIfThere(nodeFiles, fileOf(name));
    }
  }

  const add: ChartStore["add"] = async (name, { size, from, bytes }) => {
    const upload = uploadOf(name, size);
    const end = from + bytes.length;
    if (from === 0) await sweep();
    else if (arrived(name, size) !== from) return arrived(name, size);
    const file = openSync(upload, O_WRONLY | O_NOFOLLOW | (from === 0 ? O_CREAT | O_TRUNC : 0), 0o644);
    try {
      for (let at = 0; at < bytes.length; ) {
        at += (await writeAt(file, bytes, at, bytes.length - at, from + at)).bytesWritten;
      }
      if (end >= size) await sync(file);
    } finally {
      closeSync(file);
    }
    if (end >= size) await moveFile(nodeFiles, upload, fileOf(name));
    return end;
  };

  const remove: ChartStore["remove"] = async (name) => {
    for (const upload of await uploads())
      if (UPLOAD.exec(upload)![1] === name) await removeIfThere(nodeFiles, fileOf(upload));
    if (sizeOfFile(fileOf(name)) === undefined) return false;
    await removeFile(nodeFiles, fileOf(name));
    return true;
  };

  return {
    list: () => withSystemErrors(list()),
    room: () => withSystemErrors(room()),
    add: (name, piece) => withSystemErrors(add(name, piece)),
    remove: (name) => withSystemErrors(remove(name)),
  };
}

const isFolder = (path: string): Promise<boolean> =>
  promises.stat(path).then(
    (status) => status.isDirectory(),
    () => false,
  );
