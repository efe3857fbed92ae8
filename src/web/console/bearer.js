/** Converts the header that Swagger UI makes of the typed password to the header that the service expects. */
import { sha256Hex } from "../../core/text/sha256.ts";

/** `Bearer <password>` becomes `Bearer <its SHA-256>`; a hash that was typed, or set before, stays as it is. */
export function bearerOf(authorization) {
  const typed = authorization.replace(/^Bearer /, "");
  return `Bearer ${/^[0-9a-f]{64}$/.test(typed) ? typed : sha256Hex(typed)}`;
}
