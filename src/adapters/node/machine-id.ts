/**
 * Identities of this machine that stay the same. They are made of the machine id, or without one of the host name, and
 * hashed, because machine-id(5) asks programs not to publish it.
 */
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { uuidIn } from "../../core/text/uuid.ts";
import { attempt } from "../../core/util/attempt.ts";

const machineId = (path = "/etc/machine-id"): string => attempt(() => readFileSync(path, "utf8").trim()) || hostname();

/**
 * The unique number of a NAME: 21 bits, from the machine and the interface, which makes two bridges of one machine on
 * one bus two devices.
 */
export function uniqueNumber(interfaceName: string, path?: string): number {
  const digest = createHmac("sha256", machineId(path)).update(`hub-cand ${interfaceName}`).digest();
  return digest.readUInt32BE(0) >>> 11;
}

/** The machine in Signal K: `urn:mrn:signalk:uuid:` and a UUID of the form that the specification asks for, version 4. */
export function machineUrn(): string {
  const digits = createHmac("sha256", "hub-link").update(machineId()).digest("hex");
  return `urn:mrn:signalk:uuid:${uuidIn(digits, "89ab"[Number.parseInt(digits[16]!, 16) % 4])}`;
}
