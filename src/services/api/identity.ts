/**
 * The identity of hub-configd: the response to GET /info and, with the online state, the message published over MQTT.
 */
import type { JsonObject } from "../../core/project/json.ts";
import { identityPayload as payloadOf } from "../../core/report/identity.ts";

/** `{name, version, hostname, features}`. */
export interface Identity extends JsonObject {
  readonly name: string;
  readonly version: string;
  readonly hostname: string;
  readonly features: readonly string[];
}

/** The MQTT payload; `wall` is the wall clock in milliseconds since 1970. */
export const identityPayload = (identity: Identity, online: boolean, wall: number): string =>
  payloadOf(identity, online, wall, "rxdate");
