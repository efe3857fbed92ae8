/** Who publishes: the retained message of `app/can-<interface>/info`, in the shape of the configuration service's. */
import { isoTime } from "../n2k/date.ts";

/** What the bridge offers, in the order of the document. */
export const features = ["pgn", "interface", "devices", "infos", "navigation", "ais"] as const;

/** About 99 years: an identity never goes stale. */
const EXPIRE_AFTER_SECONDS = 3_124_137_600;

export interface IdentityOptions {
  readonly version: string;
  readonly hostname: string;
  readonly online: boolean;
  /** Wall clock, milliseconds since 1970. */
  readonly wall: number;
}

export const identityTopic = (interfaceName: string): string => `app/can-${interfaceName}/info`;

/** The payload, as JSON text; its clock keys are written as in the bridge's other messages (`rxDate`). */
export function identityPayload({ version, hostname, online, wall }: IdentityOptions): string {
  return JSON.stringify({
    name: "hub-cand",
    version,
    hostname,
    features,
    online,
    metadata: {
      rxDate: isoTime(wall),
      rxTimestamp: Math.floor(wall / 1000),
      expireAfterSec: EXPIRE_AFTER_SECONDS,
    },
  });
}
