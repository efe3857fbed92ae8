/**
 * Writes the frames of a bus into a folder, as files that `canplayer` and `--replay` read:
 *
 *     candump-000042-2026-11-21_081426.log.gz      the 42nd of the folder, started at that time, UTC
 *
 * The number gives the order, because a boat's computer may start with a clock that is wrong by years; files without a
 * number come from hub 1.1 or before, and are older than all others.
 *
 * Every second the frames received are appended as a gzip member of their own, compressed off the event loop. A file is
 * therefore complete up to its last second, however the program ends. It is synced (fdatasync) every ten seconds, which
 * a power cut may cost. A file is closed after an hour, or at a sixteenth of the limit; the oldest files are removed
 * before the folder exceeds the limit, and when the disk is full. Frames that cannot be written or arrive too fast are
 * dropped and counted: recording never blocks the bus.
 */
import { constants } from "node:fs";
import { access, type FileHandle, mkdir, open, readdir, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Clock } from "../../../core/ports/clock.ts";
import type { CodedFields, Log } from "../../../core/ports/log.ts";
import { candumpText } from "../../../formats/recording/formats/candump-writer.ts";
import { FRAME_BYTES, type FrameBatch } from "../../../formats/recording/frame-batch.ts";

const pack = promisify(gzip);

const FLUSH_PERIOD_MS = 1000;
const SYNC_PERIOD_MS = 10_000;
const MAX_FILE_AGE_MS = 3_600_000;
/** Files within the limit, so that removing the oldest one removes little. */
const FILES = 16;
const WARNING_PERIOD_MS = 60_000;
/** Maximum text buffered for a slow medium: about 90,000 frames, three quarters of a minute of a full bus. */
const MAX_PENDING_BYTES = 4 << 20;

/** Number and time in the name of a recording; time and count in a name without a number. */
const NAME = /^candump-(?:(\d{6,})-)?(\d{4}-\d\d-\d\d_\d{6})(?:-(\d+))?\.log\.gz$/;

/** The recordings in a folder with their sizes, oldest first, and the number of the last one. */
async function closedFiles(folder: string): Promise<{ readonly sizes: Map<string, number>; readonly last: number }> {
  const files = (await readdir(folder)).flatMap((name) => {
    const [, number = "0", time, count = "1"] = NAME.exec(name) ?? [];
    return time === undefined ? [] : [{ name, number: Number(number), time, count: Number(count) }];
  });
  files.sort((a, b) => a.number - b.number || a.time.localeCompare(b.time) || a.count - b.count);
  const sizes = new Map<string, number>();
  for (const { name } of files) sizes.set(name, (await stat(join(folder, name))).size);
  return { sizes, last: files.at(-1)?.number ?? 0 };
}

const isDiskFull = (error: unknown): boolean =>
  ["ENOSPC", "EDQUOT"].includes((error as NodeJS.ErrnoException).code ?? "");

export interface FrameRecorderOptions {
  readonly folder: string;
  /** Name of the interface in the lines of the files. */
  readonly interface: string;
  /** Maximum bytes of all files together. */
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
  /** Maximum bytes of the file. */
  readonly share: number;
  bytes: number;
  synced: number;
}

/** Makes the folder if it is missing, but no parent; rejects with the system error if it is not writable. */
export async function openFrameRecorder(options: FrameRecorderOptions): Promise<FrameRecorder> {
  await mkdir(options.folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  // The dot causes an error if the name is a file.
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
  #number = 0;
  #work: Promise<void> | undefined;
  #isClosed = false;
  #recorded = 0;
  #dropped = 0;
  #lost = 0;
  /** Times of the last warnings, by code. */
  readonly #warnedAt = new Map<string, number>();
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
    const { clock } = this.#options;
    const before = this.#file;
    const isFull = before !== undefined && before.bytes > 0 && before.bytes + member.length > before.share;
    if (before !== undefined && (isFull || clock.monotonic() - before.since >= MAX_FILE_AGE_MS))
      await this.#closeFile();
    await this.#makeRoom(member.length);
    for (;;) {
      try {
        this.#file ??= await this.#openFile();
        return await this.#writeTo(this.#file, member);
      } catch (error) {
        if (!isDiskFull(error) || !(await this.#removeOldest())) throw error;
        this.#warn("the disk is full, old recordings are removed", { code: "RECORDER_DISK_FULL" });
      }
    }
  }

  async #writeTo(file: OpenFile, member: Uint8Array): Promise<void> {
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

  /** Removes the oldest files until `bytes` more fit into the limit. */
  async #makeRoom(bytes: number): Promise<void> {
    const { folder, limit } = this.#options;
    if (this.#closed === undefined) {
      const { sizes, last } = await closedFiles(folder);
      this.#closed = sizes;
      this.#number = last;
    }
    while (this.#total() + bytes > limit) if (!(await this.#removeOldest())) return;
  }

  #total(): number {
    return [...this.#closed!.values()].reduce((sum, size) => sum + size, this.#file?.bytes ?? 0);
  }

  /** False if there is none but the open one. */
  async #removeOldest(): Promise<boolean> {
    const [name] = this.#closed!.keys();
    if (name === undefined) return false;
    await rm(join(this.#options.folder, name), { force: true });
    this.#closed!.delete(name);
    return true;
  }

  async #openFile(): Promise<OpenFile> {
    const { clock, folder, limit } = this.#options;
    const time = new Date(clock.wall()).toISOString().slice(0, 19).replace("T", "_").replaceAll(":", "");
    const since = clock.monotonic();
    const { bavail, bsize } = await statfs(folder);
    const share = Math.min(limit, this.#total() + bavail * bsize) / FILES;
    for (let number = this.#number + 1; ; number++) {
      const name = `candump-${String(number).padStart(6, "0")}-${time}.log.gz`;
      try {
        const handle = await open(join(folder, name), "wx", 0o640);
        this.#number = number;
        return { name, handle, since, share, bytes: 0, synced: since };
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
    const warnedAt = this.#warnedAt.get(fields.code) ?? Number.NEGATIVE_INFINITY;
    if (this.#isClosed || now - warnedAt < WARNING_PERIOD_MS) return;
    this.#warnedAt.set(fields.code, now);
    const { recordDropped } = this.counters();
    log.warn(message, { ...fields, folder, dropped: recordDropped - this.#reported });
    this.#reported = recordDropped;
  }
}
