/** The calls of a program that change the file system, read from strace, in the order they ended. */

export type FileSystemCall =
  | { readonly kind: "create"; readonly path: string }
  | { readonly kind: "write"; readonly path: string; readonly bytes: Uint8Array }
  | { readonly kind: "truncate"; readonly path: string; readonly length?: number }
  | { readonly kind: "sync"; readonly path: string }
  | { readonly kind: "rename"; readonly path: string; readonly to: string }
  | { readonly kind: "link"; readonly path: string; readonly to: string }
  | { readonly kind: "unlink"; readonly path: string }
  | { readonly kind: "mkdir"; readonly path: string }
  | { readonly kind: "symlink"; readonly path: string; readonly target: string }
  /** Output to others: an HTTP response, a line on standard output. */
  | { readonly kind: "told"; readonly text: string; readonly thread: string };

/** Arguments of strace that `callsOf` reads the output of; behind them come the file for it and the program. */
export const straceArguments: readonly string[] = [
  ...["-f", "-y", "-qq", "-s", "16777216", "-e", "signal=none", "-e"],
  `trace=${[
    ...["open", "openat", "openat2", "creat", "close", "write", "writev", "pwrite64", "pwritev", "pwritev2", "sendto"],
    ...["sendmsg", "sendfile", "copy_file_range", "ftruncate", "truncate", "fallocate", "fsync", "fdatasync", "sync"],
    ...["syncfs", "sync_file_range", "rename", "renameat", "renameat2", "unlink", "unlinkat", "rmdir", "mkdir"],
    ...["mkdirat", "symlink", "symlinkat", "link", "linkat", "io_uring_enter", "mmap"],
  ]
    .map((name) => `?${name}`)
    .join(",")}`,
  "-o",
];

const escapes: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, v: 11, f: 12, '"': 34, "\\": 92 };

/** The bytes of a string as strace prints it, in C's escapes. */
function unescaped(text: string): Buffer {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== "\\") {
      bytes.push(text.charCodeAt(at));
      continue;
    }
    const octal = /^[0-7]{1,3}/.exec(text.slice(at + 1, at + 4))?.[0];
    if (octal === undefined) bytes.push(escapes[text[++at]!]!);
    else {
      bytes.push(Number.parseInt(octal, 8));
      at += octal.length;
    }
  }
  return Buffer.from(bytes);
}

const stringsIn = (text: string): Buffer[] =>
  [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, content]) => unescaped(content!));

/** The calls of all threads below `root`, and the output to others. Throws for an unknown call. */
export function callsOf(trace: string, root: string): readonly FileSystemCall[] {
  const calls: FileSystemCall[] = [];
  const begun = new Map<string, string>();
  const isInside = (path: string): boolean => path === root || path.startsWith(`${root}/`);
  for (const line of trace.split("\n")) {
    const [, thread, rest] = /^(\d+) +(.*)$/s.exec(line) ?? [];
    if (rest === undefined) continue;
    if (rest.endsWith("<unfinished ...>")) {
      begun.set(thread!, rest.slice(0, -"<unfinished ...>".length));
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/s.exec(rest)?.[1];
    const whole = resumed === undefined ? rest : (begun.get(thread!) ?? "") + resumed;
    const [, name, args, result] = /^(\w+)\((.*)\) += (.*)$/s.exec(whole) ?? [];
    if (name === undefined || result!.startsWith("-1") || result!.startsWith("?")) continue;
    const strings = stringsIn(args!);
    const texts = strings.map(String);
    const descriptor = /^\d+<([^>]*)>/.exec(args!)?.[1] ?? "";
    switch (name) {
      case "open":
      case "openat":
      case "creat": {
        const path = texts[0]!;
        if (!isInside(path) || !/O_(WRONLY|RDWR|CREAT|TRUNC)/.test(args!)) break;
        // Files are always created anew, because writing into an existing one cannot be undone.
        if (!/O_CREAT/.test(args!) || !/O_EXCL/.test(args!))
          throw new Error(`written in place: ${whole.slice(0, 300)}`);
        calls.push({ kind: "create", path });
        break;
      }
      case "write":
      case "writev":
      case "sendto":
      case "sendmsg":
      case "pwrite64":
        if (isInside(descriptor)) {
          if (name !== "write") throw new Error(`not expected: ${whole.slice(0, 300)}`);
          // A write may be cut short.
          calls.push({ kind: "write", path: descriptor, bytes: strings[0]!.subarray(0, Number(result)) });
        } else if (/^(socket|pipe|TCP|\/dev\/)/.test(descriptor)) {
          calls.push({ kind: "told", text: Buffer.concat(strings).toString("latin1"), thread: thread! });
        }
        break;
      case "fsync":
      case "fdatasync":
        if (isInside(descriptor)) calls.push({ kind: "sync", path: descriptor });
        break;
      case "rename":
        if (isInside(texts[0]!)) calls.push({ kind: "rename", path: texts[0]!, to: texts[1]! });
        break;
      case "link":
        if (isInside(texts[0]!)) calls.push({ kind: "link", path: texts[0]!, to: texts[1]! });
        break;
      case "unlink":
        if (isInside(texts[0]!)) calls.push({ kind: "unlink", path: texts[0]! });
        break;
      case "mkdir":
        if (isInside(texts[0]!)) calls.push({ kind: "mkdir", path: texts[0]! });
        break;
      case "symlink":
        if (isInside(texts[1]!)) calls.push({ kind: "symlink", path: texts[1]!, target: texts[0]! });
        break;
      case "close":
        break;
      case "mmap":
        if (/PROT_WRITE.*MAP_SHARED/.test(args!) && args!.includes(`<${root}/`)) throw new Error(`mapped: ${whole}`);
        break;
      default:
        if (args!.includes(root)) throw new Error(`not expected: ${whole.slice(0, 300)}`);
    }
  }
  return calls;
}
