/** Opens what hub-link needs to let clients of Signal K write: the tokens, and the topics of their requests. */
import { randomBytes, randomUUID } from "node:crypto";
import { systemClock } from "../adapters/node/system-clock.ts";
import type { StoredToken } from "../core/report/link-access.ts";
import { Access } from "../services/link/signalk-v2/access.ts";
import { AccessTopics } from "../services/link/signalk-v2/access-topics.ts";
import type { HubLinkSettings } from "./hub-link-options.ts";
import type { Run } from "./program/program.ts";
import { type TokenFile, tokenFile } from "./token-file.ts";

/** Publishes with QoS 0; false while the broker is away. */
export type Publish = (topic: string, payload: string, options?: { readonly retain?: boolean }) => boolean;

const TOKEN_BYTES = 32;

/** Undefined without a folder for the tokens: nothing can be written. */
export async function openAccess(
  { state }: Pick<HubLinkSettings, "state">,
  { log, limitedLog, opened, publish }: Pick<Run, "log" | "limitedLog" | "opened"> & { readonly publish: Publish },
) {
  if (state === undefined) return undefined;
  const file = tokenFile(state);
  const access = new Access({
    tokens: await tokensOf(file, log),
    save: (tokens) => file.save(tokens),
    secret: () => randomBytes(TOKEN_BYTES).toString("base64url"),
    uuid: randomUUID,
    clock: systemClock,
  });
  const topics = opened.add(
    new AccessTopics({
      access,
      clock: systemClock,
      log: limitedLog,
      publish: (topic, payload) => publish(topic, payload, { retain: true }),
    }),
  );
  return { access, topics };
}

/** The data of the boat is served without tokens too. */
async function tokensOf(file: TokenFile, log: Run["log"]): Promise<readonly StoredToken[]> {
  try {
    return await file.read();
  } catch (error) {
    log.error("tokens cannot be read, so that no client may write", {
      code: "TOKENS_UNREADABLE",
      reason: (error as Error).message,
    });
    return [];
  }
}
