/**
 * A release: a project, signed for the boats of a channel. It is one file, so that no reader gets the signature of
 * another version:
 *
 *     64 bytes               Ed25519 signature (RFC 8032) of everything below
 *     Hub-Config: 1\n        format
 *     Channel: hull-42\n     1 to 32 letters, digits and hyphens
 *     Version: 7\n           a whole number of at most 15 digits; it only grows
 *     \n
 *     {…}                    the project, as `GET /project/{id}/backup` gives it
 */
import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import { requireRegularFile } from "../files/regular-file.ts";
import { FetchFailure } from "./fetch-failure.ts";

export interface Release {
  readonly channel: string;
  readonly version: number;
  /** JSON text, not parsed. */
  readonly project: Uint8Array;
  /** SHA-256 of the signed text, lower-case hex. */
  readonly digest: string;
}

export const channelName = /^[a-zA-Z0-9-]{1,32}$/;

const SIGNATURE_BYTES = 64;
/** Limit above the length of any header. */
const MAX_HEADER_BYTES = 128;
const header = /^Hub-Config: 1\nChannel: ([a-zA-Z0-9-]{1,32})\nVersion: ([1-9]\d{0,14})\n\n/;

const MAX_KEY_FILE_BYTES = 64 << 10;
const publicKey = /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g;

/**
 * The Ed25519 keys of a PEM file: one, or several while the fleet changes from one to the next. Throws an Error that
 * names the file if it has none or another one.
 */
export async function readPublicKeys(path: string): Promise<readonly KeyObject[]> {
  const { bytes } = await requireRegularFile(path, MAX_KEY_FILE_BYTES);
  const blocks = bytes.toString("latin1").match(publicKey) ?? [];
  if (blocks.length === 0) throw new Error(`${path}: has no public key in PEM`);
  return blocks.map((pem) => {
    const key = parsedKey(path, pem);
    if (key.asymmetricKeyType !== "ed25519") throw new Error(`${path}: has a key that is not Ed25519`);
    return key;
  });
}

function parsedKey(path: string, pem: string): KeyObject {
  try {
    return createPublicKey(pem);
  } catch (cause) {
    throw new Error(`${path}: has a public key that cannot be read`, { cause });
  }
}

/** Verifies a file with any of the keys; throws FetchFailure if none has signed it, or if it is not a release. */
export function openRelease(file: Uint8Array, keys: readonly KeyObject[]): Release {
  const signature = file.subarray(0, SIGNATURE_BYTES);
  const signed = file.subarray(SIGNATURE_BYTES);
  if (!keys.some((key) => verify(null, signed, key, signature)))
    throw new FetchFailure("refused", "the signature is wrong: signed by another key, changed, or not whole");
  const text = Buffer.from(signed.subarray(0, MAX_HEADER_BYTES)).toString("latin1");
  const [head, channel, version] = header.exec(text) ?? [];
  if (head === undefined) throw new FetchFailure("refused", "the file is signed, but it is no release");
  return {
    channel: channel!,
    version: Number(version),
    project: signed.subarray(head.length),
    digest: createHash("sha256").update(signed).digest("hex"),
  };
}
