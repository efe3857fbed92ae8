/**
 * The password of a project: a settings entry `{"name": "password", "hash": "<SHA-256 of the password, hex>"}`. Clients
 * send the hash in `Authorization: Bearer <hash>`; the plain password is never sent.
 */
import { sha256 } from "./digest.ts";
import { type Entry, entriesOf, type Project } from "./document.ts";
import { own } from "./json.ts";
import { Refusal } from "./refusal.ts";

export const passwordName = "password";

/** The hash that a client has to send; undefined without a password, "locked" if no hash can match. */
export type Secret = undefined | { readonly hash: string } | "locked";

export const isHash = (value: unknown): value is string => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);

export const passwordEntry = (project: Project): Entry | undefined =>
  entriesOf(project, "settings").find((entry) => own(entry, "name") === passwordName);

/**
 * The secret of a project. A hash of any text is compared as it is stored. A password entry without a text as hash
 * locks the project, because it was meant to be protected.
 */
export function secretOf(project: Project): Secret {
  const entry = passwordEntry(project);
  if (entry === undefined) return undefined;
  const hash = own(entry, "hash");
  return typeof hash === "string" && hash !== "" ? { hash } : "locked";
}

/** Refuses with 401 an Authorization header without the secret. */
export async function authorize(secret: Secret, header: string | undefined): Promise<void> {
  if (secret === undefined) return;
  const cut = header?.indexOf(" ") ?? -1;
  if (secret === "locked" || header === undefined || cut === -1) throw new Refusal(401, "password required");
  if (!(await isSame(header.slice(cut + 1), secret.hash))) throw new Refusal(401, "password required");
}

/** Compares digests in constant time. */
async function isSame(one: string, other: string): Promise<boolean> {
  const encoder = new TextEncoder();
  const [left, right] = await Promise.all([sha256(encoder.encode(one)), sha256(encoder.encode(other))]);
  let difference = 0;
  for (const [place, byte] of left.entries()) difference |= byte ^ right[place]!;
  return difference === 0;
}
