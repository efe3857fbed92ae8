/**
 * Writes the frames of a bus into a folder, as files that `canplayer` and `--replay` read:
 *
 *     candump-2026-11-21_081426.log.gz      started at that time, UTC; with -2, -3 … if that name exists
 *
 * Every second the frames received are appended as a gzip member of their own, compressed off the event loop. A file is therefore
 * complete up to its last second however the program ends; it is synced (fdatasync) every ten seconds, which is what a power
 * cut costs. A file is closed after an hour or a sixteenth of the limit; the oldest files are removed before the folder exceeds
 * the limit. Frames that cannot be written or arrive too fast are dropped and counted: recording never blocks the bus.
 */
import { constants } from "node:fs";
import { access, type FileHandle, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Clock } from "../../ports/clock.ts";
import type { CodedFields, Log } from "../../ports/log.ts";
import { candumpText } from "../../recording/candump-writer.ts";
import { FRAME_BYTES, type FrameBatch } from "../../recording/frame-batch.ts";

const pack = promisify(gzip);

const FLUSH_PERIOD_MS = 1000;
const SYNC_PERIOD_MS = 10_000;
const MAX_FILE_AGE_MS = 3_600_000;
/** Files within the limit, so that removing the oldest one removes little. */
const FILES = 16;
const WARNING_PERIOD_MS = 60_000;
/** Text buffered for a slow medium: about 90,000 frames, three quarters of a minute of a full bus. */
const MAX_PENDING_BYTES = 4 << 20;

/** Time and count in the name of a recording. */
const NAME = /^candump-(\d{4}-\d\d-\d\d_\d{6})(?:-(\d+))?\.log\.gz$/;

/** The recordings in a folder and their sizes, oldest first. */
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
  /** Records frames, which it copies; `lost`: frames so far that did not reach the recorder. Never waits. */
  take(frames: FrameBatch, lost?: number): void;
  counters(): { readonly recorded: number; readonly recordDropped: number };
  /** Writes the pending frames and closes the file. */
  close(): Promise<void>;
}

interface OpenFile {
  readonly name: string;
  readonly handle: FileHandle;
  readonly since: number;
  bytes: number;
  synced: number;
}

/** Makes the folder if it is missing, but no parent; rejects with the system error if it is not writable. */
export async function openFrameRecorder(options: FrameRecorderOptions): Promise<FrameRecorder> {
  await mkdir(options.folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  // The dot makes a file of that name an error.
  await access(`${options.folder}/.`, constants.W_OK | constants.X_OK);
  return new FolderRecorder(options);
}

class FolderRecorder implements FrameRecorder {
  readonly #options: FrameRecorderOptions;
  readonly #stop: () => void;
  #text = "";
  #frames = 0;
  #file: OpenFile | undefined;
  /** The other recordings and their sizes, oldest first; listed once, because only this process writes there. */
  #closed: Map<string, number> | undefined;
  #work: Promise<void> | undefined;
  #isClosed = false;
  #recorded = 0;
  #dropped = 0;
  #lost = 0;
  #warnedAt = Number.NEGATIVE_INFINITY;
  #reported = 0;

  constructor(options: FrameRecorderOptions) {
    this.#options = options;
    this.#stop = options.clock.every(FLUSH_PERIOD_MS, () => this.#flush());
  }

  take(frames: FrameBatch, lost = 0): void {
    const isLosing = lost > this.#lost;
    this.#lost = lost;
    const count = frames.length / FRAME_BYTES;
    if (this.#isClosed || this.#text.length >= MAX_PENDING_BYTES) {
      this.#dropped += count;
      this.#warnOfDrops();
      return;
    }
    if (isLosing) this.#warnOfDrops();
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

  /** Compresses and appends the pending frames; never rejects. */
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
      if (file === undefined || clock.monotonic() - file.synced < SYNC_PERIOD_MS) return;
      file.synced = clock.monotonic();
      await file.handle.datasync();
    } catch (error) {
      this.#dropped += frames;
      const { code, message } = error as NodeJS.ErrnoException;
      this.#warn("frames cannot be recorded", { code: "RECORDER_FAILED", reason: code ?? message });
    }
  }

  async #append(member: Uint8Array): Promise<void> {
    const { clock, limit } = this.#options;
    const before = this.#file;
    const isFull = before !== undefined && before.bytes > 0 && before.bytes + member.length > limit / FILES;
    if (before !== undefined && (isFull || clock.monotonic() - before.since >= MAX_FILE_AGE_MS))
      await this.#closeFile();
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
      // A partial member at the end would make the file unreadable from there.
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

  /** Closes a file that cannot be repaired; the next frames start another one. */
  #abandon(): void {
    void this.#closeFile();
  }

  #warnOfDrops(): void {
    this.#warn("frames come faster than they can be recorded", { code: "RECORDER_SLOW" });
  }

  #warn(message: string, fields: CodedFields): void {
    const { clock, folder, log } = this.#options;
    const now = clock.monotonic();
    if (this.#isClosed || now - this.#warnedAt < WARNING_PERIOD_MS) return;
    this.#warnedAt = now;
    const { recordDropped } = this.counters();
    log.warn(message, { ...fields, folder, dropped: recordDropped - this.#reported });
    this.#reported = recordDropped;
  }
}
