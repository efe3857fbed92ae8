/** Name and password for the broker, from a file, because other users can see a process's arguments and environment. */
import { dirname, resolve } from "node:path";
import { jsonIn } from "../../../core/util/json-in.ts";
import { requireRegularFile } from "../files/regular-file.ts";

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

const MAX_BYTES = 64 << 10;

/**
 * Reads `{"username": …, "password": …}`. Throws an Error that names the file when it cannot be read, has other
 * content, or grants its group or others access. A file in `credentialsDirectory` (systemd's, where an access list
 * gives the group bits another meaning) is exempt from the latter.
 */
export async function readCredentials(path: string, credentialsDirectory?: string): Promise<Credentials> {
  const { bytes, mode } = await requireRegularFile(path, MAX_BYTES);
  const isSystemds = credentialsDirectory !== undefined && dirname(resolve(path)) === resolve(credentialsDirectory);
  if ((mode & 0o077) !== 0 && !isSystemds) {
    const octal = mode.toString(8).padStart(4, "0");
    throw new Error(`${path}: readable by others (mode ${octal}), it must be 0600 or 0400`);
  }
  return parse(path, new TextDecoder().decode(bytes));
}

function parse(path: string, text: string): Credentials {
  // The message of a parser would quote the password.
  const value = jsonIn(text);
  if (value === undefined) throw new Error(`${path}: not JSON`);
  if (typeof value === "object" && value !== null && "username" in value && "password" in value) {
    const { username, password } = value;
    if (typeof username === "string" && typeof password === "string") return { username, password };
  }
  throw new Error(`${path}: must be {"username": "…", "password": "…"}`);
}
