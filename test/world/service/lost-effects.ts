/**
 * A model of the medium after a power loss: it keeps all synced data, and any part of everything else.
 *
 * - The content of a file is safe after its sync; until then the medium may have nothing of it, its length (zeros),
 *   half of it or all.
 * - A new, removed or changed name is safe after the sync of its folder; until then each change may have reached the
 *   medium or not, in any order. A rename is one change. Syncing a file does not keep its name.
 *
 * That is less than any journaling file system of Linux promises, so what survives here survives there.
 */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { FileSystemCall } from "./file-system-calls.ts";

type Node =
  | { readonly kind: "file"; synced: Uint8Array; written: Uint8Array }
  | {
      readonly kind: "folder";
      readonly settled: Map<string, Node>;
      readonly names: Map<string, Node>;
      pending: Change[];
    }
  | { readonly kind: "link"; readonly target: string };
type Folder = Extract<Node, { kind: "folder" }>;

/** Names of one folder that change together; undefined for one that goes. */
type Change = readonly (readonly [name: string, node: Node | undefined])[];

/** A tree as it may be found: contents of files by path, targets of links, folders. */
export interface Tree {
  readonly folders: readonly string[];
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly links: ReadonlyMap<string, string>;
}

/** Chooses among what may have been lost. */
export interface Chance {
  chance(probability: number): boolean;
  pick<Item>(list: readonly Item[]): Item;
}

const newFolder = (): Folder => ({ kind: "folder", settled: new Map(), names: new Map(), pending: [] });

export class LossyFileSystem {
  readonly #path: string;
  readonly #root: Folder = newFolder();

  /** `tree`: what lies below `path` for certain in the beginning. */
  constructor(path: string, tree: Tree) {
    this.#path = path;
    const add = (name: string, node: Node): void => {
      const folder = this.#folder(dirname(join(path, name)));
      folder.settled.set(basename(name), node);
      folder.names.set(basename(name), node);
    };
    for (const name of tree.folders) add(name, newFolder());
    for (const [name, bytes] of tree.files) add(name, { kind: "file", synced: bytes, written: bytes });
    for (const [name, target] of tree.links) add(name, { kind: "link", target });
  }

  /** Carries out a call. */
  take(call: FileSystemCall): void {
    switch (call.kind) {
      case "create":
        this.#change(call.path, [
          [basename(call.path), { kind: "file", synced: new Uint8Array(), written: new Uint8Array() }],
        ]);
        break;
      case "mkdir":
        this.#change(call.path, [[basename(call.path), newFolder()]]);
        break;
      case "symlink":
        this.#change(call.path, [[basename(call.path), { kind: "link", target: call.target }]]);
        break;
      case "unlink":
        this.#change(call.path, [[basename(call.path), undefined]]);
        break;
      case "link":
        this.#change(call.to, [[basename(call.to), this.#node(call.path)]]);
        break;
      case "rename": {
        if (dirname(call.path) !== dirname(call.to)) throw new Error("renamed into another folder");
        const node = this.#node(call.path);
        this.#change(call.path, [
          [basename(call.path), undefined],
          [basename(call.to), node],
        ]);
        break;
      }
      case "write": {
        const file = this.#file(call.path);
        file.written = Uint8Array.from(Buffer.concat([file.written, call.bytes]));
        break;
      }
      case "truncate": {
        const file = this.#file(call.path);
        file.written = file.written.slice(0, call.length ?? 0);
        break;
      }
      case "sync": {
        const node = this.#node(call.path);
        if (node.kind === "file") node.synced = node.written;
        if (node.kind !== "folder") break;
        for (const change of node.pending) apply(node.settled, change);
        node.pending = [];
        break;
      }
    }
  }

  /** A tree that may be found if the power goes now. */
  state(random: Chance): Tree {
    const files = new Map<string, Uint8Array>();
    const links = new Map<string, string>();
    const folders: string[] = [];
    const visit = (folder: Folder, path: string): void => {
      const names = new Map(folder.settled);
      for (const change of folder.pending) if (random.chance(0.5)) apply(names, change);
      for (const [name, node] of names) {
        const place = join(path, name);
        if (node.kind === "link") links.set(place, node.target);
        else if (node.kind === "file") files.set(place, random.pick(contentsOf(node)));
        else {
          folders.push(place);
          visit(node, place);
        }
      }
    };
    visit(this.#root, "");
    return { folders, files, links };
  }

  #node(path: string): Node {
    let node: Node = this.#root;
    for (const name of path.slice(this.#path.length).split("/").filter(Boolean)) {
      const next: Node | undefined = node.kind === "folder" ? node.names.get(name) : undefined;
      if (next === undefined) throw new Error(`${path} is not there`);
      node = next;
    }
    return node;
  }

  #folder(path: string): Folder {
    const node = this.#node(path);
    if (node.kind !== "folder") throw new Error(`${path} is no folder`);
    return node;
  }

  #file(path: string): Extract<Node, { kind: "file" }> {
    const node = this.#node(path);
    if (node.kind !== "file") throw new Error(`${path} is no file`);
    return node;
  }

  #change(path: string, change: Change): void {
    const folder = this.#folder(dirname(path));
    apply(folder.names, change);
    folder.pending.push(change);
  }
}

function apply(names: Map<string, Node>, change: Change): void {
  for (const [name, node] of change) {
    if (node === undefined) names.delete(name);
    else names.set(name, node);
  }
}

/** Contents a file may have. */
function contentsOf({ synced, written }: Extract<Node, { kind: "file" }>): readonly Uint8Array[] {
  if (synced === written) return [written];
  const zeros = new Uint8Array(written.length);
  zeros.set(synced.subarray(0, written.length));
  return [synced, zeros, written.subarray(0, (synced.length + written.length) >> 1), written];
}

/** Puts a tree into a folder, which has to be empty. */
export function layOut(tree: Tree, folder: string): void {
  for (const path of tree.folders) mkdirSync(join(folder, path));
  for (const [path, bytes] of tree.files) writeFileSync(join(folder, path), bytes);
  for (const [path, target] of tree.links) symlinkSync(target, join(folder, path));
}
