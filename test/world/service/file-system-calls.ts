/** Calls that change the file system. */
export type FileSystemCall =
  | { readonly kind: "create"; readonly path: string }
  | { readonly kind: "write"; readonly path: string; readonly bytes: Uint8Array }
  | { readonly kind: "truncate"; readonly path: string; readonly length?: number }
  | { readonly kind: "sync"; readonly path: string }
  | { readonly kind: "rename"; readonly path: string; readonly to: string }
  | { readonly kind: "link"; readonly path: string; readonly to: string }
  | { readonly kind: "unlink"; readonly path: string }
  | { readonly kind: "mkdir"; readonly path: string }
  | { readonly kind: "symlink"; readonly path: string; readonly target: string };
