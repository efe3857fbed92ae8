/**
 * SHA-256 of texts. The browser has its own only in secure contexts, and a boat serves its pages over plain HTTP from
 * an address on its network.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** Lower-case hex of the SHA-256 of a text's UTF-8 bytes. */
export const sha256Hex = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));
