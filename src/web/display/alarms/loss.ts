/** The loss of the boat's watch: an alarm that this screen raises itself. */

import { needsWatch } from "../../../core/alarms/need.ts";
import { isDead } from "../data/device-messages.ts";
import { hull } from "../data/hull.ts";
import { brokenLinkText, type Link, linkNow } from "../data/link.ts";
import { settings } from "../data/settings.ts";
import { lastMade, reportLife, store } from "../data/store.ts";
import { say } from "../languages/say.ts";
import { rememberedNeed, rememberWatch } from "./watch-memory.ts";

/**
 * Time after the expiry of the last navigation report after which hub-cand or the network counts as lost, or as too
 * slow to warn.
 */
const SILENCE_SECONDS = 8;

export interface Loss {
  readonly reason: string;
  /** Whether it sounds: everywhere but at a berth that the crew has given, and ashore. */
  readonly isDangerous: boolean;
}

const isSilent = (now: number): boolean => (now - Math.max(lastMade(), 0)) / 1000 > reportLife() + SILENCE_SECONDS;

const reasonOf = (link: Link): string => {
  const broken = brokenLinkText(link);
  if (broken === undefined) return say("hub-cand reports no alarms");
  return link === "late" ? broken : say("no data from the boat: {broken}", { broken });
};

/** The loss of a boat from which this page has received nothing since it was loaded. */
function rememberedLoss(link: Link, now: number): Loss | undefined {
  const isNeeded = rememberedNeed(settings.peek().prefix);
  if (isNeeded === undefined || brokenLinkText(link) === undefined || now < 1000 * SILENCE_SECONDS) return undefined;
  return { reason: reasonOf(link), isDangerous: isNeeded };
}

/** The loss; undefined while the boat is watched, and for a boat that never was. */
export function lossOf(now: number): Loss | undefined {
  const { alarms } = store;
  const link = linkNow(now);
  if (alarms === undefined) return rememberedLoss(link, now);
  // Ashore the loss of a connection is normal.
  const isDangerous = hull === undefined && needsWatch(alarms.data);
  if (isDead(alarms, now) || isSilent(now) || link === "bridge") return { reason: reasonOf(link), isDangerous };
  rememberWatch(settings.peek().prefix, isDangerous);
  return undefined;
}
