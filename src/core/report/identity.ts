/** The identity that each daemon publishes, retained: its name and version, the host, and whether it is online. */
import * as z from "zod";
import { textOf } from "../text/ascii-buffer.ts";
import { metadataAt, metadataOf } from "./envelope.ts";
import { IDENTITY_EXPIRES_AFTER_SECONDS } from "./timing.ts";
import { writerOf } from "./write.ts";

const { rxDate, ...times } = metadataOf(IDENTITY_EXPIRES_AFTER_SECONDS).shape;

/** The message is flat, without an envelope. */
export const identityMessage = z.strictObject({
  name: z.string(),
  version: z.string(),
  hostname: z.string(),
  features: z.array(z.string()),
  online: z.boolean(),
  metadata: z.strictObject({ rxDate, ...times }),
});

/** hub-configd's document spells `rxDate` in lower case. */
const configIdentityMessage = identityMessage.extend({ metadata: z.strictObject({ rxdate: rxDate, ...times }) });

const identityText = textOf(writerOf(identityMessage));
const configIdentityText = textOf(writerOf(configIdentityMessage));

export type Identity = z.infer<typeof identityMessage>;

/** The members that do not change while a daemon runs. */
export type Publisher = Pick<Identity, "name" | "version" | "hostname"> & { readonly features: readonly string[] };

/** The message as JSON text; `wall` is the wall clock in milliseconds since 1970. */
export function identityPayload(
  { features, ...publisher }: Publisher,
  online: boolean,
  wall: number,
  spelling: "rxDate" | "rxdate" = "rxDate",
): string {
  const { rxDate, ...times } = metadataAt(wall, IDENTITY_EXPIRES_AFTER_SECONDS);
  const members = { ...publisher, features: [...features], online };
  return spelling === "rxDate"
    ? identityText({ ...members, metadata: { rxDate, ...times } })
    : configIdentityText({ ...members, metadata: { rxdate: rxDate, ...times } });
}
