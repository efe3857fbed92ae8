/**
 * Writes the frames of a bus into a folder, as files that `canplayer` and `--replay` read:
 *
 *     candump-2026-11-21_081426.log.gz      began at that time, UTC; -2, -3 … behind it when that name is taken
 *
 * Every second what has come is packed as a gzip member of its own and appended, off the event loop. A file is therefore
 * whole up to its last second however the program ends; every ten seconds it is put onto the medium (fdatasync), for a
 * power cut to cost no more. A file is closed after an hour or a sixteenth of the limit; the oldest ones are removed before
 * the folder would hold more than the limit. What cannot be written or comes too fast is dropped and counted: a recording
 * never holds up the bus.
 */
import { constants } from "node:fs";
import { access, type FileHandle, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { candumpText } from "../../recording/candump-writer.ts";
import { FRAME_BYTES, type FrameBatch } from "../../recording/frame-batch.ts";

const pack = promisify(gzip);

const FLUSH = 1000;
const SYNC = 10_000;
const LONGEST_FILE = 3_600_000;
/** A sixteenth of the limit each, so that what goes at once is little. */
const FILES = 16;
const WARNING = 60_000;
/** Text that waits for a slow medium: about 90000 frames, three quarters of a minute of a full bus. */
const MOST_WAITING = 4 << 20;

/** Time and count of a file of ours. */
const NAME = /^candump-(\d{4}-\d\d-\d\d_\d{6})(?:-(\d+))?\.log\.gz$/;

/** Files of ours and their sizes, oldest first. */
async function closedFiles(folder: string): Promise<Map<string, number>> {
  const files = (await readdir(folder)).flatMap((name) => {
    const [, time, count = "1"] = NAME.exec(name) ?? [];
    return time === undefined ? [] : [{ name, time, count: Number(count) }];
  });
  files.sort((a, b) => (a.time === b.time ? a.count - b.count : a.time < b.time ? -1 : 1));
  const sizes = new Map<string, number>();
  for (const { name } of files) sizes.set(name, (await stat(join(folder, name))).size);
  return sizes;
}

export interface FrameRecorderOptions {
  readonly folder: string;
  /** In the lines of the files. */
  readonly interface: string;
  /** Bytes of all files together. */
  readonly limit: number;
  readonly clock: Clock;
  readonly log: Log;
}

export interface FrameRecorder {
  /** Takes frames, valid until it returns; `lost` is how many so far did not even come here. Never waits. */
  take(frames: FrameBatch, lost?: number): void;
  counters(): { readonly recorded: number; readonly recordDropped: number };
  /** Writes what is left and closes the file. */
  close(): Promise<void>;
}

interface OpenFile {
  readonly name: string;
  readonly handle: FileHandle;
  readonly since: number;
  bytes: number;
  synced: number;
}

/** Makes the folder if need be, not those above it; rejects with the system's error where it cannot be written to. */
export async function openFrameRecorder(options: FrameRecorderOptions): Promise<FrameRecorder> {
  await mkdir(options.folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  // With a dot, for a file is no folder.
  await access(`${options.folder}/.`, constants.W_OK | constants.X_OK);
  return new FolderRecorder(options);
}

class FolderRecorder implements FrameRecorder {
  readonly #options: FrameRecorderOptions;
  readonly #stop: () => void;
  #text = "";
  #frames = 0;
  #file: OpenFile | undefined;
  /** The other files of the folder and their sizes, oldest first; read once, since they are ours. */
  #closed: Map<string, number> | undefined;
  #work: Promise<void> | undefined;
  #isClosed = false;
  #recorded = 0;
  #dropped = 0;
  #lost = 0;
  #warnedAt = Number.NEGATIVE_INFINITY;
  #told = 0;

  constructor(options: FrameRecorderOptions) {
    this.#options = options;
    this.#stop = options.clock.every(FLUSH, () => this.#flush());
  }

  take(frames: FrameBatch, lost = 0): void {
    const isLosing = lost > this.#lost;
    this.#lost = lost;
    const count = frames.length / FRAME_BYTES;
    if (this.#isClosed || this.#text.length >= MOST_WAITING) {
      this.#dropped += count;
      this.#warn("frames come faster than they can be recorded");
      return;
    }
    if (isLosing) this.#warn("frames come faster than they can be recorded");
    this.#text += candumpText(frames, this.#options.interface);
    this.#frames += count;
  }

  counters(): { readonly recorded: number; readonly recordDropped: number } {
    return { recorded: this.#recorded, recordDropped: this.#dropped + this.#lost };
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stop();
    await this.#work;
    await this.#write();
    await this.#closeFile();
  }

  #flush(): void {
    this.#work ??= this.#write().finally(() => {
      this.#work = undefined;
    });
  }

  /** Packs and appends what waits; never rejects. */
  async #write(): Promise<void> {
    const { clock } = this.#options;
    const text = this.#text;
    let frames = this.#frames;
    this.#text = "";
    this.#frames = 0;
    try {
      if (text !== "") {
        await this.#append(await pack(Buffer.from(text, "latin1")));
        this.#recorded += frames;
        frames = 0;
      }
      const file = this.#file;
      if (file === undefined || clock.monotonic() - file.synced < SYNC) return;
      file.synced = clock.monotonic();
      await file.handle.datasync();
    } catch (error) {
      this.#dropped += frames;
      this.#warn("frames cannot be recorded", error as NodeJS.ErrnoException);
    }
  }

  async #append(member: Uint8Array): Promise<void> {
    const { clock, limit } = this.#options;
    const before = this.#file;
    const isFull = before !== undefined && before.bytes > 0 && before.bytes + member.length > limit / FILES;
    if (before !== undefined && (isFull || clock.monotonic() - before.since >= LONGEST_FILE)) await this.#closeFile();
    await this.#makeRoom(member.length);
    this.#file ??= await this.#openFile();
    const file = this.#file;
    try {
      for (let written = 0; written < member.length; ) {
        const { bytesWritten } = await file.handle.write(
          member,
          written,
          member.length - written,
          file.bytes + written,
        );
        written += bytesWritten;
      }
      file.bytes += member.length;
    } catch (error) {
      // Half a member at the end would spoil the file for those who unpack it.
      await file.handle.truncate(file.bytes).catch(() => this.#abandon());
      throw error;
    }
  }

  /** Removes the oldest files until `bytes` more are within the limit. */
  async #makeRoom(bytes: number): Promise<void> {
    const { folder, limit } = this.#options;
    this.#closed ??= await closedFiles(folder);
    let total = [...this.#closed.values()].reduce((sum, size) => sum + size, bytes + (this.#file?.bytes ?? 0));
    for (const [name, size] of this.#closed) {
      if (total <= limit) return;
      await rm(join(folder, name), { force: true });
      this.#closed.delete(name);
      total -= size;
    }
  }

  async #openFile(): Promise<OpenFile> {
    const { clock, folder } = this.#options;
    const time = new Date(clock.wall()).toISOString().slice(0, 19).replace("T", "_").replaceAll(":", "");
    const since = clock.monotonic();
    for (let count = 1; ; count++) {
      const name = `candump-${time}${count === 1 ? "" : `-${count}`}.log.gz`;
      try {
        return { name, handle: await open(join(folder, name), "wx", 0o640), since, bytes: 0, synced: since };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
    }
  }

  async #closeFile(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    if (file === undefined) return;
    this.#closed?.set(file.name, file.bytes);
    await file.handle.datasync().catch(() => {});
    await file.handle.close().catch(() => {});
  }

  /** Lets go of a file that cannot be mended; the next frames begin another one. */
  #abandon(): void {
    void this.#closeFile();
  }

  #warn(sentence: string, error?: NodeJS.ErrnoException): void {
    const { clock, folder, log } = this.#options;
    const now = clock.monotonic();
    if (this.#isClosed || now - this.#warnedAt < WARNING) return;
    this.#warnedAt = now;
    const { recordDropped } = this.counters();
    log.warn(sentence, {
      folder,
      dropped: recordDropped - this.#told,
      ...(error && { reason: error.code ?? error.message }),
    });
    this.#told = recordDropped;
  }
}
