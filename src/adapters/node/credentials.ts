/** Name and password for the broker, from a file, because arguments and environment of a process can be seen by others. */
import { open } from "node:fs/promises";
import { dirname, resolve } from "node:path";

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/**
 * Reads `{"username": …, "password": …}`. Throws an Error with a sentence when the file cannot be read, is something else,
 * or can be read by its group or by others. A file in `credentialsDirectory` (systemd's, where an access list gives
 * the group bits another meaning) is exempt from the latter.
 */
export async function readCredentials(path: string, credentialsDirectory?: string): Promise<Credentials> {
  const file = await open(path);
  try {
    const { mode } = await file.stat();
    const isSystemds = credentialsDirectory !== undefined && dirname(resolve(path)) === resolve(credentialsDirectory);
    if ((mode & 0o077) !== 0 && !isSystemds) {
      const octal = (mode & 0o777).toString(8).padStart(4, "0");
      throw new Error(`${path}: readable by others (mode ${octal}), it must be 0600 or 0400`);
    }
    return parse(path, await file.readFile("utf8"));
  } finally {
    await file.close();
  }
}

function parse(path: string, text: string): Credentials {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // What the parser says about it would quote the password.
    throw new Error(`${path}: not JSON`);
  }
  if (typeof value === "object" && value !== null && "username" in value && "password" in value) {
    const { username, password } = value;
    if (typeof username === "string" && typeof password === "string") return { username, password };
  }
  throw new Error(`${path}: must be {"username": "…", "password": "…"}`);
}
