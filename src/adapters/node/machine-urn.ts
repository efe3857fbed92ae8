/** An identity of this machine in Signal K, which stays the same and does not disclose the machine id. */
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";

/** machine-id(5) asks applications to hash its content with their own key before they publish it. */
const APPLICATION = "hub-link";

/** `urn:mrn:signalk:uuid:` and a UUID of the form that the specification asks for, version 4. */
export function machineUrn(): string {
  const digits = createHmac("sha256", APPLICATION).update(machineId()).digest("hex");
  const variant = "89ab"[Number.parseInt(digits[16]!, 16) % 4];
  const parts = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
  ];
  return `urn:mrn:signalk:uuid:${[...parts, digits.slice(20, 32)].join("-")}`;
}

function machineId(): string {
  try {
    return readFileSync("/etc/machine-id", "utf8").trim() || hostname();
  } catch {
    return hostname();
  }
}
