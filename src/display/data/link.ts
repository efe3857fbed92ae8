/** Which link of the way from the bus to this screen is broken: the network, the broker, or hub-cand. */

import { effect, signal } from "@preact/signals";
import { durationText } from "../../text/quantity.ts";
import { brokerUrl, settings } from "../settings.ts";
import { connectionState } from "./connection.ts";
import { TRANSPORT_SECONDS } from "./freshness.ts";
import { bridgeOf, lastHeard, pace, reportLife } from "./store.ts";

const PROBE_PERIOD_MS = 5000;
const PROBE_TIMEOUT_MS = 3000;

/** Whether the host of the broker, where this page comes from, answers; undefined: not known. Asked while the broker is away. */
const isHostThere = signal<boolean>();

const isOwnHost = (): boolean => new URL(brokerUrl()).hostname === location.hostname;

async function probe(): Promise<void> {
  try {
    // The service worker answers from its cache what is asked by GET.
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

/** `bridge`: hub-cand has said good-bye, or its broker did for it; `late`: messages wait on the way; `slow`: they do
 * not, because less is asked for. */
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

/** The first link that is broken, from this screen on; `network` when it is not known which. */
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
  if (pace.isLate) return "late";
  return pace.isSlow ? "slow" : "live";
}

const silentSeconds = (now: number): number => (now - lastHeard()) / 1000;

/** For the head of the page. */
const shortTexts: Readonly<Record<Exclude<Link, "silent" | "late">, string>> = {
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
      return `Silent for ${durationText(silentSeconds(now))}`;
    case "late":
      return `Late by ${durationText(pace.delay / 1000)}`;
    default:
      return shortTexts[link];
  }
}

/**
 * The broken link in the words of a crew, who know this screen, the boat's computer and her instruments; undefined where the links
 * are whole.
 */
export const brokenLinks: Readonly<Partial<Record<Link, string>>> = {
  connecting: "this screen is connecting to the boat's computer",
  network: "this screen has lost the boat's computer",
  host: "this screen does not reach the boat's computer",
  broker: "the boat's computer answers, its message broker does not",
  bridge: "the program that reads the instruments, hub-cand, is off",
  silent: "the program that reads the instruments, hub-cand, is silent",
  late: "the network is too slow, the boat's data come late",
  "nothing heard": "the program that reads the instruments, hub-cand, is silent",
};

/** The broken link as a sentence for a page that has nothing to show; undefined where the links are whole. */
export const noDataText = (link: Link): string | undefined =>
  brokenLinks[link] === undefined ? undefined : `No data from the boat: ${brokenLinks[link]}.`;
