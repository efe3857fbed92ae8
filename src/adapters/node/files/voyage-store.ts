/**
 * Voyages in a folder: `NAME.jsonl`, one JSON object a line, and its pictures, `NAME.7.jpg`; `NAME.removed` is a voyage
 * that the crew has removed, `NAME.removed-2` a second one of that name. What is acknowledged is synced with its name,
 * and taken back when that fails. A line that a power cut has truncated stays as it is, and the next one begins on a new
 * line, so that a reader counts it as damaged.
 */
import { fstatSync, promises } from "node:fs";
import { join } from "node:path";
import { type PictureType, pictureTypes, type VoyageStore, voyageName } from "../../../core/ports/voyage-store.ts";
import { failedWith, noneIfGone } from "../system-errors.ts";
import {
  ensureFolder,
  exchangeFile,
  type Files,
  nodeFiles,
  regularFiles,
  removeIfThere,
  replaceFile,
  sweep,
  syncFolder,
} from "./durable-files.ts";

const FILE_MODE = 0o600;
const ENDING = ".jsonl";
const LINE_FEED = 0x0a;

/** Opens the folder, which is made if it is missing. Rejects with the error of a system call. */
export async function voyageStore(folder: string, files: Files = nodeFiles): Promise<VoyageStore> {
  await ensureFolder(files, folder);
  await sweep(files, folder);
  /** Files whose last byte is a line feed by this program's own work, and whose names are durable. */
  const whole = new Set<string>();
  const pathOf = (name: string): string => join(folder, name + ENDING);

  return {
    async names() {
      const found = await regularFiles(files, folder, /\.jsonl$/);
      const names = found.map((file) => file.slice(0, -ENDING.length)).filter((name) => voyageName.test(name));
      return names.sort(inOrder);
    },

    async read(name) {
      if (!voyageName.test(name)) return undefined;
      // The owner may remove a voyage while the program runs.
      return promises.readFile(pathOf(name), "utf8").catch(noneIfGone);
    },

    async piece(name, from, length) {
      const handle = await promises.open(pathOf(name)).catch(noneIfGone);
      if (handle === undefined) return new Uint8Array();
      try {
        const { buffer, bytesRead } = await handle.read(new Uint8Array(length), 0, length, from);
        return buffer.subarray(0, bytesRead);
      } finally {
        await handle.close();
      }
    },

    async size(name) {
      return (await promises.stat(pathOf(name))).size;
    },

    async append(name, lines) {
      if (!voyageName.test(name)) throw new TypeError(`no name of a voyage: ${name}`);
      const path = pathOf(name);
      const isWhole = whole.delete(name);
      const { descriptor, isNew } = open(files, path);
      const { size } = fstatSync(descriptor);
      try {
        const isTorn = !isWhole && !isNew && !(await endsWhole(path));
        const text = textOf(lines);
        await files.write(descriptor, new TextEncoder().encode(isTorn ? `\n${text}` : text));
        await files.sync(descriptor);
        if (!isWhole) await syncFolder(files, folder);
      } catch (error) {
        await files.truncate(descriptor, size).catch(() => {});
        throw error;
      } finally {
        files.close(descriptor);
      }
      whole.add(name);
    },

    async create(voyages) {
      const names = [...voyages.keys()];
      if (!names.every((name) => voyageName.test(name))) throw new TypeError(`no names of voyages: ${names}`);
      try {
        for (const [name, lines] of voyages)
          await exchangeFile(files, pathOf(name), new TextEncoder().encode(textOf(lines)), { mode: FILE_MODE });
        await syncFolder(files, folder);
      } catch (error) {
        for (const name of names) await removeIfThere(files, pathOf(name)).catch(() => {});
        throw error;
      }
    },

    async remove(name) {
      if (!voyageName.test(name)) throw new TypeError(`no name of a voyage: ${name}`);
      whole.delete(name);
      const taken = await files.readdir(folder);
      // A track that was imported anew may have the name of a voyage that was removed.
      let removed = `${name}.removed`;
      for (let number = 2; taken.includes(removed); number++) removed = `${name}.removed-${number}`;
      await files.rename(pathOf(name), join(folder, removed)).catch(noneIfGone);
      try {
        await syncFolder(files, folder);
      } catch (error) {
        await files.rename(join(folder, removed), pathOf(name)).catch(() => {});
        throw error;
      }
    },

    async addPicture(name, type, bytes, used) {
      const taken = (await pictureFiles(files, folder)).filter((each) => each.voyage === name);
      const number = taken.reduce((most, each) => Math.max(most, each.number), used) + 1;
      await replaceFile(files, join(folder, `${name}.${number}.${type}`), bytes, { mode: FILE_MODE });
      return number;
    },

    async picture(name, number) {
      const found = (await pictureFiles(files, folder)).find((each) => each.voyage === name && each.number === number);
      return found && { type: found.type, bytes: Uint8Array.from(await promises.readFile(join(folder, found.file))) };
    },

    async pictures() {
      const found = await pictureFiles(files, folder);
      let bytes = 0;
      for (const { file } of found) bytes += (await promises.stat(join(folder, file))).size;
      return { count: found.length, bytes };
    },
  };
}

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

async function pictureFiles(files: Files, folder: string) {
  const pattern = new RegExp(`^(.+)\\.([1-9]\\d{0,5})\\.(${Object.keys(pictureTypes).join("|")})$`);
  return (await regularFiles(files, folder, pattern)).map((file) => {
    const [, voyage = "", number, type] = pattern.exec(file)!;
    return { file, voyage, number: Number(number), type: type as PictureType };
  });
}

function open(files: Files, path: string): { readonly descriptor: number; readonly isNew: boolean } {
  try {
    return { descriptor: files.open(path, "wx", FILE_MODE), isNew: true };
  } catch (error) {
    if (!failedWith(error, "EEXIST")) throw error;
    return { descriptor: files.open(path, "a", FILE_MODE), isNew: false };
  }
}

/** Whether a file is empty or ends with a line feed. */
async function endsWhole(path: string): Promise<boolean> {
  const handle = await promises.open(path);
  try {
    const { size } = await handle.stat();
    if (size === 0) return true;
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
    return buffer[0] === LINE_FEED;
  } finally {
    await handle.close();
  }
}

/** By time, and then by the number of those of one second. */
function inOrder(one: string, other: string): number {
  const [[time = "", number = "1"], [otherTime = "", otherNumber = "1"]] = [one.split("Z-"), other.split("Z-")];
  const [first, second] = [time.replace("Z", ""), otherTime.replace("Z", "")];
  return first === second ? Number(number) - Number(otherNumber) : first < second ? -1 : 1;
}
