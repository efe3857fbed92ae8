/** The unique number of a NAME, from the identity of the machine. */
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";

/**
 * 21 bits that are the same after a restart, from the machine id, or without one the host name, and the interface. They
 * are hashed, because machine-id(5) is to be kept secret; the interface makes two bridges of one machine on one bus two
 * devices.
 */
export function uniqueNumber(interfaceName: string, path = "/etc/machine-id"): number {
  let machine: string;
  try {
    machine = readFileSync(path, "utf8").trim();
  } catch {
    machine = "";
  }
  const digest = createHmac("sha256", machine === "" ? hostname() : machine)
    .update(`hub-cand ${interfaceName}`)
    .digest();
  return digest.readUInt32BE(0) >>> 11;
}
