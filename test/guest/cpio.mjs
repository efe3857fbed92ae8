/** The archive of an initramfs: cpio "newc", not compressed. */

/** Packs files and folders; `entries` are `{ path, mode, content }`, a folder before its content. */
export function cpio(entries) {
  const parts = [];
  const add = ({ path, mode, content = Buffer.alloc(0) }, number) => {
    const name = Buffer.from(`${path}\0`);
    const fields = [number, mode, 0, 0, 1, 0, content.length, 0, 0, 0, 0, name.length, 0];
    const head = `070701${fields.map((field) => field.toString(16).padStart(8, "0")).join("")}`;
    parts.push(Buffer.from(head), name, padding(head.length + name.length), content, padding(content.length));
  };
  entries.forEach((entry, at) => {
    add(entry, at + 1);
  });
  add({ path: "TRAILER!!!", mode: 0 }, 0);
  return Buffer.concat(parts);
}

/** Names and contents end at a multiple of four. */
const padding = (length) => Buffer.alloc((4 - (length % 4)) % 4);
