/** The unique number of a NAME, from what makes this machine itself. */
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";

/**
 * 21 bits that stay the same over restarts, from the machine's id and the interface; from the host's name where there is
 * no id. Hashed, since machine-id(5) wants its secret kept; with the interface, so that two bridges of one machine on one
 * bus are two devices.
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
