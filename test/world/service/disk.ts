/** A real folder whose calls may fail, or end at a power cut, after which the medium has one of the states it may have. */
import * as fs from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { type Files, nodeFiles } from "../../../src/adapters/node/files/durable-files.ts";
import type { Random } from "../random.ts";
import type { FileSystemCall } from "./file-system-calls.ts";
import { LossyFileSystem, type Tree } from "./lost-effects.ts";

/** What befalls the disk: the call of a number fails, or all from it on, as on a full disk or after a power cut. */
export interface Misfortune {
  readonly is: "one call fails" | "disk full" | "power cut";
  readonly at: number;
}

/** The files of a folder that has no other one. */
export const treeOf = (folder: string): Tree => ({
  folders: [],
  files: new Map(fs.readdirSync(folder).map((file) => [file, Uint8Array.from(fs.readFileSync(join(folder, file)))])),
  links: new Map(),
});

const failure = (code: "EIO" | "ENOSPC"): Error =>
  Object.assign(new Error(`${code}: a fault of the test`), { code, errno: code === "EIO" ? -5 : -28, syscall: "test" });

export class Disk {
  readonly #random: Random;
  #misfortune: Misfortune | undefined;
  #calls = 0;
  #lossy: LossyFileSystem | undefined;
  #folder = "";
  readonly #paths = new Map<number, string>();

  constructor(random: Random) {
    this.#random = random;
  }

  /** What lies below a folder for certain; from now on the disk remembers what the medium may not have yet. */
  begin(folder: string, tree: Tree): void {
    this.#lossy = new LossyFileSystem(folder, tree);
    this.#folder = folder;
  }

  /** The calls that follow have this misfortune. */
  expect(misfortune: Misfortune | undefined): void {
    this.#misfortune = misfortune;
    this.#calls = 0;
  }

  /** What the medium has after the power cut, for certain once it is in a folder again. */
  afterCut(): Tree {
    const tree = this.#lossy!.state(this.#random);
    this.#lossy = undefined;
    return tree;
  }

  /** Whether the misfortune has happened. */
  get hasFailed(): boolean {
    return this.#misfortune !== undefined && this.#calls >= this.#misfortune.at;
  }

  readonly files: Files = {
    ...nodeFiles,
    open: (path, flags, mode) => {
      const isNew = flags === "wx";
      if (isNew) this.#call();
      const descriptor = nodeFiles.open(path, flags, mode);
      this.#paths.set(descriptor, path);
      if (isNew) this.#done({ kind: "create", path });
      return descriptor;
    },
    write: async (descriptor, bytes) => {
      await this.#turn();
      const write = (part: Uint8Array): void => {
        fs.writeFileSync(descriptor, part);
        this.#done({ kind: "write", path: this.#paths.get(descriptor)!, bytes: Uint8Array.from(part) });
      };
      try {
        this.#call();
      } catch (error) {
        // A part may be written, as on a full disk.
        if (this.#random.chance(0.5)) write(bytes.subarray(0, bytes.length >> 1));
        throw error;
      }
      write(bytes);
    },
    truncate: async (descriptor, length) => {
      await this.#turn();
      this.#call();
      fs.ftruncateSync(descriptor, length);
      this.#done({ kind: "truncate", path: this.#paths.get(descriptor)!, length });
    },
    sync: async (descriptor) => {
      await this.#turn();
      this.#call();
      this.#done({ kind: "sync", path: this.#paths.get(descriptor)! });
    },
    rename: async (path, to) => {
      await this.#turn();
      this.#call();
      fs.renameSync(path, to);
      this.#done({ kind: "rename", path: String(path), to: String(to) });
    },
    link: async (path, to) => {
      await this.#turn();
      this.#call();
      fs.linkSync(path, to);
      this.#done({ kind: "link", path: String(path), to: String(to) });
    },
    unlink: async (path) => {
      await this.#turn();
      this.#call();
      fs.unlinkSync(path);
      this.#done({ kind: "unlink", path: String(path) });
    },
    mkdir: (async (path: string, options?: { readonly recursive?: boolean }) => {
      if (options?.recursive === true && fs.existsSync(path)) return;
      await this.#turn();
      this.#call();
      fs.mkdirSync(path);
      this.#done({ kind: "mkdir", path });
    }) as Files["mkdir"],
  };

  /** Other requests go on meanwhile, by the seed. */
  async #turn(): Promise<void> {
    if (this.#random.chance(0.5)) await turn();
  }

  #call(): void {
    this.#calls++;
    if (this.#misfortune === undefined || this.#calls < this.#misfortune.at) return;
    const { is, at } = this.#misfortune;
    if (is === "one call fails" && this.#calls > at) return;
    throw failure(is === "disk full" ? "ENOSPC" : "EIO");
  }

  /** A program that a power cut has ended goes on here, in a folder of before. */
  #done(call: FileSystemCall): void {
    if (call.path.startsWith(this.#folder)) this.#lossy?.take(call);
  }
}
