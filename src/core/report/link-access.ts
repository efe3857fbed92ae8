/** Access to the writing APIs of Signal K: the report of hub-link, and the answers to it. */
import * as z from "zod";

export const permissions = z.enum(["readonly", "readwrite", "admin"]);
export type Permissions = z.infer<typeof permissions>;

/** A name that a client gives itself. */
export const clientName = z.string().min(1).max(100);

/** A client that has asked, or has a token. */
const holder = z.object({
  id: z.uuid(),
  clientId: clientName,
  description: clientName,
  permissions,
  /** When it asked. */
  at: z.iso.datetime(),
});

/** A token as it is stored: its SHA-256 in hexadecimal digits, so that a copy of the file opens nothing. */
export const storedToken = holder.extend({ digest: z.string().regex(/^[0-9a-f]{64}$/) });
export type StoredToken = z.infer<typeof storedToken>;

export const accessReport = z.object({
  requests: z.array(holder.extend({ address: z.string() })).max(50),
  holders: z.array(holder).max(50),
});
export type AccessReport = z.infer<typeof accessReport>;

/** Payload of `app/link/access/{id}/set`, without quotes. */
export const accessAnswer = z.enum(["approve", "deny", "revoke"]);
export type AccessAnswer = z.infer<typeof accessAnswer>;
