/** Who the service is: what GET /info answers and, with its liveness, what it publishes over MQTT. */
import type { JsonObject } from "../project/json.ts";

export const identityTopic = "app/config/info";

/** About 99 years: an identity never goes stale. */
const EXPIRE_AFTER_SECONDS = 3_124_137_600;

/** `{name, version, hostname, features}`. */
export interface Identity extends JsonObject {
  readonly name: string;
  readonly version: string;
  readonly hostname: string;
  readonly features: readonly string[];
}

/** The MQTT payload; `wall` is the wall clock in milliseconds since 1970. */
export const identityPayload = (identity: Identity, online: boolean, wall: number): string =>
  JSON.stringify({
    ...identity,
    online,
    metadata: {
      // Lower case in this service, `rxDate` in the bridge: each as its contract writes it.
      rxdate: new Date(wall).toISOString(),
      rxTimestamp: Math.floor(wall / 1000),
      expireAfterSec: EXPIRE_AFTER_SECONDS,
    },
  });
