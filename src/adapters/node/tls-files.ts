/** The PEM files of a secure connection. */
import type { SecureContext, SecureContextOptions } from "node:tls";
import { requireRegularFile } from "./files/regular-file.ts";

/** Paths of PEM files: `ca` instead of the authorities of Node, `cert` and `key` (together) for authentication. */
export interface TlsFiles {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** Reads the files; throws an Error that names the one that cannot be read or used. */
export async function readTlsFiles({ ca, cert, key }: TlsFiles): Promise<SecureContext> {
  return createContext(
    {
      ...(ca !== undefined && { ca: await checked(ca, "ca") }),
      ...(cert !== undefined && { cert: await checked(cert, "cert") }),
      ...(key !== undefined && { key: await checked(key, "key") }),
    },
    [cert, key].join(", "),
  );
}

/** Some four times all the authorities that Debian ships. */
const MAX_BYTES = 1 << 20;

async function checked(path: string, kind: "ca" | "cert" | "key"): Promise<Buffer> {
  const { bytes } = await requireRegularFile(path, MAX_BYTES);
  await createContext({ [kind]: bytes }, path);
  return bytes;
}

async function createContext(parts: SecureContextOptions, name: string): Promise<SecureContext> {
  // The module is imported on use, because a broker on the same machine needs no TLS.
  const { createSecureContext } = await import("node:tls");
  try {
    return createSecureContext(parts);
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}
