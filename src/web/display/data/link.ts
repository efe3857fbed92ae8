/** The links from the bus to this screen, and the one that is broken: the network, the broker, or hub-cand. */

import { effect, signal } from "@preact/signals";
import { durationText } from "../languages/formats.ts";
import { say } from "../languages/say.ts";
import type { PlainText } from "../languages/texts.ts";
import { connectionState } from "./connection.ts";
import { bridgeOf } from "./device-names.ts";
import { TRANSPORT_SECONDS } from "./freshness.ts";
import { brokerUrl, settings } from "./settings.ts";
import { lastHeard, pace, reportLife } from "./store.ts";

const PROBE_PERIOD_MS = 5000;
const PROBE_TIMEOUT_MS = 3000;

/**
 * Whether the host of the broker, from which this page comes, answers; undefined: not known. It is asked while the
 * broker is away.
 */
const isHostThere = signal<boolean>();

const isOwnHost = (): boolean => new URL(brokerUrl()).hostname === location.hostname;

async function probe(): Promise<void> {
  try {
    // The service worker answers a GET from its cache.
    await fetch(location.pathname, {
      method: "HEAD",
      cache: "no-store",
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    isHostThere.value = true;
  } catch {
    isHostThere.value = false;
  }
}

let probing: ReturnType<typeof setInterval> | undefined;

export function startLinkProbe(): void {
  effect(() => {
    clearInterval(probing);
    isHostThere.value = undefined;
    if (connectionState.value !== "lost" || !isOwnHost()) return;
    void probe();
    probing = setInterval(() => void probe(), PROBE_PERIOD_MS);
  });
}

/**
 * `bridge`: hub-cand is offline, by its own message or its last will; `late`: messages wait on the way; `slow`: they do
 * not, because the page subscribes to less.
 */
export type Link =
  | "live"
  | "slow"
  | "late"
  | "connecting"
  | "network"
  | "host"
  | "broker"
  | "bridge"
  | "silent"
  | "nothing heard";

/** The first broken link, counted from this screen; `network` if it is not known which. */
export function linkNow(now: number): Link {
  if (connectionState.value === "connecting") return "connecting";
  if (connectionState.value === "lost") {
    if (isHostThere.value === undefined) return "network";
    return isHostThere.value ? "broker" : "host";
  }
  if (bridgeOf(settings.value.prefix)?.online === false) return "bridge";
  const silent = silentSeconds(now);
  if (!Number.isFinite(silent)) return "nothing heard";
  if (silent > reportLife() + TRANSPORT_SECONDS) return "silent";
  if (pace.isLateAt(now)) return "late";
  return pace.isSlow ? "slow" : "live";
}

const silentSeconds = (now: number): number => (now - lastHeard()) / 1000;

/** Texts for the head of the page. */
const shortTexts: Readonly<Record<Exclude<Link, "silent" | "late">, PlainText>> = {
  live: "Live",
  slow: "Live, slow link",
  connecting: "Connecting",
  network: "No network",
  host: "No network",
  broker: "No broker",
  bridge: "No boat data",
  "nothing heard": "Nothing heard",
};

export function shortText(link: Link, now: number): string {
  switch (link) {
    case "silent":
      return say("Silent for {duration}", { duration: durationText(silentSeconds(now)) });
    case "late":
      return say("Late by {duration}", { duration: durationText(pace.delay / 1000) });
    default:
      return say(shortTexts[link]);
  }
}

/** Whether a proxy shows the display below a path, while its addresses are those of the boat's site. */
const isBelowPath = /^\/.+\/display\//.test(globalThis.location?.pathname ?? "");

/**
 * The broken link in words for a crew, which knows this screen, the boat's computer and the instruments; undefined
 * without a broken link.
 */
const brokenLinks: Readonly<Partial<Record<Link, PlainText>>> = {
  connecting: "this screen is connecting to the boat's computer",
  network: "this screen has lost the boat's computer",
  host: "this screen does not reach the boat's computer",
  broker: isBelowPath
    ? "this page is below a path, and has to be at /display/ of a host of its own, beside /mqtt and /api"
    : "the boat's computer answers, its broker does not",
  bridge: "the program that reads the instruments, hub-cand, is off",
  silent: "the program that reads the instruments, hub-cand, is silent",
  late: "the network is too slow, the boat's data come late",
  "nothing heard": "the program that reads the instruments, hub-cand, is silent",
};

/** The same in the language of the crew. */
export const brokenLinkText = (link: Link): string | undefined => {
  const text = brokenLinks[link];
  return text && say(text);
};

/** Links over which a command arrives, at last when hub-cand goes on. */
const open: readonly Link[] = ["live", "slow", "late", "silent", "nothing heard"];

/** Why hub-cand would not get a command, which is not sent later, when it may be wrong; undefined: it gets it. */
export const notNowText = (now: number): string | undefined => {
  const link = linkNow(now);
  return open.includes(link) ? undefined : say("Not possible now: {broken}.", { broken: brokenLinkText(link)! });
};

/** The broken link as a sentence for a page without data; undefined without a broken link. */
export const noDataText = (link: Link): string | undefined => {
  const broken = brokenLinkText(link);
  return broken && `${say("No data from the boat: {broken}", { broken })}.`;
};
