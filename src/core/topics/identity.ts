/** The identity of hub-cand: the retained message of `app/can-<interface>/info`. */
import * as z from "zod";
import { identityPayload as payloadOf, identityMessage as sharedMessage } from "../report/identity.ts";

const NAME = "hub-cand";

/** The topics of hub-cand, in the order of the document. */
export const features = ["pgn", "interface", "devices", "infos", "navigation", "ais"] as const;

export const identityMessage = sharedMessage.extend({ name: z.literal(NAME) });

export interface IdentityOptions {
  readonly version: string;
  readonly hostname: string;
  readonly online: boolean;
  /** Wall clock, milliseconds since 1970. */
  readonly wall: number;
}

/** The payload, as JSON text. */
export const identityPayload = ({ version, hostname, online, wall }: IdentityOptions): string =>
  payloadOf({ name: NAME, version, hostname, features }, online, wall);
