/** A boat that was watched and is not watched any more: an alarm by itself, which this screen raises. */
import { needsWatch } from "../../alarms/need.ts";
import { hull } from "../data/hull.ts";
import { brokenLinks, type Link, linkNow } from "../data/link.ts";
import { isDead, lastMade, reportLife, store } from "../data/store.ts";
import { settings } from "../settings.ts";
import { rememberedNeed, rememberWatch } from "./watch-memory.ts";

/** Beyond its life the age of the last navigation report at which hub-cand or the network has gone, or is too slow to warn. */
const SILENCE_SECONDS = 8;

export interface Loss {
  /** Which link is broken. */
  readonly reason: string;
  /** The boat was under way, or at an anchor that was watched. */
  readonly isDangerous: boolean;
}

const isSilent = (now: number): boolean => (now - Math.max(lastMade(), 0)) / 1000 > reportLife() + SILENCE_SECONDS;

const reasonOf = (link: Link): string => {
  const broken = brokenLinks[link];
  if (broken === undefined) return "hub-cand reports no alarms";
  return link === "late" ? broken : `no data from the boat: ${broken}`;
};

/** The loss of a boat that this page has not heard since it was loaded. */
function rememberedLoss(link: Link, now: number): Loss | undefined {
  const isNeeded = rememberedNeed(settings.peek().prefix);
  if (isNeeded === undefined || brokenLinks[link] === undefined || now < 1000 * SILENCE_SECONDS) return undefined;
  return { reason: reasonOf(link), isDangerous: isNeeded };
}

/** Undefined while the boat is watched, and where it never was. */
export function lossOf(now: number): Loss | undefined {
  const { alarms } = store;
  const link = linkNow(now);
  if (alarms === undefined) return rememberedLoss(link, now);
  // A fleet ashore loses its boats every day.
  const isDangerous = hull === undefined && needsWatch(alarms.data);
  if (isDead(alarms, now) || isSilent(now) || link === "bridge") return { reason: reasonOf(link), isDangerous };
  rememberWatch(settings.peek().prefix, isDangerous);
  return undefined;
}
